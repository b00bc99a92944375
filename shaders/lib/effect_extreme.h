/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 extreme: feMorphology takes the least or the greatest of each channel. Neither depends on an order, and
 * premultiplied channels stay below alpha. */
#ifndef PIETRA_LIB_EFFECT_EXTREME_H
#define PIETRA_LIB_EFFECT_EXTREME_H

#include "effect_texel.h"

SHARED_FUNCTION effect_texel effect_extreme_texel(uint dilates, effect_texel a, effect_texel b)
{
    if (dilates != 0u) {
        return effect_texel_of(uint_max(a.r, b.r), uint_max(a.g, b.g), uint_max(a.b, b.b), uint_max(a.a, b.a));
    }
    return effect_texel_of(uint_min(a.r, b.r), uint_min(a.g, b.g), uint_min(a.b, b.b), uint_min(a.a, b.a));
}

#endif
