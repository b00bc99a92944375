/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* feBlend. Modes that take channels apart work on vectors. Part of effects_body.h. */

/* Does divide_nearest for quotients below 2^15. */
INLINE wide_uint divided(wide_uint n, wide_uint d)
{
    wide_uint held = d - (wide_uint)(d == 0);
    return quotients_of(n + (d >> 1), held, 1.0f / to_floats(held));
}

/* Does effect_blend_burn (shaders/lib/effect_blend.h). */
INLINE wide_uint burnt(wide_uint c, wide_uint s, wide_uint b, wide_uint d)
{
    wide_uint dark = product_of(d - b, s);
    wide_uint mixed = product_of(d - least_of(divided(dark, c), d), s);
    mixed = choose((c == 0) | (dark >= product_of(d, c)), splat(0), mixed);
    return choose(b >= d, product_of(s, d), mixed);
}

/* Does effect_blend_dodge. */
INLINE wide_uint dodged(wide_uint c, wide_uint s, wide_uint b, wide_uint d)
{
    wide_uint light = product_of(b, s);
    wide_uint mixed = product_of(least_of(divided(light, s - c), d), s);
    mixed = choose(light >= product_of(d, s - c), product_of(s, d), mixed);
    return choose(b == 0, splat(0), mixed);
}

/* Does effect_blend_soft_light. */
INLINE wide_uint softly_lit(wide_uint c, wide_uint s, wide_uint b, wide_uint d)
{
    wide_float source = to_floats(c) * reciprocals_of(to_floats(s));
    wide_float below = to_floats(b) * reciprocals_of(to_floats(d));
    wide_float twice = 2.0f * source - 1.0f, change = below * (1.0f - below);
    wide_float curve = ((16.0f * below - 12.0f) * below + 4.0f) * below - below;
    wide_float root = below * reciprocal_roots_of(below) - below;
    change = choose_floats(twice > 0.0f, choose_floats(below <= 0.25f, curve, root), change);
    wide_uint most = scaled_by(s, d);
    return product_of(rounded((below + twice * change) * to_floats(most), to_floats(most)), splat(EFFECT_ONE));
}

/* Does effect_blend_channel. */
INLINE wide_uint mixed_channels(uint mode, wide_uint c, wide_uint s, wide_uint b, wide_uint d)
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
    case BLEND_COLOR_DODGE:
        return dodged(c, s, b, d);
    case BLEND_COLOR_BURN:
        return burnt(c, s, b, d);
    case BLEND_SOFT_LIGHT:
        return softly_lit(c, s, b, d);
    case BLEND_DIFFERENCE:
        return choose(cd > bs, cd - bs, bs - cd);
    default:
        return cd + bs - 2 * cb;
    }
}

/* Returns one channel of effect_blend. Where one of the texels is transparent, this is the other. */
INLINE wide_uint blended_channels(uint mode, wide_uint c, wide_uint s, wide_uint b, wide_uint d, wide_uint alpha)
{
    wide_uint rest = product_of(c, EFFECT_ONE - d) + product_of(b, EFFECT_ONE - s);
    return least_of(by_one(mixed_channels(mode, c, s, b, d) + rest), alpha);
}

INLINE void blend_texels(uint mode, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count)
{
    for (uint x = 0; x < count; x += WIDE) {
        planes c = load_planes(in + 4 * x), b = load_planes(in2 + 4 * x), made;
        made.a = by_one(product_of(c.a, splat(EFFECT_ONE)) + product_of(b.a, EFFECT_ONE - c.a));
        made.r = blended_channels(mode, c.r, c.a, b.r, b.a, made.a);
        made.g = blended_channels(mode, c.g, c.a, b.g, b.a, made.a);
        made.b = blended_channels(mode, c.b, c.a, b.b, b.a, made.a);
        store_planes(out + 4 * x, made);
    }
}

/* Each mode has a loop of its own. */
#define BLEND_BLOCK(name, mode) \
    static void name(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count) \
    { \
        (void)parameters; \
        blend_texels(mode, in, in2, out, count); \
    }
BLEND_BLOCK(multiply_block, BLEND_MULTIPLY)
BLEND_BLOCK(screen_block, BLEND_SCREEN)
BLEND_BLOCK(overlay_block, BLEND_OVERLAY)
BLEND_BLOCK(darken_block, BLEND_DARKEN)
BLEND_BLOCK(lighten_block, BLEND_LIGHTEN)
BLEND_BLOCK(color_dodge_block, BLEND_COLOR_DODGE)
BLEND_BLOCK(color_burn_block, BLEND_COLOR_BURN)
BLEND_BLOCK(hard_light_block, BLEND_HARD_LIGHT)
BLEND_BLOCK(soft_light_block, BLEND_SOFT_LIGHT)
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

static void whole_block(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count)
{
    uint mode = *(const uint *)parameters;
    for (uint x = 0; x < count; x++)
        texel_to(out + 4 * x, effect_blend(texel_from(in + 4 * x), texel_from(in2 + 4 * x), mode));
}

static void effects_blend(parallel_pool *pool, uint mode, const effect_image *in, const effect_image *in2,
                          const effect_image *out)
{
    static block_function *const blocks[BLEND_LUMINOSITY + 1] = {
        [BLEND_NORMAL] = merge_block,
        [BLEND_MULTIPLY] = multiply_block,
        [BLEND_SCREEN] = screen_block,
        [BLEND_OVERLAY] = overlay_block,
        [BLEND_DARKEN] = darken_block,
        [BLEND_LIGHTEN] = lighten_block,
        [BLEND_COLOR_DODGE] = color_dodge_block,
        [BLEND_COLOR_BURN] = color_burn_block,
        [BLEND_HARD_LIGHT] = hard_light_block,
        [BLEND_SOFT_LIGHT] = soft_light_block,
        [BLEND_DIFFERENCE] = difference_block,
        [BLEND_EXCLUSION] = exclusion_block,
    };
    run_blocks(pool, blocks[mode] ? blocks[mode] : whole_block, &mode, in, in2, out);
}
