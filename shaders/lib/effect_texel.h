/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Texels of four channels of 15 bits, premultiplied (shaders/layout/effect.h). */
#ifndef PIETRA_LIB_EFFECT_TEXEL_H
#define PIETRA_LIB_EFFECT_TEXEL_H

#include "../layout/effect.h"
#include "arithmetic.h"

/* Returns x / EFFECT_ONE rounded to nearest, for x up to 2^32 - EFFECT_ONE. */
SHARED_FUNCTION uint effect_by_one(uint x)
{
    return (x + EFFECT_ONE / 2u) / EFFECT_ONE;
}

SHARED_FUNCTION uint effect_product(uint a, uint b)
{
    return effect_by_one(a * b);
}

/* Returns the straight channel of a premultiplied one, rounded to nearest; 0 where alpha is. */
SHARED_FUNCTION uint effect_straight(uint channel, uint alpha)
{
    return alpha == 0u ? 0u : divide_nearest(channel * EFFECT_ONE, alpha);
}

/* Returns a channel rounded to nearest and held to 0 to `most`, which is at most EFFECT_ONE. */
SHARED_FUNCTION uint effect_round(float channel, uint most)
{
    PRECISE float biased = hold(channel, 0.0f, TO_FLOAT(most)) + 0.5f;
    return TO_UINT(biased);
}

SHARED_FUNCTION effect_texel effect_texel_of(uint r, uint g, uint b, uint a)
{
    effect_texel made;
    made.r = r;
    made.g = g;
    made.b = b;
    made.a = a;
    return made;
}

/* Return the texel of a premultiplied RGBA8 colour, R in the low byte, and the nearest colour to a texel. */
SHARED_FUNCTION effect_texel effect_texel_of_color(uint color)
{
    return effect_texel_of((color & 0xffu) << EFFECT_8_BIT_SHIFT, ((color >> 8) & 0xffu) << EFFECT_8_BIT_SHIFT,
                           ((color >> 16) & 0xffu) << EFFECT_8_BIT_SHIFT, (color >> 24) << EFFECT_8_BIT_SHIFT);
}

SHARED_FUNCTION uint effect_color_of_texel(effect_texel texel)
{
    uint half_step = 1u << (EFFECT_8_BIT_SHIFT - 1u);
    return ((texel.r + half_step) >> EFFECT_8_BIT_SHIFT) | (((texel.g + half_step) >> EFFECT_8_BIT_SHIFT) << 8) |
           (((texel.b + half_step) >> EFFECT_8_BIT_SHIFT) << 16) |
           (((texel.a + half_step) >> EFFECT_8_BIT_SHIFT) << 24);
}

SHARED_FUNCTION effect_texel effect_texel_scale(effect_texel texel, uint level)
{
    return effect_texel_of(effect_product(texel.r, level), effect_product(texel.g, level),
                           effect_product(texel.b, level), effect_product(texel.a, level));
}

SHARED_FUNCTION effect_texel effect_texel_over(effect_texel source, effect_texel destination)
{
    effect_texel below = effect_texel_scale(destination, EFFECT_ONE - source.a);
    return effect_texel_of(source.r + below.r, source.g + below.g, source.b + below.b, source.a + below.a);
}

/* Returns channel 0 to 3: R, G, B or A. */
SHARED_FUNCTION uint effect_texel_channel(effect_texel texel, uint channel)
{
    return channel == 0u ? texel.r : channel == 1u ? texel.g : channel == 2u ? texel.b : texel.a;
}

/* Four numbers in place of the channels of a texel. */
STRUCT(effect_floats)
{
    float r, g, b, a;
};

SHARED_FUNCTION effect_floats effect_floats_of(float r, float g, float b, float a)
{
    effect_floats made;
    made.r = r;
    made.g = g;
    made.b = b;
    made.a = a;
    return made;
}

/* Returns the straight channels and alpha, from 0 to 1. */
SHARED_FUNCTION effect_floats effect_straight_floats(effect_texel texel)
{
    PRECISE float inverse = texel.a == 0u ? 0.0f : reciprocal(TO_FLOAT(texel.a));
    PRECISE float r = TO_FLOAT(texel.r) * inverse;
    PRECISE float g = TO_FLOAT(texel.g) * inverse;
    PRECISE float b = TO_FLOAT(texel.b) * inverse;
    PRECISE float a = TO_FLOAT(texel.a) * (1.0f / 32640.0f);
    return effect_floats_of(r, g, b, a);
}

/* Returns the texel of straight channels and alpha, which are held to 0 to 1. */
SHARED_FUNCTION effect_texel effect_premultiplied(effect_floats straight)
{
    PRECISE float alpha = straight.a * 32640.0f;
    uint a = effect_round(alpha, EFFECT_ONE);
    PRECISE float r = straight.r * TO_FLOAT(a);
    PRECISE float g = straight.g * TO_FLOAT(a);
    PRECISE float b = straight.b * TO_FLOAT(a);
    return effect_texel_of(effect_round(r, a), effect_round(g, a), effect_round(b, a), a);
}

#endif
