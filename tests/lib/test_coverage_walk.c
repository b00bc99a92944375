/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* coverage_walk against the closed form, for every pixel of a tile: random lines, and lines on the edges of pixels and
 * tiles. */
#include "lib/coverage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint32_t state = 1;

static int below(int limit)
{
    state = state * 1664525u + 1013904223u;
    return (int)((uint64_t)state * (uint32_t)limit >> 32);
}

static line random_line(int tile_left, int tile_top)
{
    static const int spans[] = {300, 2000, 12000, 200000};
    int span = spans[below(4)];
    int x = tile_left + below(TILE_SUBPIXELS);
    int y = tile_top + below(TILE_SUBPIXELS);
    int mask = below(2) == 0 ? -1 : -SUBPIXELS;
    int ax = (x - below(span)) & mask;
    int bx = (x + below(span)) & mask;
    int ay = (y - below(span)) & (below(2) == 0 ? -1 : -SUBPIXELS);
    int by = below(8) == 0 ? ay : y + below(span);
    return below(2) == 0 ? line_make(ax, ay, bx, by, 0) : line_make(ax, by, bx, ay, 0);
}

static void walk_line(line l, int tile_left, int tile_top, int sums[TILE_SIDE][TILE_SIDE])
{
    coverage_walk walk = coverage_walk_begin(l, tile_left, tile_top);
    while (coverage_walk_goes_on(walk)) {
        if (coverage_walk_row_is_done(walk)) {
            int added = coverage_walk_next_row(&walk, l, tile_left, tile_top);
            sums[coverage_walk_row(walk)][0] += added;
        }
        if (!coverage_walk_row_is_done(walk)) {
            int *row = sums[coverage_walk_row(walk)];
            int column = walk.column;
            row[column] += coverage_walk_pixel(&walk, l, tile_left, tile_top);
            if (coverage_walk_row_is_done(walk) && walk.column < TILE_SIDE)
                row[walk.column] += walk.carry;
        }
    }
    if (walk.tail != 0)
        sums[coverage_walk_tail_row(walk)][0] += walk.tail;
    for (int row = coverage_walk_first_below(walk); row < TILE_SIDE; row++)
        sums[row][0] += walk.below;
}

static void compare_line(line l, int tile_left, int tile_top)
{
    int sums[TILE_SIDE][TILE_SIDE] = {{0}};
    walk_line(l, tile_left, tile_top, sums);
    for (int y = 0; y < TILE_SIDE; y++) {
        coverage_row row = coverage_of_row(l, tile_left, tile_top, tile_top + y * SUBPIXELS);
        int area = 0;
        for (int x = 0; x < TILE_SIDE; x++) {
            area += sums[y][x];
            int inside = row.y_lower > row.y_upper ? coverage_of_pixel(l, row, tile_left, x * SUBPIXELS) : 0;
            assert_int_equal(area, row.left_area + inside);
        }
    }
}

static void test_walk_equals_closed_form(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        int tile_left = (below(5) - 2) * TILE_SUBPIXELS;
        int tile_top = (below(5) - 2) * TILE_SUBPIXELS;
        line l = random_line(tile_left, tile_top);
        bool has_tile_lines = l.y0 == l.y1 ? l.y0 > tile_top : l.y1 > tile_top;
        if (has_tile_lines && l.y0 < tile_top + TILE_SUBPIXELS)
            compare_line(l, tile_left, tile_top);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk_equals_closed_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
