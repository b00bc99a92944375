/* What one pass of 10 fine does in a tile, and what the tile keeps between passes. */
#ifndef PIETRA_LIB_TILE_H
#define PIETRA_LIB_TILE_H

#include "../layout/frame.h"

/* A pass ends with the tile_command after which another one might exceed the limit of work. */
SHARED_FUNCTION bool pass_is_over(uint work, uint limit)
{
    return work > limit - COMMAND_WORK_MOST;
}

/* Levels that a tile has in the spill: none if shared memory holds them and one pass draws the tile, else all. */
SHARED_FUNCTION uint tile_spill(uint depth, uint work, uint limit)
{
    return depth > SHARED_LAYERS || pass_is_over(work, limit) ? depth : 0u;
}

#endif
