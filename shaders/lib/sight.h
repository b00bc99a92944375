/* What can be seen in a box. */
#ifndef PIETRA_LIB_SIGHT_H
#define PIETRA_LIB_SIGHT_H

#include "../layout/frame.h"

/* Borders of a box, in pixels. What lies beyond `right`, `top` or `bottom` draws nothing in the box. Of what lies
 * beyond `left` only the heights of its ends count. */
STRUCT(curve_sight) {
    float left, right, top, bottom;
};

/* The borders for places from which the drawing reaches so far, in pixels. */
SHARED_FUNCTION curve_sight curve_sight_of(tile_box box, float reach)
{
    PRECISE float left = TO_FLOAT(box.x0 * TILE_SIDE) - reach;
    PRECISE float right = TO_FLOAT(box.x1 * TILE_SIDE) + reach;
    PRECISE float top = TO_FLOAT(box.y0 * TILE_SIDE) - reach;
    PRECISE float bottom = TO_FLOAT(box.y1 * TILE_SIDE) + reach;
    curve_sight sight;
    sight.left = left;
    sight.right = right;
    sight.top = top;
    sight.bottom = bottom;
    return sight;
}

#endif
