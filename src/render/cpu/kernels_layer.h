/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Begins, cuts and ends layers, in groups of pixels of the destination's and the levels' rows. Part of
 * kernels_body.h. */

_Static_assert(LANES == COVERAGE_GROUP, "a bit for each vector of pixels");

/* A row of a layer. */
typedef struct layer_row {
    uint32_t *destination, *pixels;
    uint8_t *levels;
    uint64_t *cut;
} layer_row;

INLINE layer_row layer_row_at(const cpu_layer_pixels *layer, int y, uint32_t *pixels, size_t pitch)
{
    size_t at = (size_t)y * layer->pitch;
    return (layer_row){layer->destination + at, pixels + (size_t)y * pitch, layer->levels + at,
                       layer->cut + (size_t)y * layer->words};
}

/* Multiplies the levels of a group by others. Some of these are not 255. */
INLINE void cut_group(layer_row row, int x, vector_uint levels)
{
    uint64_t *word = &row.cut[(uint)x >> (COVERAGE_GROUP_SHIFT + 6u)];
    uint64_t bit = (uint64_t)1 << (((uint)x >> COVERAGE_GROUP_SHIFT) & 63u);
    vector_uint old = load_levels(row.levels + x) | splat((*word & bit) != 0 ? 0u : 255u);
    *word |= bit;
    store_levels(row.levels + x, product_255(old, levels));
}

/* Multiplies the levels of the groups from x to end by one level. */
INLINE void cut_same(layer_row row, int x, int end, uint level)
{
    for (; level != 255u && x < end; x += LANES)
        cut_group(row, x, splat(level));
}

/* A row of a layer while a row of a coverage cuts it. The coverage starts at `x` of the layer. */
typedef struct cut_walk {
    layer_row row;
    int x;
    cpu_range range; /* the layer's range; in whole groups */
    int first;       /* first pixel that is not cut away for good, or -1 */
    int end;         /* behind the last such one */
} cut_walk;

/* Records that the coverage is not empty from x to end. What lies between there and the place before gets level 0, but
 * it stays in the range. */
INLINE void cut_walk_to(cut_walk *walk, int x, int end)
{
    if (walk->first < 0)
        walk->first = x;
    else
        cut_same(walk->row, walk->end, x, 0);
    walk->end = end;
}

INLINE void cut_walk_group(void *taker, int x, vector_uint levels)
{
    cut_walk *walk = taker;
    x += walk->x;
    if (x >= walk->range.from && x < walk->range.end && any_lane(levels)) {
        cut_walk_to(walk, x, x + LANES);
        if (any_lane(levels ^ 255u))
            cut_group(walk->row, x, levels);
    }
}

INLINE void cut_walk_same(void *taker, int x, int end, uint level)
{
    cut_walk *walk = taker;
    x = int_max(x + walk->x, walk->range.from);
    end = int_min(end + walk->x, walk->range.end);
    if (level != 0 && x < end) {
        cut_walk_to(walk, x, end);
        cut_same(walk->row, x, end, level);
    }
}

static void cut_by_coverage(cpu_layer_pixels *layer, int x, int y, const cpu_coverage *coverage)
{
    cpu_coverage local = *coverage;
    for (int i = 0; i < local.height; i++) {
        cpu_range *range = &layer->ranges[y + i];
        cut_walk walk = {.row = layer_row_at(layer, y + i, NULL, 0), .x = x, .first = -1};
        walk.range.from = range->from & ~(LANES - 1);
        walk.range.end = (range->end + LANES - 1) & ~(LANES - 1);
        sum_row(&local, i, cut_walk_group, cut_walk_same, &walk);
        range->from = int_max(range->from, walk.first);
        range->end = walk.first < 0 ? range->from : int_min(range->end, walk.end);
    }
}

static void cut_by_levels(const cpu_layer_pixels *layer, int x, int y, const cpu_levels *levels)
{
    for (int i = 0; i < levels->height; i++) {
        layer_row row = layer_row_at(layer, y + i, NULL, 0);
        const uint8_t *from = levels->levels + (size_t)i * levels->pitch;
        for (int k = 0; k < levels->width; k += LANES) {
            vector_uint others = load_levels(from + k);
            cpu_range range = layer->ranges[y + i];
            if (x + k + LANES > range.from && x + k < range.end && any_lane(others ^ 255u))
                cut_group(row, x + k, others);
        }
    }
}

/* Returns the bits of a word for the groups that a range touches. */
INLINE uint64_t groups_of_range(cpu_range range, uint word)
{
    int first = int_max((range.from >> COVERAGE_GROUP_SHIFT) - 64 * (int)word, 0);
    int end = int_min(((range.end + LANES - 1) >> COVERAGE_GROUP_SHIFT) - 64 * (int)word, 64);
    return first < end ? (UINT64_MAX << first) & (UINT64_MAX >> (64 - end)) : 0;
}

static void keep_destination(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        layer_row row = layer_row_at(layer, y, pixels, pitch);
        for (uint word = 0; word < layer->words; word++) {
            row.cut[word] &= groups_of_range(layer->ranges[y], word);
            for (uint64_t bits = row.cut[word]; bits != 0; bits &= bits - 1) {
                int x = (int)((word * 64u + (uint)__builtin_ctzll(bits)) << COVERAGE_GROUP_SHIFT);
                vector_uint color = load_pixels(row.pixels + x);
                store_pixels(row.destination + x, color);
                store_pixels(row.pixels + x, color & (vector_uint)(load_levels(row.levels + x) == 255u));
            }
        }
    }
}

static void end_source(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        layer_row row = layer_row_at(layer, y, pixels, pitch);
        for (uint word = 0; word < layer->words; word++) {
            for (uint64_t bits = row.cut[word]; bits != 0; bits &= bits - 1) {
                int x = (int)((word * 64u + (uint)__builtin_ctzll(bits)) << COVERAGE_GROUP_SHIFT);
                store_levels(row.levels + x, load_pixels(row.pixels + x) >> 24);
                store_pixels(row.pixels + x, load_pixels(row.destination + x));
            }
        }
    }
}

static void end_layer(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        layer_row row = layer_row_at(layer, y, pixels, pitch);
        for (uint word = 0; word < layer->words; word++) {
            for (uint64_t bits = row.cut[word]; bits != 0; bits &= bits - 1) {
                int x = (int)((word * 64u + (uint)__builtin_ctzll(bits)) << COVERAGE_GROUP_SHIFT);
                vector_uint color = load_pixels(row.pixels + x);
                vector_uint level = load_levels(row.levels + x);
                vector_uint mixed = pixels_over(scale_pixels(color, level), load_pixels(row.destination + x));
                store_pixels(row.pixels + x, select_pixels(level == 255u, color, mixed));
            }
        }
    }
}

/* ---- Layers of which all levels and the whole destination are stored ---- */

/* Returns the mask of the lanes from x on that lie in a range. */
INLINE vector_int lanes_of_range(cpu_range range, int x)
{
    return first_lanes(range.end - x) & ~first_lanes(range.from - x);
}

static void end_complex_source(const cpu_layer_pixels *layer, uint mode, bool isolated, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        layer_row row = layer_row_at(layer, y, pixels, pitch);
        const cpu_range range = layer->ranges[y];
        for (int x = range.from & ~(LANES - 1); x < range.end; x += LANES) {
            const vector_int inside = lanes_of_range(range, x);
            vector_uint color = load_pixels(row.pixels + x);
            vector_uint level = color >> 24;
            if (mode == MASK_LUMINANCE)
                level = LUMINANCE(color & 0xffu, (color >> 8) & 0xffu, (color >> 16) & 0xffu);
            vector_uint start = load_pixels(row.destination + x) & (vector_uint)(level == (isolated ? 256u : 255u));
            store_levels(row.levels + x, select_pixels(inside, level, load_levels(row.levels + x)));
            store_pixels(row.pixels + x, select_pixels(inside, start, color));
        }
    }
}

static void end_complex_layer(const cpu_layer_pixels *layer, bool isolated, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        layer_row row = layer_row_at(layer, y, pixels, pitch);
        const cpu_range range = layer->ranges[y];
        for (int x = range.from & ~(LANES - 1); x < range.end; x += LANES) {
            const vector_int inside = lanes_of_range(range, x);
            vector_uint level = load_levels(row.levels + x);
            const vector_int mixes = inside & (level < (isolated ? 256u : 255u));
            if (!any_lane((vector_uint)mixes))
                continue;
            vector_uint color = load_pixels(row.pixels + x);
            vector_uint mixed = pixels_over(scale_pixels(color, level), load_pixels(row.destination + x));
            store_pixels(row.pixels + x, select_pixels(mixes, mixed, color));
        }
    }
}
