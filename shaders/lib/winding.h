/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a winding number means to an element. */
#ifndef PIETRA_LIB_WINDING_H
#define PIETRA_LIB_WINDING_H

#include "../layout/frame.h"
#include "../layout/stream.h"
#include "arithmetic.h"

SHARED_FUNCTION bool winding_is_inside(int winding, bool even_odd)
{
    return even_odd ? (winding & 1) != 0 : winding != 0;
}

SHARED_FUNCTION bool is_inside(uint kind, int winding)
{
    return winding_is_inside(winding, (kind & ELEMENT_EVEN_ODD) != 0u);
}

/* Returns the backdrop that stage 10 needs for a winding. It is clamped so that sums with it stay within 32 bits. */
SHARED_FUNCTION int held_backdrop(uint kind, int winding)
{
    return (kind & ELEMENT_EVEN_ODD) != 0u ? winding & 1 : int_clamp(winding, -BACKDROP_LIMIT, BACKDROP_LIMIT);
}

#endif
