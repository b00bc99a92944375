/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Effects that exceed the memory budget of the CPU device: the budget that the error names draws them, whichever effect
 * takes most. It is found without running any. */
#include "pietra/pietra_effect.h"
#include "render/effect/run.h"
#include "render/open_device.h"

#define WIDTH 512u
#define HEIGHT 16u /* a row of tiles: it cannot be drawn in bands */
#define ROWS 16u   /* of a frame of several */
#define BUDGET (16u << 10)
#define FRAME_BUDGET (384u << 10) /* it has room for all but effects */

static int runs; /* effects that were run */

bool __real_effect_run(const effect_graph *graph, const effect_functions *functions, parallel_pool *pool,
                       const effect_pixels *sources, const effect_pixels *result);
bool __wrap_effect_run(const effect_graph *graph, const effect_functions *functions, parallel_pool *pool,
                       const effect_pixels *sources, const effect_pixels *result);

bool __wrap_effect_run(const effect_graph *graph, const effect_functions *functions, parallel_pool *pool,
                       const effect_pixels *sources, const effect_pixels *result)
{
    runs++;
    return __real_effect_run(graph, functions, pool, sources, result);
}

static void add_blur(pietra_scene *scene, double sigma, double x, double width, double height)
{
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR,
                                     .gaussian_blur = {.sigma_x = sigma, .sigma_y = sigma}};
    const pietra_effect effect = {.steps = &step, .step_count = 1};
    char data[64];
    snprintf(data, sizeof data, "R%g 0 %g %g", x, width, height);
    ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
    fill(scene, data, &RED);
    ASSERT_OK(pietra_scene_end_effect(scene, error));
}

static pietra_result draw_on(pietra_device *device, const pietra_stream *stream, uint32_t height, uint32_t *pixels,
                             pietra_error *named)
{
    const pietra_frame frame = {.transform = {1, 0, 0, 1, 0, 0}};
    const pietra_target target = {.width = WIDTH, .height = height, .pixels = pixels};
    return pietra_render(device, stream, &frame, &target, named, NULL);
}

static pietra_result draw(const pietra_stream *stream, uint64_t budget, uint32_t height, uint32_t *pixels,
                          pietra_error *named)
{
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, budget);
    pietra_result result = draw_on(device, stream, height, pixels, named);
    pietra_device_destroy(device);
    return result;
}

static uint64_t number_of(const pietra_error *named)
{
    return strtoull(named->message + strcspn(named->message, "0123456789"), NULL, 10);
}

/* Returns the budget that is named for a scene. Destroys the scene. */
static uint64_t need_of(pietra_scene *scene)
{
    static const char start[] = "the frame needs ";
    static uint32_t pixels[WIDTH * HEIGHT];
    pietra_error named;
    pietra_stream *stream = encode_and_destroy(scene);
    assert_int_equal(draw(stream, BUDGET, HEIGHT, pixels, &named), PIETRA_ERROR_BUDGET);
    if (strncmp(named.message, start, strlen(start)) != 0)
        fail_msg("%s", named.message);
    const uint64_t need = strtoull(named.message + strlen(start), NULL, 10);
    assert_true(need > BUDGET);
    if (draw(stream, need, HEIGHT, pixels, &named) != PIETRA_OK)
        fail_msg("%llu bytes are named: %s", (unsigned long long)need, named.message);
    pietra_stream_destroy(stream);
    return need;
}

/* Returns the budget that is named for blurs of these widths side by side. */
static uint64_t find_need(double first, double second)
{
    pietra_scene *scene = new_scene();
    add_blur(scene, 2, 10, first, HEIGHT);
    add_blur(scene, 2, 20 + first, second, HEIGHT);
    return need_of(scene);
}

static void test_order(void **state)
{
    (void)state;
    const uint64_t need = find_need(400, 20);
    assert_int_equal(find_need(20, 400), need);
    assert_true(find_need(20, 200) < need);
}

/* In images of scenes too, one after the other. */
static void test_images(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 2; i++) {
        const double width = i ? 500 : 100;
        char data[64];
        pietra_scene *cell = new_scene();
        pietra_image *image;
        add_blur(cell, 2, 10, width - 20, HEIGHT);
        ASSERT_OK(pietra_image_create_from_scene(cell, (uint32_t)width, HEIGHT, error, &image));
        pietra_scene_destroy(cell);
        snprintf(data, sizeof data, "R0 0 %g %u", width, HEIGHT);
        fill(scene, data, &(pietra_paint){.kind = PIETRA_PAINT_IMAGE, .image = image});
        pietra_image_destroy(image);
    }
    (void)need_of(scene);
}

/* Returns the stream of a blur in a frame of several rows of tiles. */
static pietra_stream *blur_of_rows(double sigma)
{
    pietra_scene *scene = new_scene();
    add_blur(scene, sigma, 100, 300, ROWS * HEIGHT);
    return encode_and_destroy(scene);
}

/* A budget that is too small for any row. What was found without painting is not shown to the next frame. */
static void check_refused_without_running(const pietra_stream *stream, uint32_t height)
{
    static uint32_t whole[WIDTH * HEIGHT * ROWS], pixels[WIDTH * HEIGHT * ROWS];
    pietra_error named;
    assert_int_equal(draw(stream, 0, height, whole, &named), PIETRA_OK);
    runs = 0;
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, FRAME_BUDGET);
    for (int frame = 0; frame < 2; frame++) {
        assert_int_equal(draw_on(device, stream, height, pixels, &named), PIETRA_ERROR_BUDGET);
        assert_int_equal(runs, 0);
    }
    pietra_device_destroy(device);
    assert_int_equal(draw(stream, number_of(&named), height, pixels, &named), PIETRA_OK);
    assert_in_range(runs, 1, ROWS);
    assert_memory_equal(pixels, whole, (size_t)WIDTH * height * sizeof *pixels);
}

static void test_refused_without_running(void **state)
{
    (void)state;
    pietra_stream *stream = blur_of_rows(2);
    check_refused_without_running(stream, HEIGHT);
    check_refused_without_running(stream, ROWS * HEIGHT);
    pietra_stream_destroy(stream);
}

/* Each band would blur nearly the whole picture again. The budget that is named has few bands. */
static void test_few_bands(void **state)
{
    (void)state;
    static uint32_t whole[WIDTH * HEIGHT * ROWS], pixels[WIDTH * HEIGHT * ROWS];
    pietra_error named;
    pietra_stream *stream = blur_of_rows(60);
    assert_int_equal(draw(stream, 0, ROWS * HEIGHT, whole, &named), PIETRA_OK);
    assert_int_equal(draw(stream, BUDGET, ROWS * HEIGHT, pixels, &named), PIETRA_ERROR_BUDGET);
    runs = 0;
    assert_int_equal(draw(stream, number_of(&named), ROWS * HEIGHT, pixels, &named), PIETRA_OK);
    assert_in_range(runs, 1, ROWS / 2);
    assert_memory_equal(pixels, whole, sizeof pixels);
    pietra_stream_destroy(stream);
}

static uint64_t need_of_nested(int depth)
{
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_COLOR_MATRIX};
    const pietra_effect effect = {.steps = &step, .step_count = 1};
    pietra_scene *scene = new_scene();
    for (int i = 0; i < depth; i++)
        ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
    fill(scene, "R10 0 400 16", &RED);
    for (int i = 0; i < depth; i++)
        ASSERT_OK(pietra_scene_end_effect(scene, error));
    return need_of(scene);
}

/* What an inner effect shows makes room for what the next one shows. */
static void test_nesting(void **state)
{
    (void)state;
    assert_true(need_of_nested(60) < 2 * need_of_nested(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_images),
                                       cmocka_unit_test(test_nesting), cmocka_unit_test(test_refused_without_running),
                                       cmocka_unit_test(test_few_bands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
