/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stage 11 in plain C. It specifies what the devices' functions write, texel by texel. */
#ifndef PIETRA_RENDER_REFERENCE_EFFECT_REFERENCE_H
#define PIETRA_RENDER_REFERENCE_EFFECT_REFERENCE_H

#include "render/effect/effect.h"

const effect_functions *effect_reference(void);

/* The functions of effect_reference, of which render/effect/effect.h says what they do. */
void reference_11_load(parallel_pool *pool, const uint32_t *pixels, size_t stride, const effect_image *out);
void reference_11_store(parallel_pool *pool, const effect_image *in, uint32_t *pixels, size_t stride);
void reference_11_flood(parallel_pool *pool, effect_texel color, const effect_image *out);
void reference_11_offset(parallel_pool *pool, effect_offset offset, const effect_image *in, const effect_image *out);
void reference_11_merge(parallel_pool *pool, const effect_image *over, const effect_image *out);
void reference_11_composite(parallel_pool *pool, const effect_composite *composite, const effect_image *in,
                            const effect_image *in2, const effect_image *out);
void reference_11_blend(parallel_pool *pool, uint mode, const effect_image *in, const effect_image *in2,
                        const effect_image *out);
void reference_11_color_matrix(parallel_pool *pool, const effect_color_matrix *matrix, const effect_image *in,
                               const effect_image *out);
void reference_11_transfer(parallel_pool *pool, const effect_transfer *transfer, const float *values,
                           const effect_image *in, const effect_image *out);
void reference_11_tile(parallel_pool *pool, effect_box tile, const effect_image *in, const effect_image *out);
void reference_11_displace(parallel_pool *pool, const effect_displacement *displacement, const effect_image *in,
                           const effect_image *map, const effect_image *out);
void reference_11_shadow(parallel_pool *pool, const effect_shadow *shadow, const effect_image *in,
                         const effect_image *blurred, const effect_image *out);
void reference_11_to_linear(parallel_pool *pool, const effect_image *in, const effect_image *out);
void reference_11_to_srgb(parallel_pool *pool, const effect_image *in, const effect_image *out);
void reference_11_alpha(parallel_pool *pool, const effect_image *in, const effect_image *out);
bool reference_11_blur(parallel_pool *pool, const effect_blur *blur, effect_box region, const effect_image *in,
                       const effect_image *out);
bool reference_11_convolve(parallel_pool *pool, const effect_convolution *convolution, const float *kernel,
                           effect_box region, const effect_image *in, const effect_image *out);
bool reference_11_extreme(parallel_pool *pool, const effect_extreme *extreme, const effect_image *in,
                          const effect_image *out);
void reference_11_light(parallel_pool *pool, const effect_light *light, effect_box region, const effect_image *in,
                        const effect_image *out);
void reference_11_noise(parallel_pool *pool, const effect_noise *noise, const uint *words, const effect_image *out);

#endif
