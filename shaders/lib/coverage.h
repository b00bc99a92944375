/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Coverage of a pixel: signed area, exact in integers; and samples where a path meets itself.
 *
 * The area of a pixel is twice the integral of the winding number over it, in square subpixels. A pixel of constant
 * winding W has the area 2 * 256 * 256 W, which is FULL_AREA for one turn. Within a row of pixels a line l adds, to the
 * pixel in column c, twice the area right of l. That is 512 for each subpixel of height that l spends left of c. For
 * each subpixel of height that l spends inside c, it is 512 minus the distances of l's two ends there from c's left
 * edge. Heights are found by line_y_at and clamped to the row. Only line_x_at at the row's two edges decides on which
 * side of a column boundary a line is in a row, so rows and columns cannot contradict one another.
 *
 * A tile never sees the lines on its left. What they add follows from the winding of the tile's upper left corner (the
 * backdrop) and from the lines that cross the tile's left edge. The ends of a path's lines cancel, because the path is
 * closed. */
#ifndef PIETRA_LIB_COVERAGE_H
#define PIETRA_LIB_COVERAGE_H

#include "line.h"
#include "winding.h"

/* A line in one row of pixels of one tile. */
STRUCT(coverage_row)
{
    int left_area;        /* what crossing the tile's left edge adds to every pixel of the row */
    int x_upper, x_lower; /* ends in the row, subpixels from the tile's left edge */
    int y_upper, y_lower; /* subpixels; equal: the line has no part in the row */
};

/* Returns the height that the line spends left of x (in subpixels of the frame) between y_upper and y_lower. */
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

/* Returns the line's part in the row of pixels that begins at pixel_top. The tile's corner is at tile_left and
 * tile_top. All three are in subpixels of the frame. */
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
    /* A line may cross the left edge within the tile. Every row below the crossing sees it. */
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

/* Returns twice the area that the line adds to the pixel whose left edge is x (in subpixels from the tile's left edge),
 * without row.left_area. */
SHARED_FUNCTION int coverage_of_pixel(line l, coverage_row row, int tile_left, int x)
{
    int left_of_tile = height_left_of(l, row, tile_left, tile_left);
    int left = height_left_of(l, row, tile_left, tile_left + x);
    int right = height_left_of(l, row, tile_left, tile_left + x + SUBPIXELS);
    int inside = right - left;
    int distances = int_clamp(row.x_upper - x, 0, SUBPIXELS) + int_clamp(row.x_lower - x, 0, SUBPIXELS);
    return line_sign(l) * (2 * SUBPIXELS * (left - left_of_tile) + inside * (2 * SUBPIXELS - distances));
}

/* A walk of a line through one tile, row by row and pixel by pixel, for callers that keep sums in memory. What is added
 * to a column counts for that column and for all columns after it in the row. So the sum of columns 0 to c over all
 * lines is the area of the pixel in column c. It equals what coverage_of_row and coverage_of_pixel give. Each crossing
 * of a row's or a column's edge is computed once.
 *
 * To walk a line:
 *   walk = coverage_walk_begin(l, tile_left, tile_top);
 *   while (coverage_walk_goes_on(walk)) {
 *       if (coverage_walk_row_is_done(walk)) {
 *           added = coverage_walk_next_row(ADDR(walk), l, tile_left, tile_top);
 *           add `added` to column 0 of row coverage_walk_row(walk), which the call has set
 *       }
 *       if (!coverage_walk_row_is_done(walk)) {
 *           column = walk.column;
 *           add coverage_walk_pixel(ADDR(walk), l, tile_left, tile_top) to `column`
 *           if (coverage_walk_row_is_done(walk) and walk.column is in the tile) add walk.carry to walk.column
 *       }
 *   }
 *   add walk.tail to column 0 of row coverage_walk_tail_row(walk)
 *   add walk.below to column 0 of all rows from coverage_walk_first_below(walk) on
 *
 * Coordinates count from the tile's corner. The loop takes at most TILE_SIDE + TILE_SIDE rounds. */
STRUCT(coverage_walk)
{
    int sign;
    int below;      /* what the line's crossing of the left edge adds to a row below it; 0 if it does not cross */
    int tail;       /* what a horizontal line that crosses the left edge adds to its own row */
    bool ends_left; /* the line's lower end in the tile's rows is left of the tile */
    int end;        /* y of that lower end */
    int x_upper, x_lower, y_upper, y_lower; /* the line's ends in the row */
    int column, last;                       /* the next pixel's column; the row's last */
    int before;                             /* the height that the line spends left of that column in the row */
    int carry;                              /* what the pixel before adds to that column */
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

/* Takes the row's next pixel and returns what it adds to its column. */
SHARED_FUNCTION int coverage_walk_pixel(INOUT(coverage_walk) walk, line l, int tile_left, int tile_top)
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

/* Returns how many of the line's ends lie inside the walk's next pixel, but not on its upper or lower edge. */
SHARED_FUNCTION uint coverage_walk_ends(coverage_walk walk, line l, int tile_left, int tile_top)
{
    bool starts = walk.y_upper == l.y0 - tile_top && (l.y0 & (SUBPIXELS - 1)) != 0;
    bool ends = walk.y_lower == l.y1 - tile_top && (l.y1 & (SUBPIXELS - 1)) != 0;
    starts = starts && (l.x0 - tile_left) >> SUBPIXEL_SHIFT == walk.column;
    ends = ends && (l.x1 - tile_left) >> SUBPIXEL_SHIFT == walk.column;
    return (starts ? 1u : 0u) + (ends ? 1u : 0u);
}

/* The pixels of a tile that a horizontal line touches: columns first to last of a row. One on the edge of a row touches
 * none. */
STRUCT(horizontal_pixels)
{
    int row, first, last;
};

SHARED_FUNCTION horizontal_pixels coverage_horizontal_pixels(line l, int tile_left, int tile_top)
{
    horizontal_pixels pixels;
    pixels.row = (l.y0 - tile_top) >> SUBPIXEL_SHIFT;
    pixels.first = int_max((l.x0 - tile_left) >> SUBPIXEL_SHIFT, 0);
    pixels.last = int_min((l.x1 - tile_left) >> SUBPIXEL_SHIFT, TILE_SIDE - 1);
    if (l.y0 != l.y1 || (l.y0 & (SUBPIXELS - 1)) == 0 || pixels.row < 0 || pixels.row >= TILE_SIDE) {
        pixels.last = pixels.first - 1;
    }
    return pixels;
}

/* Returns how many ends of a horizontal line lie in a column. */
SHARED_FUNCTION uint coverage_horizontal_ends(line l, int tile_left, int column)
{
    return ((l.x0 - tile_left) >> SUBPIXEL_SHIFT == column ? 1u : 0u) +
           ((l.x1 - tile_left) >> SUBPIXEL_SHIFT == column ? 1u : 0u);
}

/* Returns the coverage, 0 to 255, of a pixel with this area. The non-zero rule takes |area|, and the even-odd rule
 * takes the distance to the nearest even turn. That is right where the winding number takes two adjacent values. */
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

/* Does coverage_level for a sum of any size, which is given in parts: area = high * 2^16 + low, 0 <= low < 2^16. */
SHARED_FUNCTION uint coverage_level_of_parts(int high, uint low, bool even_odd)
{
    if (even_odd) {
        return coverage_level(TO_INT(((TO_UINT(high) & 3u) << 16) | low), true);
    }
    int held = int_clamp(high, -16384, 16383);
    return coverage_level(held * 65536 + TO_INT(low), false);
}

/* ---- Where a path meets itself ----
 *
 * Where the winding number takes other than two adjacent values in a pixel, its area does not tell the coverage: two
 * halves on top of one another add up to a whole. Such a pixel is sampled. It has SAMPLE_ROWS rows of SAMPLE_COLUMNS
 * sample cells. The lines that cross the middle of a row give the winding number of each of its cells (K. Kallio,
 * "Scanline edge-flag algorithm for antialiasing", 2007, with winding numbers in place of flags). A row is 16 subpixels
 * high, and a cell is 8 wide. Each row shifts its crossings by another part of a cell before they are rounded down. So
 * the roundings of the rows cancel, and an upright line is measured to the subpixel.
 *
 * Samples do not depend on the order of the lines. A pixel whose samples have two adjacent values keeps the coverage of
 * its area. */
#define SAMPLE_ROWS 16
#define SAMPLE_ROW_SHIFT 4 /* subpixels */
#define SAMPLE_COLUMNS 32
#define SAMPLE_COLUMN_SHIFT 3
#define SAMPLE_SHIFT 9 /* SAMPLE_ROWS * SAMPLE_COLUMNS */

/* The meetings of a pixel are a sum: this for each line that has a part in the pixel, and 1 for each of their ends that
 * lies inside it. Two lines have at most four ends. */
#define MEETING_TOUCH 8u

/* A pixel of more meetings keeps the coverage of its area, so that work stays bounded. */
#define SAMPLED_MEETINGS 8192u

/* Returns whether a pixel of some meetings is sampled. One line does not meet another, and two that are joined in the
 * pixel separate two values. */
SHARED_FUNCTION bool meetings_are_sampled(uint meetings)
{
    return meetings >= 2u * MEETING_TOUCH && meetings != 2u * MEETING_TOUCH + 2u && meetings <= SAMPLED_MEETINGS;
}

/* Returns y of a row's middle, in subpixels from the pixel's top. A line crosses the row if y0 <= y < y1. */
SHARED_FUNCTION int sample_y(int row)
{
    return (row << SAMPLE_ROW_SHIFT) + (1 << (SAMPLE_ROW_SHIFT - 1));
}

/* Returns the first cell right of a crossing. x is in subpixels from the left edge of cell 0. Eight rows shift it by 0
 * to 7 subpixels, by the reversed bits of their numbers. */
SHARED_FUNCTION int sample_cell(int x, int row)
{
    int shift = ((row & 1) << 2) | (row & 2) | ((row >> 2) & 1);
    return (x + shift) >> SAMPLE_COLUMN_SHIFT;
}

/* The winding numbers of a pixel's samples. Sums are modulo 2^32. */
STRUCT(pixel_samples)
{
    int least, most;
    uint sum, squares;       /* sum of the winding numbers; sum of their squares */
    uint inside, inside_sum; /* samples that the fill rule fills; sum of their winding numbers */
};

SHARED_FUNCTION pixel_samples no_samples(void)
{
    pixel_samples samples;
    samples.least = 0x7fffffff;
    samples.most = -0x7fffffff - 1;
    samples.sum = 0u;
    samples.squares = 0u;
    samples.inside = 0u;
    samples.inside_sum = 0u;
    return samples;
}

/* Returns `count` samples of one winding number. */
SHARED_FUNCTION pixel_samples samples_of(int winding, uint count, bool even_odd)
{
    pixel_samples samples;
    samples.least = winding;
    samples.most = winding;
    samples.sum = TO_UINT(winding) * count;
    samples.squares = TO_UINT(winding) * samples.sum;
    bool is_inside = winding_is_inside(winding, even_odd);
    samples.inside = is_inside ? count : 0u;
    samples.inside_sum = is_inside ? samples.sum : 0u;
    return samples;
}

SHARED_FUNCTION pixel_samples samples_join(pixel_samples a, pixel_samples b)
{
    pixel_samples both;
    both.least = int_min(a.least, b.least);
    both.most = int_max(a.most, b.most);
    both.sum = a.sum + b.sum;
    both.squares = a.squares + b.squares;
    both.inside = a.inside + b.inside;
    both.inside_sum = a.inside_sum + b.inside_sum;
    return both;
}

SHARED_FUNCTION bool samples_are_complex(pixel_samples samples)
{
    return samples.most - samples.least > 1;
}

/* Winding numbers may differ by so much for products of their sums to fit 32 bits. */
#define REGRESSION_TURNS 64

/* Returns the part of a complex pixel that is covered, 0 to FULL_AREA. Its area is high * 2^16 + low,
 * 0 <= low < 2^16.
 *
 * The share of samples that are inside is off by what the rows miss. So is the mean of the winding numbers, and the
 * area tells by how much. The share is corrected by that difference times the slope of the regression of inside on
 * winding numbers. The area is then a control variate (S. S. Lavenberg and P. D. Welch, "A perspective on the use of
 * control variables", 1981). If the samples have two values only, this is exact. A line that runs to and fro is drawn
 * as if it ran once. */
SHARED_FUNCTION int coverage_area_of_samples(pixel_samples samples, int high, uint low)
{
    int sample_area = FULL_AREA >> SAMPLE_SHIFT;
    int turns = samples.most - samples.least;
    if (turns > REGRESSION_TURNS) {
        return TO_INT(samples.inside) * sample_area;
    }
    /* Winding numbers count from the least one. */
    uint least = TO_UINT(samples.least);
    uint sum = samples.sum - (least << SAMPLE_SHIFT);
    uint squares = samples.squares - least * (samples.sum + sum);
    uint inside_sum = samples.inside_sum - least * samples.inside;
    int variance = TO_INT((squares << SAMPLE_SHIFT) - sum * sum);
    int covariance = TO_INT(inside_sum << SAMPLE_SHIFT) - TO_INT(samples.inside * sum);
    int area = int_clamp(high - 2 * samples.least, -1, 2 * turns) * 65536 + TO_INT(low);
    int missed = area - TO_INT(sum) * sample_area;
    PRECISE float slope = TO_FLOAT(covariance) * reciprocal(TO_FLOAT(variance));
    PRECISE float correction = slope * TO_FLOAT(missed) + 0.5f;
    return int_clamp(TO_INT(samples.inside) * sample_area + floor_to_int(correction), 0, FULL_AREA);
}

#endif
