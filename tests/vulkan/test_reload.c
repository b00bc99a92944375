/* Built with PIETRA_DEV: a kernel that is rewritten while the process runs is used, unless it has an error. */
#include "scene/scene_fixture.h"

#include <time.h>
#include <unistd.h>

#define SIDE 16u
#define KERNEL "stages/10_fine_solid.comp"

static char folder[] = "/tmp/pietra-reload-XXXXXX";

static void run(const char *format, const char *argument)
{
    char command[2048];
    snprintf(command, sizeof command, format, folder, argument);
    assert_int_equal(system(command), 0);
}

static uint32_t pixel(pietra_device *device, const pietra_stream *stream)
{
    uint32_t pixels[SIDE * SIDE];
    pietra_target target = { .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels };
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, NULL));
    return pixels[SIDE * 8 + 8];
}

static void test_kernels_are_swapped(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    run("cp -r " PIETRA_SOURCE_DIR "/shaders/* %s%s", "/");
    assert_int_equal(setenv("PIETRA_SHADER_DIR", folder, 1), 0);
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 16 16", &RED);
    pietra_stream *stream = encode_and_destroy(scene);
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){ .kind = PIETRA_DEVICE_GPU }, error, &device));
    assert_int_equal(pixel(device, stream), 0xff0000ffu);
    run("sed -i '/^void store_quad(/,/^}/s/^    target.*/    color ^= uvec4(0xff00ffu);\\n&/' %s/%s", "stages/fine.glsl");
    uint32_t changed = pixel(device, stream);
    assert_int_not_equal(changed, 0xff0000ffu);
    run("echo 'this is no GLSL' >> %s/%s", KERNEL);
    assert_int_equal(pixel(device, stream), changed);
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
    run("rm -r %s%s", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kernels_are_swapped) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
