/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sheets that the GPU draws together: the same bytes as from the CPU device, wherever sheets lie in their atlas,
 * however many runs they take, and in bands of the frame. */
#include "all_sizes.h"
#include "pietra/pietra_effect.h"
#include "property/random_effect.h"
#include "render/device.h"
#include "render/gpu/bound_ranges.h"
#include "render/gpu/effects.h"
#include "render/gpu/gpu_pair.h"
#include "render/sheet/pack.h"
#include "scene/scene_fixture.h"
#include "vulkan/context.h"

#define SIDE 200u

static random_source *shuffle; /* NULL: sheets stand on shelves */
static uint32_t run_count, batch_count, submissions;

/* ---- What the renderer does ---- */

static int random_gap(void)
{
    return (int)random_below(shuffle, 3);
}

/* Puts sheets below one another in random order, with gaps. */
static void pack_at_random(frame_sheet *sheets, size_t count, int *columns, int *rows)
{
    size_t order[256];
    assert_true(count <= sizeof order / sizeof order[0]);
    *columns = 1;
    *rows = random_gap();
    for (size_t i = 0; i < count; i++) {
        const size_t other = random_below(shuffle, (uint32_t)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < count; i++) {
        frame_sheet *sheet = &sheets[order[i]];
        const int left = random_gap(), right = left + sheet->box.x1 - sheet->box.x0;
        sheet->x = left - sheet->box.x0;
        sheet->y = *rows - sheet->box.y0;
        *rows += sheet->box.y1 - sheet->box.y0 + random_gap();
        *columns = right > *columns ? right : *columns;
    }
}

bool __real_sheet_pack(frame_sheet *sheets, size_t count, int *columns, int *rows);
bool __wrap_sheet_pack(frame_sheet *sheets, size_t count, int *columns, int *rows);
bool __wrap_sheet_pack(frame_sheet *sheets, size_t count, int *columns, int *rows)
{
    if (!shuffle)
        return __real_sheet_pack(sheets, count, columns, rows);
    pack_at_random(sheets, count, columns, rows);
    return true;
}

pietra_result __real_gpu_effects_run(gpu_effects *effects, sheet_plan *plan, const sheet_runs *runs,
                                     const sheet_run *run, const gpu_effect_places *places, cancel_watch *watch,
                                     pietra_error *error, pietra_stats *stats);
pietra_result __wrap_gpu_effects_run(gpu_effects *effects, sheet_plan *plan, const sheet_runs *runs,
                                     const sheet_run *run, const gpu_effect_places *places, cancel_watch *watch,
                                     pietra_error *error, pietra_stats *stats);
pietra_result __wrap_gpu_effects_run(gpu_effects *effects, sheet_plan *plan, const sheet_runs *runs,
                                     const sheet_run *run, const gpu_effect_places *places, cancel_watch *watch,
                                     pietra_error *error, pietra_stats *stats)
{
    run_count++;
    return __real_gpu_effects_run(effects, plan, runs, run, places, watch, error, stats);
}

bool __real_effect_dispatches_make(effect_jobs *jobs, uint64_t colors, uint64_t most, effect_dispatches *dispatches);
bool __wrap_effect_dispatches_make(effect_jobs *jobs, uint64_t colors, uint64_t most, effect_dispatches *dispatches);
bool __wrap_effect_dispatches_make(effect_jobs *jobs, uint64_t colors, uint64_t most, effect_dispatches *dispatches)
{
    batch_count++;
    return __real_effect_dispatches_make(jobs, colors, most, dispatches);
}

pietra_result __real_gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error);
pietra_result __wrap_gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error);
pietra_result __wrap_gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error)
{
    submissions++;
    return __real_gpu_recorder_submit(recorder, error);
}

/* ---- Scenes ---- */

static void begin_blur(pietra_scene *scene, double x, double y, double sigma)
{
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR,
                                     .gaussian_blur = {.sigma_x = sigma, .sigma_y = sigma}};
    const pietra_effect effect = {.steps = &step, .step_count = 1, .region = {x - 16, y - 15, x + 16, y + 14}};
    ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
}

static void fill_circle(pietra_scene *scene, double x, double y, double radius)
{
    pietra_path *path = pietra_path_create();
    pietra_path_ellipse(path, x, y, radius, radius);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &HALF, error));
    pietra_path_destroy(path);
}

/* A hundred blurred circles in a clip, each in a blurred group with one beside it: two depths, each of many sheets. */
static pietra_stream *circles(void)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *clip = path_from("M 5 10 L 195 3 L 180 190 L 8 177 Z");
    ASSERT_OK(pietra_scene_begin_clip(scene, clip, NULL, PIETRA_FILL_NONZERO, error));
    for (uint32_t i = 0; i < 100; i++) {
        const double x = 10 + 20.0 * (i % 10), y = 10 + 20.0 * (i / 10);
        begin_blur(scene, x, y, 1.5);
        fill_circle(scene, x - 3, y, 7);
        begin_blur(scene, x, y, 2);
        fill_circle(scene, x, y, 8);
        ASSERT_OK(pietra_scene_end_effect(scene, error));
        fill_circle(scene, x + 4, y, 3);
        ASSERT_OK(pietra_scene_end_effect(scene, error));
    }
    ASSERT_OK(pietra_scene_end_clip(scene, error));
    pietra_path_destroy(clip);
    return encode_and_destroy(scene);
}

/* ---- Devices ---- */

static pietra_result draw(pietra_device *device, const pietra_stream *stream, double scale, pietra_error *error,
                          uint32_t *pixels)
{
    const pietra_frame frame = {.transform = {scale, 0, 0, scale, 0.25, 3}, .background = {1, 1, 0.5f, 1}};
    const pietra_target target = {
        .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    memset(pixels, 0xa5, 4 * SIDE * SIDE);
    run_count = batch_count = submissions = 0;
    return pietra_render(device, stream, &frame, &target, error, NULL);
}

static void expect_same(const gpu_pair *test, const pietra_stream *stream, double scale)
{
    static uint32_t expected[SIDE * SIDE], found[SIDE * SIDE];
    ASSERT_OK(draw(test->cpu, stream, scale, error, expected));
    ASSERT_OK(draw(test->device, stream, scale, error, found));
    assert_memory_equal(expected, found, sizeof expected);
}

/* ---- Tests ---- */

static void test_any_place(void **state)
{
    const gpu_pair *test = *state;
    random_source random = random_start(5);
    for (uint64_t seed = 100; seed < (all_sizes() ? 112 : 103); seed++) {
        pietra_stream *stream = encode_and_destroy(random_effect_scene_create(seed, SIDE));
        shuffle = &random;
        expect_same(test, stream, 1);
        shuffle = NULL;
        pietra_stream_destroy(stream);
    }
}

/* All sheets of a depth are drawn by one run. What is drawn again takes no run, unless something else was drawn
 * since. */
static void test_runs(void **state)
{
    const gpu_pair *test = *state;
    pietra_stream *stream = circles(), *other = encode_and_destroy(random_scene_create(1, RANDOM_ANYTHING, SIDE));
    expect_same(test, stream, 1);
    assert_int_equal(run_count, 2);
    assert_int_equal(batch_count, 2);
    expect_same(test, stream, 1);
    assert_int_equal(run_count, 0);
    assert_int_equal(submissions, 2); /* the frame, and its pixels */
    expect_same(test, other, 1);
    assert_int_equal(run_count, 0);
    expect_same(test, stream, 1);
    assert_int_equal(run_count, 2);
    expect_same(test, stream, 0.75);
    assert_int_equal(run_count, 2);
    pietra_stream_destroy(stream);
    pietra_stream_destroy(other);
}

/* Kernels see so little of an atlas that one depth takes two runs, and then so little of results that the frame is
 * drawn in bands. */
static void test_small_bindings(void **state)
{
    const gpu_pair *test = *state;
    static const struct {
        uint64_t bytes;
        uint32_t runs_least;
    } cases[] = {{800000, 3}, {600000, 4}, {300000, 8}};
    gpu_limits *limits = &test->device->gpu->limits;
    const uint64_t before = limits->max_binding_bytes;
    pietra_stream *stream = circles(), *other = encode_and_destroy(pietra_scene_create());
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += all_sizes() ? 1 : 2) {
        expect_same(test, other, 1); /* nothing stays on the device from more generous limits */
        limits->max_binding_bytes = cases[i].bytes;
        most_bound = 0;
        expect_same(test, stream, 1);
        assert_true(run_count >= cases[i].runs_least);
        assert_true(most_bound > cases[i].bytes / 2);
    }
    limits->max_binding_bytes = before;
    pietra_stream_destroy(stream);
    pietra_stream_destroy(other);
}

/* The smaller the budget, the fewer effects of a run are made at a time. */
static void test_small_budgets(void **state)
{
    const gpu_pair *test = *state;
    const uint64_t before = test->device->budget_bytes;
    pietra_stream *stream = circles();
    uint32_t drawn = 0, parted = 0;
    for (uint64_t budget = 1u << 21; budget >= 1u << 13; budget /= all_sizes() ? 2 : 4) {
        static uint32_t pixels[SIDE * SIDE];
        pietra_error error;
        test->device->budget_bytes = budget;
        if (draw(test->device, stream, 1, &error, pixels) == PIETRA_OK) {
            drawn++;
            parted += batch_count > run_count;
            expect_same(test, stream, 1);
            continue;
        }
        assert_int_equal(error.result, PIETRA_ERROR_BUDGET);
        const char *number = strstr(error.message, "needs ");
        assert_non_null(number);
        assert_true(strtoull(number + 6, NULL, 10) > budget);
    }
    assert_true(drawn >= (all_sizes() ? 3 : 2) && parted >= 1);
    test->device->budget_bytes = before;
    pietra_stream_destroy(stream);
}

/* An effect that takes less than its frame does: the error names what both take. */
static void test_named_budget(void **state)
{
    const gpu_pair *test = *state;
    static uint32_t pixels[SIDE * SIDE];
    const uint64_t before = test->device->budget_bytes;
    pietra_scene *scene = pietra_scene_create();
    pietra_error error;
    begin_blur(scene, 30, 30, 1.5);
    fill_circle(scene, 30, 30, 7);
    ASSERT_OK(pietra_scene_end_effect(scene, error));
    pietra_stream *stream = encode_and_destroy(scene);
    test->device->budget_bytes = 1024;
    assert_int_equal(draw(test->device, stream, 1, &error, pixels), PIETRA_ERROR_BUDGET);
    test->device->budget_bytes = strtoull(error.message + strcspn(error.message, "0123456789"), NULL, 10);
    expect_same(test, stream, 1);
    test->device->budget_bytes = before;
    pietra_stream_destroy(stream);
}

static int setup(void **state)
{
    static gpu_pair pair;
    gpu_pair_open(&pair);
    *state = &pair;
    return 0;
}

static int teardown(void **state)
{
    gpu_pair_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_place),      cmocka_unit_test(test_runs),
        cmocka_unit_test(test_small_bindings), cmocka_unit_test(test_small_budgets),
        cmocka_unit_test(test_named_budget),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
