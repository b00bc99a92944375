/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How an image is sampled: from which mip level, and over how many texels of it. */
#ifndef PIETRA_LIB_IMAGE_H
#define PIETRA_LIB_IMAGE_H

#include "../layout/stream.h"
#include "arithmetic.h"
#include "curve.h"

#define TEXEL_SHIFT 8 /* positions count 256ths of a texel */
#define TEXEL_UNIT 256
#define FOOTPRINT_MOST 1024 /* four texels: a box meets five of them in each direction */

#define SAMPLE_NEAREST 0u
#define SAMPLE_BOX 1u /* the mean over a box; for a box of one texel it is bilinear interpolation */
#define SAMPLE_CUBIC 2u

/* Sizes in 256ths of a texel of the mip level, at least one texel. */
STRUCT(image_footprint)
{
    uint sampling; /* SAMPLE_* */
    uint mip_level;
    int width, height;
};

SHARED_FUNCTION float image_extent(float a, float b)
{
    PRECISE float square = a * a + b * b;
    return square_root(float_min(square, 1.0e30f));
}

SHARED_FUNCTION int image_width(float extent, float scale)
{
    PRECISE float width = extent * scale * 256.0f + 0.5f;
    return int_clamp(floor_to_int(width), TEXEL_UNIT, FOOTPRINT_MOST);
}

/* Returns the footprint of a pixel, given the map from pixels to texels of mip level 0. If the picture shrinks, the mip
 * level is one on which the pixel is at most two texels wide in its narrower direction (four for FILTER_HIGH) and four
 * in the other. So no texel is left out, and none shows by chance. */
SHARED_FUNCTION image_footprint image_footprint_of(affine m, uint filter_kind, uint mip_level_count)
{
    float across = image_extent(m.a, m.c);
    float down = image_extent(m.b, m.d);
    float shorter = float_min(across, down);
    float longer = float_max(across, down);
    float limit = filter_kind == FILTER_HIGH ? 4.0f : 2.0f;
    PRECISE float scale = 1.0f;
    image_footprint print;
    print.mip_level = 0u;
    print.width = TEXEL_UNIT;
    print.height = TEXEL_UNIT;
    print.sampling = SAMPLE_NEAREST;
    if (filter_kind == FILTER_NEAREST) {
        return print;
    }
    for (uint level = 1u; level < mip_level_count; level++) {
        PRECISE float shorter_here = shorter * scale;
        PRECISE float longer_here = longer * scale;
        if (shorter_here < limit && longer_here < 4.0f) {
            break;
        }
        print.mip_level = level;
        scale = scale * 0.5f;
    }
    /* Mitchell's filter blurs, so it is used only for enlarged images. */
    print.sampling = filter_kind == FILTER_HIGH && longer < 0.99f ? SAMPLE_CUBIC : SAMPLE_BOX;
    print.width = image_width(across, scale);
    print.height = image_width(down, scale);
    return print;
}

/* Packs a footprint into one word, which 03 cull hands to 10 fine. */
SHARED_FUNCTION uint footprint_pack(image_footprint print)
{
    return print.sampling | print.mip_level << 2 | TO_UINT(print.width) << 8 | TO_UINT(print.height) << 20;
}

SHARED_FUNCTION image_footprint footprint_unpack(uint word)
{
    image_footprint print;
    print.sampling = word & 3u;
    print.mip_level = (word >> 2) & 0x3fu;
    print.width = TO_INT((word >> 8) & 0xfffu);
    print.height = TO_INT(word >> 20);
    return print;
}

/* Brings a texel's position into [0, size). `spread` says what lies beyond the edge. */
SHARED_FUNCTION int image_wrap(int position, int size, uint spread)
{
    if (spread == SPREAD_PAD) {
        return int_clamp(position, 0, size - 1);
    }
    int period = spread == SPREAD_REFLECT ? 2 * size : size;
    /* The remainder of a negative number differs between languages. */
    uint away = TO_UINT(position < 0 ? -1 - position : position) % TO_UINT(period);
    int turned = position < 0 ? period - 1 - TO_INT(away) : TO_INT(away);
    return turned < size ? turned : period - 1 - turned;
}

/* Returns where a pixel's centre lies, in 256ths of a texel of mip level 0. The position is brought into the image. */
SHARED_FUNCTION int image_position(float a, float c, float e, int x, int y, uint size, uint spread)
{
    PRECISE float px = TO_FLOAT(x) + 0.5f;
    PRECISE float py = TO_FLOAT(y) + 0.5f;
    PRECISE float position = (a * px + c * py + e) * 256.0f + 0.5f;
    /* Reflection turns a texel's left side into its right side, which lies one 256th beyond the last of its 256. */
    int end = TO_INT(size) << TEXEL_SHIFT;
    int place = floor_to_int(position);
    int inside = image_wrap(place, end, spread);
    return spread == SPREAD_REFLECT && image_wrap(place, 2 * end, SPREAD_REPEAT) >= end ? inside + 1 : inside;
}

/* The weights, in 1024ths, of the four texels around a position that lies t 256ths after the centre of the second one.
 * They sum to 1024. Mitchell and Netravali, "Reconstruction Filters in Computer Graphics", 1988, with B = C = 1/3. */
STRUCT(cubic_weights)
{
    int w0, w1, w2, w3;
};

/* Rounds a weight from 18 * 2^24ths. The numerator may be negative. */
SHARED_FUNCTION int cubic_round(int numerator)
{
    return (numerator + 301989888 + 147456) / 294912 - 1024;
}

SHARED_FUNCTION int cubic_inner(int x)
{
    return cubic_round((21 * x - 36 * 256) * x * x + (16 << 24));
}

SHARED_FUNCTION int cubic_outer(int x)
{
    /* y = x - 1, so that the terms of (-7 y^3 + 15 y^2 - 9 y + 1) fit. */
    int y = x - 256;
    return cubic_round((-7 * y + 15 * 256) * y * y - 9 * (y << 16) + (1 << 24));
}

SHARED_FUNCTION cubic_weights cubic_weights_at(int t)
{
    cubic_weights w;
    w.w0 = cubic_outer(256 + t);
    w.w2 = cubic_inner(256 - t);
    w.w3 = cubic_outer(512 - t);
    w.w1 = 1024 - w.w0 - w.w2 - w.w3;
    return w;
}

#endif
