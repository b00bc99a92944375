/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Colours and gradients. A colour is premultiplied RGBA8 in one word, with R in the low byte. */
#ifndef PIETRA_LIB_PAINT_H
#define PIETRA_LIB_PAINT_H

#include "../layout/stream.h"
#include "arithmetic.h"

/* Returns x / 255 rounded to nearest. It is exact for 0 <= x <= 255 * 255. */
SHARED_FUNCTION uint divide_255(uint x)
{
    uint biased = x + 128u;
    return (biased + (biased >> 8)) >> 8;
}

/* Multiplies each channel by level / 255, for level <= 255. It does divide_255 on two channels in a word, each of which
 * fits its sixteen bits. */
SHARED_FUNCTION uint color_scale(uint color, uint level)
{
    uint low = (color & 0xff00ffu) * level + 0x800080u;
    uint high = ((color >> 8) & 0xff00ffu) * level + 0x800080u;
    low = ((low + ((low >> 8) & 0xff00ffu)) >> 8) & 0xff00ffu;
    high = (high + ((high >> 8) & 0xff00ffu)) & 0xff00ff00u;
    return low | high;
}

/* Returns source over destination. The sum of a channel cannot exceed 255, because both are premultiplied and rounding
 * keeps c <= a. */
SHARED_FUNCTION uint color_over(uint source, uint destination)
{
    return source + color_scale(destination, 255u - (source >> 24));
}

/* Returns the colour with straight alpha, rounded to nearest. */
SHARED_FUNCTION uint color_straight(uint color)
{
    uint a = color >> 24;
    if (a == 0u) {
        return 0u;
    }
    uint r = ((color & 0xffu) * 255u + (a >> 1)) / a;
    uint g = (((color >> 8) & 0xffu) * 255u + (a >> 1)) / a;
    uint b = (((color >> 16) & 0xffu) * 255u + (a >> 1)) / a;
    return r | (g << 8) | (b << 16) | (a << 24);
}

/* The offset of a point of gradient space, before spreading. valid is false where a radial gradient paints nothing. */
STRUCT(gradient_offset)
{
    float t;
    bool valid;
};

/* Returns the offset of a radial gradient: the largest t with |p - t c| = r0 + t dr and r0 + t dr >= 0 (HTML canvas,
 * two circles). With c the distance of the centres, (c^2 - dr^2) t^2 - 2 (x c + r0 dr) t + x^2 + y^2 - r0^2 = 0. A
 * radius of 0 may come out a little smaller: in the middle of concentric circles it does. */
SHARED_FUNCTION gradient_offset gradient_radial(stream_paint paint, float x, float y)
{
    gradient_offset found;
    found.valid = false;
    found.t = 0.0f;
    PRECISE float c = paint.centre_distance;
    PRECISE float dr = paint.dr;
    PRECISE float r0 = paint.r0;
    PRECISE float square = (c - dr) * (c + dr);
    PRECISE float middle = x * c + r0 * dr;
    PRECISE float rest = x * x + y * y - r0 * r0;
    PRECISE float small = 1.0e-6f * (c * c + dr * dr);
    PRECISE float least_radius = -1.0e-6f * (r0 + float_abs(dr));
    if (float_abs(square) <= small) {
        /* The circles touch from inside, so the equation is linear. */
        if (float_abs(middle) < 1.0e-30f) {
            return found;
        }
        PRECISE float t = rest * reciprocal(2.0f * middle);
        PRECISE float radius = r0 + t * dr;
        found.t = t;
        found.valid = radius >= least_radius;
        return found;
    }
    PRECISE float discriminant = middle * middle - square * rest;
    if (square < 0.0f) {
        /* One circle holds the other, so every point has a solution. */
        discriminant = float_max(discriminant, 0.0f);
    }
    if (discriminant < 0.0f) {
        return found;
    }
    PRECISE float root = square_root(discriminant);
    PRECISE float inverse = reciprocal(square);
    PRECISE float t0 = (middle + root) * inverse;
    PRECISE float t1 = (middle - root) * inverse;
    float larger = float_max(t0, t1);
    float smaller = float_min(t0, t1);
    PRECISE float larger_radius = r0 + larger * dr;
    PRECISE float smaller_radius = r0 + smaller * dr;
    found.valid = larger_radius >= least_radius || smaller_radius >= least_radius;
    found.t = larger_radius >= least_radius ? larger : smaller;
    return found;
}

SHARED_FUNCTION gradient_offset gradient_sweep(stream_paint paint, float x, float y)
{
    PRECISE float t = (turn_of(x, y) - paint.r0) * paint.dr;
    gradient_offset found;
    found.t = t;
    found.valid = true;
    return found;
}

/* Brings an offset into [0, 1]. */
SHARED_FUNCTION float gradient_spread(float t, uint spread)
{
    PRECISE float held = float_min(float_max(t, -1.0e6f), 1.0e6f);
    if (spread != SPREAD_PAD) {
        PRECISE float whole = TO_FLOAT(floor_to_int(held));
        bool odd = (floor_to_int(held) & 1) != 0;
        held = held - whole;
        if (spread == SPREAD_REFLECT && odd) {
            held = 1.0f - held;
        }
    }
    /* Before the start the offset stays just below 0, so that the first of several stops at 0 counts. */
    return float_min(float_max(held, -1.0e-9f), 1.0f);
}

/* Returns the offset, after spreading, at the centre of a pixel. The map leads from pixels to the gradient's space. */
SHARED_FUNCTION gradient_offset gradient_at(stream_paint paint, float ga, float gb, float gc, float gd, float ge,
                                            float gf, int pixel_x, int pixel_y)
{
    PRECISE float x = TO_FLOAT(pixel_x) + 0.5f;
    PRECISE float y = TO_FLOAT(pixel_y) + 0.5f;
    PRECISE float u = ga * x + gc * y + ge;
    PRECISE float v = gb * x + gd * y + gf;
    gradient_offset found;
    if (paint.kind == PAINT_RADIAL) {
        found = gradient_radial(paint, u, v);
    } else if (paint.kind == PAINT_SWEEP) {
        found = gradient_sweep(paint, u, v);
    } else {
        found.t = u;
        found.valid = true;
    }
    found.t = gradient_spread(found.t, paint.spread);
    return found;
}

SHARED_FUNCTION uint channel_of(float base, float slope, float from)
{
    PRECISE float value = base + from * slope + 0.5f;
    return TO_UINT(float_min(float_max(value, 0.0f), 255.0f));
}

/* Returns the premultiplied colour at an offset within the interval of a stop. */
SHARED_FUNCTION uint gradient_color(stream_stop stop, float t, uint opacity)
{
    PRECISE float from = t - stop.offset;
    uint a = divide_255(channel_of(stop.base_a, stop.slope_a, from) * opacity);
    uint r = divide_255(channel_of(stop.base_r, stop.slope_r, from) * a);
    uint g = divide_255(channel_of(stop.base_g, stop.slope_g, from) * a);
    uint b = divide_255(channel_of(stop.base_b, stop.slope_b, from) * a);
    return r | (g << 8) | (b << 16) | (a << 24);
}

#endif
