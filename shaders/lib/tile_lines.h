/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A line's tile_lines in closed form: how many come before a row, and which one is the k-th. No rows are walked.
 *
 * Let d(k) be the column in which the line enters row k (or starts, or ends). A line goes one way, so d is monotone,
 * and so are the conditions that cut columns off. So the rows in which the line has columns of the box are one range,
 * and the rows in which it crosses the upper edge left of the box are another. Clamp d to the box. Then the values of d
 * at the two ends of a row differ by the number of the row's columns less one, or are equal if the row has none. So the
 * number of tile_lines before row k is
 *     |clamped d(k) - clamped d(first)| + rows before k with columns + rows before k with a tile_line left of
 * the box. */
#ifndef PIETRA_LIB_TILE_LINES_H
#define PIETRA_LIB_TILE_LINES_H

#include "line.h"

STRUCT(tile_lines)
{
    row_range rows;
    row_range inside; /* rows with columns of the box */
    row_range left;   /* rows with a tile_line left of the box */
    int x0, last;     /* columns of the box */
    int start;        /* clamped d(rows.first) */
};

/* One tile_line: its column, which is x0 - 1 for the one left of the box, and whether it crosses the row's
 * upper edge. */
STRUCT(tile_line)
{
    int row, column;
    uint crosses;
};

/* Returns d(row), for rows.first <= row <= rows.end. */
SHARED_FUNCTION int line_column_at_row(line l, int row)
{
    int top = row * TILE_SUBPIXELS;
    int x;
    if (l.y0 == l.y1) {
        x = top <= l.y0 ? l.x0 : l.x1;
    } else {
        x = line_x_at(l, int_clamp(top, l.y0, l.y1));
    }
    return x >> TILE_SHIFT_SUBPIXELS;
}

/* Returns the first row where the line has reached the column from the side on which it starts, or rows.end + 1 if
 * there is none. A line that goes right has reached it if d >= column, and a line that goes left if d < column. */
SHARED_FUNCTION int line_row_at_column(line l, row_range rows, int column)
{
    int low = rows.first;
    int high = rows.end + 1;
    while (low < high) {
        int middle = low + ((high - low) >> 1);
        if ((line_column_at_row(l, middle) >= column) == (l.x1 >= l.x0)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

SHARED_FUNCTION row_range row_range_of(int first, int end)
{
    row_range range;
    range.first = first;
    range.end = end;
    return range;
}

SHARED_FUNCTION tile_lines tile_lines_of(line l, tile_box box)
{
    tile_lines all;
    all.rows = line_rows(l, box);
    all.inside = all.rows;
    all.left = row_range_of(all.rows.first, all.rows.first);
    all.x0 = box.x0;
    all.last = box.x1 - 1;
    int least = int_min(l.x0, l.x1) >> TILE_SHIFT_SUBPIXELS;
    int most = int_max(l.x0, l.x1) >> TILE_SHIFT_SUBPIXELS;
    bool cut = all.rows.first < all.rows.end && (least < box.x0 || most >= box.x1);
    if (cut) {
        int first = all.rows.first;
        int end = all.rows.end;
        int at_left = line_row_at_column(l, all.rows, box.x0);
        int at_right = line_row_at_column(l, all.rows, box.x1);
        int top = l.y0 == l.y1 ? end : int_max(first, (l.y0 + TILE_SUBPIXELS - 1) >> TILE_SHIFT_SUBPIXELS);
        if (l.x1 >= l.x0) {
            all.inside = row_range_of(int_max(first, at_left - 1), int_min(end, at_right));
            all.left = row_range_of(top, int_min(end, at_left));
        } else {
            all.inside = row_range_of(int_max(first, at_right - 1), int_min(end, at_left));
            all.left = row_range_of(int_max(top, at_left), end);
        }
    }
    all.start = int_clamp(line_column_at_row(l, all.rows.first), all.x0, all.last);
    return all;
}

SHARED_FUNCTION int rows_before(row_range range, int row)
{
    return int_max(int_min(row, range.end) - range.first, 0);
}

/* Returns the number of tile_lines in the rows above this one, for rows.first <= row <= rows.end. */
SHARED_FUNCTION uint tile_lines_before(line l, tile_lines all, int row)
{
    int column = int_clamp(line_column_at_row(l, row), all.x0, all.last);
    return TO_UINT(int_abs(column - all.start) + rows_before(all.inside, row) + rows_before(all.left, row));
}

/* Returns the number of all tile_lines of a line. */
SHARED_FUNCTION uint tile_line_count(line l, tile_box box)
{
    tile_lines all = tile_lines_of(l, box);
    return all.rows.first < all.rows.end ? tile_lines_before(l, all, all.rows.end) : 0u;
}

/* Returns the tile_line with this index. Indices go row by row downward, and from left to right within a row. */
SHARED_FUNCTION tile_line tile_line_at(line l, tile_lines all, uint index)
{
    int low = all.rows.first;
    int high = all.rows.end;
    while (high - low > 1) {
        int middle = low + ((high - low) >> 1);
        if (tile_lines_before(l, all, middle) <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    tile_line found;
    found.row = low;
    uint offset = index - tile_lines_before(l, all, low);
    int upper = line_column_at_row(l, low);
    int lower = line_column_at_row(l, low + 1);
    bool has_left = low >= all.left.first && low < all.left.end;
    bool crosses_top = l.y0 <= low * TILE_SUBPIXELS && low * TILE_SUBPIXELS < l.y1;
    if (has_left && offset == 0u) {
        found.column = all.x0 - 1;
        found.crosses = 1u;
    } else {
        found.column = int_max(int_min(upper, lower), all.x0) + TO_INT(offset) - (has_left ? 1 : 0);
        found.crosses = crosses_top && found.column == upper ? 1u : 0u;
    }
    return found;
}

#endif
