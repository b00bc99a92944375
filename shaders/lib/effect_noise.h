/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 noise: feTurbulence, the noise of K. Perlin, "An image synthesizer", 1985, as W3C's "Filter Effects Module Level
 * 1" (2018) has it. */
#ifndef PIETRA_LIB_EFFECT_NOISE_H
#define PIETRA_LIB_EFFECT_NOISE_H

#include "effect_texel.h"

/* A place of the lattice along one axis: cells, and 2^32ths of one. */
STRUCT(effect_place)
{
    uint high, low;
};

/* Returns the place of a texel's corner in the first octave, modulo 2^32 cells. */
SHARED_FUNCTION effect_place effect_place_of(uint start_high, uint start_low, uint step_high, uint step_low, int texel)
{
    uint count = TO_UINT(texel);
    effect_place place;
    place.low = start_low + step_low * count;
    place.high = start_high + step_high * count + multiply_high(step_low, count);
    place.high = place.high + (place.low < start_low ? 1u : 0u) - (texel < 0 ? step_low : 0u);
    return place;
}

/* Where a place lies between its neighbours on the lattice. */
STRUCT(effect_lattice)
{
    uint before, after; /* numbers of the neighbours */
    float from_before, from_after;
    float blend; /* of the one after */
};

/* `right` is where stitched noise begins anew, `width` cells of the first octave earlier. */
SHARED_FUNCTION effect_lattice effect_lattice_of(effect_place place, uint octave, bool stitches, int right, int width)
{
    uint carried = octave == 0u ? 0u : place.low >> (32u - octave);
    int cell = TO_INT((place.high << octave) | carried);
    int next = TO_INT(TO_UINT(cell) + 1u);
    uint fraction = (place.low << octave) >> 8;
    if (stitches) {
        int end = TO_INT(TO_UINT(right) << octave);
        int period = TO_INT(TO_UINT(width) << octave);
        cell = cell >= end ? cell - period : cell;
        next = next >= end ? next - period : next;
    }
    effect_lattice found;
    found.before = TO_UINT(cell) % EFFECT_LATTICE;
    found.after = TO_UINT(next) % EFFECT_LATTICE;
    PRECISE float from = TO_FLOAT(fraction) * (1.0f / 16777216.0f);
    PRECISE float to = from - 1.0f;
    PRECISE float blend = from * from * (3.0f - 2.0f * from);
    found.from_before = from;
    found.from_after = to;
    found.blend = blend;
    return found;
}

/* Returns the products of a place, as seen from a neighbour, with that neighbour's gradients. */
SHARED_FUNCTION effect_floats effect_gradients(WORDS_PARAMETER uint neighbour, float x, float y)
{
    uint at = 2u * EFFECT_LATTICE + 8u * neighbour;
    PRECISE float r = x * FLOAT_OF_BITS(WORD_AT(at)) + y * FLOAT_OF_BITS(WORD_AT(at + 4u));
    PRECISE float g = x * FLOAT_OF_BITS(WORD_AT(at + 1u)) + y * FLOAT_OF_BITS(WORD_AT(at + 5u));
    PRECISE float b = x * FLOAT_OF_BITS(WORD_AT(at + 2u)) + y * FLOAT_OF_BITS(WORD_AT(at + 6u));
    PRECISE float a = x * FLOAT_OF_BITS(WORD_AT(at + 3u)) + y * FLOAT_OF_BITS(WORD_AT(at + 7u));
    return effect_floats_of(r, g, b, a);
}

SHARED_FUNCTION effect_floats effect_mix(effect_floats a, effect_floats b, float blend)
{
    PRECISE float r = a.r + blend * (b.r - a.r);
    PRECISE float g = a.g + blend * (b.g - a.g);
    PRECISE float blue = a.b + blend * (b.b - a.b);
    PRECISE float alpha = a.a + blend * (b.a - a.a);
    return effect_floats_of(r, g, blue, alpha);
}

/* Returns the noise of four channels at a place, from -1 to 1. */
SHARED_FUNCTION effect_floats effect_noise_at(WORDS_PARAMETER effect_lattice x, effect_lattice y)
{
    uint before = WORD_AT(x.before);
    uint after = WORD_AT(x.after);
    effect_floats upper =
        effect_mix(effect_gradients(WORDS_ARGUMENT WORD_AT(before + y.before), x.from_before, y.from_before),
                   effect_gradients(WORDS_ARGUMENT WORD_AT(after + y.before), x.from_after, y.from_before), x.blend);
    effect_floats lower =
        effect_mix(effect_gradients(WORDS_ARGUMENT WORD_AT(before + y.after), x.from_before, y.from_after),
                   effect_gradients(WORDS_ARGUMENT WORD_AT(after + y.after), x.from_after, y.from_after), x.blend);
    return effect_mix(upper, lower, y.blend);
}

SHARED_FUNCTION float effect_octave_sum(float sum, float noise, float weight, uint fractal)
{
    PRECISE float added = sum + (fractal != 0u ? noise : float_abs(noise)) * weight;
    return added;
}

SHARED_FUNCTION float effect_noise_channel(float sum, uint fractal)
{
    PRECISE float middle = sum * 0.5f + 0.5f;
    return hold(fractal != 0u ? middle : sum, 0.0f, 1.0f);
}

/* Returns the texel that lies at (x, y) of the result. */
SHARED_FUNCTION effect_texel effect_noise_texel(WORDS_PARAMETER effect_noise noise, int x, int y)
{
    effect_place place_x =
        effect_place_of(noise.start_x_high, noise.start_x_low, noise.step_x_high, noise.step_x_low, x);
    effect_place place_y =
        effect_place_of(noise.start_y_high, noise.start_y_low, noise.step_y_high, noise.step_y_low, y);
    effect_floats sum = effect_floats_of(0.0f, 0.0f, 0.0f, 0.0f);
    PRECISE float weight = 1.0f;
    for (uint octave = 0u; octave < noise.octaves; octave++) {
        effect_lattice lattice_x =
            effect_lattice_of(place_x, octave, noise.stitches != 0u, noise.stitch_right, noise.stitch_width);
        effect_lattice lattice_y =
            effect_lattice_of(place_y, octave, noise.stitches != 0u, noise.stitch_bottom, noise.stitch_height);
        effect_floats found = effect_noise_at(WORDS_ARGUMENT lattice_x, lattice_y);
        sum.r = effect_octave_sum(sum.r, found.r, weight, noise.fractal);
        sum.g = effect_octave_sum(sum.g, found.g, weight, noise.fractal);
        sum.b = effect_octave_sum(sum.b, found.b, weight, noise.fractal);
        sum.a = effect_octave_sum(sum.a, found.a, weight, noise.fractal);
        weight = weight * 0.5f;
    }
    effect_floats channels =
        effect_floats_of(effect_noise_channel(sum.r, noise.fractal), effect_noise_channel(sum.g, noise.fractal),
                         effect_noise_channel(sum.b, noise.fractal), effect_noise_channel(sum.a, noise.fractal));
    return effect_premultiplied(channels);
}

#endif
