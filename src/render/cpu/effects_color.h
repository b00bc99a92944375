/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From and to 8 bits, and between sRGB and linearRGB. Part of effects_body.h. */

/* Pixels and the image that they become or come from. */
typedef struct pixels_job {
    const effect_image *image;
    const uint32_t *from;
    uint32_t *to;
    size_t stride;
} pixels_job;

static void load_rows(void *user, size_t begin, size_t end)
{
    const pixels_job *job = user;
    effect_box box = job->image->box;

    for (size_t y = begin; y < end; y++)
        load_pixels(job->from + y * job->stride, false, texel_at(job->image, box.left, box.top + (int)y),
                    box_width(box));
}

static void effects_load(parallel_pool *pool, const uint32_t *pixels, size_t stride, const effect_image *out)
{
    pixels_job job = {.image = out, .from = pixels, .stride = stride};
    share_rows(pool, out->box, load_rows, &job);
}

static void store_rows(void *user, size_t begin, size_t end)
{
    const pixels_job *job = user;
    effect_box box = job->image->box;

    for (size_t y = begin; y < end; y++)
        store_pixels(texel_at(job->image, box.left, box.top + (int)y), job->to + y * job->stride, box_width(box));
}

static void effects_store(parallel_pool *pool, const effect_image *in, uint32_t *pixels, size_t stride)
{
    pixels_job job = {.image = in, .to = pixels, .stride = stride};
    share_rows(pool, in->box, store_rows, &job);
}

/* Returns the entries of a table. */
INLINE wide_uint entries_of(const uint16_t *table, wide_uint places)
{
#if defined(__AVX512BW__)
    return (wide_uint)_mm512_i32gather_epi32((__m512i)places, table, 2) & 0xffff;
#elif defined(__AVX2__)
    return (wide_uint)_mm256_i32gather_epi32((const int *)(const void *)table, (__m256i)places, 2) & 0xffff;
#else
    wide_uint found = places;
    for (uint i = 0; i < WIDE; i++)
        found[i] = table[places[i]];
    return found;
#endif
}

/* Returns the straight channels of translucent texels, as a table has them, premultiplied. `whole` is alpha, or 1
 * where that is 0. */
INLINE wide_uint recolored(const uint16_t *table, wide_uint channel, wide_uint whole, wide_float inverse)
{
    wide_uint straight = quotients_of(product_of(channel, splat(EFFECT_ONE)) + (whole >> 1), whole, inverse);
    return scaled_by(entries_of(table, straight), whole);
}

static void recolor_block(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count)
{
    const uint16_t *table = parameters;

    (void)in2;
    for (uint x = 0; x < count; x += WIDE) {
        planes texels = load_planes(in + 4 * x);
        if (!any_lane(texels.a ^ EFFECT_ONE)) {
            texels.r = entries_of(table, texels.r);
            texels.g = entries_of(table, texels.g);
            texels.b = entries_of(table, texels.b);
        } else if (any_lane(texels.a)) {
            wide_uint whole = texels.a - (wide_uint)(texels.a == 0);
            wide_float inverse = 1.0f / to_floats(whole);
            texels.r = recolored(table, texels.r, whole, inverse);
            texels.g = recolored(table, texels.g, whole, inverse);
            texels.b = recolored(table, texels.b, whole, inverse);
        }
        store_planes(out + 4 * x, texels);
    }
}

static void effects_to_linear(parallel_pool *pool, const effect_image *in, const effect_image *out)
{
    run_blocks(pool, recolor_block, effect_color_tables()->to_linear, in, NULL, out);
}

static void effects_to_srgb(parallel_pool *pool, const effect_image *in, const effect_image *out)
{
    run_blocks(pool, recolor_block, effect_color_tables()->to_srgb, in, NULL, out);
}

static void alpha_block(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count)
{
    (void)parameters;
    (void)in2;
    for (uint x = 0; x < count; x += WIDE)
        store_planes(out + 4 * x, (planes){.a = load_planes(in + 4 * x).a});
}

static void effects_alpha(parallel_pool *pool, const effect_image *in, const effect_image *out)
{
    run_blocks(pool, alpha_block, NULL, in, NULL, out);
}
