/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These tests are built with PIETRA_DEV. A kernel that is rewritten while the process runs is used, unless it has an
 * error, and each kernel is found. */
#include <time.h>
#include <unistd.h>

#include "primitive/device_wide/sort_families.h"
#include "primitive/sort_family.h"
#include "render/gpu/programs.h"
#include "scene/scene_fixture.h"
#include "vulkan/reload.h"

#define SIDE 16u
#define KERNEL "stages/10_fine_solid.comp"

static char folder[] = "/tmp/pietra-reload-XXXXXX";

static void run(const char *format, const char *argument)
{
    char command[2048];
    snprintf(command, sizeof command, format, folder, argument);
    assert_int_equal(system(command), 0);
}

static void copy_sources(void)
{
    run("cp -r " PIETRA_SOURCE_DIR "/shaders/* %s%s", "/");
}

static uint32_t pixel(pietra_device *device, const pietra_stream *stream)
{
    uint32_t pixels[SIDE * SIDE];
    pietra_target target = {
        .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, NULL));
    return pixels[SIDE * 8 + 8];
}

static void test_kernels_are_swapped(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("PIETRA_SHADER_DIR", folder, 1), 0);
    copy_sources();
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 16 16", &RED);
    pietra_stream *stream = encode_and_destroy(scene);
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_GPU}, error, &device));
    assert_int_equal(pixel(device, stream), 0xff0000ffu);
    run("sed -i '/^void store_quad(/,/^}/s/^    target.*/    color ^= uvec4(0xff00ffu);\\n&/' %s/%s",
        "stages/fine.glsl");
    uint32_t changed = pixel(device, stream);
    assert_int_not_equal(changed, 0xff0000ffu);
    run("echo 'this is no GLSL' >> %s/%s", KERNEL);
    assert_int_equal(pixel(device, stream), changed);
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
}

static void expect_kernel(const char *name, const uint32_t *spirv, size_t word_count)
{
    pietra_error error;
    uint32_t *words;
    size_t found;
    if (reload_compile(name, &error, &words, &found) != PIETRA_OK)
        fail_msg("%s: %s", name, error.message);
    if (!words || found != word_count || memcmp(words, spirv, 4 * found) != 0)
        fail_msg("%s is not compiled as the build compiles it", name);
    free(words);
}

/* Sources that are newer than the process and say what the build's said make the build's kernels: those of all stages
 * and of all sorts. */
static void test_every_kernel_is_found(void **state)
{
    const sort_family *const families[] = {&sort_u32_pairs, &sort_u32_keys, &sort_u64_keys, &sort_u64_pairs};
    (void)state;
    copy_sources();
    for (uint32_t i = 0; i < frame_step_count; i++)
        if (frame_steps[i].stem)
            expect_kernel(frame_steps[i].stem, frame_steps[i].spirv, frame_steps[i].word_count);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const sort_family *f = families[i];
        const primitive_program_info programs[] = {f->begin,   f->compare,         f->merge, f->workgroup,
                                                   f->pass,    f->registers,       f->ring,  f->registers_ring,
                                                   f->scatter, f->registers_middle};
        for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++)
            if (programs[k].name)
                expect_kernel(programs[k].name, programs[k].spirv, programs[k].word_count);
    }
}

static int remove_sources(void **state)
{
    (void)state;
    run("rm -r %s%s", "");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels_are_swapped),
                                       cmocka_unit_test(test_every_kernel_is_found)};
    return cmocka_run_group_tests(tests, NULL, remove_sources);
}
