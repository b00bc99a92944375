/* Coverage of a pixel: signed area, exact in integers.
 *
 * The winding W of a point summed over a pixel is 2 * 256 * 256 W for a pixel inside, FULL_AREA a turn. Within a row
 * of pixels a line l adds, to the pixel in column c, twice the area right of l. That is 512 for each subpixel of
 * height that l spends left of c. For each subpixel of height that it spends inside c, it is 512 minus its distances
 * from c's left edge, at both ends. Heights are measured by line_y_at, held to the row. Only line_x_at at the row's
 * two edges decides on which side of a column boundary a line is in a row, so rows and columns cannot contradict one
 * another.
 *
 * A tile never sees the lines on its left. What they add is given by the winding of the tile's upper left corner
 * (the backdrop) and by the lines that cross the tile's left edge. Path ends cancel, since a path is closed. */
#ifndef PIETRA_LIB_COVERAGE_H
#define PIETRA_LIB_COVERAGE_H

#include "line.h"

/* A line in one row of pixels of one tile. */
STRUCT(coverage_row)
{
    int left_area;        /* what crossing the tile's left edge adds to every pixel of the row */
    int x_upper, x_lower; /* ends in the row, subpixels from the tile's left edge */
    int y_upper, y_lower; /* subpixels; equal: the line has no part in the row */
};

/* The height that the line spends left of x0 (subpixels of the frame) between y_upper and y_lower. */
SHARED_FUNCTION int height_left_of(line l, coverage_row row, int tile_left, int x)
{
    int upper = row.x_upper + tile_left;
    int lower = row.x_lower + tile_left;
    int height = row.y_lower - row.y_upper;
    bool upper_left = upper < x;
    bool lower_left = lower < x;
    if (upper_left == lower_left) {
        return upper_left ? height : 0;
    }
    int above = int_clamp(line_y_at(l, x), row.y_upper, row.y_lower) - row.y_upper;
    return upper_left ? above : height - above;
}

/* y in subpixels of the row's top; tile_top and tile_left those of the tile's corner. */
SHARED_FUNCTION coverage_row coverage_of_row(line l, int tile_left, int tile_top, int pixel_top)
{
    coverage_row row;
    int sign = line_sign(l);
    int pixel_bottom = pixel_top + SUBPIXELS;
    row.left_area = 0;
    row.y_upper = int_clamp(l.y0, pixel_top, pixel_bottom);
    row.y_lower = int_clamp(l.y1, pixel_top, pixel_bottom);
    row.x_upper = 0;
    row.x_lower = 0;
    /* Where the line crosses the left edge within the tile. Every row below the crossing sees it. */
    if (l.y0 == l.y1) {
        if (l.x0 < tile_left && tile_left <= l.x1 && l.y0 > tile_top) {
            row.left_area = -sign * 2 * SUBPIXELS * (pixel_bottom - row.y_upper);
        }
        return row;
    }
    int upper = int_max(l.y0, tile_top);
    int lower = int_min(l.y1, tile_top + TILE_SUBPIXELS);
    if (row.y_lower > row.y_upper) {
        row.x_upper = line_x_at(l, row.y_upper) - tile_left;
        row.x_lower = line_x_at(l, row.y_lower) - tile_left;
    }
    int rightward = l.x1 > l.x0 ? 1 : -1;
    bool upper_left = line_x_at(l, upper) < tile_left;
    bool lower_left = line_x_at(l, lower) < tile_left;
    if (upper_left != lower_left) {
        int below;
        if (row.y_lower == row.y_upper) {
            below = l.y1 <= pixel_top ? SUBPIXELS : 0;
        } else {
            bool left_above = row.x_upper < 0;
            bool left_below = row.x_lower < 0;
            if (left_above != left_below) {
                below = pixel_bottom - int_clamp(line_y_at(l, tile_left), row.y_upper, row.y_lower);
            } else {
                below = left_above == lower_left ? SUBPIXELS : 0;
            }
        }
        row.left_area = -sign * rightward * 2 * SUBPIXELS * below;
    }
    return row;
}

/* Twice the area that the line adds to the pixel whose left edge is x (subpixels from the tile's), without
 * row.left_area. */
SHARED_FUNCTION int coverage_of_pixel(line l, coverage_row row, int tile_left, int x)
{
    int left_of_tile = height_left_of(l, row, tile_left, tile_left);
    int left = height_left_of(l, row, tile_left, tile_left + x);
    int right = height_left_of(l, row, tile_left, tile_left + x + SUBPIXELS);
    int inside = right - left;
    int distances = int_clamp(row.x_upper - x, 0, SUBPIXELS) + int_clamp(row.x_lower - x, 0, SUBPIXELS);
    return line_sign(l) * (2 * SUBPIXELS * (left - left_of_tile) + inside * (2 * SUBPIXELS - distances));
}

/* coverage_of_pixel for four adjacent pixels, the first at x. */
STRUCT(quad_area)
{
    int a0, a1, a2, a3;
};

SHARED_FUNCTION quad_area coverage_of_quad(line l, coverage_row row, int tile_left, int x)
{
    int sign = line_sign(l);
    int origin = height_left_of(l, row, tile_left, tile_left);
    int h0 = height_left_of(l, row, tile_left, tile_left + x);
    int h1 = height_left_of(l, row, tile_left, tile_left + x + SUBPIXELS);
    int h2 = height_left_of(l, row, tile_left, tile_left + x + 2 * SUBPIXELS);
    int h3 = height_left_of(l, row, tile_left, tile_left + x + 3 * SUBPIXELS);
    int h4 = height_left_of(l, row, tile_left, tile_left + x + 4 * SUBPIXELS);
    int u = row.x_upper - x;
    int v = row.x_lower - x;
    int d0 = int_clamp(u, 0, SUBPIXELS) + int_clamp(v, 0, SUBPIXELS);
    int d1 = int_clamp(u - SUBPIXELS, 0, SUBPIXELS) + int_clamp(v - SUBPIXELS, 0, SUBPIXELS);
    int d2 = int_clamp(u - 2 * SUBPIXELS, 0, SUBPIXELS) + int_clamp(v - 2 * SUBPIXELS, 0, SUBPIXELS);
    int d3 = int_clamp(u - 3 * SUBPIXELS, 0, SUBPIXELS) + int_clamp(v - 3 * SUBPIXELS, 0, SUBPIXELS);
    quad_area area;
    area.a0 = sign * (2 * SUBPIXELS * (h0 - origin) + (h1 - h0) * (2 * SUBPIXELS - d0));
    area.a1 = sign * (2 * SUBPIXELS * (h1 - origin) + (h2 - h1) * (2 * SUBPIXELS - d1));
    area.a2 = sign * (2 * SUBPIXELS * (h2 - origin) + (h3 - h2) * (2 * SUBPIXELS - d2));
    area.a3 = sign * (2 * SUBPIXELS * (h3 - origin) + (h4 - h3) * (2 * SUBPIXELS - d3));
    return area;
}

/* A line's way through one tile, cell by cell, row after row, for sums in memory. What is added to a column counts for
 * that column and for all columns behind it in the row. So the sum of columns 0 to c over all lines is the area of the
 * pixel in column c. It equals what coverage_of_row and coverage_of_pixel give. Each crossing of a row's or a column's
 * edge is computed once.
 *
 *   walk = coverage_walk_begin(l, tile_left, tile_top); while (coverage_walk_goes_on(walk)) {
 *       if (coverage_walk_row_is_done(walk))
 *           to column 0 of row coverage_walk_row(walk), after the call, add coverage_walk_next_row(ADDR(walk), l,
 *           tile_left, tile_top);
 *       if (!coverage_walk_row_is_done(walk)) {
 *           to walk.column, before the call, add coverage_walk_cell(ADDR(walk), l, tile_left, tile_top); and if the row
 *           is done now, and walk.column is in the tile, to walk.column add walk.carry;
 *       }
 *   } to column 0 add walk.tail in row coverage_walk_tail_row(walk), and walk.below in the rows from
 *   coverage_walk_first_below(walk) on.
 *
 * Coordinates count from the tile's corner. The loop goes round at most TILE_SIDE + TILE_SIDE times. */
STRUCT(coverage_walk)
{
    int sign;
    int below;      /* what the line's crossing of the left edge adds to a row below it; 0: it does not cross */
    int tail;       /* what a horizontal line that crosses adds to the row it lies in */
    bool ends_left; /* the line's lower end in the tile's rows is left of the tile */
    int end;        /* y there */
    int x_upper, x_lower, y_upper, y_lower; /* in the row */
    int column, last;                       /* the next cell's column; the row's last */
    int before;                             /* the height that the line spends left of that column in the row */
    int carry;                              /* what the cell before adds to that column */
};

SHARED_FUNCTION coverage_walk coverage_walk_begin(line l, int tile_left, int tile_top)
{
    coverage_walk walk;
    int turn = -line_sign(l) * 2 * SUBPIXELS * SUBPIXELS;
    walk.sign = line_sign(l);
    walk.y_lower = int_max(l.y0 - tile_top, 0);
    walk.y_upper = walk.y_lower;
    walk.end = int_min(l.y1 - tile_top, TILE_SUBPIXELS);
    walk.below = 0;
    walk.tail = 0;
    walk.ends_left = false;
    walk.x_upper = 0;
    walk.x_lower = 0;
    walk.column = 0;
    walk.last = -1;
    walk.before = 0;
    walk.carry = 0;
    if (l.y0 == l.y1) {
        if (l.x0 < tile_left && tile_left <= l.x1 && l.y0 > tile_top) {
            walk.below = turn;
            walk.tail = (turn >> SUBPIXEL_SHIFT) * (-walk.end & (SUBPIXELS - 1));
        }
        return walk;
    }
    walk.x_lower = line_x_at(l, walk.y_lower + tile_top) - tile_left;
    walk.ends_left = line_x_at(l, walk.end + tile_top) < tile_left;
    if ((walk.x_lower < 0) != walk.ends_left) {
        walk.below = l.x1 > l.x0 ? turn : -turn;
    }
    return walk;
}

SHARED_FUNCTION bool coverage_walk_row_is_done(coverage_walk walk)
{
    return walk.column > walk.last;
}
SHARED_FUNCTION bool coverage_walk_goes_on(coverage_walk walk)
{
    return walk.column <= walk.last || walk.y_lower < walk.end;
}
SHARED_FUNCTION int coverage_walk_row(coverage_walk walk)
{
    return walk.y_upper >> SUBPIXEL_SHIFT;
}
SHARED_FUNCTION int coverage_walk_tail_row(coverage_walk walk)
{
    return walk.end >> SUBPIXEL_SHIFT;
}
SHARED_FUNCTION int coverage_walk_first_below(coverage_walk walk)
{
    return (walk.end + SUBPIXELS - 1) >> SUBPIXEL_SHIFT;
}

/* Starts the next row and returns what the line's crossing of the tile's left edge adds to it. */
SHARED_FUNCTION int coverage_walk_next_row(INOUT(coverage_walk) walk, line l, int tile_left, int tile_top)
{
    int upper = REF(walk).y_lower;
    int bottom = (upper & -SUBPIXELS) + SUBPIXELS;
    int lower = int_min(bottom, REF(walk).end);
    int x_upper = REF(walk).x_lower;
    int x_lower = line_x_at(l, lower + tile_top) - tile_left;
    int least = int_min(x_upper, x_lower);
    int most = int_max(x_upper, x_lower);
    REF(walk).y_upper = upper;
    REF(walk).y_lower = lower;
    REF(walk).x_upper = x_upper;
    REF(walk).x_lower = x_lower;
    REF(walk).column = int_max(least >> SUBPIXEL_SHIFT, 0);
    REF(walk).last = int_min(most >> SUBPIXEL_SHIFT, TILE_SIDE - 1);
    REF(walk).before = 0;
    REF(walk).carry = 0;
    if (least < 0 && most >= 0) {
        int crossing = int_clamp(line_y_at(l, tile_left) - tile_top, upper, lower);
        REF(walk).before = x_upper < 0 ? crossing - upper : lower - crossing;
        return (REF(walk).below >> SUBPIXEL_SHIFT) * (bottom - crossing);
    }
    return (x_upper < 0) == REF(walk).ends_left ? REF(walk).below : 0;
}

/* Takes the row's next cell and returns what is to be added to its column. */
SHARED_FUNCTION int coverage_walk_cell(INOUT(coverage_walk) walk, line l, int tile_left, int tile_top)
{
    int x = REF(walk).column * SUBPIXELS;
    int right = x + SUBPIXELS;
    int upper = REF(walk).y_upper;
    int lower = REF(walk).y_lower;
    int after = lower - upper;
    if ((REF(walk).x_upper < right) != (REF(walk).x_lower < right)) {
        int crossing = int_clamp(line_y_at(l, right + tile_left) - tile_top, upper, lower);
        after = REF(walk).x_upper < right ? crossing - upper : lower - crossing;
    }
    int inside = REF(walk).sign * (after - REF(walk).before);
    int distances = int_clamp(REF(walk).x_upper - x, 0, SUBPIXELS) + int_clamp(REF(walk).x_lower - x, 0, SUBPIXELS);
    int added = inside * (2 * SUBPIXELS - distances) + REF(walk).carry;
    REF(walk).carry = inside * distances;
    REF(walk).before = after;
    REF(walk).column = REF(walk).column + 1;
    return added;
}

/* Coverage, 0 to 255, of a pixel of this area: |area| for the non-zero rule, the distance to the nearest even turn for
 * even-odd. */
SHARED_FUNCTION uint coverage_level(int area, bool even_odd)
{
    int turned;
    if (even_odd) {
        int within = area & (2 * FULL_AREA - 1);
        turned = within > FULL_AREA ? 2 * FULL_AREA - within : within;
    } else {
        turned = int_min(int_abs(area), FULL_AREA);
    }
    return TO_UINT(255 * turned + FULL_AREA / 2) >> 17;
}

/* The coverage for a sum of any size, given in parts: area = high * 2^16 + low, 0 <= low < 2^16. */
SHARED_FUNCTION uint coverage_level_of_parts(int high, uint low, bool even_odd)
{
    if (even_odd) {
        return coverage_level(TO_INT(((TO_UINT(high) & 3u) << 16) | low), true);
    }
    int held = int_clamp(high, -16384, 16383);
    return coverage_level(held * 65536 + TO_INT(low), false);
}

#endif
