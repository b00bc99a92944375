/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stage 11: filter primitives on images. Every device has each of these functions, and all write the same bytes.
 *
 * A function fills every texel of `out` and reads its inputs at the same places of filter space. Outside the box that
 * it holds, an input is transparent. So a result does not depend on how it is cut, as long as each input holds all
 * that its texels depend on (render/effect/demand.h) or all that is not transparent. `out` shares no texels with an
 * input, unless a function says that it may be the very same image. An empty `out` is left alone. Functions that
 * return bool allocate up to three times as much as the texels of `in` and `out` take, and a megabyte for each thread
 * of the pool; false: out of memory.
 *
 * Images lie in the colour space in which the primitive works. to_linear and to_srgb convert.
 *
 * effect_reference() (render/reference/effect_reference.h) has the functions that specify those of the devices, and
 * effect_cpu() (render/cpu/effects.h) those of the CPU device. */
#ifndef PIETRA_RENDER_EFFECT_EFFECT_H
#define PIETRA_RENDER_EFFECT_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/parallel.h"
#include "layout/effect.h"
#include "render/effect/blur.h"

/* Texels of four channels R, G, B, A, premultiplied: no channel exceeds alpha, and alpha does not exceed EFFECT_ONE.
 * The texels belong to the caller. */
typedef struct effect_image {
    uint16_t *texels; /* those of the first row, from left to right; NULL if the image is empty */
    size_t stride;    /* texels from one row to the next: at least the width of the box */
    effect_box box;   /* in filter space */
    /* In place of texels, if not NULL: premultiplied pixels of 8 bits a channel, R in the low byte. Functions that may
     * get such images are named below. */
    uint32_t *pixels;
    bool has_alpha_alone; /* of pixels that are read, colours count as black */
} effect_image;

/* The functions of one device. The pool shares the work out (NULL: one thread); the reference ignores it. */
typedef struct effect_functions {
    const char *name;
    /* to_linear, to_srgb and blur, unless it has EFFECT_EDGE_WRAP, do what load does before and store afterwards, if
     * they get images of pixels. */
    bool takes_pixels;

    /* From and to premultiplied pixels of 8 bits a channel, R in the low byte. They lie in rows of `stride` pixels,
     * the upper left one of the image's box first. */
    void (*load)(parallel_pool *pool, const uint32_t *pixels, size_t stride, const effect_image *out);
    void (*store)(parallel_pool *pool, const effect_image *in, uint32_t *pixels, size_t stride);

    /* 11_point */
    void (*flood)(parallel_pool *pool, effect_texel color, const effect_image *out);
    void (*offset)(parallel_pool *pool, effect_offset offset, const effect_image *in, const effect_image *out);
    /* `over` on top of `out`, for one node of feMerge after the other. The first one is laid on a flood of zeros. */
    void (*merge)(parallel_pool *pool, const effect_image *over, const effect_image *out);
    /* `in` and `in2` as the specification names them: in lies on top. */
    void (*composite)(parallel_pool *pool, const effect_composite *composite, const effect_image *in,
                      const effect_image *in2, const effect_image *out);
    /* mode is one of BLEND_*, below BLEND_CLEAR (layout/blend.h). */
    void (*blend)(parallel_pool *pool, uint mode, const effect_image *in, const effect_image *in2,
                  const effect_image *out);
    void (*color_matrix)(parallel_pool *pool, const effect_color_matrix *matrix, const effect_image *in,
                         const effect_image *out);
    /* `values` are those of the tables, 0 to 1 or beyond; NULL if no function has any. */
    void (*transfer)(parallel_pool *pool, const effect_transfer *transfer, const float *values, const effect_image *in,
                     const effect_image *out);
    /* Repeats the texels of `tile`, which is not empty. */
    void (*tile)(parallel_pool *pool, effect_box tile, const effect_image *in, const effect_image *out);
    /* `map` is in2, in the colour space of the primitive. */
    void (*displace)(parallel_pool *pool, const effect_displacement *displacement, const effect_image *in,
                     const effect_image *map, const effect_image *out);
    /* `blurred` is `in` after the blur; of it alpha alone counts. */
    void (*shadow)(parallel_pool *pool, const effect_shadow *shadow, const effect_image *in,
                   const effect_image *blurred, const effect_image *out);
    /* Between sRGB and linearRGB. `out` may be `in`. */
    void (*to_linear)(parallel_pool *pool, const effect_image *in, const effect_image *out);
    void (*to_srgb)(parallel_pool *pool, const effect_image *in, const effect_image *out);
    /* SourceAlpha: black of the same alpha. `out` may be `in`. */
    void (*alpha)(parallel_pool *pool, const effect_image *in, const effect_image *out);

    /* In what follows, `region` holds the texels of `in` that edge modes repeat; EFFECT_EDGE_NONE ignores it. It is
     * not empty, and may be larger or smaller than what `in` holds. */

    /* 11_band */
    bool (*blur)(parallel_pool *pool, const effect_blur *blur, effect_box region, const effect_image *in,
                 const effect_image *out);

    /* 11_matrix */
    bool (*convolve)(parallel_pool *pool, const effect_convolution *convolution, const float *kernel, effect_box region,
                     const effect_image *in, const effect_image *out);

    /* 11_extreme */
    bool (*extreme)(parallel_pool *pool, const effect_extreme *extreme, const effect_image *in,
                    const effect_image *out);

    /* 11_light. At the edges of `region`, slopes are taken from one side. Beyond it, nothing is lit. */
    void (*light)(parallel_pool *pool, const effect_light *light, effect_box region, const effect_image *in,
                  const effect_image *out);

    /* 11_noise. `words` are EFFECT_NOISE_WORDS. */
    void (*noise)(parallel_pool *pool, const effect_noise *noise, const uint *words, const effect_image *out);
} effect_functions;

#endif
