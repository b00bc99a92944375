/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pictures that a kernel cannot see as a whole. On a device whose kernels see little at once, everything that is bound
 * keeps within that, and the bytes are the reference's. And how often a picture is drawn until everything fits. */
#include <string.h>

#include "vulkan/context.h"
#include "vulkan/gpu_fixture.h"
#include "vulkan/recorder.h"
#include "render/frame/config.h"
#include "render/gpu/bound_ranges.h"
#include "render/gpu/gpu_renderer.h"
#include "render/reference/reference_renderer.h"

#define BUDGET ((uint64_t)1 << 30)
#define NEVER 1000000u

static uint32_t submissions_left = NEVER; /* submissions until one fails */

pietra_result __real_gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error);
pietra_result __wrap_gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error);
pietra_result __wrap_gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error)
{
    if (submissions_left == 0)
        return PIETRA_ERROR_DEVICE;
    submissions_left--;
    return __real_gpu_recorder_submit(recorder, error);
}

/* Shapes all over the picture that draw little in each tile: a gradient, a wide stroke, and a half transparent disc. */
static pietra_scene *make_scene(double width, double height)
{
    pietra_error error;
    const pietra_stop stops[] = {{0, {1, 0.8f, 0.2f, 1}}, {1, {0, 0, 0.3f, 0.5f}}};
    const pietra_paint gradient = {
        .kind = PIETRA_PAINT_LINEAR, .x1 = width, .y1 = height, .stops = stops, .stop_count = 2};
    const pietra_paint solid = {.color = {0.1f, 0.9f, 0.3f, 0.7f}};
    const pietra_stroke stroke = {.width = 9, .miter_limit = 4, .join = PIETRA_JOIN_ROUND};
    pietra_scene *scene = pietra_scene_create();
    pietra_path *cover = pietra_path_create(), *disc = pietra_path_create();
    pietra_path_rect(cover, 5, 5, width - 10, height - 10);
    pietra_path_ellipse(disc, width / 2, height / 2, width * 0.45, height * 0.45);
    assert_int_equal(pietra_scene_fill(scene, cover, NULL, PIETRA_FILL_NONZERO, &gradient, &error), PIETRA_OK);
    assert_int_equal(pietra_scene_stroke(scene, disc, NULL, &stroke, &solid, &error), PIETRA_OK);
    assert_int_equal(pietra_scene_begin_group(scene, 0.5f, &error), PIETRA_OK);
    assert_int_equal(pietra_scene_fill(scene, disc, NULL, PIETRA_FILL_EVEN_ODD, &solid, &error), PIETRA_OK);
    assert_int_equal(pietra_scene_end_group(scene, &error), PIETRA_OK);
    pietra_path_destroy(cover);
    pietra_path_destroy(disc);
    return scene;
}

/* All tests share the device and its programs. */
static gpu_fixture fixture;
static gpu_renderer *renderer;

static int open_device(void **state)
{
    pietra_error error;
    const gpu_renderer_options options = {.budget_bytes = BUDGET};
    const pietra_device_options opening = gpu_fixture_options(&fixture);
    (void)state;
    gpu_fixture_open(&fixture, &opening);
    if (gpu_renderer_create(fixture.device, &options, &error, &renderer) != PIETRA_OK)
        fail_msg("%s", error.message);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    gpu_renderer_destroy(renderer);
    gpu_fixture_close(&fixture);
    return 0;
}

typedef struct window_test {
    pietra_stream *stream;
    frame_config config;
    pietra_target target;
} window_test;

/* The test takes the scene. `width` and `height` are the picture's size. `visible_bytes` is what kernels see. */
static void open_test_of(window_test *test, pietra_scene *scene, uint32_t width, uint32_t height,
                         uint64_t visible_bytes)
{
    pietra_error error;
    const pietra_frame frame = {.transform = {1, 0.125, -0.25, 1, 3.5, -2.25}, .background = {0.5f, 0.25f, 0, 0.75f}};
    fixture.device->limits.max_binding_bytes = visible_bytes;
    assert_int_equal(pietra_stream_encode(scene, &error, &test->stream), PIETRA_OK);
    pietra_scene_destroy(scene);
    test->target = (pietra_target){.width = width, .height = height, .stride_bytes = 4 * (size_t)width + 5};
    test->target.format = height % 2 ? PIETRA_FORMAT_RGBA8_STRAIGHT : PIETRA_FORMAT_RGBA8_PREMULTIPLIED;
    test->target.pixels = malloc(test->target.stride_bytes * height);
    assert_non_null(test->target.pixels);
    memset(test->target.pixels, 0xa5, test->target.stride_bytes * height);
    assert_int_equal(config_of_frame(&frame, &test->target, &error, &test->config), PIETRA_OK);
    most_bound = 0;
}

static void open_test(window_test *test, uint32_t width, uint32_t height, uint64_t visible_bytes)
{
    open_test_of(test, make_scene(width, height), width, height, visible_bytes);
}

static void close_test(window_test *test)
{
    free(test->target.pixels);
    pietra_stream_destroy(test->stream);
}

static void expect_reference(const window_test *test)
{
    pietra_error error;
    pietra_stats stats = {.parts = 0};
    uint32_t *reference;
    assert_int_equal(
        reference_draw(test->stream, &test->config, &(part_budget){.bytes = 0}, NULL, NULL, &error, &stats, &reference),
        PIETRA_OK);
    for (uint32_t y = 0; y < test->target.height; y++) {
        const uint8_t *row = (const uint8_t *)test->target.pixels + y * test->target.stride_bytes;
        assert_memory_equal(row, reference + (size_t)y * test->config.target_pitch, 4 * (size_t)test->target.width);
        for (size_t i = 4 * (size_t)test->target.width; i < test->target.stride_bytes; i++)
            assert_int_equal(row[i], 0xa5);
    }
    free(reference);
}

/* `rows` is the number of rows of tiles that kernels see at once. For these sizes the other buffers of the frame fit
 * too. */
static void check_windows(uint32_t width, uint32_t height, uint32_t rows, bool may_spoil)
{
    window_test test;
    pietra_error error;
    uint64_t row_bytes = ((uint64_t)width + 15) / 16 * 16 * 64;
    uint32_t all = (height + 15) / 16;
    open_test(&test, width, height, rows * row_bytes + 700);
    test.target.may_spoil = may_spoil;
    for (int frame = 0; frame < 2; frame++) {
        pietra_stats stats = {.parts = 0};
        if (gpu_renderer_draw(renderer, test.stream, &test.config, NULL, &test.target, &error, &stats) != PIETRA_OK)
            fail_msg("%u x %u in rows of %u: %s", width, height, rows, error.message);
        assert_true(stats.parts >= (all + rows - 1) / rows && stats.read_ms > 0.0);
        expect_reference(&test);
    }
    assert_true(most_bound > 0);
    close_test(&test);
}

static void test_windows(void **state)
{
    (void)state;
    check_windows(1999, 67, 1, false);
    check_windows(1999, 67, 2, true);
    check_windows(333, 601, 7, false);
    check_windows(33, 3001, 40, true);
    check_windows(1600, 128, 4, false); /* two equal windows */
    check_windows(1600, 128, 8, false); /* the whole picture at once */
}

static void test_not_a_row(void **state)
{
    (void)state;
    window_test test;
    pietra_error error;
    pietra_stats stats = {.parts = 0};
    open_test(&test, 4000, 16, 4000 * 64 - 1);
    assert_int_equal(gpu_renderer_draw(renderer, test.stream, &test.config, NULL, &test.target, &error, &stats),
                     PIETRA_ERROR_BUDGET);
    assert_string_equal(error.message,
                        "a row of the picture's tiles takes 256000 bytes, more than the device's kernels can see");
    close_test(&test);
}

/* Kernels see the stream without its texels at once. */
static void test_too_large_a_scene(void **state)
{
    (void)state;
    window_test test;
    pietra_error error;
    pietra_stats stats = {.parts = 0};
    open_test(&test, 16, 16, 100);
    assert_int_equal(gpu_renderer_draw(renderer, test.stream, &test.config, NULL, &test.target, &error, &stats),
                     PIETRA_ERROR_BUDGET);
    assert_non_null(strstr(error.message, "the scene takes"));
    close_test(&test);
}

/* If a submission fails, nothing of the windows before it is in the target. */
static void test_untouched(void **state)
{
    (void)state;
    window_test test;
    pietra_error error;
    pietra_result result = PIETRA_ERROR_DEVICE;
    open_test(&test, 1999, 67, 2 * 2000 * 64);
    size_t bytes = test.target.stride_bytes * test.target.height;
    uint32_t failed = 0;
    for (uint32_t first = 1; result != PIETRA_OK; first++) {
        pietra_stats stats = {.parts = 0};
        submissions_left = first;
        result = gpu_renderer_draw(renderer, test.stream, &test.config, NULL, &test.target, &error, &stats);
        submissions_left = NEVER;
        failed += result != PIETRA_OK;
        for (size_t i = 0; result != PIETRA_OK && i < bytes; i++)
            assert_int_equal(((const uint8_t *)test.target.pixels)[i], 0xa5);
    }
    assert_true(failed >= 5); /* three windows, each drawn and read */
    expect_reference(&test);
    close_test(&test);
}

/* A line with many round corners, which flattening makes many lines of. */
static pietra_scene *make_line(uint32_t corners, double shift)
{
    pietra_error error;
    const pietra_paint solid = {.color = {0.1f, 0.9f, 0.3f, 0.7f}};
    const pietra_stroke stroke = {.width = 5, .join = PIETRA_JOIN_ROUND};
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    for (uint32_t i = 0; i <= corners; i++)
        pietra_path_line_to(path, i % 61, i % 2 ? 50 + shift : 14 - shift);
    assert_int_equal(pietra_scene_stroke(scene, path, NULL, &stroke, &solid, &error), PIETRA_OK);
    pietra_path_destroy(path);
    return scene;
}

static uint32_t passes_of_line(uint32_t corners, double shift)
{
    window_test test;
    pietra_error error;
    pietra_stats stats = {.parts = 0};
    open_test_of(&test, make_line(corners, shift), 64, 64, BUDGET);
    assert_int_equal(gpu_renderer_draw(renderer, test.stream, &test.config, NULL, &test.target, &error, &stats),
                     PIETRA_OK);
    expect_reference(&test);
    close_test(&test);
    return stats.passes;
}

/* A stream that is like the one before it has room at once. */
static void test_streams_alike(void **state)
{
    (void)state;
    passes_of_line(10, 0);
    assert_true(passes_of_line(500, 0) > 1);
    assert_int_equal(passes_of_line(500, 3), 1);
    assert_int_equal(passes_of_line(300, 2), 1);
    assert_int_equal(passes_of_line(590, 4), 1);
    assert_true(passes_of_line(1500, 0) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),           cmocka_unit_test(test_not_a_row),
        cmocka_unit_test(test_too_large_a_scene), cmocka_unit_test(test_untouched),
        cmocka_unit_test(test_streams_alike),
    };
    return cmocka_run_group_tests_name("gpu_windows", tests, open_device, close_device);
}
