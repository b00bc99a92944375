/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Wide and dashed strokes that cost too much at the size of a frame are refused, alike on all devices, in all parts of
 * a picture and within any budget, before anything is drawn. */
#include "pietra/pietra_effect.h"
#include "pietra/pietra_explain.h"
#include "render/expect_steps.h"
#include "scene/scene_fixture.h"

#define SIDE_MOST 320u
#define STEPS 20000u

static uint32_t pixels[SIDE_MOST * SIDE_MOST];

/* Draws what stands in the unit square, moved by so many of its sides. */
static void expect_at(const pietra_stream *stream, double moved, uint32_t side, uint64_t steps, pietra_result expected)
{
    expect_steps(stream, moved, side, pixels, 1 << 20, steps, "strokes", expected);
}

static void expect(const pietra_stream *stream, uint32_t side, uint64_t steps, pietra_result expected)
{
    expect_at(stream, 0, side, steps, expected);
}

static void add_dashed(pietra_scene *scene, const char *data, double width, const double *dashes, size_t count)
{
    const pietra_stroke round = {.width = width,
                                 .cap = PIETRA_CAP_ROUND,
                                 .join = PIETRA_JOIN_ROUND,
                                 .miter_limit = 4,
                                 .dashes = dashes,
                                 .dash_count = count};
    pietra_path *path = path_from(data);
    ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &round, &RED, error));
    pietra_path_destroy(path);
}

static void add_stroke(pietra_scene *scene, const char *data, double width, double dash)
{
    add_dashed(scene, data, width, &dash, dash > 0 ? 1 : 0);
}

static pietra_stream *one_stroke(const char *data, double width, double dash)
{
    pietra_scene *scene = new_scene();
    add_stroke(scene, data, width, dash);
    return encode_and_destroy(scene);
}

/* Returns the least limit with which a picture is drawn. */
static uint64_t least_steps(const pietra_stream *stream, uint32_t side)
{
    uint64_t least = 1, most = STEPS * 100;
    while (least < most) {
        const uint64_t middle = (least + most) / 2;
        const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .effect_steps = middle};
        const pietra_frame frame = {.transform = {side, 0, 0, side, 0, 0}};
        pietra_error named;
        if (draw_by(&options, stream, &frame, side, pixels, &named) == PIETRA_OK)
            most = middle;
        else
            least = middle + 1;
    }
    return most;
}

/* Dashes, tight bends and joins under a wide pen cost more in a larger picture. Thin pens cost nothing. */
static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        double width, dash;
        bool is_dear;
    } strokes[] = {
        {"M0 0L.5 .6", 0.5, 5e-4, true},
        {"M0 0L.5 .6", 0.5, 0.2, false},
        {"M0 0C1 0 0 1 1 1C1 0 0 1 .2 .2Q.3 0 .1 .9C1 0 0 0 1 1", 0.8, 0, true},
        {"M0 0C1 0 0 1 1 1C1 0 0 1 .2 .2Q.3 0 .1 .9C1 0 0 0 1 1", 0.002, 0, false},
        {"M0 0L1 1L0 .1L1 .9L0 .2L1 .8L0 .3L1 .7L0 .4L1 .6L0 .5L1 .5L0 .5L1 .4L0 .6L1 .3", 0.8, 0, true},
        {"M0 0L1 1L0 .1L1 .9L0 .2L1 .8L0 .3L1 .7L0 .4L1 .6L0 .5L1 .5L0 .5L1 .4L0 .6L1 .3", 0.002, 0, false},
    };
    for (size_t i = 0; i < sizeof strokes / sizeof strokes[0]; i++) {
        pietra_stream *stream = one_stroke(strokes[i].data, strokes[i].width, strokes[i].dash);
        const uint64_t most = least_steps(stream, 40);
        expect(stream, 40, most, PIETRA_OK);
        expect(stream, SIDE_MOST, strokes[i].is_dear ? most : 40 * most,
               strokes[i].is_dear ? PIETRA_ERROR_INPUT : PIETRA_OK);
        expect(stream, SIDE_MOST, 0, PIETRA_OK);
        pietra_stream_destroy(stream);
    }
}

/* The sides of a stroke count under a very wide pen alone. */
static void test_sides(void **state)
{
    (void)state;
    pietra_stream *longer = one_stroke("M0 0L1 1", 0.5, 0), *shorter = one_stroke("M0 0L.1 .1", 0.5, 0);
    assert_in_range(least_steps(longer, 40), least_steps(shorter, 40), least_steps(shorter, 40) + 3); /* painting too */
    assert_true(least_steps(longer, SIDE_MOST) > least_steps(shorter, SIDE_MOST) + 10);
    pietra_stream_destroy(longer);
    pietra_stream_destroy(shorter);
}

/* A line of one segment has two caps too. */
static void test_caps(void **state)
{
    (void)state;
    pietra_stream *one = one_stroke("M.5 .5L.7 .5", 0.5, 0), *two = one_stroke("M.5 .5L.6 .5L.7 .5", 0.5, 0);
    assert_true(2 * least_steps(two, 100) < 3 * least_steps(one, 100));
    pietra_stream_destroy(one);
    pietra_stream_destroy(two);
}

/* A dashed curve is measured beyond the picture too. */
static void test_measured(void **state)
{
    (void)state;
    static const double dashes[] = {1e5, 1e5};
    pietra_scene *scene = new_scene();
    add_dashed(scene, "M0 0C1e6 0 -1e6 1 1 1", 0.01, dashes, 2);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_true(least_steps(stream, 100) > 1000);
    pietra_stream_destroy(stream);
}

#define CLUSTER 1000

/* Dashes that crowd in a small part of their pattern count where a path shows that part alone. */
static void test_crowded(void **state)
{
    (void)state;
    static double dashes[CLUSTER];
    pietra_scene *crowded = new_scene(), *spread = new_scene();
    for (int i = 0; i < CLUSTER; i++)
        dashes[i] = 5e-4;
    add_dashed(spread, "M0 0L1 1", 0.1, dashes, CLUSTER);
    dashes[CLUSTER - 1] = 1e9;
    add_dashed(crowded, "M0 0L.1 .1M.3 .3L.4 .4M.6 .6L.7 .7", 0.1, dashes, CLUSTER);
    pietra_stream *streams[] = {encode_and_destroy(spread), encode_and_destroy(crowded)};
    const uint64_t all = least_steps(streams[0], 100), part = least_steps(streams[1], 100);
    assert_true(part < all && part > all / 4);
    for (int i = 0; i < 2; i++)
        pietra_stream_destroy(streams[i]);
}

#define DEAR_DATA "M0 0L1 1"
#define DEAR_WIDTH 0.5
#define DEAR_DASH 1e-3

/* What the picture does not show costs nothing, unless an effect may bring it there. */
static void test_beyond(void **state)
{
    (void)state;
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_OFFSET};
    const pietra_effect effect = {.steps = &step, .step_count = 1};
    for (int in_effect = 0; in_effect < 2; in_effect++) {
        pietra_scene *scene = new_scene();
        if (in_effect)
            ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
        add_stroke(scene, DEAR_DATA, DEAR_WIDTH, DEAR_DASH);
        if (in_effect)
            ASSERT_OK(pietra_scene_end_effect(scene, error));
        pietra_stream *stream = encode_and_destroy(scene);
        expect(stream, 100, STEPS / 10, PIETRA_ERROR_INPUT);
        expect_at(stream, 3, 100, STEPS / 10, in_effect ? PIETRA_ERROR_INPUT : PIETRA_OK);
        pietra_stream_destroy(stream);
    }
}

/* A region is refused with its picture. */
static void test_regions(void **state)
{
    (void)state;
    pietra_stream *stream = one_stroke(DEAR_DATA, DEAR_WIDTH, DEAR_DASH);
    for (uint32_t at = 0; at < SIDE_MOST; at += SIDE_MOST / 2) {
        const pietra_frame frame = {
            .transform = {SIDE_MOST, 0, 0, SIDE_MOST, 0, 0},
            .region = {.picture_width = SIDE_MOST, .picture_height = SIDE_MOST, .x = at, .y = 0}};
        pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .effect_steps = STEPS / 10};
        pietra_error named = {.message = ""};
        assert_int_equal(draw_by(&options, stream, &frame, SIDE_MOST / 2, pixels, &named), PIETRA_ERROR_INPUT);
        assert_non_null(strstr(named.message, "most of them of strokes"));
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
    pietra_scene *cell = new_scene(), *scene = new_scene();
    pietra_image *image;
    add_stroke(cell, DEAR_DATA, DEAR_WIDTH, DEAR_DASH);
    ASSERT_OK(pietra_image_create_from_scene(cell, 1, 1, error, &image));
    pietra_scene_destroy(cell);
    fill(scene, "R0 0 1 1", &(pietra_paint){.kind = PIETRA_PAINT_IMAGE, .image = image});
    pietra_image_destroy(image);
    pietra_stream *streams[] = {encode_and_destroy(scene), one_stroke(DEAR_DATA, DEAR_WIDTH, DEAR_DASH)};
    for (int i = 0; i < 2; i++) {
        expect(streams[i], 100, 10 * STEPS, PIETRA_OK);
        expect(streams[i], 100, STEPS / 10, PIETRA_ERROR_INPUT);
        const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .effect_steps = STEPS / 10};
        const pietra_frame frame = {.transform = {100, 0, 0, 100, 0, 0}};
        const pietra_target target = {.width = 100, .height = 100, .pixels = pixels};
        pietra_device *device;
        ASSERT_OK(pietra_device_create(&options, error, &device));
        assert_int_equal(pietra_explain_pixel(device, streams[i], &frame, &target, 0, 0, ignore_step, NULL, NULL),
                         PIETRA_ERROR_INPUT);
        pietra_device_destroy(device);
        pietra_stream_destroy(streams[i]);
    }
}

/* A device that refused a frame draws a smaller one, and one of another stream, and refuses the first again. */
static void test_kept(void **state)
{
    (void)state;
    pietra_stream *dear = one_stroke(DEAR_DATA, DEAR_WIDTH, DEAR_DASH), *cheap = one_stroke(DEAR_DATA, DEAR_WIDTH, 0.5);
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .effect_steps = STEPS};
    const struct {
        const pietra_stream *stream;
        uint32_t side;
        pietra_result expected;
    } frames[] = {{dear, 320, PIETRA_ERROR_INPUT}, {dear, 10, PIETRA_OK},  {cheap, 320, PIETRA_OK},
                  {dear, 320, PIETRA_ERROR_INPUT}, {cheap, 10, PIETRA_OK}, {dear, 320, PIETRA_ERROR_INPUT}};
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&options, error, &device));
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        const double side = frames[i].side;
        const pietra_frame frame = {.transform = {side, 0, 0, side, 0, 0}};
        const pietra_target target = {.width = frames[i].side, .height = frames[i].side, .pixels = pixels};
        assert_int_equal(pietra_render(device, frames[i].stream, &frame, &target, NULL, NULL), frames[i].expected);
    }
    pietra_device_destroy(device);
    pietra_stream_destroy(dear);
    pietra_stream_destroy(cheap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),   cmocka_unit_test(test_sides),    cmocka_unit_test(test_caps),
        cmocka_unit_test(test_crowded), cmocka_unit_test(test_measured), cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_regions), cmocka_unit_test(test_surfaces), cmocka_unit_test(test_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
