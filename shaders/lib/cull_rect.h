/* What can be seen in a box. */
#ifndef PIETRA_LIB_CULL_RECT_H
#define PIETRA_LIB_CULL_RECT_H

#include "../layout/frame.h"

/* Borders of a box, in pixels. What lies beyond `right`, `top` or `bottom` draws nothing in the box. Of what lies
 * beyond `left` only the heights of its ends count. */
STRUCT(cull_rect)
{
    float left, right, top, bottom;
};

/* Returns the borders for places from which the drawing reaches this far, in pixels. */
SHARED_FUNCTION cull_rect cull_rect_of(tile_box box, float reach)
{
    PRECISE float left = TO_FLOAT(box.x0 * TILE_SIDE) - reach;
    PRECISE float right = TO_FLOAT(box.x1 * TILE_SIDE) + reach;
    PRECISE float top = TO_FLOAT(box.y0 * TILE_SIDE) - reach;
    PRECISE float bottom = TO_FLOAT(box.y1 * TILE_SIDE) + reach;
    cull_rect cull;
    cull.left = left;
    cull.right = right;
    cull.top = top;
    cull.bottom = bottom;
    return cull;
}

#endif
