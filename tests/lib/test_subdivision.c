/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The chords of random curves stay close to them, are in order, and are fewer than equal steps by Wang's bound would
 * take. */
#include "lib/subdivision.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static uint32_t random_state = 1;

static float random_below(float limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (float)(random_state >> 8) / 16777216.0f * limit;
}

static curve random_curve(uint order, float extent)
{
    curve c = {.order = order,
               .x0 = random_below(extent),
               .y0 = random_below(extent),
               .x1 = random_below(extent),
               .y1 = random_below(extent)};
    c.x3 = random_below(extent);
    c.y3 = random_below(extent);
    c.x2 = order == 3 ? random_below(extent) : c.x3;
    c.y2 = order == 3 ? random_below(extent) : c.y3;
    return c;
}

static double distance_to_chord(point p, point a, point b)
{
    double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    double square = dx * dx + dy * dy;
    double along = square > 0 ? fmin(fmax(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0), 1) : 0;
    return hypot(p.x - (a.x + along * dx), p.y - (a.y + along * dy));
}

/* Returns the greatest distance from its chord of any of 16 points on each piece. */
static double stray(curve c, subdivision cut)
{
    double worst = 0;
    float start = 0;
    for (uint i = 1; i <= cut.pieces; i++) {
        float end = i < cut.pieces ? subdivision_at(cut, i) : 1;
        assert_true(end >= start);
        assert_true(end <= 1);
        for (int k = 1; k < 16; k++) {
            point at = curve_point(c, start + (end - start) * (float)k / 16);
            worst = fmax(worst, distance_to_chord(at, curve_point(c, start), curve_point(c, end)));
        }
        start = end;
    }
    return worst;
}

static double wang_pieces(curve c)
{
    double scale = c.order == 3 ? 0.75 : 0.25;
    double first = c.order == 3 ? hypot(c.x0 - 2 * c.x1 + c.x2, c.y0 - 2 * c.y1 + c.y2)
                                : hypot(c.x0 - 2 * c.x1 + c.x3, c.y0 - 2 * c.y1 + c.y3);
    double last = c.order == 3 ? hypot(c.x1 - 2 * c.x2 + c.x3, c.y1 - 2 * c.y2 + c.y3) : first;
    return fmax(ceil(sqrt(scale * fmax(first, last) / 0.1)), 1);
}

static void chords_stay_close(void **state)
{
    (void)state;
    static const struct {
        float extent, most;
    } cases[] = {{2, 0.16f}, {10, 0.16f}, {100, 0.16f}, {2000, 0.3f}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double pieces = 0, wang = 0;
        for (int k = 0; k < 4000; k++) {
            curve c = random_curve(k % 4 == 0 ? 2 : 3, cases[i].extent);
            subdivision cut = subdivision_of(c);
            double strayed = stray(c, cut);
            if (strayed > (double)cases[i].most)
                print_message("%g px: strays by %g\n", (double)cases[i].extent, strayed);
            assert_true(strayed <= (double)cases[i].most);
            assert_true(cut.pieces <= 1.1 * wang_pieces(c) + 1);
            pieces += cut.pieces;
            wang += wang_pieces(c);
        }
        if (cases[i].extent > 5) /* shorter curves take two or three pieces either way */
            assert_true(pieces < 0.75 * wang);
    }
}

/* Curves that turn back on a line, cusps, equal points, and straight cubics. */
static void degenerate_curves_are_cut_where_they_turn(void **state)
{
    (void)state;
    static const curve curves[] = {
        {.order = 2, .x0 = 0, .y0 = 0, .x1 = 100, .y1 = 0, .x2 = 0, .y2 = 0, .x3 = 0, .y3 = 0},
        {.order = 3, .x0 = 0, .y0 = 0, .x1 = 300, .y1 = 300, .x2 = -200, .y2 = -200, .x3 = 100, .y3 = 100},
        {.order = 3, .x0 = 0, .y0 = 0, .x1 = 100, .y1 = 100, .x2 = 0, .y2 = 100, .x3 = 100, .y3 = 0},
        {.order = 3, .x0 = 5, .y0 = 5, .x1 = 5, .y1 = 5, .x2 = 5, .y2 = 5, .x3 = 5, .y3 = 5},
        {.order = 3, .x0 = 0, .y0 = 0, .x1 = 1, .y1 = 2, .x2 = 2, .y2 = 4, .x3 = 3000, .y3 = 6000},
        {.order = 3, .x0 = 0, .y0 = 0, .x1 = 0, .y1 = 0, .x2 = 80, .y2 = 0, .x3 = 80, .y3 = 80},
    };
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++)
        assert_true(stray(curves[i], subdivision_of(curves[i])) < 0.2);
}

static void curves_beyond_reason_are_bounded(void **state)
{
    (void)state;
    static const float extents[] = {1e8f, 1e9f, 1e12f, 1e18f, 3e37f};
    for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++) {
        for (int k = 0; k < 100; k++) {
            subdivision cut = subdivision_of(random_curve(3, extents[i]));
            assert_in_range(cut.pieces, 1, CURVE_PIECES_MAX);
            float before = 0;
            for (uint piece = 1; piece < cut.pieces; piece++) {
                float t = subdivision_at(cut, piece);
                assert_true(t >= before && t <= 1);
                before = t;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chords_stay_close),
        cmocka_unit_test(degenerate_curves_are_cut_where_they_turn),
        cmocka_unit_test(curves_beyond_reason_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
