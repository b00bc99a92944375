/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The closed form of a line's tile_lines against the rows walked one by one. */
#include "lib/tile_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static uint random_state;

static int random_between(int low, int high)
{
    random_state = random_state * 1664525u + 1013904223u;
    return low + (int)((uint64_t)(random_state >> 4) * (uint)(high - low + 1) >> 28);
}

static int random_coordinate(int tiles)
{
    int kind = random_between(0, 3);
    int value = random_between(-tiles * TILE_SUBPIXELS, 2 * tiles * TILE_SUBPIXELS);
    return kind == 0   ? value & ~(TILE_SUBPIXELS - 1)
           : kind == 1 ? (value & ~(TILE_SUBPIXELS - 1)) + random_between(-1, 1)
                       : value;
}

static void check_tile_line(tile_line found, int row, int column, bool crosses)
{
    assert_int_equal(found.row, row);
    assert_int_equal(found.column, column);
    assert_int_equal(found.crosses, crosses);
}

static void check_line(line l, tile_box box)
{
    tile_lines all = tile_lines_of(l, box);
    row_range rows = line_rows(l, box);
    uint at = 0;
    for (int row = rows.first; row < rows.end; row++) {
        line_row part = line_in_row(l, row);
        column_range columns = line_columns(part, box);
        int top_column = part.crosses_top ? part.x_upper >> TILE_SHIFT_SUBPIXELS : columns.end;
        if (columns.left)
            check_tile_line(tile_line_at(l, all, at++), row, box.x0 - 1, true);
        for (int column = columns.first; column < columns.end; column++)
            check_tile_line(tile_line_at(l, all, at++), row, column, column == top_column);
    }
    assert_int_equal(tile_line_count(l, box), at);
}

static void random_lines(void **state)
{
    (void)state;
    random_state = 1;
    for (int i = 0; i < 300000; i++) {
        int tiles = random_between(1, i % 64 == 0 ? 300 : 12);
        tile_box box;
        box.x0 = random_between(0, tiles - 1);
        box.x1 = random_between(box.x0 + 1, tiles);
        box.y0 = random_between(0, tiles - 1);
        box.y1 = random_between(box.y0 + 1, tiles);
        int ax = random_coordinate(tiles);
        int ay = random_coordinate(tiles);
        int bx = random_between(0, 7) == 0 ? ax : random_coordinate(tiles);
        int by = random_between(0, 7) == 0 ? ay : random_coordinate(tiles);
        check_line(line_make(ax, ay, bx, by, 0), box);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
