/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 matrix: feConvolveMatrix. Each row of the input becomes floats once for each row of the kernel, and then goes to
 * a block of sums, tap after tap. Part of effects_body.h. */

#define TAPS_AT_ONCE 64u /* taps of a row of the kernel */
#define SUMS_AT_ONCE 4u  /* vectors of sums that share a weight once it is loaded */

typedef struct matrix_job {
    const effect_convolution *convolution;
    const float *kernel;
    effect_box region;
    const effect_image *in, *out;
} matrix_job;

/* Copies texels of a row of a region that repeats. */
static void copy_wrapped_row(const effect_image *in, effect_box region, int x, int y, uint count, uint16_t *to)
{
    y = effect_repeated(y, region.top, region.bottom - region.top);
    for (uint i = 0, run; i < count; i += run) {
        int from = effect_repeated(x + (int)i, region.left, region.right - region.left);
        run = uint_min((uint)(region.right - from), count - i);
        copy_row(in, from, y, run, to + 4 * i);
    }
}

/* Returns `count` texels of a row. They lie in `copies` if the input does not hold them all. */
static const uint16_t *tapped_row(const matrix_job *job, int x, int y, uint count, uint16_t *copies)
{
    effect_box region = job->region;
    bool inside = x >= region.left && x + (int)count <= region.right && y >= region.top && y < region.bottom;

    if (inside || job->convolution->edge == EFFECT_EDGE_NONE)
        return row_texels(job->in, x, y, count, copies);
    if (job->convolution->edge == EFFECT_EDGE_DUPLICATE)
        copy_edge_row(job->in, region, x, y, count, copies);
    else
        copy_wrapped_row(job->in, region, x, y, count, copies);
    return copies;
}

INLINE wide_float load_floats(const float *from)
{
    wide_float v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store_floats(float *to, wide_float v)
{
    memcpy(to, &v, sizeof v);
}

/* Adds `taps` taps to `vectors` vectors of sums. */
INLINE void add_taps_to(const float *weights, uint taps, const float *texels, float *sums, uint vectors)
{
    wide_float sum[SUMS_AT_ONCE];

    for (uint i = 0; i < vectors; i++)
        sum[i] = load_floats(sums + WIDE * i);
    for (uint tap = 0; tap < taps; tap++)
        for (uint i = 0; i < vectors; i++)
            sum[i] = sum[i] + weights[tap] * load_floats(texels + 4 * tap + WIDE * i);
    for (uint i = 0; i < vectors; i++)
        store_floats(sums + WIDE * i, sum[i]);
}

static void add_taps(const float *weights, uint taps, const float *texels, float *sums, uint count)
{
    uint x = 0;
    for (; x + SUMS_AT_ONCE * WIDE_TEXELS <= count; x += SUMS_AT_ONCE * WIDE_TEXELS)
        add_taps_to(weights, taps, texels + 4 * x, sums + 4 * x, SUMS_AT_ONCE);
    for (; x < count; x += WIDE_TEXELS)
        add_taps_to(weights, taps, texels + 4 * x, sums + 4 * x, 1);
}

/* Lanes that hold the alpha of their texel; the mask of alphas. */
#if WIDE == 16
#define ALPHA_LANES 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15
#define ALPHA_MASK 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1
#elif WIDE == 8
#define ALPHA_LANES 3, 3, 3, 3, 7, 7, 7, 7
#define ALPHA_MASK 0, 0, 0, -1, 0, 0, 0, -1
#else
#define ALPHA_LANES 3, 3, 3, 3
#define ALPHA_MASK 0, 0, 0, -1
#endif

INLINE wide_float alphas_of(wide_float texels)
{
    return __builtin_shufflevector(texels, texels, ALPHA_LANES);
}

/* Does effect_tap, but that a straight texel's alpha is anything. */
INLINE wide_float tapped(const effect_convolution *convolution, const uint16_t *texels)
{
    wide_float channels = to_floats(load_texels(texels));
    if (!convolution->preserves_alpha)
        return channels;
    wide_float alphas = alphas_of(channels);
    return channels * choose_floats(alphas == 0, splat_float(0), reciprocals_of(alphas));
}

/* Adds some taps of one row of the kernel to the sums of a block. */
static void add_row_taps(const matrix_job *job, int x, int y, const float *weights, uint taps, float *sums, uint count)
{
    float texels[4 * (BLOCK + TAPS_AT_ONCE)];
    uint16_t copies[4 * (BLOCK + TAPS_AT_ONCE)];
    uint reach = (count + taps - 1 + BLOCK_STEP - 1) & ~(BLOCK_STEP - 1);
    const uint16_t *row = tapped_row(job, x, y, reach, copies);

    for (uint i = 0; i < reach; i += WIDE_TEXELS)
        store_floats(texels + 4 * i, tapped(job->convolution, row + 4 * i));
    add_taps(weights, taps, texels, sums, count);
}

/* Does effect_convolved. */
INLINE wide_uint convolved_texels(const effect_convolution *convolution, wide_float sums, wide_uint texels)
{
    wide_float alphas = alphas_of(to_floats(texels));
    if (convolution->preserves_alpha) {
        wide_float value = held(sums * convolution->scale + convolution->bias, splat_float(0), splat_float(1));
        return choose((wide_int){ALPHA_MASK}, texels, rounded(value * alphas, alphas));
    }
    wide_float value = sums * convolution->scale + convolution->bias * alphas;
    wide_uint whole = rounded(value, splat_float((float)EFFECT_ONE));
    return rounded(value, alphas_of(to_floats(whole)));
}

static void convolve_block(const matrix_job *job, int x, int y, uint count)
{
    const effect_convolution *convolution = job->convolution;
    uint whole = (count + BLOCK_STEP - 1) & ~(BLOCK_STEP - 1), columns = (uint)convolution->columns;
    float sums[4 * BLOCK] = {0};
    texel_block copies, made;

    for (int row = 0; row < convolution->rows; row++)
        for (uint first = 0; first < columns; first += TAPS_AT_ONCE)
            add_row_taps(job, x - convolution->left + (int)first, y - convolution->top + row,
                         job->kernel + (size_t)row * columns + first, uint_min(columns - first, TAPS_AT_ONCE), sums,
                         whole);
    const uint16_t *in = tapped_row(job, x, y, whole, copies.texels);
    for (uint i = 0; i < whole; i += WIDE_TEXELS)
        store_texels(made.texels + 4 * i,
                     convolved_texels(convolution, load_floats(sums + 4 * i), load_texels(in + 4 * i)));
    memcpy(texel_at(job->out, x, y), made.texels, 4 * count * sizeof(uint16_t));
}

static void convolve_rows(void *user, size_t begin, size_t end)
{
    const matrix_job *job = user;
    effect_box box = job->out->box;

    for (int y = box.top + (int)begin; y < box.top + (int)end; y++)
        for (int x = box.left; x < box.right; x += (int)BLOCK)
            convolve_block(job, x, y, uint_min(BLOCK, (uint)(box.right - x)));
}

static bool effects_convolve(parallel_pool *pool, const effect_convolution *convolution, const float *kernel,
                             effect_box region, const effect_image *in, const effect_image *out)
{
    matrix_job job = {convolution, kernel, region, in, out};
    share_rows(pool, out->box, convolve_rows, &job);
    return true;
}
