/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 noise: feTurbulence (shaders/lib/effect_noise.h). */
#include "lib/effect_noise.h"

#include "render/reference/effect_image.h"
#include "render/reference/effect_reference.h"

void reference_11_noise(parallel_pool *pool, const effect_noise *noise, const uint *words, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, effect_noise_texel(words, *noise, x, y));
}
