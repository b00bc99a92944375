/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames whose painting costs too much are refused, alike on the CPU device and the reference, in all parts of a
 * picture and within any budget, before anything is drawn. */
#include "pietra/pietra_effect.h"
#include "pietra/pietra_explain.h"
#include "render/expect_steps.h"
#include "scene/scene_fixture.h"

#define SIDE 200u
#define PAGES 40
#define STEPS_MOST ((uint64_t)1 << 40)

static uint32_t pixels[SIDE * SIDE];

/* Draws what stands in the unit square, moved by so many of its sides. */
static void expect_at(const pietra_stream *stream, double moved, uint64_t steps, pietra_result expected)
{
    expect_steps(stream, moved, SIDE, pixels, 4 << 20, steps, "painting", expected);
}

/* Draws the upper left corner of a picture. */
static pietra_result draw_corner(const pietra_stream *stream, uint32_t side, uint64_t steps)
{
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .effect_steps = steps};
    const pietra_frame frame = {.transform = {side, 0, 0, side, 0, 0},
                                .region = {.picture_width = side, .picture_height = side}};
    pietra_error named;
    return draw_by(&options, stream, &frame, 16, pixels, &named);
}

/* Returns the least limit with which a picture of that size is drawn. */
static uint64_t least_steps(const pietra_stream *stream, uint32_t side)
{
    uint64_t least = 1, most = STEPS_MOST;
    while (least < most) {
        const uint64_t middle = (least + most) / 2;
        if (draw_corner(stream, side, middle) == PIETRA_OK)
            most = middle;
        else
            least = middle + 1;
    }
    return most;
}

static uint64_t steps_of(pietra_scene *scene, uint32_t side)
{
    pietra_stream *stream = encode_and_destroy(scene);
    const uint64_t steps = least_steps(stream, side);
    pietra_stream_destroy(stream);
    return steps;
}

static pietra_scene *pages(const pietra_paint *paint)
{
    pietra_scene *scene = new_scene();
    for (int i = 0; i < PAGES; i++)
        fill(scene, "R0 0 1 1", paint);
    return scene;
}

/* Pages whose pixels cost far more than their lines do. */
static pietra_scene *dear_pages(void)
{
    static const pietra_stop stops[] = {{0, {1, 0, 0, 0.5f}}, {1, {0, 0, 1, 0.5f}}};
    const pietra_paint round = pietra_radial(0.5, 0.5, 1, stops, 2);
    return pages(&round);
}

static pietra_scene *groups(pietra_blend blend, const char *clip)
{
    pietra_scene *scene = new_scene();
    for (int i = 0; i < PAGES; i++) {
        if (clip)
            begin_clip(scene, clip);
        else
            begin_blended(scene, blend);
        fill(scene, "R0 0 1 1", &HALF);
        fill(scene, "R0 0 1 1", &HALF);
        if (clip)
            end_clip(scene);
        else
            end_group(scene);
    }
    return scene;
}

/* What takes longer costs more, and all devices refuse it alike. */
static void test_paints(void **state)
{
    (void)state;
    static pietra_stop stops[100];
    static const uint8_t texels[4 * 4] = {255};
    pietra_image *image;
    for (size_t i = 0; i < 100; i++)
        stops[i] = (pietra_stop){.offset = (float)i / 99, .color = {i % 2 ? 1.0f : 0.0f, 0, 0, 0.5f}};
    ASSERT_OK(pietra_image_create(2, 2, texels, 0, error, &image));
    const pietra_paint few = pietra_linear(0, 0, 1, 0.5, stops, 2), many = pietra_linear(0, 0, 1, 0.5, stops, 100);
    const pietra_paint round = pietra_radial(0.5, 0.5, 1, stops, 2);
    const pietra_paint texel = {.kind = PIETRA_PAINT_IMAGE,
                                .transform = {0.5, 0, 0, 0.5, 0, 0},
                                .image = image,
                                .filter = PIETRA_FILTER_NEAREST};
    pietra_paint smooth = texel;
    smooth.filter = PIETRA_FILTER_SMOOTH;
    pietra_scene *scenes[] = {pages(&HALF), pages(&texel), pages(&few), pages(&round), pages(&many), pages(&smooth)};
    uint64_t before = 0;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        pietra_stream *stream = encode_and_destroy(scenes[i]);
        const uint64_t steps = least_steps(stream, SIDE);
        assert_true(steps > before);
        expect_at(stream, 0, steps, PIETRA_OK);
        expect_at(stream, 0, steps - 1, PIETRA_ERROR_INPUT);
        expect_at(stream, 0, 0, PIETRA_OK);
        pietra_stream_destroy(stream);
        before = steps;
    }
    pietra_image_destroy(image);
}

static void test_layers(void **state)
{
    (void)state;
    const uint64_t plain = steps_of(pages(&HALF), SIDE);
    const uint64_t upright = steps_of(groups(PIETRA_BLEND_NORMAL, "R0 0 1 1"), SIDE);
    const uint64_t clip = steps_of(groups(PIETRA_BLEND_NORMAL, "M0 0L1 0L1 .9L.9 1L0 1Z"), SIDE);
    const uint64_t multiply = steps_of(groups(PIETRA_BLEND_MULTIPLY, NULL), SIDE);
    const uint64_t hue = steps_of(groups(PIETRA_BLEND_HUE, NULL), SIDE);
    assert_true(plain < upright && upright < clip && clip < multiply && multiply < hue);
}

/* What the picture does not show, or a clip cuts off, costs nothing, unless an effect may bring it there. */
static void test_beyond(void **state)
{
    (void)state;
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_OFFSET};
    const pietra_effect effect = {.steps = &step, .step_count = 1};
    const uint64_t all = steps_of(pages(&HALF), SIDE);
    pietra_scene *clipped = new_scene();
    begin_clip(clipped, "R0 0 .01 .01");
    pietra_scene *page = pages(&HALF);
    ASSERT_OK(pietra_scene_append(clipped, page, NULL, error));
    end_clip(clipped);
    assert_true(steps_of(clipped, SIDE) < all / 2);
    for (int in_effect = 0; in_effect < 2; in_effect++) {
        pietra_scene *scene = new_scene();
        if (in_effect)
            ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
        ASSERT_OK(pietra_scene_append(scene, page, NULL, error));
        if (in_effect)
            ASSERT_OK(pietra_scene_end_effect(scene, error));
        pietra_stream *stream = encode_and_destroy(scene);
        expect_at(stream, 0, all / 2, PIETRA_ERROR_INPUT);
        expect_at(stream, 3, all / 2, in_effect ? PIETRA_ERROR_INPUT : PIETRA_OK);
        pietra_stream_destroy(stream);
    }
    pietra_scene_destroy(page);
}

/* Steps grow with the pixels. What a picture may cost grows with its side, from a mebipixel on, and later with its
 * pixels. */
static void test_sizes(void **state)
{
    (void)state;
    pietra_stream *stream = encode_and_destroy(dear_pages());
    const uint64_t small = least_steps(stream, 256), large = least_steps(stream, 1024);
    assert_true(large > 4 * small);
    const struct {
        uint32_t side;
        uint64_t times;
    } sizes[] = {{2048, 2}, {4096, 4}, {8192, 8}, {16384, 8}, {32768, 8}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint64_t steps = sizes[i].times * large;
        assert_int_equal(draw_corner(stream, sizes[i].side, steps + steps / 20), PIETRA_OK);
        assert_int_equal(draw_corner(stream, sizes[i].side, steps - steps / 20), PIETRA_ERROR_INPUT);
    }
    pietra_stream_destroy(stream);
}

/* Adds pages, and then a fill. */
static uint64_t steps_below(const char *data, pietra_fill_rule rule, const pietra_paint *paint, bool in_group)
{
    pietra_scene *scene = dear_pages();
    pietra_path *path = path_from(data);
    if (in_group)
        begin_blended(scene, PIETRA_BLEND_MULTIPLY);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, rule, paint, error));
    if (in_group)
        end_group(scene);
    pietra_path_destroy(path);
    return steps_of(scene, 512);
}

/* What an opaque fill hides costs next to nothing. Holes, layers and translucent paints hide nothing, nor does a fill
 * hide what lies above it. */
static void test_hidden(void **state)
{
    (void)state;
    const uint64_t all = steps_of(dear_pages(), 512);
    assert_true(steps_below("R0 0 1 1", PIETRA_FILL_NONZERO, &RED, false) < all / 2);
    assert_true(steps_below("M0 0L1 0L1 1L0 1", PIETRA_FILL_NONZERO, &RED, false) < all / 2);
    assert_true(steps_below("M-9 -9L-9 9L9 9L9 -9Z", PIETRA_FILL_EVEN_ODD, &RED, false) < all / 2);
    assert_true(steps_below("M0 0C.3 -.2 .6 .1 1 0L1 1L0 1Z", PIETRA_FILL_NONZERO, &RED, false) < all / 2);
    assert_true(steps_below("M0 0L1 0L1 1L0 1ZM0 0L1 0L1 1L0 1Z", PIETRA_FILL_NONZERO, &RED, false) < all / 2);
    assert_true(steps_below("M0 0L1 0L1 1L0 1ZM0 0L1 0L1 1L0 1Z", PIETRA_FILL_EVEN_ODD, &RED, false) >= all);
    assert_true(steps_below("M0 0L1 0L1 1L0 1ZM0 0L0 1L1 1L1 0Z", PIETRA_FILL_NONZERO, &RED, false) >= all);
    assert_true(steps_below("M0 0L1 1L0 1Z", PIETRA_FILL_NONZERO, &RED, false) > all / 2);
    assert_true(steps_below("M2 0L3 0L3 1L2 1Z", PIETRA_FILL_NONZERO, &RED, false) >= all);
    assert_true(steps_below("R0 0 1 1", PIETRA_FILL_NONZERO, &HALF, false) >= all);
    assert_true(steps_below("R0 0 1 1", PIETRA_FILL_NONZERO, &RED, true) >= all);
    pietra_scene *scene = new_scene(), *above = dear_pages();
    fill(scene, "R0 0 1 1", &RED);
    ASSERT_OK(pietra_scene_append(scene, above, NULL, error));
    pietra_scene_destroy(above);
    assert_true(steps_of(scene, 512) >= all);
}

/* A line costs what it passes: a path that goes to and fro costs more than one that stays where it is. */
static void test_lines(void **state)
{
    (void)state;
    pietra_path *far = path_from("M0 0"), *near = path_from("M0 0L1 1");
    for (int i = 0; i < 1000; i++) {
        pietra_path_line_to(far, 0.001 * i, i % 2);
        pietra_path_line_to(near, 0.001 * i, 0.001 * i);
    }
    pietra_path *paths[] = {far, near};
    uint64_t steps[2];
    for (int i = 0; i < 2; i++) {
        pietra_scene *scene = new_scene();
        ASSERT_OK(pietra_scene_fill(scene, paths[i], NULL, PIETRA_FILL_NONZERO, &RED, error));
        steps[i] = steps_of(scene, 400);
        pietra_path_destroy(paths[i]);
    }
    assert_true(steps[0] > 5 * steps[1]);
}

/* A diagonal line covers less than its box. */
static void test_strokes(void **state)
{
    (void)state;
    const pietra_stroke thin = {.width = 0.001, .miter_limit = 4}, wide = {.width = 2, .miter_limit = 4};
    uint64_t steps[2];
    for (int i = 0; i < 2; i++) {
        pietra_scene *scene = new_scene();
        for (int k = 0; k < PAGES; k++)
            stroke(scene, "M0 0L1 1", i ? &wide : &thin);
        steps[i] = steps_of(scene, 1000);
    }
    assert_true(steps[1] > 2 * steps[0]);
}

/* The error has the label of the element with which the limit is passed. */
static void test_labels(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    for (uint32_t i = 1; i <= PAGES; i++) {
        pietra_scene_set_label(scene, i);
        fill(scene, "R0 0 1 1", &HALF);
    }
    pietra_stream *stream = encode_and_destroy(scene);
    const uint64_t all = least_steps(stream, SIDE);
    for (int i = 0; i < 2; i++) {
        const pietra_device_options options = {.kind = i ? PIETRA_DEVICE_REFERENCE : PIETRA_DEVICE_CPU,
                                               .effect_steps = all / 2};
        const pietra_frame frame = {.transform = {SIDE, 0, 0, SIDE, 0, 0}};
        pietra_error named = {.label = 0};
        assert_int_equal(draw_by(&options, stream, &frame, SIDE, pixels, &named), PIETRA_ERROR_INPUT);
        assert_in_range(named.label, PAGES / 2 - 1, PAGES / 2 + 1);
    }
    pietra_stream_destroy(stream);
}

static void ignore_step(void *user, const pietra_pixel_step *step)
{
    (void)user, (void)step;
}

/* Images of scenes are refused too, and what is not drawn is not explained. */
static void test_surfaces(void **state)
{
    (void)state;
    pietra_scene *cell = pages(&HALF), *scene = new_scene();
    pietra_image *image;
    ASSERT_OK(pietra_image_create_from_scene(cell, 1, 1, error, &image));
    fill(scene, "R0 0 1 1", &(pietra_paint){.kind = PIETRA_PAINT_IMAGE, .image = image});
    pietra_image_destroy(image);
    pietra_stream *streams[] = {encode_and_destroy(scene), encode_and_destroy(cell)};
    const uint64_t all = least_steps(streams[1], SIDE);
    for (int i = 0; i < 2; i++) {
        expect_at(streams[i], 0, 100 * all, PIETRA_OK);
        expect_at(streams[i], 0, all / 2, PIETRA_ERROR_INPUT);
        const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .effect_steps = all / 2};
        const pietra_frame frame = {.transform = {SIDE, 0, 0, SIDE, 0, 0}};
        const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
        pietra_device *device;
        ASSERT_OK(pietra_device_create(&options, error, &device));
        assert_int_equal(pietra_explain_pixel(device, streams[i], &frame, &target, 0, 0, ignore_step, NULL, NULL),
                         PIETRA_ERROR_INPUT);
        pietra_device_destroy(device);
        pietra_stream_destroy(streams[i]);
    }
}

/* What a device knows of a stream does not hold for others, nor for other sizes. */
static void test_kept(void **state)
{
    (void)state;
    pietra_scene *one = new_scene();
    fill(one, "R0 0 1 1", &HALF);
    pietra_stream *dear = encode_and_destroy(pages(&HALF)), *cheap = encode_and_destroy(one);
    const pietra_device_options options = {
        .kind = PIETRA_DEVICE_CPU, .threads = 1, .effect_steps = least_steps(dear, SIDE) - 1};
    const struct {
        const pietra_stream *stream;
        double side;
        pietra_result expected;
    } frames[] = {{dear, SIDE, PIETRA_ERROR_INPUT}, {dear, 10, PIETRA_OK},    {cheap, SIDE, PIETRA_OK},
                  {dear, SIDE, PIETRA_ERROR_INPUT}, {cheap, SIDE, PIETRA_OK}, {dear, SIDE, PIETRA_ERROR_INPUT}};
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&options, error, &device));
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        const pietra_frame frame = {.transform = {frames[i].side, 0, 0, frames[i].side, 0, 0}};
        const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
        assert_int_equal(pietra_render(device, frames[i].stream, &frame, &target, NULL, NULL), frames[i].expected);
    }
    pietra_device_destroy(device);
    pietra_stream_destroy(dear);
    pietra_stream_destroy(cheap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paints), cmocka_unit_test(test_layers),
                                       cmocka_unit_test(test_beyond), cmocka_unit_test(test_sizes),
                                       cmocka_unit_test(test_lines),  cmocka_unit_test(test_strokes),
                                       cmocka_unit_test(test_hidden), cmocka_unit_test(test_surfaces),
                                       cmocka_unit_test(test_labels), cmocka_unit_test(test_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
