/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 matrix: feConvolveMatrix. Floats do not associate, so every device adds the taps of a texel row by row, each row
 * from left to right. */
#ifndef PIETRA_LIB_EFFECT_MATRIX_H
#define PIETRA_LIB_EFFECT_MATRIX_H

#include "effect_point.h"

/* Returns what a tap multiplies: premultiplied channels from 0 to EFFECT_ONE, or straight ones from 0 to 1 where alpha
 * is preserved. */
SHARED_FUNCTION effect_floats effect_tap(effect_convolution convolution, effect_texel texel)
{
    if (convolution.preserves_alpha != 0u) {
        return effect_straight_floats(texel);
    }
    return effect_floats_of(TO_FLOAT(texel.r), TO_FLOAT(texel.g), TO_FLOAT(texel.b), TO_FLOAT(texel.a));
}

SHARED_FUNCTION effect_floats effect_add_tap(effect_floats sum, effect_floats tap, float weight)
{
    PRECISE float r = sum.r + weight * tap.r;
    PRECISE float g = sum.g + weight * tap.g;
    PRECISE float b = sum.b + weight * tap.b;
    PRECISE float a = sum.a + weight * tap.a;
    return effect_floats_of(r, g, b, a);
}

/* Returns the texel of the sums. `alpha` is what the edge mode reads in the same place. */
SHARED_FUNCTION effect_texel effect_convolved(effect_convolution convolution, effect_floats sum, uint alpha)
{
    bool preserves = convolution.preserves_alpha != 0u;
    PRECISE float bias = preserves ? convolution.bias : convolution.bias * TO_FLOAT(alpha);
    PRECISE float r = sum.r * convolution.scale + bias;
    PRECISE float g = sum.g * convolution.scale + bias;
    PRECISE float b = sum.b * convolution.scale + bias;
    PRECISE float a = sum.a * convolution.scale + bias;
    if (preserves) {
        r = hold(r, 0.0f, 1.0f) * TO_FLOAT(alpha);
        g = hold(g, 0.0f, 1.0f) * TO_FLOAT(alpha);
        b = hold(b, 0.0f, 1.0f) * TO_FLOAT(alpha);
        a = TO_FLOAT(alpha);
    }
    uint whole = effect_round(a, EFFECT_ONE);
    return effect_texel_of(effect_round(r, whole), effect_round(g, whole), effect_round(b, whole), whole);
}

/* Returns the texel of `from` to end - 1 that an edge mode reads for i. EFFECT_EDGE_NONE reads what lies outside
 * too. */
SHARED_FUNCTION int effect_edge_place(uint edge, int i, int from, int end)
{
    if (edge == EFFECT_EDGE_DUPLICATE) {
        return int_clamp(i, from, end - 1);
    }
    return edge == EFFECT_EDGE_WRAP ? effect_repeated(i, from, end - from) : i;
}

#endif
