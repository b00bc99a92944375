/* Which curves can be seen in a box. */
#ifndef PIETRA_LIB_SIGHT_H
#define PIETRA_LIB_SIGHT_H

#include "../layout/frame.h"

/* Borders in pixels: a curve beyond `right`, `top` or `bottom` of a box draws nothing in it. */
STRUCT(curve_sight) {
    float left, right, top, bottom;
};

SHARED_FUNCTION curve_sight curve_sight_of(tile_box box)
{
    PRECISE float left = TO_FLOAT(box.x0 * TILE_SIDE) - 1.0f;
    PRECISE float right = TO_FLOAT(box.x1 * TILE_SIDE) + 1.0f;
    PRECISE float top = TO_FLOAT(box.y0 * TILE_SIDE) - 1.0f;
    PRECISE float bottom = TO_FLOAT(box.y1 * TILE_SIDE) + 1.0f;
    curve_sight sight;
    sight.left = left;
    sight.right = right;
    sight.top = top;
    sight.bottom = bottom;
    return sight;
}

#endif
