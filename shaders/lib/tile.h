/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What one pass of 10 fine does in a tile, and what the tile keeps between passes. */
#ifndef PIETRA_LIB_TILE_H
#define PIETRA_LIB_TILE_H

#include "../layout/frame.h"
#include "../layout/stream.h"
#include "arithmetic.h"

/* Returns an estimate of the work of summing tile_lines and of sampling the pixels where they meet. At most 16 pixels
 * for each tile_line are sampled, in loops over the tile_lines that may touch them. */
SHARED_FUNCTION uint tile_line_work(uint tile_lines)
{
    uint samples = uint_min(tile_lines * (tile_lines + 2u), 16u * tile_lines + 32u);
    return tile_lines + (tile_lines > 1u ? samples : 0u);
}

/* Returns the work of a paint, by the flags and the paint of its visible element. */
SHARED_FUNCTION uint paint_work(uint kind, uint paint)
{
    if ((kind & ELEMENT_BOX_SHADOW) != 0u) {
        return BOX_SHADOW_WORK;
    }
    if ((kind & ELEMENT_IMAGE) != 0u) {
        return IMAGE_WORK;
    }
    return paint != NONE ? GRADIENT_WORK : 0u;
}

/* The most that one tile_command can cost. */
CONSTANT(COMMAND_WORK_MOST, COMMAND_WORK + 17u * HEAVY_TILE_LINES + 32u + BOX_SHADOW_WORK)

/* Returns whether a pass is over. It ends with the tile_command after which another one might exceed the limit
 * of work. */
SHARED_FUNCTION bool pass_is_over(uint work, uint limit)
{
    return work > limit - COMMAND_WORK_MOST;
}

/* Returns the levels that a tile has in the spill. There are none if shared memory holds them and one pass draws the
 * tile. Otherwise all of them are there. */
SHARED_FUNCTION uint tile_spill(uint depth, uint work, uint limit)
{
    return depth > SHARED_LAYERS || pass_is_over(work, limit) ? depth : 0u;
}

/* Returns whether a tile_path's own tile is drawn: not where it lies left of its element's box. */
SHARED_FUNCTION bool path_has_own_tile(int x, int box_x0)
{
    return x >= box_x0;
}

/* Returns how many path_tiles a tile_path has: its own tile, and those of its span. */
SHARED_FUNCTION uint path_tiles_of(int x, int span_end, int box_x0)
{
    return (path_has_own_tile(x, box_x0) ? 1u : 0u) + (span_end > x + 1 ? TO_UINT(span_end - x - 1) : 0u);
}

/* Returns how many path_tiles a workgroup of 08 expand takes: whole rounds, and so many that its table has room for the
 * workgroups. */
SHARED_FUNCTION uint expand_partition(uint path_tiles)
{
    uint rounds = (path_tiles + (EXPAND_ROUND * EXPAND_PARTITIONS - 1u)) / (EXPAND_ROUND * EXPAND_PARTITIONS);
    return (rounds > 1u ? rounds : 1u) * EXPAND_ROUND;
}

#endif
