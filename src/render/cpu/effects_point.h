/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 point: what shaders/lib/effect_point.h and effect_blend.h say, several texels at a time. Part of
 * effects_body.h. */

typedef struct flood_job {
    effect_texel color;
    const effect_image *out;
} flood_job;

static void flood_rows(void *user, size_t begin, size_t end)
{
    const flood_job *job = user;
    effect_box box = job->out->box;
    const uint16_t texel[] = {(uint16_t)job->color.r, (uint16_t)job->color.g, (uint16_t)job->color.b,
                              (uint16_t)job->color.a};

    for (int y = box.top + (int)begin; y < box.top + (int)end; y++)
        for (int x = box.left; x < box.right; x++)
            memcpy(texel_at(job->out, x, y), texel, sizeof texel);
}

static void effects_flood(parallel_pool *pool, effect_texel color, const effect_image *out)
{
    flood_job job = {color, out};
    share_rows(pool, out->box, flood_rows, &job);
}

static void merge_block(const void *parameters, const uint16_t *over, const uint16_t *below, uint16_t *out, uint count)
{
    (void)parameters;
    for (uint x = 0; x < count; x += WIDE)
        store_planes(out + 4 * x, planes_over(load_planes(over + 4 * x), load_planes(below + 4 * x)));
}

static void effects_merge(parallel_pool *pool, const effect_image *over, const effect_image *out)
{
    run_blocks(pool, merge_block, NULL, over, out, out);
}

/* Does effect_composite_channel. */
INLINE wide_uint composite_channels(const effect_composite *composite, uint operation, wide_uint s, wide_uint s_alpha,
                                    wide_uint d, wide_uint d_alpha)
{
    switch (operation) {
    case EFFECT_OVER:
        return s + scaled_by(d, EFFECT_ONE - s_alpha);
    case EFFECT_IN:
        return scaled_by(s, d_alpha);
    case EFFECT_OUT:
        return scaled_by(s, EFFECT_ONE - d_alpha);
    case EFFECT_ATOP:
        return by_one(product_of(s, d_alpha) + product_of(d, EFFECT_ONE - s_alpha));
    case EFFECT_XOR:
        return by_one(product_of(s, EFFECT_ONE - d_alpha) + product_of(d, EFFECT_ONE - s_alpha));
    case EFFECT_LIGHTER:
        return least_of(s + d, splat(EFFECT_ONE));
    default: {
        wide_float source = to_floats(s), destination = to_floats(d);
        wide_float sum = composite->k1 * source * destination + composite->k2 * source;
        sum = sum + composite->k3 * destination + composite->k4;
        return rounded(sum, splat_float((float)EFFECT_ONE));
    }
    }
}

INLINE void composite_texels(const void *parameters, uint operation, const uint16_t *in, const uint16_t *in2,
                             uint16_t *out, uint count)
{
    const effect_composite composite = *(const effect_composite *)parameters;

    for (uint x = 0; x < count; x += WIDE) {
        planes s = load_planes(in + 4 * x), d = load_planes(in2 + 4 * x);
        wide_uint a = composite_channels(&composite, operation, s.a, s.a, d.a, d.a);
        wide_uint r = composite_channels(&composite, operation, s.r, s.a, d.r, d.a);
        wide_uint g = composite_channels(&composite, operation, s.g, s.a, d.g, d.a);
        wide_uint b = composite_channels(&composite, operation, s.b, s.a, d.b, d.a);
        store_planes(out + 4 * x, (planes){least_of(r, a), least_of(g, a), least_of(b, a), a});
    }
}

/* Each operation has a loop of its own. */
#define COMPOSITE_BLOCK(name, operation) \
    static void name(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count) \
    { \
        composite_texels(parameters, operation, in, in2, out, count); \
    }
COMPOSITE_BLOCK(over_block, EFFECT_OVER)
COMPOSITE_BLOCK(in_block, EFFECT_IN)
COMPOSITE_BLOCK(out_block, EFFECT_OUT)
COMPOSITE_BLOCK(atop_block, EFFECT_ATOP)
COMPOSITE_BLOCK(xor_block, EFFECT_XOR)
COMPOSITE_BLOCK(lighter_block, EFFECT_LIGHTER)
COMPOSITE_BLOCK(arithmetic_block, EFFECT_ARITHMETIC)

static void effects_composite(parallel_pool *pool, const effect_composite *composite, const effect_image *in,
                              const effect_image *in2, const effect_image *out)
{
    static block_function *const blocks[] = {over_block, in_block,      out_block,       atop_block,
                                             xor_block,  lighter_block, arithmetic_block};
    run_blocks(pool, blocks[composite->operation], composite, in, in2, out);
}

/* Does effect_matrix_channel. */
INLINE wide_float matrix_channels(effect_matrix_row row, float_planes straight)
{
    wide_float sum = row.r * straight.r + row.g * straight.g;
    sum = sum + row.b * straight.b;
    sum = sum + row.a * straight.a;
    sum = sum + row.one;
    return held(sum, splat_float(0), splat_float(1));
}

static void color_matrix_block(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out,
                               uint count)
{
    const effect_color_matrix matrix = *(const effect_color_matrix *)parameters;

    (void)in2;
    for (uint x = 0; x < count; x += WIDE) {
        float_planes straight = straight_floats(load_planes(in + 4 * x));
        float_planes made = {matrix_channels(matrix.r, straight), matrix_channels(matrix.g, straight),
                             matrix_channels(matrix.b, straight), matrix_channels(matrix.a, straight)};
        store_planes(out + 4 * x, premultiplied_planes(made));
    }
}

static void effects_color_matrix(parallel_pool *pool, const effect_color_matrix *matrix, const effect_image *in,
                                 const effect_image *out)
{
    run_blocks(pool, color_matrix_block, matrix, in, NULL, out);
}
