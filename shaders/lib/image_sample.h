/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sampling of images by sums of integers, which are divided once. TEXELS stands for the place that texels are read from
 * (glue.h). */
#ifndef PIETRA_LIB_IMAGE_SAMPLE_H
#define PIETRA_LIB_IMAGE_SAMPLE_H

#include "image.h"
#include "paint.h"

STRUCT(texel_sum)
{
    int r, g, b, a;
};

SHARED_FUNCTION texel_sum texel_sum_zero()
{
    texel_sum sum;
    sum.r = 0;
    sum.g = 0;
    sum.b = 0;
    sum.a = 0;
    return sum;
}

SHARED_FUNCTION texel_sum texel_sum_add(texel_sum sum, uint texel, int weight)
{
    sum.r += TO_INT(texel & 0xffu) * weight;
    sum.g += TO_INT((texel >> 8) & 0xffu) * weight;
    sum.b += TO_INT((texel >> 16) & 0xffu) * weight;
    sum.a += TO_INT(texel >> 24) * weight;
    return sum;
}

SHARED_FUNCTION texel_sum texel_sum_add_row(texel_sum sum, texel_sum row, int weight)
{
    sum.r += row.r * weight;
    sum.g += row.g * weight;
    sum.b += row.b * weight;
    sum.a += row.a * weight;
    return sum;
}

/* A texel that lies `inside` the level is found without image_wrap, which divides. */
SHARED_FUNCTION uint image_texel(TEXELS_PARAMETER stream_mip_level level, int x, int y, uint spread, bool inside)
{
    int column = inside ? x : image_wrap(x, TO_INT(level.width), spread);
    int row = inside ? y : image_wrap(y, TO_INT(level.height), spread);
    return TEXEL_AT(level.first_texel + TO_UINT(row) * level.width + TO_UINT(column));
}

/* Returns whether texels [left, right) x [top, bottom) are all inside a mip level. */
SHARED_FUNCTION bool level_holds(stream_mip_level level, int left, int top, int right, int bottom)
{
    return left >= 0 && top >= 0 && right <= TO_INT(level.width) && bottom <= TO_INT(level.height);
}

/* Returns how much of the interval lies in texel i. */
SHARED_FUNCTION int box_overlap(int start, int end, int i)
{
    return int_min(end, (i + 1) * TEXEL_UNIT) - int_max(start, i * TEXEL_UNIT);
}

/* Returns the mean over a box around (u, v), in 256ths of the mip level's texels. The weights sum to at most 1024 *
 * 1024, so sums are at most 255 times that. */
SHARED_FUNCTION uint image_box(TEXELS_PARAMETER stream_mip_level level, int u, int v, image_footprint print,
                               uint spread)
{
    int left = u - (print.width >> 1);
    int right = left + print.width;
    int top = v - (print.height >> 1);
    int bottom = top + print.height;
    bool inside = level_holds(level, left >> TEXEL_SHIFT, top >> TEXEL_SHIFT, ((right - 1) >> TEXEL_SHIFT) + 1,
                              ((bottom - 1) >> TEXEL_SHIFT) + 1);
    texel_sum sum = texel_sum_zero();
    for (int y = top >> TEXEL_SHIFT; y * TEXEL_UNIT < bottom; y++) {
        texel_sum row = texel_sum_zero();
        for (int x = left >> TEXEL_SHIFT; x * TEXEL_UNIT < right; x++) {
            row = texel_sum_add(row, image_texel(TEXELS_ARGUMENT level, x, y, spread, inside),
                                box_overlap(left, right, x));
        }
        sum = texel_sum_add_row(sum, row, box_overlap(top, bottom, y));
    }
    uint area = TO_UINT(print.width * print.height);
    uint r = (TO_UINT(sum.r) + (area >> 1)) / area;
    uint g = (TO_UINT(sum.g) + (area >> 1)) / area;
    uint b = (TO_UINT(sum.b) + (area >> 1)) / area;
    uint a = (TO_UINT(sum.a) + (area >> 1)) / area;
    return r | (g << 8) | (b << 16) | (a << 24);
}

SHARED_FUNCTION int cubic_weight(cubic_weights w, int i)
{
    return i < 2 ? (i == 0 ? w.w0 : w.w1) : (i == 2 ? w.w2 : w.w3);
}

SHARED_FUNCTION uint cubic_channel(int sum, int most)
{
    return TO_UINT(int_clamp((sum + (1 << 19)) >> 20, 0, most));
}

SHARED_FUNCTION uint image_cubic(TEXELS_PARAMETER stream_mip_level level, int u, int v, uint spread)
{
    int x = (u - TEXEL_UNIT / 2) >> TEXEL_SHIFT;
    int y = (v - TEXEL_UNIT / 2) >> TEXEL_SHIFT;
    cubic_weights across = cubic_weights_at((u - TEXEL_UNIT / 2) & (TEXEL_UNIT - 1));
    cubic_weights down = cubic_weights_at((v - TEXEL_UNIT / 2) & (TEXEL_UNIT - 1));
    bool inside = level_holds(level, x - 1, y - 1, x + 3, y + 3);
    texel_sum sum = texel_sum_zero();
    for (int j = 0; j < 4; j++) {
        texel_sum row = texel_sum_zero();
        for (int i = 0; i < 4; i++) {
            row = texel_sum_add(row, image_texel(TEXELS_ARGUMENT level, x - 1 + i, y - 1 + j, spread, inside),
                                cubic_weight(across, i));
        }
        sum = texel_sum_add_row(sum, row, cubic_weight(down, j));
    }
    uint a = cubic_channel(sum.a, 255);
    uint r = cubic_channel(sum.r, TO_INT(a));
    uint g = cubic_channel(sum.g, TO_INT(a));
    uint b = cubic_channel(sum.b, TO_INT(a));
    return r | (g << 8) | (b << 16) | (a << 24);
}

/* A place in an image, in 256ths of a texel of the footprint's mip level. */
STRUCT(image_place)
{
    int u, v;
};

/* Returns the place of pixel (x, y). m maps pixels to texels of mip level 0, which is `whole`. */
SHARED_FUNCTION image_place image_place_of(affine m, image_footprint print, stream_mip_level whole, uint spread, int x,
                                           int y)
{
    image_place place;
    place.u = image_position(m.a, m.c, m.e, x, y, whole.width, spread) >> print.mip_level;
    place.v = image_position(m.b, m.d, m.f, x, y, whole.height, spread) >> print.mip_level;
    return place;
}

/* Returns the premultiplied colour at a place. `level` is the mip level of the footprint. */
SHARED_FUNCTION uint image_color(TEXELS_PARAMETER image_footprint print, stream_mip_level level, stream_paint paint,
                                 image_place place)
{
    uint color;
    if (print.sampling == SAMPLE_NEAREST) {
        color = image_texel(TEXELS_ARGUMENT level, place.u >> TEXEL_SHIFT, place.v >> TEXEL_SHIFT, paint.spread, false);
    } else if (print.sampling == SAMPLE_BOX) {
        color = image_box(TEXELS_ARGUMENT level, place.u, place.v, print, paint.spread);
    } else {
        color = image_cubic(TEXELS_ARGUMENT level, place.u, place.v, paint.spread);
    }
    return color_scale(color, paint.opacity);
}

/* Returns the premultiplied colour of pixel (x, y). */
SHARED_FUNCTION uint image_sample(TEXELS_PARAMETER affine m, image_footprint print, stream_mip_level whole,
                                  stream_mip_level level, stream_paint paint, int x, int y)
{
    return image_color(TEXELS_ARGUMENT print, level, paint, image_place_of(m, print, whole, paint.spread, x, y));
}

#endif
