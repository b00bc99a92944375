/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Primitives that move texels: offset, shadow, tile and displacement. Part of effects_body.h. */

typedef struct place_job {
    effect_offset offset;
    effect_texel color;
    effect_box tile;
    const effect_displacement *displacement;
    const effect_image *in, *in2, *out;
} place_job;

/* The texels that lie at and around a block after an offset: from the texel on the left on, in two rows. */
typedef struct moved_rows {
    const uint16_t *here, *above;
    uint16_t copies[2][4 * (BLOCK + BLOCK_STEP)];
} moved_rows;

INLINE void find_moved(effect_offset offset, const effect_image *in, int x, int y, uint count, moved_rows *rows)
{
    int from_x = x - offset.x - 1, from_y = y - offset.y;
    rows->here = row_texels(in, from_x, from_y, count + 1, rows->copies[0]);
    rows->above = row_texels(in, from_x, from_y - 1, count + 1, rows->copies[1]);
}

/* Does effect_between. */
INLINE wide_uint between(effect_offset offset, wide_uint here, wide_uint left, wide_uint above, wide_uint above_left)
{
    wide_uint upper = above * (256 - offset.fraction_x) + above_left * offset.fraction_x;
    wide_uint lower = here * (256 - offset.fraction_x) + left * offset.fraction_x;
    return (lower * (256 - offset.fraction_y) + upper * offset.fraction_y + 32768) >> 16;
}

/* Does effect_texel_between for the texels from x of the block on. */
INLINE planes planes_between(effect_offset offset, const moved_rows *rows, uint x)
{
    planes here = load_planes(rows->here + 4 * x + 4), left = load_planes(rows->here + 4 * x);
    planes above = load_planes(rows->above + 4 * x + 4), above_left = load_planes(rows->above + 4 * x);
    return (planes){
        between(offset, here.r, left.r, above.r, above_left.r), between(offset, here.g, left.g, above.g, above_left.g),
        between(offset, here.b, left.b, above.b, above_left.b), between(offset, here.a, left.a, above.a, above_left.a)};
}

static void copy_moved_rows(void *user, size_t begin, size_t end)
{
    const place_job *job = user;
    effect_box box = job->out->box;

    for (int y = box.top + (int)begin; y < box.top + (int)end; y++)
        copy_row(job->in, box.left - job->offset.x, y - job->offset.y, (uint)box_width(box),
                 texel_at(job->out, box.left, y));
}

static void offset_block(const place_job *job, int x, int y, uint count)
{
    uint whole = (count + BLOCK_STEP - 1) & ~(BLOCK_STEP - 1);
    uint16_t *to = texel_at(job->out, x, y);
    moved_rows rows;
    texel_block made;

    find_moved(job->offset, job->in, x, y, whole, &rows);
    for (uint i = 0; i < whole; i += WIDE)
        store_planes((whole == count ? to : made.texels) + 4 * i, planes_between(job->offset, &rows, i));
    if (whole != count)
        memcpy(to, made.texels, 4 * count * sizeof *to);
}

static void offset_rows(void *user, size_t begin, size_t end)
{
    const place_job *job = user;
    effect_box box = job->out->box;

    for (int y = box.top + (int)begin; y < box.top + (int)end; y++)
        for (int x = box.left; x < box.right; x += (int)BLOCK)
            offset_block(job, x, y, uint_min(BLOCK, (uint)(box.right - x)));
}

static void effects_offset(parallel_pool *pool, effect_offset offset, const effect_image *in, const effect_image *out)
{
    place_job job = {.offset = offset, .in = in, .out = out};
    bool whole = offset.fraction_x == 0 && offset.fraction_y == 0;
    share_rows(pool, out->box, whole ? copy_moved_rows : offset_rows, &job);
}

static void shadow_block(const place_job *job, int x, int y, uint count)
{
    const planes color = {splat(job->color.r), splat(job->color.g), splat(job->color.b), splat(job->color.a)};
    uint whole = (count + BLOCK_STEP - 1) & ~(BLOCK_STEP - 1);
    uint16_t *to = texel_at(job->out, x, y);
    texel_block copies, made;
    moved_rows rows;

    const uint16_t *in = row_texels(job->in, x, y, whole, copies.texels);
    find_moved(job->offset, job->in2, x, y, whole, &rows);
    for (uint i = 0; i < whole; i += WIDE) {
        planes shadow = planes_by(color, planes_between(job->offset, &rows, i).a);
        store_planes((whole == count ? to : made.texels) + 4 * i, planes_over(load_planes(in + 4 * i), shadow));
    }
    if (whole != count)
        memcpy(to, made.texels, 4 * count * sizeof *to);
}

static void shadow_rows(void *user, size_t begin, size_t end)
{
    const place_job *job = user;
    effect_box box = job->out->box;

    for (int y = box.top + (int)begin; y < box.top + (int)end; y++)
        for (int x = box.left; x < box.right; x += (int)BLOCK)
            shadow_block(job, x, y, uint_min(BLOCK, (uint)(box.right - x)));
}

static void effects_shadow(parallel_pool *pool, const effect_shadow *shadow, const effect_image *in,
                           const effect_image *blurred, const effect_image *out)
{
    place_job job = {.offset = shadow->offset, .color = shadow->color, .in = in, .in2 = blurred, .out = out};
    share_rows(pool, out->box, shadow_rows, &job);
}

static void tile_rows(void *user, size_t begin, size_t end)
{
    const place_job *job = user;
    effect_box box = job->out->box, tile = job->tile;

    for (int y = box.top + (int)begin; y < box.top + (int)end; y++) {
        int from_y = effect_repeated(y, tile.top, tile.bottom - tile.top);
        for (int x = box.left, run; x < box.right; x += run) {
            int from_x = effect_repeated(x, tile.left, tile.right - tile.left);
            run = int_min(tile.right - from_x, box.right - x);
            copy_row(job->in, from_x, from_y, (uint)run, texel_at(job->out, x, y));
        }
    }
}

static void effects_tile(parallel_pool *pool, effect_box tile, const effect_image *in, const effect_image *out)
{
    place_job job = {.tile = tile, .in = in, .out = out};
    share_rows(pool, out->box, tile_rows, &job);
}

INLINE wide_float chosen_channel(float_planes straight, uint channel)
{
    return channel == 0 ? straight.r : channel == 1 ? straight.g : channel == 2 ? straight.b : straight.a;
}

/* Does effect_displacement_along. */
INLINE wide_uint displacements_along(float scale, uint channel, float_planes straight)
{
    wide_float distance = scale * (chosen_channel(straight, channel) - 0.5f) + 0.5f;
    wide_int truncated = __builtin_convertvector(distance, wide_int);
    return (wide_uint)(truncated + (__builtin_convertvector(truncated, wide_float) > distance));
}

/* Finds by how much the texels of a block are displaced: x and y of each, in the order of texels. */
static void find_displacements(const effect_displacement *by, const uint16_t *map, uint count, int32_t *found)
{
    for (uint i = 0; i < count; i += WIDE) {
        float_planes straight = straight_floats(load_planes(map + 4 * i));
        wide_uint x = displacements_along(by->scale_x, by->channel_x, straight);
        wide_uint y = displacements_along(by->scale_y, by->channel_y, straight);
        store_words((uint32_t *)found + 2 * i, __builtin_shufflevector(x, y, LOW_PAIRS));
        store_words((uint32_t *)found + 2 * i + WIDE, __builtin_shufflevector(x, y, HIGH_PAIRS));
    }
}

static void displace_block(const place_job *job, int x, int y, uint count)
{
    uint whole = (count + BLOCK_STEP - 1) & ~(BLOCK_STEP - 1);
    uint16_t *to = texel_at(job->out, x, y);
    effect_box box = job->in->box;
    int32_t by[2 * BLOCK];
    texel_block copies;

    find_displacements(job->displacement, row_texels(job->in2, x, y, whole, copies.texels), whole, by);
    for (uint i = 0; i < count; i++) {
        static const uint16_t nothing[4];
        int from_x = x + (int)i + by[2 * i], from_y = y + by[2 * i + 1];
        bool inside = from_x >= box.left && from_x < box.right && from_y >= box.top && from_y < box.bottom;
        memcpy(to + 4 * i, inside ? texel_at(job->in, from_x, from_y) : nothing, 4 * sizeof *to);
    }
}

static void displace_rows(void *user, size_t begin, size_t end)
{
    const place_job *job = user;
    effect_box box = job->out->box;

    for (int y = box.top + (int)begin; y < box.top + (int)end; y++)
        for (int x = box.left; x < box.right; x += (int)BLOCK)
            displace_block(job, x, y, uint_min(BLOCK, (uint)(box.right - x)));
}

static void effects_displace(parallel_pool *pool, const effect_displacement *displacement, const effect_image *in,
                             const effect_image *map, const effect_image *out)
{
    place_job job = {.displacement = displacement, .in = in, .in2 = map, .out = out};
    share_rows(pool, out->box, displace_rows, &job);
}
