/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* feBlend: the modes of blend.h on premultiplied channels of 15 bits. Products of two channels fit 32 bits, those of
 * three do not. So what divides rounds its quotient to 15 bits first, and modes that take the channels together work
 * on straight ones. */
#ifndef PIETRA_LIB_EFFECT_BLEND_H
#define PIETRA_LIB_EFFECT_BLEND_H

#include "blend.h"
#include "effect_texel.h"

SHARED_FUNCTION uint effect_blend_burn(uint c, uint s, uint b, uint d)
{
    if (b >= d) {
        return s * d;
    }
    if (c == 0u) {
        return 0u;
    }
    uint dark = (d - b) * s;
    return dark >= d * c ? 0u : (d - uint_min(divide_nearest(dark, c), d)) * s;
}

SHARED_FUNCTION uint effect_blend_dodge(uint c, uint s, uint b, uint d)
{
    if (b == 0u) {
        return 0u;
    }
    uint light = b * s;
    return light >= d * (s - c) ? s * d : uint_min(divide_nearest(light, s - c), d) * s;
}

/* Straight channels from 0 to 1. */
SHARED_FUNCTION float effect_soft_light(float s, float d)
{
    PRECISE float twice = 2.0f * s - 1.0f;
    PRECISE float change = d * (1.0f - d);
    if (twice > 0.0f) {
        if (d <= 0.25f) {
            change = ((16.0f * d - 12.0f) * d + 4.0f) * d - d;
        } else {
            change = square_root(d) - d;
        }
    }
    PRECISE float mixed = d + twice * change;
    return mixed;
}

SHARED_FUNCTION uint effect_blend_soft_light(uint c, uint s, uint b, uint d)
{
    PRECISE float straight_s = TO_FLOAT(c) * reciprocal(TO_FLOAT(s));
    PRECISE float straight_d = TO_FLOAT(b) * reciprocal(TO_FLOAT(d));
    float mixed = effect_soft_light(straight_s, straight_d);
    uint most = effect_product(s, d);
    PRECISE float channel = mixed * TO_FLOAT(most);
    return effect_round(channel, most) * EFFECT_ONE;
}

/* Returns s d B for one channel, at most s d but for rounding. s and d are not 0. */
SHARED_FUNCTION uint effect_blend_channel(uint c, uint s, uint b, uint d, uint mode)
{
    switch (mode) {
    case BLEND_COLOR_DODGE:
        return effect_blend_dodge(c, s, b, d);
    case BLEND_COLOR_BURN:
        return effect_blend_burn(c, s, b, d);
    case BLEND_SOFT_LIGHT:
        return effect_blend_soft_light(c, s, b, d);
    default:
        return blend_channel(c, s, b, d, mode);
    }
}

SHARED_FUNCTION blend_triple effect_triple_of(effect_texel texel)
{
    blend_triple made;
    made.r = effect_straight(texel.r, texel.a);
    made.g = effect_straight(texel.g, texel.a);
    made.b = effect_straight(texel.b, texel.a);
    return made;
}

/* Returns s d B of the modes that take the channels together. */
SHARED_FUNCTION blend_triple effect_blend_whole(effect_texel source, effect_texel destination, uint mode)
{
    blend_triple mixed = blend_triples(effect_triple_of(source), effect_triple_of(destination), EFFECT_ONE, mode);
    uint both = effect_product(source.a, destination.a);
    mixed.r = mixed.r * both;
    mixed.g = mixed.g * both;
    mixed.b = mixed.b * both;
    return mixed;
}

/* Blends two texels. mode is one of BLEND_*, below BLEND_CLEAR. */
SHARED_FUNCTION effect_texel effect_blend(effect_texel source, effect_texel destination, uint mode)
{
    uint s = source.a;
    uint d = destination.a;
    if (mode == BLEND_NORMAL || s == 0u || d == 0u) {
        return effect_texel_over(source, destination);
    }
    blend_triple mixed;
    if (mode >= BLEND_HUE) {
        mixed = effect_blend_whole(source, destination, mode);
    } else {
        mixed.r = effect_blend_channel(source.r, s, destination.r, d, mode);
        mixed.g = effect_blend_channel(source.g, s, destination.g, d, mode);
        mixed.b = effect_blend_channel(source.b, s, destination.b, d, mode);
    }
    uint a = effect_by_one(EFFECT_ONE * (s + d) - s * d);
    uint r = effect_by_one(mixed.r + source.r * (EFFECT_ONE - d) + destination.r * (EFFECT_ONE - s));
    uint g = effect_by_one(mixed.g + source.g * (EFFECT_ONE - d) + destination.g * (EFFECT_ONE - s));
    uint b = effect_by_one(mixed.b + source.b * (EFFECT_ONE - d) + destination.b * (EFFECT_ONE - s));
    return effect_texel_of(uint_min(r, a), uint_min(g, a), uint_min(b, a), a);
}

#endif
