/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rows of effect images, and work on them in blocks of texels. Part of effects_body.h. */

#define BLOCK 256u          /* texels of a row that are worked on at a time */
#define BLOCK_STEP 16u      /* texels of which a block's count is a multiple */
#define SHARED_TEXELS 8192u /* fewer are not worth several threads */

typedef struct texel_block {
    uint16_t texels[4 * BLOCK];
} texel_block;

INLINE uint16_t *texel_at(const effect_image *image, int x, int y)
{
    return image->texels + 4 * ((size_t)(y - image->box.top) * image->stride + (size_t)(x - image->box.left));
}

INLINE size_t box_width(effect_box box)
{
    return (size_t)(box.right - box.left);
}

INLINE size_t texel_count(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : box_width(box) * (size_t)(box.bottom - box.top);
}

INLINE bool row_is_outside(const effect_image *image, int y)
{
    return y < image->box.top || y >= image->box.bottom || image->box.right <= image->box.left;
}

/* Two vectors of texels at a time. */
INLINE void load_two(const uint32_t *from, narrow_byte mask, uint16_t *to)
{
    narrow_byte bytes;
    memcpy(&bytes, from, sizeof bytes);
    bytes &= mask;
    store_shorts(to, (wide_short)(__builtin_convertvector(bytes, wide_ushort) << EFFECT_8_BIT_SHIFT));
}

INLINE void store_two(const uint16_t *from, uint32_t *to)
{
    wide_ushort texels = (wide_ushort)load_shorts(from);
    narrow_byte bytes =
        __builtin_convertvector((texels + (1 << (EFFECT_8_BIT_SHIFT - 1))) >> EFFECT_8_BIT_SHIFT, narrow_byte);
    memcpy(to, &bytes, sizeof bytes);
}

/* Returns the mask of the bytes of pixels that count. */
INLINE narrow_byte byte_mask(uint32_t pixel_mask)
{
    uint32_t pixels[2 * WIDE_TEXELS];
    narrow_byte mask;
    for (int i = 0; i < 2 * WIDE_TEXELS; i++)
        pixels[i] = pixel_mask;
    memcpy(&mask, pixels, sizeof mask);
    return mask;
}

static void load_pixels(const uint32_t *from, bool has_alpha_alone, uint16_t *to, size_t count)
{
    uint32_t pixel_mask = has_alpha_alone ? 0xff000000u : 0xffffffffu;
    narrow_byte mask = byte_mask(pixel_mask);
    size_t x = 0;
    for (; x + 2 * WIDE_TEXELS <= count; x += 2 * WIDE_TEXELS)
        load_two(from + x, mask, to + 4 * x);
    for (; x < count; x++)
        for (size_t i = 0; i < 4; i++)
            to[4 * x + i] = (uint16_t)(((from[x] & pixel_mask) >> (8 * i) & 0xff) << EFFECT_8_BIT_SHIFT);
}

static void store_pixels(const uint16_t *from, uint32_t *to, size_t count)
{
    size_t x = 0;
    for (; x + 2 * WIDE_TEXELS <= count; x += 2 * WIDE_TEXELS)
        store_two(from + 4 * x, to + x);
    for (; x < count; x++)
        to[x] = effect_color_of_texel(effect_texel_of(from[4 * x], from[4 * x + 1], from[4 * x + 2], from[4 * x + 3]));
}

INLINE uint32_t *pixel_at(const effect_image *image, int x, int y)
{
    return image->pixels + (size_t)(y - image->box.top) * image->stride + (size_t)(x - image->box.left);
}

/* Reads and writes texels that the image holds. */
INLINE void read_row(const effect_image *image, int x, int y, size_t count, uint16_t *to)
{
    if (image->pixels)
        load_pixels(pixel_at(image, x, y), image->has_alpha_alone, to, count);
    else
        memcpy(to, texel_at(image, x, y), 4 * count * sizeof *to);
}

INLINE void write_row(const effect_image *image, int x, int y, size_t count, const uint16_t *from)
{
    if (image->pixels)
        store_pixels(from, pixel_at(image, x, y), count);
    else
        memcpy(texel_at(image, x, y), from, 4 * count * sizeof *from);
}

/* Copies `count` texels of a row from x on. Outside the image they are transparent. */
static void copy_row(const effect_image *image, int x, int y, uint count, uint16_t *to)
{
    int from = int_max(x, image->box.left), end = int_min(x + (int)count, image->box.right);

    if (row_is_outside(image, y) || from >= end) {
        memset(to, 0, 4 * count * sizeof *to);
        return;
    }
    memset(to, 0, 4 * (size_t)(from - x) * sizeof *to);
    read_row(image, from, y, (size_t)(end - from), to + 4 * (from - x));
    memset(to + 4 * (end - x), 0, 4 * (size_t)(x + (int)count - end) * sizeof *to);
}

/* Returns `count` texels of a row from x on: those of the image if it holds them all, else copies. */
INLINE const uint16_t *row_texels(const effect_image *image, int x, int y, uint count, uint16_t *copies)
{
    if (!image->pixels && !row_is_outside(image, y) && x >= image->box.left && x + (int)count <= image->box.right)
        return texel_at(image, x, y);
    copy_row(image, x, y, count, copies);
    return copies;
}

/* Calls the function for ranges of the rows of a box. */
static void share_rows(parallel_pool *pool, effect_box box, parallel_range_function *function, void *user)
{
    size_t count = texel_count(box);
    if (count > 0)
        parallel_pool_share(count < SHARED_TEXELS ? NULL : pool, (size_t)(box.bottom - box.top), function, user);
}

/* Makes `count` texels, a multiple of BLOCK_STEP, from those of one or two inputs at the same places. */
typedef void block_function(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count);

typedef struct block_job {
    block_function *function;
    const void *parameters;
    const effect_image *in, *in2, *out; /* in2: NULL if there is none */
} block_job;

static void run_block(const block_job *job, int x, int y, uint count)
{
    texel_block in, in2, out;
    uint whole = (count + BLOCK_STEP - 1) & ~(BLOCK_STEP - 1);

    bool direct = whole == count && !job->out->pixels;

    job->function(job->parameters, row_texels(job->in, x, y, whole, in.texels),
                  job->in2 ? row_texels(job->in2, x, y, whole, in2.texels) : NULL,
                  direct ? texel_at(job->out, x, y) : out.texels, whole);
    if (!direct)
        write_row(job->out, x, y, count, out.texels);
}

static void run_block_rows(void *user, size_t begin, size_t end)
{
    const block_job *job = user;
    effect_box box = job->out->box;

    for (int y = box.top + (int)begin; y < box.top + (int)end; y++)
        for (int x = box.left; x < box.right; x += (int)BLOCK)
            run_block(job, x, y, uint_min(BLOCK, (uint)(box.right - x)));
}

static void run_blocks(parallel_pool *pool, block_function *function, const void *parameters, const effect_image *in,
                       const effect_image *in2, const effect_image *out)
{
    block_job job = {function, parameters, in, in2, out};
    share_rows(pool, out->box, run_block_rows, &job);
}
