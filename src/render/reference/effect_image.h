/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Texels of images, one at a time. */
#ifndef PIETRA_RENDER_REFERENCE_EFFECT_IMAGE_H
#define PIETRA_RENDER_REFERENCE_EFFECT_IMAGE_H

#include "lib/effect_texel.h"
#include "render/effect/effect.h"

static inline uint16_t *image_texel(const effect_image *image, int x, int y)
{
    size_t row = (size_t)(y - image->box.top), column = (size_t)(x - image->box.left);
    return image->texels + 4 * (row * image->stride + column);
}

/* Returns a texel, which is transparent outside the image's box. */
static inline effect_texel image_get(const effect_image *image, int x, int y)
{
    effect_box box = image->box;
    if (x < box.left || x >= box.right || y < box.top || y >= box.bottom)
        return effect_texel_of(0, 0, 0, 0);
    const uint16_t *texel = image_texel(image, x, y);
    return effect_texel_of(texel[0], texel[1], texel[2], texel[3]);
}

static inline void image_set(const effect_image *image, int x, int y, effect_texel texel)
{
    uint16_t *to = image_texel(image, x, y);
    to[0] = (uint16_t)texel.r;
    to[1] = (uint16_t)texel.g;
    to[2] = (uint16_t)texel.b;
    to[3] = (uint16_t)texel.a;
}

#endif
