/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What can be seen in a box. */
#ifndef PIETRA_LIB_CULL_RECT_H
#define PIETRA_LIB_CULL_RECT_H

#include "../layout/frame.h"
#include "arithmetic.h"

/* Vertices are sums of products of floats, which round. So a vertex lies up to a millionth of the largest number that
 * it is made of from where it should be. What is left out of a part of the frame must lie beyond this too. Otherwise
 * another part, or the whole frame, could show it. */
#define ROUNDING 4.0e-6f

/* Returns how far, in pixels, rounding moves vertices that are made of numbers of up to `most` pixels. */
SHARED_FUNCTION float rounding_of(float most)
{
    PRECISE float moved = most * ROUNDING;
    return float_min(moved, 1.0e30f); /* an infinity would make NaNs */
}

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
