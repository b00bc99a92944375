/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* feBlend. Modes without a division of channels work on several texels at a time. Part of effects_body.h. */

/* Does blend_channel (shaders/lib/blend.h) for these modes. */
INLINE wide_uint mixed_texels(uint mode, wide_uint c, wide_uint s, wide_uint b, wide_uint d)
{
    wide_uint cb = product_of(c, b), cd = product_of(c, d), bs = product_of(b, s), sd = product_of(s, d);
    switch (mode) {
    case BLEND_MULTIPLY:
        return cb;
    case BLEND_SCREEN:
        return cd + bs - cb;
    case BLEND_OVERLAY:
        return choose(2 * b <= d, 2 * cb, sd - 2 * product_of(s - c, d - b));
    case BLEND_DARKEN:
        return least_of(cd, bs);
    case BLEND_LIGHTEN:
        return choose(cd > bs, cd, bs);
    case BLEND_HARD_LIGHT:
        return choose(2 * c <= s, 2 * cb, sd - 2 * product_of(s - c, d - b));
    case BLEND_DIFFERENCE:
        return choose(cd > bs, cd - bs, bs - cd);
    default:
        return cd + bs - 2 * cb;
    }
}

INLINE wide_uint blend_texels(uint mode, wide_uint source, wide_uint destination)
{
    wide_uint s = alphas_of(source), d = alphas_of(destination);
    wide_uint mixed = mixed_texels(mode, source, s, destination, d);
    wide_uint rest = product_of(source, EFFECT_ONE - d) + product_of(destination, EFFECT_ONE - s);
    wide_uint made = by_one(choose((wide_int){FOR_TEXELS(0, 0, 0, -1)}, product_of(s, d), mixed) + rest);
    return least_of(made, alphas_of(made));
}

#define BLEND_BLOCK(name, mode) \
    static void name(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count) \
    { \
        (void)parameters; \
        for (uint x = 0; x < count; x += WIDE_TEXELS) \
            store_texels(out + 4 * x, blend_texels(mode, load_texels(in + 4 * x), load_texels(in2 + 4 * x))); \
    }
BLEND_BLOCK(multiply_block, BLEND_MULTIPLY)
BLEND_BLOCK(screen_block, BLEND_SCREEN)
BLEND_BLOCK(overlay_block, BLEND_OVERLAY)
BLEND_BLOCK(darken_block, BLEND_DARKEN)
BLEND_BLOCK(lighten_block, BLEND_LIGHTEN)
BLEND_BLOCK(hard_light_block, BLEND_HARD_LIGHT)
BLEND_BLOCK(difference_block, BLEND_DIFFERENCE)
BLEND_BLOCK(exclusion_block, BLEND_EXCLUSION)

INLINE effect_texel texel_from(const uint16_t *texel)
{
    return effect_texel_of(texel[0], texel[1], texel[2], texel[3]);
}

INLINE void texel_to(uint16_t *to, effect_texel texel)
{
    to[0] = (uint16_t)texel.r;
    to[1] = (uint16_t)texel.g;
    to[2] = (uint16_t)texel.b;
    to[3] = (uint16_t)texel.a;
}

static void other_block(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count)
{
    uint mode = *(const uint *)parameters;
    for (uint x = 0; x < count; x++)
        texel_to(out + 4 * x, effect_blend(texel_from(in + 4 * x), texel_from(in2 + 4 * x), mode));
}

static void effects_blend(parallel_pool *pool, uint mode, const effect_image *in, const effect_image *in2,
                          const effect_image *out)
{
    static block_function *const blocks[BLEND_LUMINOSITY + 1] = {
        [BLEND_NORMAL] = merge_block,          [BLEND_MULTIPLY] = multiply_block,
        [BLEND_SCREEN] = screen_block,         [BLEND_OVERLAY] = overlay_block,
        [BLEND_DARKEN] = darken_block,         [BLEND_LIGHTEN] = lighten_block,
        [BLEND_HARD_LIGHT] = hard_light_block, [BLEND_DIFFERENCE] = difference_block,
        [BLEND_EXCLUSION] = exclusion_block,
    };
    run_blocks(pool, blocks[mode] ? blocks[mode] : other_block, &mode, in, in2, out);
}
