/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 light: feDiffuseLighting and feSpecularLighting (shaders/lib/effect_light.h). */
#include "lib/effect_light.h"

#include "render/reference/effect_image.h"
#include "render/reference/effect_reference.h"

static int alpha_at(const effect_image *in, int x, int y)
{
    return (int)image_get(in, x, y).a;
}

static effect_heights heights_at(effect_box region, const effect_image *in, int x, int y)
{
    return (effect_heights){
        .above_left = alpha_at(in, x - 1, y - 1),
        .above = alpha_at(in, x, y - 1),
        .above_right = alpha_at(in, x + 1, y - 1),
        .left = alpha_at(in, x - 1, y),
        .here = alpha_at(in, x, y),
        .right = alpha_at(in, x + 1, y),
        .below_left = alpha_at(in, x - 1, y + 1),
        .below = alpha_at(in, x, y + 1),
        .below_right = alpha_at(in, x + 1, y + 1),
        .has_left = x > region.left,
        .has_right = x + 1 < region.right,
        .has_above = y > region.top,
        .has_below = y + 1 < region.bottom,
    };
}

void reference_11_light(parallel_pool *pool, const effect_light *light, effect_box region, const effect_image *in,
                        const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++) {
            bool inside = x >= region.left && x < region.right && y >= region.top && y < region.bottom;
            image_set(out, x, y,
                      inside ? effect_lit(*light, heights_at(region, in, x, y), x, y) : effect_texel_of(0, 0, 0, 0));
        }
}
