/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tests of the exact renderer: pictures whose coverage can be computed by hand. */
#include "exact/exact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 32
#define PI 3.14159265358979323846

static const pietra_paint white = {.color = {1, 1, 1, 1}};

typedef struct drawing {
    pietra_scene *scene;
    pietra_path *path;
    float pixels[SIDE * SIDE * 4];
} drawing;

static int set_up(void **state)
{
    drawing *d = calloc(1, sizeof *d);
    d->scene = pietra_scene_create();
    d->path = pietra_path_create();
    *state = d;
    return 0;
}

static int tear_down(void **state)
{
    drawing *d = *state;
    pietra_scene_destroy(d->scene);
    pietra_path_destroy(d->path);
    free(d);
    return 0;
}

static void render(drawing *d)
{
    pietra_stream *stream;
    assert_int_equal(pietra_stream_encode(d->scene, NULL, &stream), PIETRA_OK);
    assert_true(exact_render(stream, NULL, SIDE, SIDE, d->pixels));
    pietra_stream_destroy(stream);
}

static void fill(drawing *d, pietra_fill_rule rule)
{
    assert_int_equal(pietra_scene_fill(d->scene, d->path, NULL, rule, &white, NULL), PIETRA_OK);
    pietra_path_reset(d->path);
}

static void stroke(drawing *d, pietra_stroke style)
{
    assert_int_equal(pietra_scene_stroke(d->scene, d->path, NULL, &style, &white, NULL), PIETRA_OK);
    pietra_path_reset(d->path);
}

static double alpha(const drawing *d, int x, int y)
{
    return (double)d->pixels[4 * (y * SIDE + x) + 3];
}

static double area(const drawing *d)
{
    double sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        sum += (double)d->pixels[4 * i + 3];
    return sum;
}

/* Layers have 8 bits: half a level is 0.002. */
#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void test_rect(void **state)
{
    drawing *d = *state;
    pietra_path_rect(d->path, 4.5, 5.25, 10, 10);
    fill(d, PIETRA_FILL_NONZERO);
    render(d);
    assert_near(alpha(d, 4, 8), 0.5, 0.002);
    assert_near(alpha(d, 8, 5), 0.75, 0.002);
    assert_near(alpha(d, 4, 5), 0.375, 0.002);
    assert_near(alpha(d, 8, 8), 1, 0);
    assert_near(area(d), 100, 0.1);
}

static void test_circle(void **state)
{
    drawing *d = *state;
    pietra_path_ellipse(d->path, 16.3, 15.8, 11, 9);
    fill(d, PIETRA_FILL_NONZERO);
    render(d);
    assert_near(area(d), PI * 11 * 9, 0.3); /* cubics instead of arcs: 0.03 % */
}

static void test_rules_and_overlap(void **state)
{
    drawing *d = *state;
    pietra_path_rect(d->path, 4, 4, 16.5, 8);
    pietra_path_rect(d->path, 4, 4, 16.5, 8);
    fill(d, PIETRA_FILL_NONZERO);
    render(d);
    assert_near(alpha(d, 20, 6), 0.5, 0.002);
}

static void test_even_odd(void **state)
{
    drawing *d = *state;
    pietra_path_rect(d->path, 4, 4, 20, 20);
    pietra_path_rect(d->path, 8, 8, 8, 8);
    fill(d, PIETRA_FILL_EVEN_ODD);
    render(d);
    assert_near(area(d), 400 - 64, 0.1);
}

static void test_stroke_of_a_square(void **state)
{
    drawing *d = *state;
    static const double expected[] = {13 * 13 - 7 * 7, 13 * 13 - 7 * 7 - (4 - PI) * 2.25,
                                      13 * 13 - 7 * 7 - 4 * 4.5 / 4};
    for (int join = 0; join < 3; join++) {
        pietra_scene_destroy(d->scene);
        d->scene = pietra_scene_create();
        pietra_path_rect(d->path, 8, 8, 10, 10);
        stroke(d, (pietra_stroke){.width = 3, .join = (pietra_join)join});
        render(d);
        assert_near(area(d), expected[join], 0.3);
    }
}

static void test_caps(void **state)
{
    drawing *d = *state;
    static const double expected[] = {40, 40 + PI * 4, 40 + 16};
    for (int cap = 0; cap < 3; cap++) {
        pietra_scene_destroy(d->scene);
        d->scene = pietra_scene_create();
        pietra_path_move_to(d->path, 8, 8);
        pietra_path_line_to(d->path, 18, 8);
        stroke(d, (pietra_stroke){.width = 4, .cap = (pietra_cap)cap});
        pietra_path_move_to(d->path, 8, 20);
        pietra_path_line_to(d->path, 8, 20);
        stroke(d, (pietra_stroke){.width = 4, .cap = (pietra_cap)cap});
        render(d);
        assert_near(area(d), expected[cap] + (cap ? expected[cap] - 40 : 0), 0.1);
    }
}

static void test_stroke_of_a_circle(void **state)
{
    drawing *d = *state;
    pietra_path_ellipse(d->path, 16, 16, 10, 10);
    stroke(d, (pietra_stroke){.width = 4});
    render(d);
    assert_near(area(d), PI * (144 - 64), 0.2);
    pietra_scene_destroy(d->scene);
    d->scene = pietra_scene_create();
    pietra_path_ellipse(d->path, 16, 16, 3, 3);
    stroke(d, (pietra_stroke){.width = 12});
    render(d);
    assert_near(area(d), PI * 81, 0.2);
}

static void test_cusp_is_round(void **state)
{
    drawing *d = *state;
    pietra_path_move_to(d->path, 8, 16);
    pietra_path_cubic_to(d->path, 32, 16, 0, 16, 24, 16);
    stroke(d, (pietra_stroke){.width = 6});
    render(d);
    /* x(t) = 8 + 72 t - 168 t^2 + 112 t^3 turns back at t = (7 -+ sqrt 7) / 14, but stays between its end points
     * here. */
    assert_near(alpha(d, 12, 16), 1, 0.002);
    assert_near(area(d), 6 * 16, 6.1);
}

static void test_dashes(void **state)
{
    drawing *d = *state;
    double dashes[] = {3, 2};
    pietra_path_move_to(d->path, 2, 8);
    pietra_path_line_to(d->path, 22, 8);
    stroke(d, (pietra_stroke){.width = 2, .dashes = dashes, .dash_count = 2, .dash_offset = 1});
    render(d);
    assert_near(area(d), 2 * (2 + 3 + 3 + 3 + 1), 0.1);
    assert_near(alpha(d, 3, 8), 1, 0.002);
    assert_near(alpha(d, 4, 8), 0, 0.002);
    assert_near(alpha(d, 21, 8), 1, 0.002);
}

static void test_dash_over_the_start(void **state)
{
    drawing *d = *state;
    double dashes[] = {10, 10};
    pietra_path_rect(d->path, 6, 6, 20, 20);
    stroke(d, (pietra_stroke){.width = 2, .dashes = dashes, .dash_count = 2, .dash_offset = 5});
    render(d);
    assert_near(alpha(d, 5, 5), 1, 0.002); /* the mitre at the seam */
    assert_near(area(d), 4 * 20, 0.1); /* every dash bends around a corner: the outside gains what the inside loses */
}

static void test_clip_and_group(void **state)
{
    drawing *d = *state;
    pietra_path_rect(d->path, 4.5, 4, 10, 10);
    assert_int_equal(pietra_scene_begin_clip(d->scene, d->path, NULL, PIETRA_FILL_NONZERO, NULL), PIETRA_OK);
    pietra_path_reset(d->path);
    assert_int_equal(pietra_scene_begin_group(d->scene, 0.5f, NULL), PIETRA_OK);
    for (int i = 0; i < 2; i++) {
        pietra_path_rect(d->path, 0, 0, SIDE, SIDE);
        fill(d, PIETRA_FILL_NONZERO);
    }
    assert_int_equal(pietra_scene_end_group(d->scene, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_end_clip(d->scene, NULL), PIETRA_OK);
    render(d);
    assert_near(alpha(d, 8, 8), 0.5, 0.003);
    assert_near(alpha(d, 4, 8), 0.25, 0.002);
}

static void test_union(void **state)
{
    drawing *d = *state;
    assert_int_equal(pietra_scene_begin_clip_source(d->scene, NULL), PIETRA_OK);
    pietra_path_rect(d->path, 4, 4, 8.5, 8);
    fill(d, PIETRA_FILL_NONZERO);
    pietra_path_rect(d->path, 12.5, 4, 8, 8);
    fill(d, PIETRA_FILL_NONZERO);
    assert_int_equal(pietra_scene_end_clip_source(d->scene, NULL), PIETRA_OK);
    pietra_path_rect(d->path, 0, 0, SIDE, SIDE);
    fill(d, PIETRA_FILL_NONZERO);
    assert_int_equal(pietra_scene_end_clip(d->scene, NULL), PIETRA_OK);
    render(d);
    assert_near(alpha(d, 12, 8), 0.75, 0.004);
    assert_near(alpha(d, 8, 8), 1, 0.002);
    assert_near(alpha(d, 25, 8), 0, 0);
}

static void test_gradients(void **state)
{
    drawing *d = *state;
    pietra_stop stops[] = {{0, {0, 0, 0, 1}}, {1, {1, 1, 1, 1}}};
    pietra_paint linear = {.kind = PIETRA_PAINT_LINEAR,
                           .x0 = 0,
                           .x1 = 16,
                           .spread = PIETRA_SPREAD_REFLECT,
                           .stops = stops,
                           .stop_count = 2};
    pietra_paint radial = {
        .kind = PIETRA_PAINT_RADIAL, .x0 = 16, .y0 = 24, .x1 = 16, .y1 = 24, .r1 = 8, .stops = stops, .stop_count = 2};
    pietra_path_rect(d->path, 0, 0, SIDE, 16);
    assert_int_equal(pietra_scene_fill(d->scene, d->path, NULL, PIETRA_FILL_NONZERO, &linear, NULL), PIETRA_OK);
    pietra_path_reset(d->path);
    pietra_path_rect(d->path, 0, 16, SIDE, 16);
    assert_int_equal(pietra_scene_fill(d->scene, d->path, NULL, PIETRA_FILL_NONZERO, &radial, NULL), PIETRA_OK);
    render(d);
    assert_near((double)d->pixels[4 * 4], 4.5 / 16, 0.002);
    assert_near((double)d->pixels[4 * 20], (32 - 20.5) / 16, 0.002);
    assert_near((double)d->pixels[4 * (24 * SIDE + 19)], hypot(3.5, 0.5) / 8, 0.002);
    assert_near((double)d->pixels[4 * (24 * SIDE + 30)], 1, 0.002);
}

static void test_compare(void **state)
{
    (void)state;
    float exact[8] = {0.5f, 0.25f, 0, 0.5f, 0, 0, 0, 0};
    uint8_t pixels[8] = {255, 128, 0, 128, 0, 0, 0, 40};
    exact_difference d = exact_compare(2, 1, exact, pixels, true, 10);
    assert_int_equal(d.above, 1);
    assert_int_equal(d.x, 1);
    assert_near(d.greatest, 40, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rect, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_circle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rules_and_overlap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_even_odd, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stroke_of_a_square, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_caps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stroke_of_a_circle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cusp_is_round, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dashes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dash_over_the_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clip_and_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_union, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_gradients, set_up, tear_down),
        cmocka_unit_test(test_compare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
