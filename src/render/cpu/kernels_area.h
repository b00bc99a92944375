/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sums the areas of a coverage along its rows into levels, and paints them. Part of kernels_body.h. */

INLINE vector_int sums_before(vector_int v)
{
#if defined(__AVX2__)
    __m256i sums = (__m256i)v;
    sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 4));
    sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 8));
    __m256i lower = _mm256_shuffle_epi32(_mm256_permute2x128_si256(sums, sums, 0x08), 0xff);
    return (vector_int)_mm256_add_epi32(sums, lower);
#else
    vector_int zero = {0};
    v += __builtin_shufflevector(zero, v, 0, 8, 9, 10, 11, 12, 13, 14);
    v += __builtin_shufflevector(zero, v, 0, 0, 8, 9, 10, 11, 12, 13);
    v += __builtin_shufflevector(zero, v, 0, 0, 0, 0, 8, 9, 10, 11);
    return v;
#endif
}

/* Does coverage_level in each lane. */
INLINE vector_uint levels_of(vector_int area, bool even_odd)
{
    vector_int turned;
    if (even_odd) {
        vector_int from = (area & (2 * FULL_AREA - 1)) - FULL_AREA;
        vector_int sign = from >> 31;
        turned = FULL_AREA - ((from ^ sign) - sign);
    } else {
        vector_int sign = area >> 31;
        turned = least_ints((area ^ sign) - sign, splat_int(FULL_AREA));
    }
    return (vector_uint)(255 * turned + FULL_AREA / 2) >> 17;
}

/* A row that is painted. */
typedef struct paint_row {
    uint color;
    uint32_t *pixels;
} paint_row;

INLINE void paint_group(paint_row row, int x, vector_uint levels)
{
    vector_uint source = scale_pixels(splat(row.color), levels);
    store_pixels(row.pixels + x, pixels_over(source, load_pixels(row.pixels + x)));
}

INLINE void paint_range(paint_row row, int x, int end, uint level)
{
    uint color = color_scale(row.color, level);
    vector_uint source = splat(color);
    if (color >> 24 == 255u)
        for (; x + LANES <= end; x += LANES)
            store_pixels(row.pixels + x, source);
    else
        for (; x + LANES <= end; x += LANES)
            store_pixels(row.pixels + x, pixels_over(source, load_pixels(row.pixels + x)));
    if (x < end) {
        vector_uint old = load_pixels(row.pixels + x);
        store_pixels(row.pixels + x, select_pixels(first_lanes(end - x), pixels_over(source, old), old));
    }
}

/* These callbacks receive the sum of a row: groups of levels, and equal levels from one pixel to another. */
typedef void take_group(void *taker, int x, vector_uint levels);
typedef void take_same(void *taker, int x, int end, uint level);

/* Sums a row and leaves it zero. */
INLINE void sum_row(const cpu_coverage *coverage, int y, take_group *group, take_same *same, void *taker)
{
    int32_t *areas = coverage->rows + (size_t)y * coverage->stride;
    uint64_t *touched = coverage->touched + (size_t)y * coverage->words;
    vector_int carry = {0};
    int at = 0;
    uint level = 0; /* level of what follows the last group */
    for (uint word = 0; word < coverage->words; word++) {
        uint64_t bits = touched[word];
        touched[word] = 0;
        while (bits != 0) {
            int x = (int)((word * 64u + (uint)__builtin_ctzll(bits)) << COVERAGE_GROUP_SHIFT);
            bits &= bits - 1;
            vector_int area;
            memcpy(&area, areas + x, sizeof area);
            memset(areas + x, 0, sizeof area);
            if (x >= coverage->width)
                continue;
            if (x > at)
                same(taker, at, x, level);
            area = sums_before(area) + carry;
            carry = __builtin_shufflevector(area, area, 7, 7, 7, 7, 7, 7, 7, 7);
            vector_uint found = levels_of(area, coverage->even_odd);
            level = found[LANES - 1];
            at = x + LANES;
            if (at > coverage->width)
                found &= (vector_uint)first_lanes(coverage->width - x);
            group(taker, x, found);
        }
    }
    if (at < coverage->width)
        same(taker, at, coverage->width, level);
}

INLINE void row_group(void *taker, int x, vector_uint levels)
{
    paint_group(*(const paint_row *)taker, x, levels);
}

INLINE void row_same(void *taker, int x, int end, uint level)
{
    if (level != 0)
        paint_range(*(const paint_row *)taker, x, end, level);
}

/* A row of which a range is painted. */
typedef struct paint_part {
    paint_row row;
    cpu_range range;
} paint_part;

INLINE void part_group(void *taker, int x, vector_uint levels)
{
    const paint_part *part = taker;
    vector_int at = lane_numbers() + x;
    paint_group(part->row, x, levels & (vector_uint)((at >= part->range.from) & (at < part->range.end)));
}

INLINE void part_same(void *taker, int x, int end, uint level)
{
    const paint_part *part = taker;
    x = int_max(x, part->range.from);
    end = int_min(end, part->range.end);
    if (level != 0 && x < end)
        paint_range(part->row, x, end, level);
}

static void paint(const cpu_coverage *coverage, const cpu_range *ranges, uint color, uint32_t *pixels, size_t pitch)
{
    cpu_coverage local = *coverage;
    paint_part part = {.row = {.color = color, .pixels = pixels}};
    for (int y = 0; y < local.height; y++, part.row.pixels += pitch) {
        if (!ranges) {
            sum_row(&local, y, row_group, row_same, &part.row);
        } else {
            part.range = ranges[y];
            sum_row(&local, y, part_group, part_same, &part);
        }
    }
}

INLINE void level_group(void *taker, int x, vector_uint levels)
{
    store_levels((uint8_t *)taker + x, levels);
}
INLINE void level_same(void *taker, int x, int end, uint level)
{
    memset((uint8_t *)taker + x, (int)level, (size_t)(end - x));
}

static void find_levels(const cpu_coverage *coverage, uint8_t *levels, size_t pitch)
{
    cpu_coverage local = *coverage;
    for (int y = 0; y < local.height; y++)
        sum_row(&local, y, level_group, level_same, levels + (size_t)y * pitch);
}
