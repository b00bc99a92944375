/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/covered_bins.h"

#include "pietra/pietra.h"

_Static_assert(COVERED_BINS_SIDE *BIN_TILES *TILE_SIDE >= PIETRA_MAX_SIDE, "a bit for each bin of every frame");

covered_bins covered_bins_of(const frame_config *config)
{
    return (covered_bins){.grid = bins_of(config->part), .width = config->width, .height = config->height};
}

/* Bins of a side, half-open. */
typedef struct bin_range {
    int begin, end;
} bin_range;

/* Returns the bins of a row or a column that lie between two borders, of those from `first` on. As in box_covers_bin,
 * only the part of a bin inside the frame counts. */
static bin_range range_between(int low, int high, int first, int count, int frame_side)
{
    const int begin = (low + (1 << BIN_SHIFT_PIXELS) - 1) >> BIN_SHIFT_PIXELS;
    const int end = high >= frame_side ? first + count : high >> BIN_SHIFT_PIXELS;
    return (bin_range){int_max(begin - first, 0), int_min(end - first, count)};
}

/* Returns bits begin to end - 1 of one word of a row. */
static uint64_t bits_of(bin_range columns, int word)
{
    const int begin = int_max(columns.begin - 64 * word, 0), end = int_min(columns.end - 64 * word, 64);
    return begin < end ? UINT64_MAX >> (64 - (end - begin)) << begin : 0;
}

void covered_bins_add(covered_bins *bins, pixel_box inside)
{
    const bin_grid grid = bins->grid;
    const bin_range columns = range_between(inside.x0, inside.x1, grid.x0, grid.columns, bins->width);
    const bin_range rows = range_between(inside.y0, inside.y1, grid.y0, grid.rows, bins->height);
    for (int word = 0; word < COVERED_BINS_SIDE / 64; word++) {
        const uint64_t bits = bits_of(columns, word);
        for (int row = rows.begin; bits != 0 && row < rows.end; row++)
            bins->rows[row][word] |= bits;
    }
}

bool covered_bins_hold(const covered_bins *bins, tile_box tiles)
{
    const bin_grid grid = bins->grid;
    for (int row = (tiles.y0 >> BIN_SHIFT_TILES) - grid.y0; row <= ((tiles.y1 - 1) >> BIN_SHIFT_TILES) - grid.y0; row++)
        for (int column = (tiles.x0 >> BIN_SHIFT_TILES) - grid.x0;
             column <= ((tiles.x1 - 1) >> BIN_SHIFT_TILES) - grid.x0; column++)
            if ((bins->rows[row][column / 64] >> column % 64 & 1u) == 0)
                return false;
    return true;
}
