/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compares every stage's buffers exactly, those of the kernels with those of the reference. This covers random scenes,
 * tickets in order and in reverse, workgroups that publish nothing, passes of 10_fine so short that tiles need
 * many, and frames of a few boxes. */
#include "all_sizes.h"
#include "vulkan/gpu_fixture.h"
#include "layout/primitive.h"
#include "render/gpu/stage_check.h"
#include "property/random_effect.h"

#define BUDGET ((uint64_t)1 << 30)
#define SHORT_PASS 64u
#define LONG_PASS 8192u

static gpu_renderer *create_renderer(gpu_device *device, primitive_options waits, uint32_t fine_work)
{
    const gpu_renderer_options options = {.budget_bytes = BUDGET, .waits = waits, .fine_work = fine_work};
    gpu_renderer *renderer;
    pietra_error error;
    if (gpu_renderer_create(device, &options, &error, &renderer) != PIETRA_OK)
        fail_msg("%s", error.message);
    return renderer;
}

static void compare_seeds(gpu_renderer *renderer, uint32_t first, uint32_t end)
{
    for (uint32_t seed = first; seed < end; seed++) {
        char name[64];
        pietra_error error;
        snprintf(name, sizeof name, "seed %u", seed);
        pietra_scene *scene = random_scene_create(seed, RANDOM_ANYTHING, 160);
        pietra_stream *stream;
        if (pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
            fail_msg("%s: %s", name, error.message);
        pietra_scene_destroy(scene);
        pietra_frame frame = {.transform = {.a = 1, .d = 1}};
        if (seed % 3 == 1)
            frame = (pietra_frame){.transform = {1.3, 0.4, -0.3, 1.1, 7.25, -3.5}, .background = {1, 1, 1, 1}};
        assert_true(stages_agree(renderer, stream, &frame, 90 + seed % 200, 64 + seed % 150, name));
        pietra_stream_destroy(stream);
    }
}

static void compare_waits(const gpu_fixture *fixture, primitive_options waits, uint32_t fine_work, uint32_t first,
                          uint32_t end)
{
    gpu_renderer *renderer = create_renderer(fixture->device, waits, fine_work);
    compare_seeds(renderer, first, end);
    gpu_renderer_destroy(renderer);
}

/* By day shuffled tickets, faults and short passes come together: a driver takes seconds for the programs of each, and
 * half a minute if it has not compiled them before. */
static void test_waits(void **state)
{
    const primitive_options shuffled = {.order = LOOK_BACK_ORDER_SHUFFLED, .spin_limit = 4};
    if (all_sizes()) {
        compare_waits(*state, (primitive_options){.order = 0}, SHORT_PASS, 1000, 1040);
        compare_waits(*state, (primitive_options){.order = LOOK_BACK_ORDER_REVERSED, .spin_limit = 64}, LONG_PASS, 2000,
                      2016);
        compare_waits(*state, shuffled, LONG_PASS, 3000, 3030);
        compare_waits(*state, (primitive_options){.fault_period = 2, .spin_limit = 8}, LONG_PASS, 4000, 4030);
    } else {
        primitive_options faulty = shuffled;
        faulty.fault_period = 3;
        compare_waits(*state, faulty, SHORT_PASS, 1000, 1004);
    }
}

/* Rectangles that cover some of six bins each, in three workgroups of elements. 03_occluders finds the last one of each
 * bin. */
static void compare_many_occluders(gpu_renderer *renderer)
{
    pietra_error error;
    pietra_stream *stream;
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    random_source source = random_start(1);
    for (uint32_t i = 0; i < 700; i++) {
        const uint32_t column = random_below(&source, 3), row = random_below(&source, 2);
        pietra_paint paint = {.color = {(float)random_between(&source, 0, 1), 0.5f, 0.25f, 1}};
        pietra_path_reset(path);
        pietra_path_rect(path, 256.0 * column, 256.0 * row, 256.0 * (1 + random_below(&source, 3 - column)),
                         256.0 * (1 + random_below(&source, 2 - row)));
        assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, &error), PIETRA_OK);
    }
    pietra_path_destroy(path);
    assert_int_equal(pietra_stream_encode(scene, &error, &stream), PIETRA_OK);
    pietra_scene_destroy(scene);
    const pietra_frame frame = {.transform = {.a = 1, .d = 1}};
    assert_true(stages_agree(renderer, stream, &frame, 600, 300, "occluders"));
    const compared_frame boxes = {.frame = &frame,
                                  .width = 600,
                                  .height = 300,
                                  .boxes = {{0, 0, 3, 2}, {14, 12, 20, 18}, {36, 0, 38, 9}},
                                  .box_count = 3};
    assert_true(stages_agree_in(renderer, stream, &boxes, "occluders in boxes"));
    pietra_stream_destroy(stream);
}

/* Effects in one another: the runs that draw their sheets, and then the frame. */
static void compare_sheets(gpu_renderer *renderer)
{
    for (uint32_t seed = 0; seed < (all_sizes() ? 60 : 4); seed++) {
        char name[64];
        pietra_error error;
        pietra_stream *stream;
        pietra_scene *scene = random_effect_scene_create(seed, 100);
        snprintf(name, sizeof name, "effects of seed %u", seed);
        assert_int_equal(pietra_stream_encode(scene, &error, &stream), PIETRA_OK);
        pietra_scene_destroy(scene);
        pietra_frame frame = {.transform = {.a = 1, .d = 1}};
        if (seed % 2 == 1)
            frame = (pietra_frame){.transform = {1.3, 0.4, -0.3, 1.1, 7.25, -3.5}, .background = {1, 1, 1, 1}};
        assert_true(stages_agree(renderer, stream, &frame, 130, 90, name));
        pietra_stream_destroy(stream);
    }
}

/* Frames of which up to four boxes are drawn, far apart and side by side, over bins that something hides. */
static void compare_boxes(gpu_renderer *renderer)
{
    static const compared_frame frames[] = {
        {.width = 600, .height = 560, .boxes = {{0, 0, 2, 3}, {30, 31, 38, 35}}, .box_count = 2},
        {.width = 600,
         .height = 560,
         .boxes = {{17, 0, 18, 35}, {0, 16, 17, 17}, {18, 16, 38, 17}, {20, 2, 37, 4}},
         .box_count = 4},
        {.width = 90, .height = 64, .boxes = {{4, 0, 6, 2}, {0, 0, 4, 1}, {0, 3, 6, 4}}, .box_count = 3},
    };
    for (uint32_t i = 0; i < (all_sizes() ? 80 : 8); i++) {
        char name[64];
        pietra_error error;
        pietra_stream *stream;
        snprintf(name, sizeof name, "boxes of seed %u", i);
        pietra_scene *scene = random_scene_create(70 + i, RANDOM_ANYTHING, i % 4 ? 600 : 160);
        assert_int_equal(pietra_stream_encode(scene, &error, &stream), PIETRA_OK);
        pietra_scene_destroy(scene);
        const pietra_frame frame = {.transform = {1, 0.1 * (i % 4), 0, 1, 0, 0}, .background = {0, 0, 1, 1}};
        compared_frame compared = frames[i % 3];
        compared.frame = &frame;
        assert_true(stages_agree_in(renderer, stream, &compared, name));
        pietra_stream_destroy(stream);
    }
}

static void test_scenes(void **state)
{
    const gpu_fixture *fixture = *state;
    gpu_renderer *renderer = create_renderer(fixture->device, (primitive_options){.order = 0}, LONG_PASS);
    compare_seeds(renderer, 0, all_sizes() ? 150 : 10);
    compare_many_occluders(renderer);
    compare_boxes(renderer);
    compare_sheets(renderer);
    gpu_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_waits),
    };
    return cmocka_run_group_tests(tests, gpu_fixture_setup, gpu_fixture_teardown);
}
