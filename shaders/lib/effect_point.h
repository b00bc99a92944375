/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 point: filter primitives that make a texel from one texel, or from a few near it. */
#ifndef PIETRA_LIB_EFFECT_POINT_H
#define PIETRA_LIB_EFFECT_POINT_H

#include "effect_texel.h"
#include "power.h"

/* Returns a channel between four texels. The picture moves to the right and down, so the weights grow towards what
 * lies on the left and above. They sum to 2^16. */
SHARED_FUNCTION uint effect_between(uint here, uint left, uint above, uint above_left, effect_offset offset)
{
    uint x = offset.fraction_x;
    uint y = offset.fraction_y;
    uint upper = above * (256u - x) + above_left * x;
    uint lower = here * (256u - x) + left * x;
    return (lower * (256u - y) + upper * y + 32768u) >> 16;
}

SHARED_FUNCTION effect_texel effect_texel_between(effect_texel here, effect_texel left, effect_texel above,
                                                  effect_texel above_left, effect_offset offset)
{
    return effect_texel_of(effect_between(here.r, left.r, above.r, above_left.r, offset),
                           effect_between(here.g, left.g, above.g, above_left.g, offset),
                           effect_between(here.b, left.b, above.b, above_left.b, offset),
                           effect_between(here.a, left.a, above.a, above_left.a, offset));
}

/* Returns a channel of feComposite. s lies on top of d. */
SHARED_FUNCTION uint effect_composite_channel(effect_composite composite, uint s, uint s_alpha, uint d, uint d_alpha)
{
    switch (composite.operation) {
    case EFFECT_OVER:
        return effect_by_one(s * EFFECT_ONE + d * (EFFECT_ONE - s_alpha));
    case EFFECT_IN:
        return effect_product(s, d_alpha);
    case EFFECT_OUT:
        return effect_product(s, EFFECT_ONE - d_alpha);
    case EFFECT_ATOP:
        return effect_by_one(s * d_alpha + d * (EFFECT_ONE - s_alpha));
    case EFFECT_XOR:
        return effect_by_one(s * (EFFECT_ONE - d_alpha) + d * (EFFECT_ONE - s_alpha));
    case EFFECT_LIGHTER:
        return uint_min(s + d, EFFECT_ONE);
    default: {
        float source = TO_FLOAT(s);
        float destination = TO_FLOAT(d);
        PRECISE float sum = composite.k1 * source * destination + composite.k2 * source;
        sum = sum + composite.k3 * destination + composite.k4;
        return effect_round(sum, EFFECT_ONE);
    }
    }
}

SHARED_FUNCTION effect_texel effect_texel_composite(effect_composite composite, effect_texel s, effect_texel d)
{
    uint a = effect_composite_channel(composite, s.a, s.a, d.a, d.a);
    uint r = effect_composite_channel(composite, s.r, s.a, d.r, d.a);
    uint g = effect_composite_channel(composite, s.g, s.a, d.g, d.a);
    uint b = effect_composite_channel(composite, s.b, s.a, d.b, d.a);
    return effect_texel_of(uint_min(r, a), uint_min(g, a), uint_min(b, a), a);
}

SHARED_FUNCTION float effect_matrix_channel(effect_matrix_row row, effect_floats straight)
{
    PRECISE float sum = row.r * straight.r + row.g * straight.g;
    sum = sum + row.b * straight.b;
    sum = sum + row.a * straight.a;
    sum = sum + row.one;
    return hold(sum, 0.0f, 1.0f);
}

SHARED_FUNCTION effect_texel effect_texel_matrix(effect_color_matrix matrix, effect_texel texel)
{
    effect_floats straight = effect_straight_floats(texel);
    return effect_premultiplied(
        effect_floats_of(effect_matrix_channel(matrix.r, straight), effect_matrix_channel(matrix.g, straight),
                         effect_matrix_channel(matrix.b, straight), effect_matrix_channel(matrix.a, straight)));
}

/* Returns what a table of n values makes of channel / whole: k / (n - 1) becomes value k, and what lies between is
 * interpolated. */
SHARED_FUNCTION float effect_table_value(VALUES_PARAMETER effect_function function, uint channel, uint whole)
{
    uint last = function.count - 1u;
    uint scaled = channel * last;
    uint k = scaled / whole;
    float value = VALUE_AT(function.first + uint_min(k, last));
    if (k >= last) {
        return value;
    }
    PRECISE float fraction = TO_FLOAT(scaled - k * whole) * reciprocal(TO_FLOAT(whole));
    PRECISE float between = value + fraction * (VALUE_AT(function.first + k + 1u) - value);
    return between;
}

/* Returns what a function makes of the straight channel channel / whole, held to 0 to 1. Steps of a discrete table are
 * found in integers, so that a channel which lies on a step belongs to the upper side. */
SHARED_FUNCTION float effect_function_value(VALUES_PARAMETER effect_function function, uint channel, uint whole)
{
    PRECISE float straight = TO_FLOAT(channel) * reciprocal(TO_FLOAT(whole));
    PRECISE float value = straight;
    switch (function.type) {
    case EFFECT_TABLE:
        value = effect_table_value(VALUES_ARGUMENT function, channel, whole);
        break;
    case EFFECT_DISCRETE:
        value = VALUE_AT(function.first + uint_min(channel * function.count / whole, function.count - 1u));
        break;
    case EFFECT_LINEAR:
        value = function.slope * straight + function.intercept;
        break;
    case EFFECT_GAMMA:
        value = function.amplitude * power(straight, function.exponent) + function.offset;
        break;
    default:
        break;
    }
    return hold(value, 0.0f, 1.0f);
}

SHARED_FUNCTION effect_texel effect_texel_transfer(VALUES_PARAMETER effect_transfer transfer, effect_texel texel)
{
    uint whole = uint_max(texel.a, 1u);
    effect_floats made;
    made.r = effect_function_value(VALUES_ARGUMENT transfer.r, texel.r, whole);
    made.g = effect_function_value(VALUES_ARGUMENT transfer.g, texel.g, whole);
    made.b = effect_function_value(VALUES_ARGUMENT transfer.b, texel.b, whole);
    made.a = effect_function_value(VALUES_ARGUMENT transfer.a, texel.a, EFFECT_ONE);
    return effect_premultiplied(made);
}

/* Returns the texel of a repeated interval of length `period` from `start` that lies at i. */
SHARED_FUNCTION int effect_repeated(int i, int start, int period)
{
    int from = i - start;
    return start + (from >= 0 ? from % period : period - 1 - (-1 - from) % period);
}

/* Returns by how many texels a map displaces along one axis: the nearest texel to scale (channel - 1/2) from the
 * middle of a texel. */
SHARED_FUNCTION int effect_displacement_along(float scale, uint channel, effect_texel map)
{
    effect_floats straight = effect_straight_floats(map);
    float value = channel == 0u ? straight.r : channel == 1u ? straight.g : channel == 2u ? straight.b : straight.a;
    PRECISE float distance = scale * (value - 0.5f) + 0.5f;
    return floor_to_int(distance);
}

SHARED_FUNCTION effect_texel effect_texel_shadow(effect_texel source, effect_texel color, uint alpha)
{
    return effect_texel_over(source, effect_texel_scale(color, alpha));
}

#endif
