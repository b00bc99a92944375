/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Levels of box shadows against a convolution in doubles, row by row of the shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "lib/box_shadow.h"

#define ROOT_HALF 0.70710678118654752
#define MOST_ERROR 1.0 /* in levels, after rounding */
#define ROWS 1500      /* of a pair of corners */

static double worst;

static double below(double x)
{
    return 0.5 * erfc(-x * ROOT_HALF);
}

/* The integral of a Gaussian's integral. */
static double sum_below(double t, double sigma)
{
    if (sigma == 0)
        return fmax(t, 0);
    return t * below(t / sigma) + sigma * exp(-0.5 * t * t / sigma / sigma) / 2.5066282746310002;
}

/* The level of a pixel beside a straight edge. Of a wide Gaussian the mean over four places is exact enough, where the
 * difference of two sums is not. */
static double straight(double t, double sigma)
{
    if (sigma < 20)
        return sum_below(t + 0.5, sigma) - sum_below(t - 0.5, sigma);
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += below((t + (i + 0.5) / 4 - 0.5) / sigma);
    return sum / 4;
}

static double arc_at(double radius, double y)
{
    return y < radius ? radius - sqrt(radius * radius - (radius - y) * (radius - y)) : 0;
}

/* Sums the rows that meet a pair of corners. `v` counts from their side inward. */
static double corner_rows(const stream_box_shadow *s, double u, double v, double left, double right)
{
    const double radius = fmax(left, right), width = (double)s->x1 - (double)s->x0, sigma = (double)s->sigma;
    double sum = 0;
    for (int i = 0; i < ROWS && radius > 0; i++) {
        /* Rows are dense where arcs are flat. */
        const double a = radius * i / ROWS * i / ROWS, b = radius * (i + 1) / ROWS * (i + 1) / ROWS,
                     middle = (a + b) / 2;
        const double across =
            straight(u - arc_at(left, middle), sigma) - straight(u - (width - arc_at(right, middle)), sigma);
        sum += across * (straight(v - a, sigma) - straight(v - b, sigma));
    }
    return sum;
}

static double exact_level(const stream_box_shadow *s, double u, double v)
{
    const double width = (double)s->x1 - (double)s->x0, height = (double)s->y1 - (double)s->y0;
    const double top = fmax((double)s->top_left, (double)s->top_right),
                 bottom = fmax((double)s->bottom_left, (double)s->bottom_right), sigma = (double)s->sigma;
    const double level = (straight(u, sigma) - straight(u - width, sigma)) *
                             (straight(v - top, sigma) - straight(v - height + bottom, sigma)) +
                         corner_rows(s, u, v, (double)s->top_left, (double)s->top_right) +
                         corner_rows(s, u, height - v, (double)s->bottom_left, (double)s->bottom_right);
    return 255 * (s->is_inset ? 1 - level : level);
}

/* Compares at a point, counted from the box, to which the middle of a pixel is moved. */
static void check(stream_box_shadow shadow, double u, double v)
{
    const int x = (int)floor(u), y = (int)floor(v);
    const affine m = {1, 0, 0, 1, shadow.x0 + (float)(u - x) - 0.5f, shadow.y0 + (float)(v - y) - 0.5f};
    const stream_paint black = {.kind = PAINT_BOX_SHADOW, .color = 0xff000000u};
    const double exact =
        exact_level(&shadow, x + 0.5 + (double)m.e - (double)shadow.x0, y + 0.5 + (double)m.f - (double)shadow.y0);
    const double error = fabs((double)(shadow_color(shadow, black, m, x, y) >> 24) - exact);
    worst = fmax(worst, error);
    if (error > MOST_ERROR)
        fail_msg("sigma %g, box %g x %g, radii %g %g %g %g, at (%g, %g): %g levels off %g", (double)shadow.sigma,
                 (double)(shadow.x1 - shadow.x0), (double)(shadow.y1 - shadow.y0), (double)shadow.top_left,
                 (double)shadow.top_right, (double)shadow.bottom_right, (double)shadow.bottom_left, u, v, error, exact);
}

static uint32_t state_of_random;

static double random_between(double low, double high)
{
    state_of_random = state_of_random * 1664525u + 1013904223u;
    return low + (high - low) * (state_of_random >> 8) / 16777216.0;
}

static float random_radius(double most)
{
    const double which = random_between(0, 1);
    return which < 0.2 ? 0.0f : (float)(which < 0.5 ? 0.99999 * most : random_between(0, 0.99999 * most));
}

static stream_box_shadow random_shadow(double sigma)
{
    const double width = exp(random_between(0, 6.5)), height = exp(random_between(0, 6.5)),
                 most = fmin(width, height) / 2;
    stream_box_shadow made = {.x0 = (float)random_between(-9, 9), .y0 = (float)random_between(-9, 9)};
    made.x1 = made.x0 + (float)width;
    made.y1 = made.y0 + (float)height;
    made.top_left = random_radius(most);
    made.top_right = random_radius(most);
    made.bottom_right = random_radius(most);
    made.bottom_left = random_radius(most);
    made.sigma = (float)sigma;
    made.is_inset = random_between(0, 1) < 0.2;
    return made;
}

/* Compares near the arc of the upper left corner, and anywhere. */
static void check_random(double sigma)
{
    const stream_box_shadow shadow = random_shadow(sigma);
    const double turn = random_between(0, 1.5707963), radius = (double)shadow.top_left, near = 2 * fmax(sigma, 0.5);
    check(shadow, radius * (1 - cos(turn)) + random_between(-near, near),
          radius * (1 - sin(turn)) + random_between(-near, near));
    check(shadow, random_between(-near, (double)(shadow.x1 - shadow.x0) + near),
          random_between(-near, (double)(shadow.y1 - shadow.y0) + near));
}

static void test_blurred(void **state)
{
    (void)state;
    state_of_random = 1;
    for (int i = 0; i < 300; i++)
        check_random(exp(random_between(log(0.3), log(300))));
    print_message("error at most %.3f levels\n", worst);
}

/* Below a pixel, down to the coverage of the sharp shape. */
static void test_sharp(void **state)
{
    (void)state;
    worst = 0;
    state_of_random = 2;
    for (int i = 0; i < 200; i++)
        check_random(i % 2 == 0 ? 0 : random_between(0, 1.2));
    print_message("error at most %.3f levels\n", worst);
}

/* Every phase of a row of pixels across an edge and a corner. */
static void test_phases(void **state)
{
    static const float sigmas[] = {0, 0.3f, 1, 7.5f, 60};
    (void)state;
    for (size_t i = 0; i < sizeof sigmas / sizeof sigmas[0]; i++) {
        const stream_box_shadow shadow = {0, 0, 60, 40, 12, 3, 20, 0, sigmas[i], 0};
        for (int phase = 0; phase < 16; phase++)
            for (int k = -2; k < 16; k += 3) {
                check(shadow, k + phase / 16.0, 2.3);
                check(shadow, 60 - k + phase / 16.0, 20.7 + k);
                check(shadow, 30, k + phase / 16.0);
            }
    }
}

/* Under a turn a pixel counts as a square along the shadow's axes, so that a scale and quarter turns change nothing,
 * and the level of a blurred shadow follows its point alone. */
static void test_maps(void **state)
{
    static const affine maps[] = {{0, 1, -1, 0, 0, 0}, {-1, 0, 0, -1, 0, 0}, {0, -1, -1, 0, 0, 0}};
    const stream_box_shadow shadow = {-30, -20, 30, 20, 12, 12, 12, 12, 2.5f, 0};
    const stream_paint black = {.kind = PAINT_BOX_SHADOW, .color = 0xff000000u};
    (void)state;
    for (int y = -24; y < 24; y++) {
        for (int x = -34; x < 34; x++) {
            const uint upright = shadow_color(shadow, black, (affine){1, 0, 0, 1, 0, 0}, x, y);
            for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
                /* The pixel that the map takes to the same point. */
                const affine m = maps[i];
                const float u = (float)x + 0.5f, v = (float)y + 0.5f, px = m.a * u + m.b * v, py = m.c * u + m.d * v;
                assert_int_equal(shadow_color(shadow, black, m, (int)floorf(px), (int)floorf(py)), upright);
            }
            /* A frame of half the size: a shadow of half the size. */
            const stream_box_shadow half = {-15, -10, 15, 10, 6, 6, 6, 6, 1.25f, 0};
            assert_int_equal(shadow_color(shadow, black, (affine){2, 0, 0, 2, 0, 0}, x, y),
                             shadow_color(half, black, (affine){1, 0, 0, 1, 0, 0}, x, y));
        }
    }
}

/* Numbers at the ends of what a stream may hold, and maps that are flat or huge. */
static void test_ends(void **state)
{
    static const float numbers[] = {0.0f, 1e-30f, 1e-15f, 1.0f, 1e9f, SHADOW_LIMIT, 1e38f};
    const stream_paint black = {.kind = PAINT_BOX_SHADOW, .color = 0xff000000u};
    (void)state;
    for (size_t i = 0; i < 7; i++) {
        for (size_t k = 0; k < 7; k++) {
            const stream_box_shadow huge = {-SHADOW_LIMIT,
                                            -SHADOW_LIMIT,
                                            SHADOW_LIMIT,
                                            SHADOW_LIMIT,
                                            SHADOW_LIMIT,
                                            0,
                                            1e-15f,
                                            SHADOW_LIMIT,
                                            fminf(numbers[i], SHADOW_LIMIT),
                                            0};
            const stream_box_shadow small = {0, 0, 1e-15f, 1e-15f, 0, 0, 0, 0, fminf(numbers[i], SHADOW_LIMIT), 0};
            const affine m = {numbers[k], 0, 0, numbers[(i + k) % 7], numbers[i], -numbers[k]};
            const affine turned = {numbers[k], -numbers[i], numbers[i], numbers[k], 0, 0};
            assert_true(shadow_color(huge, black, m, 5, -7) <= 0xff000000u);
            assert_true(shadow_color(small, black, m, 5, -7) <= 0xff000000u);
            assert_true(shadow_color(huge, black, turned, 5, 7) <= 0xff000000u);
        }
    }
    const affine one = {1, 0, 0, 1, 0, 0};
    const stream_box_shadow wide = {0, 0, 1e9f, 1e9f, 0, 0, 0, 0, 2, 0}, flat = {0, 0, 9, 9, 3, 3, 3, 3, 1e9f, 0};
    assert_int_equal(shadow_color(wide, black, one, 50, 50), 0xff000000u);
    assert_int_equal(shadow_color(wide, black, one, -50, 50), 0);
    assert_int_equal(shadow_color(wide, black, one, 0, 50) >> 24, (uint)lround(exact_level(&wide, 0.5, 50.5)));
    assert_int_equal(shadow_color(flat, black, one, 4, 4), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blurred), cmocka_unit_test(test_sharp),
                                       cmocka_unit_test(test_phases), cmocka_unit_test(test_maps),
                                       cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
