/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Snapping: from pixels in floats to subpixels in integers, once for each vertex. */
#ifndef PIETRA_LIB_SNAP_H
#define PIETRA_LIB_SNAP_H

#include "../layout/frame.h"
#include "curve.h"

SHARED_FUNCTION int snap(float pixels)
{
    PRECISE float subpixels = pixels * 256.0f + 0.5f;
    return floor_to_int(subpixels);
}

SHARED_FUNCTION bool within_limit(point p)
{
    return float_abs(p.x) <= COORDINATE_LIMIT && float_abs(p.y) <= COORDINATE_LIMIT;
}

#endif
