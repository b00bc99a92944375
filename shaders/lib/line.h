/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A snapped line and where it crosses rows and columns. The whole picture rests on this arithmetic. Every crossing is a
 * function of the whole line, so it is the same whether the frame is cut into tiles, bands, rows or lanes.
 *
 * Units are subpixels, 1/256 of a pixel. A line goes from top to bottom (a horizontal one from left to right). */
#ifndef PIETRA_LIB_LINE_H
#define PIETRA_LIB_LINE_H

#include "../layout/frame.h"
#include "arithmetic.h"

/* Returns floor(2^32 r / d) for r < d <= 2^25. It finds sixteen bits at a time, since 64-bit integers are optional on a
 * GPU. Floats guess a digit to within one, and the digit's remainder corrects it. The remainder is known to be small,
 * so its low 32 bits suffice. */
SHARED_FUNCTION uint divide_fraction(uint r, uint d)
{
    PRECISE float scale = reciprocal(TO_FLOAT(d)) * 65536.0f;
    uint quotient = 0u;
    uint rest = r;
    for (int i = 0; i < 2; i++) {
        PRECISE float guess = TO_FLOAT(rest) * scale;
        uint digit = TO_UINT(guess);
        rest = (rest << 16) - digit * d;
        if (TO_INT(rest) < 0) {
            digit = digit - 1u;
            rest = rest + d;
        } else if (rest >= d) {
            digit = digit + 1u;
            rest = rest - d;
        }
        quotient = (quotient << 16) + digit;
    }
    return quotient;
}

/* Returns whether a line can have tile_lines in a box, by cheap tests. It must have height or cross columns. Its rows
 * must meet the box. It must not lie right of the box. If it lies left of the box, it must cross the upper edge of some
 * row. */
SHARED_FUNCTION bool line_is_seen(int ax, int ay, int bx, int by, tile_box box)
{
    int y0 = int_min(ay, by);
    int y1 = int_max(ay, by);
    if (y1 < box.y0 * TILE_SUBPIXELS || y0 >= box.y1 * TILE_SUBPIXELS || int_min(ax, bx) >= box.x1 * TILE_SUBPIXELS) {
        return false;
    }
    if (y0 == y1 && (ax == bx || (y0 & (TILE_SUBPIXELS - 1)) == 0)) {
        return false;
    }
    bool is_left = int_max(ax, bx) < box.x0 * TILE_SUBPIXELS;
    bool crosses_top = ((y0 + TILE_SUBPIXELS - 1) >> TILE_SHIFT_SUBPIXELS) <= ((y1 - 1) >> TILE_SHIFT_SUBPIXELS);
    return !is_left || crosses_top;
}

/* Returns the line from a to b, with the visible element it belongs to. */
SHARED_FUNCTION line line_make(int ax, int ay, int bx, int by, uint visible)
{
    bool forward = ay < by || (ay == by && ax <= bx);
    line made;
    made.x0 = forward ? ax : bx;
    made.y0 = forward ? ay : by;
    made.x1 = forward ? bx : ax;
    made.y1 = forward ? by : ay;
    uint dx = TO_UINT(int_abs(made.x1 - made.x0));
    uint dy = TO_UINT(made.y1 - made.y0);
    uint least = uint_min(dx, dy);
    uint ratio = least != 0u ? uint_max(dx, dy) / least : 0u;
    made.x_slope = dx >= dy ? ratio : 0u;
    made.x_slope_fraction = dy != 0u ? divide_fraction(dx - made.x_slope * dy, dy) : 0u;
    made.y_slope = dy >= dx ? ratio : 0u;
    made.y_slope_fraction = dx != 0u ? divide_fraction(dy - made.y_slope * dx, dx) : 0u;
    made.visible_sign = (visible << 1) | (forward ? 0u : 1u);
    return made;
}

/* Returns +1 for a line that ran downward (horizontal: to the right), -1 for one that was turned round. */
SHARED_FUNCTION int line_sign(line l)
{
    return (l.visible_sign & 1u) != 0u ? -1 : 1;
}

/* Returns x at a height within the line, for y0 <= y <= y1 and y0 < y1. It is exact at both ends. */
SHARED_FUNCTION int line_x_at(line l, int y)
{
    uint down = TO_UINT(y - l.y0);
    int across = TO_INT(down * l.x_slope + multiply_high_rounded(down, l.x_slope_fraction));
    return l.x1 >= l.x0 ? l.x0 + across : l.x0 - across;
}

/* Returns y at an x between the ends, for x0 != x1. It is exact at both ends. */
SHARED_FUNCTION int line_y_at(line l, int x)
{
    uint across = TO_UINT(int_abs(x - l.x0));
    return l.y0 + TO_INT(across * l.y_slope + multiply_high_rounded(across, l.y_slope_fraction));
}

/* The part of a line in one row of tiles: x at its upper and lower end there, and the columns it touches. A vertex on a
 * row boundary belongs to the row below; a point on a column boundary to the column on its right. */
STRUCT(line_row)
{
    int x_upper, x_lower;
    int first_column, last_column;
    bool crosses_top; /* the line passes the row's upper edge, at x_upper */
};

SHARED_FUNCTION line_row line_in_row(line l, int row)
{
    int top = row * TILE_SUBPIXELS;
    int upper = int_max(l.y0, top);
    int lower = int_min(l.y1, top + TILE_SUBPIXELS);
    line_row part;
    part.x_upper = l.y0 == l.y1 ? l.x0 : line_x_at(l, upper);
    part.x_lower = l.y0 == l.y1 ? l.x1 : line_x_at(l, lower);
    part.first_column = int_min(part.x_upper, part.x_lower) >> TILE_SHIFT_SUBPIXELS;
    part.last_column = int_max(part.x_upper, part.x_lower) >> TILE_SHIFT_SUBPIXELS;
    part.crosses_top = l.y0 <= top && top < l.y1;
    return part;
}

/* The rows of tiles [first, end) in which a line has tile_lines, within the rows of its element's box. A horizontal
 * line on a row boundary has none. It counts for nothing in the row above, and the lines that leave its ends account
 * for it in the row below. */
STRUCT(row_range)
{
    int first, end;
};

SHARED_FUNCTION row_range line_rows(line l, tile_box box)
{
    int last = l.y1;
    if (l.y0 == l.y1 && (l.y0 & (TILE_SUBPIXELS - 1)) != 0) {
        last = l.y0 + 1;
    }
    row_range rows;
    rows.first = int_max(l.y0 >> TILE_SHIFT_SUBPIXELS, box.y0);
    rows.end = int_min((last + TILE_SUBPIXELS - 1) >> TILE_SHIFT_SUBPIXELS, box.y1);
    return rows;
}

/* The columns [first, end) of a line's tile_lines in a row, and whether it has one left of the box. Left of the box
 * only a crossing of the row's upper edge matters. Right of the box nothing does. */
STRUCT(column_range)
{
    bool left;
    int first, end;
};

SHARED_FUNCTION column_range line_columns(line_row part, tile_box box)
{
    column_range columns;
    columns.left = part.crosses_top && (part.x_upper >> TILE_SHIFT_SUBPIXELS) < box.x0;
    columns.first = int_max(part.first_column, box.x0);
    columns.end = int_min(part.last_column + 1, box.x1);
    return columns;
}

#endif
