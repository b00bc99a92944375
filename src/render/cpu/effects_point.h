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

INLINE wide_uint texels_over(wide_uint source, wide_uint destination)
{
    return source + scaled_by_one(destination, EFFECT_ONE - alphas_of(source));
}

static void merge_block(const void *parameters, const uint16_t *over, const uint16_t *below, uint16_t *out, uint count)
{
    (void)parameters;
    for (uint x = 0; x < count; x += WIDE_TEXELS)
        store_texels(out + 4 * x, texels_over(load_texels(over + 4 * x), load_texels(below + 4 * x)));
}

static void effects_merge(parallel_pool *pool, const effect_image *over, const effect_image *out)
{
    run_blocks(pool, merge_block, NULL, over, out, out);
}

INLINE wide_float to_floats(wide_uint x)
{
    return __builtin_convertvector((wide_int)x, wide_float);
}

INLINE wide_float held(wide_float x, wide_float low, wide_float high)
{
    wide_float above = choose_floats(x > low, x, low);
    return choose_floats(above < high, above, high);
}

/* Does effect_round. */
INLINE wide_uint rounded(wide_float x, wide_float most)
{
    return (wide_uint) __builtin_convertvector(held(x, (wide_float){0}, most) + 0.5f, wide_int);
}

/* Does effect_composite_channel in each lane. */
INLINE wide_uint composite_texels(const effect_composite *composite, uint operation, wide_uint s, wide_uint d)
{
    wide_uint s_alphas = alphas_of(s), d_alphas = alphas_of(d);
    switch (operation) {
    case EFFECT_OVER:
        return texels_over(s, d);
    case EFFECT_IN:
        return scaled_by_one(s, d_alphas);
    case EFFECT_OUT:
        return scaled_by_one(s, EFFECT_ONE - d_alphas);
    case EFFECT_ATOP:
        return by_one(product_of(s, d_alphas) + product_of(d, EFFECT_ONE - s_alphas));
    case EFFECT_XOR:
        return by_one(product_of(s, EFFECT_ONE - d_alphas) + product_of(d, EFFECT_ONE - s_alphas));
    case EFFECT_LIGHTER:
        return least_of(s + d, (wide_uint)splat_word(EFFECT_ONE));
    default: {
        wide_float source = to_floats(s), destination = to_floats(d);
        wide_float sum = composite->k1 * source * destination + composite->k2 * source;
        sum = sum + composite->k3 * destination + composite->k4;
        return rounded(sum, (wide_float){0} + (float)EFFECT_ONE);
    }
    }
}

/* A composite under each operation has a loop of its own. */
#define COMPOSITE_BLOCK(name, operation) \
    static void name(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count) \
    { \
        const effect_composite composite = *(const effect_composite *)parameters; \
        for (uint x = 0; x < count; x += WIDE_TEXELS) { \
            wide_uint made = \
                composite_texels(&composite, operation, load_texels(in + 4 * x), load_texels(in2 + 4 * x)); \
            store_texels(out + 4 * x, least_of(made, alphas_of(made))); \
        } \
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

INLINE wide_float splat_float(float x)
{
    return (wide_float){0} + x;
}

/* Does reciprocal of shaders/lib/arithmetic.h for x > 0. */
INLINE wide_float reciprocals_of(wide_float x)
{
    wide_float y = (wide_float)(0x7ef311c7u - (wide_uint)x);
    y = y + y * (1.0f - x * y);
    y = y + y * (1.0f - x * y);
    y = y + y * (1.0f - x * y);
    return y;
}

/* Does effect_straight_floats. */
INLINE wide_float straight_floats(wide_uint texels)
{
    wide_uint alphas = alphas_of(texels);
    wide_float inverse = reciprocals_of(to_floats(alphas));
    inverse = choose_floats(alphas == 0, (wide_float){0}, inverse);
    inverse = choose_floats((wide_int){FOR_TEXELS(0, 0, 0, -1)}, splat_float(1.0f / 32640.0f), inverse);
    return to_floats(texels) * inverse;
}

/* Does effect_premultiplied for channels from 0 to 1. */
INLINE wide_uint premultiplied_texels(wide_float straight)
{
    wide_uint alphas = alphas_of(rounded(straight * 32640.0f, splat_float((float)EFFECT_ONE)));
    wide_float most = to_floats(alphas);
    return choose((wide_int){FOR_TEXELS(0, 0, 0, -1)}, alphas, rounded(straight * most, most));
}

#define COLUMN(matrix, column) \
    ((wide_float){FOR_TEXELS((matrix)->r.column, (matrix)->g.column, (matrix)->b.column, (matrix)->a.column)})
#define CHANNEL(v, i) __builtin_shufflevector(v, v, IN_TEXELS(i, i, i, i))

static void color_matrix_block(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out,
                               uint count)
{
    const effect_color_matrix *matrix = parameters;
    const wide_float r = COLUMN(matrix, r), g = COLUMN(matrix, g), b = COLUMN(matrix, b), a = COLUMN(matrix, a),
                     one = COLUMN(matrix, one);

    (void)in2;
    for (uint x = 0; x < count; x += WIDE_TEXELS) {
        wide_float straight = straight_floats(load_texels(in + 4 * x));
        wide_float sum = r * CHANNEL(straight, 0) + g * CHANNEL(straight, 1);
        sum = sum + b * CHANNEL(straight, 2);
        sum = sum + a * CHANNEL(straight, 3);
        sum = sum + one;
        store_texels(out + 4 * x, premultiplied_texels(held(sum, (wide_float){0}, splat_float(1.0f))));
    }
}

static void effects_color_matrix(parallel_pool *pool, const effect_color_matrix *matrix, const effect_image *in,
                                 const effect_image *out)
{
    run_blocks(pool, color_matrix_block, matrix, in, NULL, out);
}
