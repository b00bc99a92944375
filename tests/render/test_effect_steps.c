/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Effects that cost too much at the size of a frame are refused, alike on all devices, before anything is drawn. */
#include "pietra/pietra_effect.h"
#include "pietra/pietra_explain.h"
#include "scene/scene_fixture.h"

#define SIDE_MOST 320u
#define STEPS 3000u

static uint32_t pixels[SIDE_MOST * SIDE_MOST];

static pietra_result draw_by(pietra_device_kind kind, const pietra_stream *stream, uint32_t side, uint64_t steps,
                             pietra_error *named)
{
    const pietra_device_options options = {.kind = kind, .threads = 1, .effect_steps = steps};
    const pietra_frame frame = {.transform = {side, 0, 0, side, 0, 0}};
    const pietra_target target = {.width = side, .height = side, .pixels = pixels};
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&options, error, &device));
    pietra_result result = pietra_render(device, stream, &frame, &target, named, NULL);
    pietra_device_destroy(device);
    return result;
}

static void expect(const pietra_stream *stream, uint32_t side, uint64_t steps, pietra_result expected)
{
    pietra_error named = {.message = ""};
    for (int i = 0; i < 2; i++) {
        pixels[0] = 0x5a5a5a5au;
        assert_int_equal(draw_by(i ? PIETRA_DEVICE_REFERENCE : PIETRA_DEVICE_CPU, stream, side, steps, &named),
                         expected);
        if (expected == PIETRA_OK)
            continue;
        char message[120];
        snprintf(message, sizeof message,
                 "more than %u steps of drawing at this size, most of them of effects (limit \"steps\")",
                 (unsigned)steps);
        assert_string_equal(named.message, message);
        assert_int_equal(pixels[0], 0x5a5a5a5au);
    }
}

static void begin_effect(pietra_scene *scene, const pietra_effect_step *steps, size_t count)
{
    const pietra_effect effect = {.steps = steps, .step_count = count};
    ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
}

/* A step's cost grows with the pixels and with the number of steps. */
static void test_steps(void **state)
{
    (void)state;
    enum { MANY = 60 };
    pietra_effect_step steps[MANY] = {{.kind = PIETRA_EFFECT_OFFSET}};
    for (size_t i = 0; i < MANY; i++) {
        steps[i].kind = PIETRA_EFFECT_GAUSSIAN_BLUR;
        steps[i].gaussian_blur.sigma_x = 0.001;
    }
    for (size_t count = 1; count <= MANY; count += MANY - 1) {
        pietra_scene *scene = new_scene();
        begin_effect(scene, steps, count);
        fill(scene, "R0 0 1 1", &RED);
        ASSERT_OK(pietra_scene_end_effect(scene, error));
        pietra_stream *stream = encode_and_destroy(scene);
        expect(stream, 40, STEPS, PIETRA_OK);
        expect(stream, SIDE_MOST, STEPS, count == 1 ? PIETRA_OK : PIETRA_ERROR_INPUT);
        expect(stream, SIDE_MOST, 0, PIETRA_OK);
        pietra_stream_destroy(stream);
    }
}

static pietra_stream *one_step(const pietra_effect_step *step)
{
    pietra_scene *scene = new_scene();
    const pietra_effect effect = {.steps = step, .step_count = 1, .region = {0, 0, 1, 1}};
    ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
    fill(scene, "R0 0 1 1", &RED);
    ASSERT_OK(pietra_scene_end_effect(scene, error));
    return encode_and_destroy(scene);
}

/* A wide blur lays out a repeated region many times, and a high kernel reads many rows. */
static void test_costs_of_texels(void **state)
{
    (void)state;
    static const float kernel[64];
    pietra_effect_step blur = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR, .gaussian_blur = {.sigma_x = 9, .sigma_y = 9}};
    pietra_effect_step matrix = {.kind = PIETRA_EFFECT_CONVOLVE_MATRIX,
                                 .convolve_matrix = {.columns = 64, .rows = 1, .kernel = kernel, .divisor = 1}};
    for (int costs_more = 0; costs_more < 2; costs_more++) {
        pietra_stream *blurred = one_step(&blur), *convolved = one_step(&matrix);
        expect(blurred, SIDE_MOST, 3 * STEPS, costs_more ? PIETRA_ERROR_INPUT : PIETRA_OK);
        expect(convolved, SIDE_MOST, 3 * STEPS, costs_more ? PIETRA_ERROR_INPUT : PIETRA_OK);
        pietra_stream_destroy(blurred);
        pietra_stream_destroy(convolved);
        blur.gaussian_blur.edge = PIETRA_EFFECT_EDGE_WRAP;
        matrix.convolve_matrix.columns = 1;
        matrix.convolve_matrix.rows = 64;
    }
}

/* A change of colour space costs about as much as a step. */
static void test_changes_of_color_space(void **state)
{
    (void)state;
    enum { TURNS = 30 };
    pietra_effect_step turns[TURNS];
    for (int alternates = 0; alternates < 2; alternates++) {
        for (size_t i = 0; i < TURNS; i++) {
            turns[i] = pietra_effect_hue_rotate(40);
            turns[i].linear_rgb = alternates && i % 2;
        }
        pietra_scene *scene = new_scene();
        begin_effect(scene, turns, TURNS);
        fill(scene, "R0 0 1 1", &RED);
        ASSERT_OK(pietra_scene_end_effect(scene, error));
        pietra_stream *stream = encode_and_destroy(scene);
        expect(stream, SIDE_MOST, 12 * STEPS, alternates ? PIETRA_ERROR_INPUT : PIETRA_OK);
        pietra_stream_destroy(stream);
    }
}

/* What the parts of a frame share costs once in each. */
static void test_parts(void **state)
{
    (void)state;
    enum { BLURS = 20 };
    pietra_effect_step steps[BLURS];
    for (size_t i = 0; i < BLURS; i++) {
        steps[i] = (pietra_effect_step){.kind = PIETRA_EFFECT_GAUSSIAN_BLUR,
                                        .gaussian_blur = {.sigma_x = 0.05, .sigma_y = 0.05}};
    }
    pietra_scene *scene = new_scene();
    begin_effect(scene, steps, BLURS);
    fill(scene, "R0 0 1 1", &RED);
    ASSERT_OK(pietra_scene_end_effect(scene, error));
    pietra_stream *stream = encode_and_destroy(scene);
    const pietra_frame frame = {.transform = {SIDE_MOST, 0, 0, SIDE_MOST, 0, 0}};
    const pietra_target target = {.width = SIDE_MOST, .height = SIDE_MOST, .pixels = pixels};
    pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .memory_budget_bytes = 64 << 20};
    pietra_stats stats = {.parts = 1};
    while (stats.parts == 1) {
        pietra_device *device;
        options.memory_budget_bytes -= options.memory_budget_bytes / 64;
        ASSERT_OK(pietra_device_create(&options, error, &device));
        ASSERT_OK(pietra_render(device, stream, &frame, &target, error, &stats));
        pietra_device_destroy(device);
    }
    uint64_t steps_of_whole = STEPS;
    pietra_error named = {.message = ""};
    while (draw_by(PIETRA_DEVICE_CPU, stream, SIDE_MOST, steps_of_whole, &named) != PIETRA_OK)
        steps_of_whole += steps_of_whole / 4;
    options.effect_steps = steps_of_whole;
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&options, error, &device));
    assert_int_equal(pietra_render(device, stream, &frame, &target, &named, NULL), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(named.message, "most of them of effects"));
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
}

/* Effects in effects count each. */
static void test_nested(void **state)
{
    (void)state;
    enum { NESTED = 25 };
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR, .gaussian_blur = {.sigma_x = 0.002}};
    pietra_scene *scene = new_scene();
    for (int i = 0; i < NESTED; i++)
        begin_effect(scene, &step, 1);
    fill(scene, "R0 0 1 1", &RED);
    for (int i = 0; i < NESTED; i++)
        ASSERT_OK(pietra_scene_end_effect(scene, error));
    pietra_stream *stream = encode_and_destroy(scene);
    expect(stream, 40, STEPS, PIETRA_OK);
    expect(stream, SIDE_MOST, STEPS, PIETRA_ERROR_INPUT);
    pietra_stream_destroy(stream);
}

/* An effect costs something if it shows next to nothing. */
static void test_small(void **state)
{
    (void)state;
    enum { FEW = 40, MANY = 80 };
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_OFFSET};
    for (int count = FEW; count <= MANY; count += MANY - FEW) {
        pietra_scene *scene = new_scene();
        for (int i = 0; i < count; i++) {
            begin_effect(scene, &step, 1);
            fill(scene, "R0 0 0.01 0.01", &RED);
            ASSERT_OK(pietra_scene_end_effect(scene, error));
        }
        pietra_stream *stream = encode_and_destroy(scene);
        expect(stream, 40, STEPS, count == FEW ? PIETRA_OK : PIETRA_ERROR_INPUT);
        pietra_stream_destroy(stream);
    }
}

/* The error has the label of the dearest effect, also where an image of a scene is drawn before. */
static void test_labels(void **state)
{
    (void)state;
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR, .gaussian_blur = {.sigma_x = 0.02}};
    pietra_scene *page = new_scene();
    pietra_image *image;
    fill(page, "R0 0 1 1", &RED);
    ASSERT_OK(pietra_image_create_from_scene(page, 1, 1, error, &image));
    pietra_scene_destroy(page);
    for (int shows_scene = 0; shows_scene < 2; shows_scene++) {
        pietra_scene *scene = new_scene();
        if (shows_scene)
            fill(scene, "R0 0 1 1", &(pietra_paint){.kind = PIETRA_PAINT_IMAGE, .image = image});
        for (uint32_t i = 1; i <= 3; i++) {
            pietra_scene_set_label(scene, i);
            begin_effect(scene, &step, 1);
            fill(scene, i == 2 ? "R0 0 1 1" : "R0 0 .5 1", &RED);
            ASSERT_OK(pietra_scene_end_effect(scene, error));
        }
        pietra_stream *stream = encode_and_destroy(scene);
        for (int i = 0; i < 2; i++) {
            pietra_error named = {.label = 0};
            assert_int_equal(draw_by(i ? PIETRA_DEVICE_REFERENCE : PIETRA_DEVICE_CPU, stream, SIDE_MOST, STEPS, &named),
                             PIETRA_ERROR_INPUT);
            assert_int_equal(named.label, 2);
        }
        pietra_stream_destroy(stream);
    }
    pietra_image_destroy(image);
}

static void ignore_step(void *user, const pietra_pixel_step *step)
{
    (void)user, (void)step;
}

static pietra_result explain(const pietra_stream *stream, uint32_t side, uint64_t steps)
{
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .effect_steps = steps};
    const pietra_frame frame = {.transform = {side, 0, 0, side, 0, 0}};
    const pietra_target target = {.width = side, .height = side, .pixels = pixels};
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&options, error, &device));
    pietra_result result = pietra_explain_pixel(device, stream, &frame, &target, 0, 0, ignore_step, NULL, NULL);
    pietra_device_destroy(device);
    return result;
}

/* An image of a scene may cost as much as the frame around it, and a frame that is drawn is explained. */
static void test_surfaces(void **state)
{
    (void)state;
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR, .gaussian_blur = {.sigma_x = 0.02}};
    pietra_scene *cell = new_scene(), *scene = new_scene();
    pietra_image *image;
    for (int i = 0; i < 2; i++) {
        begin_effect(i ? scene : cell, &step, 1);
        fill(i ? scene : cell, "R0 0 1 1", &RED);
        ASSERT_OK(pietra_scene_end_effect(i ? scene : cell, error));
    }
    ASSERT_OK(pietra_image_create_from_scene(cell, 1, 1, error, &image));
    pietra_scene_destroy(cell);
    fill(scene, "R0 0 1 1", &(pietra_paint){.kind = PIETRA_PAINT_IMAGE, .image = image});
    pietra_image_destroy(image);
    pietra_stream *stream = encode_and_destroy(scene);
    /* The least limit with which the frame is drawn. */
    uint64_t least = 0, most = STEPS * 100;
    while (most - least > 1) {
        const uint64_t middle = (least + most) / 2;
        pietra_error named;
        if (draw_by(PIETRA_DEVICE_CPU, stream, 100, middle, &named) == PIETRA_OK)
            most = middle;
        else
            least = middle;
    }
    assert_true(least > 0 && most < STEPS * 100);
    assert_int_equal(explain(stream, 100, most), PIETRA_OK);
    assert_int_equal(explain(stream, 100, least), PIETRA_ERROR_INPUT);
    pietra_stream_destroy(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),  cmocka_unit_test(test_nested),
                                       cmocka_unit_test(test_small),  cmocka_unit_test(test_surfaces),
                                       cmocka_unit_test(test_labels), cmocka_unit_test(test_costs_of_texels),
                                       cmocka_unit_test(test_parts),  cmocka_unit_test(test_changes_of_color_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
