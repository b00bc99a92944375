/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whole frames on a device that lacks what it may lack: all at once, and at night one thing at a time. Every stage's
 * buffers and the picture are the reference's. */
#include "all_sizes.h"
#include "vulkan/gpu_fixture.h"
#include "golden/scene_files.h"
#include "render/gpu/stage_check.h"
#include "property/random_scene.h"

#define BUDGET ((uint64_t)1 << 30)
#define FINE_WORK 8192u
/* Without these kernels have other shapes, which a driver has to compile. */
#define CHANGES_KERNELS (GPU_OPTIONAL_SUBGROUP_SIZE_CONTROL | GPU_OPTIONAL_LIMITS)

static void compare_seed(gpu_renderer *renderer, uint32_t seed, random_kind kind, const char *without)
{
    char name[96];
    pietra_error error;
    pietra_stream *stream;
    snprintf(name, sizeof name, "seed %u without %s", seed, without);
    pietra_scene *scene = random_scene_create(seed, kind, 160);
    if (pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        fail_msg("%s: %s", name, error.message);
    pietra_scene_destroy(scene);
    assert_true(stages_agree(renderer, stream, &(pietra_frame){.transform = {.a = 1, .d = 1}}, 200, 150, name));
    pietra_stream_destroy(stream);
}

static void compare_file(gpu_renderer *renderer, const char *file, const char *without)
{
    char name[96];
    pietra_error error;
    pietra_stream *stream;
    uint32_t width, height;
    snprintf(name, sizeof name, "%s without %s", file, without);
    if (scene_files_load(file, &error, &stream, &width, &height) != PIETRA_OK)
        fail_msg("%s: %s", name, error.message);
    assert_true(stages_agree(renderer, stream, &(pietra_frame){.transform = {.a = 1, .d = 1}}, width, height, name));
    pietra_stream_destroy(stream);
}

/* By day scenes have few kinds of elements: software takes seconds to make each of the other kernels. */
static void compare_without(uint32_t optional, const char *without)
{
    const random_kind kind = all_sizes() ? RANDOM_ANYTHING : RANDOM_DYADIC;
    gpu_fixture fixture = {0};
    pietra_device_options options = gpu_fixture_options(&fixture);
    gpu_renderer_options drawing = {.budget_bytes = BUDGET, .fine_work = FINE_WORK};
    gpu_renderer *renderer;
    pietra_error error;
    if (gpu_open_without(&options, optional, &error, &fixture.device) != PIETRA_OK ||
        gpu_renderer_create(fixture.device, &drawing, &error, &renderer) != PIETRA_OK) {
        fail_msg("without %s: %s", without, error.message);
    }
    for (uint32_t seed = 5000; seed < (all_sizes() ? 5008u : 5002u); seed++)
        compare_seed(renderer, seed, kind, without);
    if (all_sizes())
        compare_file(renderer, "stress/spirograph", without);
    gpu_renderer_destroy(renderer);
    gpu_fixture_close(&fixture);
}

static void test_frames(void **state)
{
    gpu_fixture *whole = *state;
    const uint32_t all = gpu_optional_of(gpu_get_limits(whole->device));
    compare_without(GPU_OPTIONAL_ALL, "anything");
    if (!all_sizes() && all & ~CHANGES_KERNELS)
        compare_without(all & ~CHANGES_KERNELS, "what changes no kernel");
    for (size_t i = 0; i < GPU_WITHOUT_COUNT && all_sizes(); i++) {
        const uint32_t optional = gpu_without_names[i].optional;
        if (!(optional & all))
            print_message("skipped, it is not there: %s\n", gpu_without_names[i].name);
        else if (optional != GPU_OPTIONAL_ALL)
            compare_without(optional, gpu_without_names[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests_name("gpu_portable", tests, gpu_fixture_setup, gpu_fixture_teardown);
}
