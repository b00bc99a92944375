/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The boxes that a part draws, and the numbers of their tiles. */
#ifndef PIETRA_LIB_DRAWN_BOX_H
#define PIETRA_LIB_DRAWN_BOX_H

#include "../layout/frame.h"

SHARED_FUNCTION bool drawn_box_has(drawn_box box, int x, int y)
{
    return x >= box.tiles.x0 && x < box.tiles.x1 && y >= box.tiles.y0 && y < box.tiles.y1;
}

/* Returns the number of a tile that the box has. */
SHARED_FUNCTION uint drawn_box_number(drawn_box box, int x, int y)
{
    return box.first_tile + TO_UINT(y - box.tiles.y0) * TO_UINT(box.tiles.x1 - box.tiles.x0) +
           TO_UINT(x - box.tiles.x0);
}

/* These return the column and the row of the tile with a number, which the box has. */
SHARED_FUNCTION int drawn_box_x(drawn_box box, uint number)
{
    return box.tiles.x0 + TO_INT((number - box.first_tile) % TO_UINT(box.tiles.x1 - box.tiles.x0));
}
SHARED_FUNCTION int drawn_box_y(drawn_box box, uint number)
{
    return box.tiles.y0 + TO_INT((number - box.first_tile) / TO_UINT(box.tiles.x1 - box.tiles.x0));
}

#endif
