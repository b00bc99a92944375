/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Effects that exceed the memory budget of the CPU device: the budget that the error names draws them, whichever effect
 * takes most. */
#include "pietra/pietra_effect.h"
#include "scene/scene_fixture.h"

#define WIDTH 512u
#define HEIGHT 16u /* a row of tiles: it cannot be drawn in bands */
#define BUDGET (16u << 10)

static void add_blur(pietra_scene *scene, double x, double width)
{
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR,
                                     .gaussian_blur = {.sigma_x = 2, .sigma_y = 2}};
    const pietra_effect effect = {.steps = &step, .step_count = 1};
    char data[64];
    snprintf(data, sizeof data, "R%g 0 %g %u", x, width, HEIGHT);
    ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
    fill(scene, data, &RED);
    ASSERT_OK(pietra_scene_end_effect(scene, error));
}

static pietra_result draw(const pietra_stream *stream, uint64_t budget, pietra_error *named)
{
    static uint32_t pixels[WIDTH * HEIGHT];
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .memory_budget_bytes = budget};
    const pietra_frame frame = {.transform = {1, 0, 0, 1, 0, 0}};
    const pietra_target target = {.width = WIDTH, .height = HEIGHT, .pixels = pixels};
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&options, error, &device));
    pietra_result result = pietra_render(device, stream, &frame, &target, named, NULL);
    pietra_device_destroy(device);
    return result;
}

/* Returns the budget that is named for a scene. Destroys the scene. */
static uint64_t need_of(pietra_scene *scene)
{
    static const char start[] = "the frame needs ";
    pietra_error named;
    pietra_stream *stream = encode_and_destroy(scene);
    assert_int_equal(draw(stream, BUDGET, &named), PIETRA_ERROR_BUDGET);
    if (strncmp(named.message, start, strlen(start)) != 0)
        fail_msg("%s", named.message);
    const uint64_t need = strtoull(named.message + strlen(start), NULL, 10);
    assert_true(need > BUDGET);
    if (draw(stream, need, &named) != PIETRA_OK)
        fail_msg("%llu bytes are named: %s", (unsigned long long)need, named.message);
    pietra_stream_destroy(stream);
    return need;
}

/* Returns the budget that is named for blurs of these widths side by side. */
static uint64_t find_need(double first, double second)
{
    pietra_scene *scene = new_scene();
    add_blur(scene, 10, first);
    add_blur(scene, 20 + first, second);
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
        add_blur(cell, 10, width - 20);
        ASSERT_OK(pietra_image_create_from_scene(cell, (uint32_t)width, HEIGHT, error, &image));
        pietra_scene_destroy(cell);
        snprintf(data, sizeof data, "R0 0 %g %u", width, HEIGHT);
        fill(scene, data, &(pietra_paint){.kind = PIETRA_PAINT_IMAGE, .image = image});
        pietra_image_destroy(image);
    }
    (void)need_of(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_images)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
