/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Samples one pixel in which lines of an element meet (shaders/lib/coverage.h). Part of kernels_body.h.
 *
 * A line that touches the pixel changes the winding number of the samples right of it. In rows of samples above and
 * below the line's part of the row of pixels, these are all samples or none. The side of the pixel on which the part
 * begins or ends decides. So a touch is a cell for each row of samples. An upward line is taken to add 1 left of it,
 * and -1 everywhere. Then all that is counted is positive, and what is the same for all samples follows from the
 * area: the touch's share tells what the line adds to it. */

/* A lane is a row of samples. */
typedef int16_t vector_rows __attribute__((vector_size(2 * SAMPLE_ROWS)));
/* A lane is a row of samples, and a bit of it a cell. */
typedef uint32_t vector_cells __attribute__((vector_size(4 * SAMPLE_ROWS)));

INLINE vector_rows splat_rows(int x)
{
    return (vector_rows){0} + (int16_t)x;
}

INLINE vector_rows rows_at(const int16_t *from)
{
    vector_rows v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE vector_rows rows_of(const cpu_touch *touch)
{
    return rows_at(touch->cells);
}

INLINE vector_rows least_rows(vector_rows a, vector_rows b)
{
#if defined(__AVX2__)
    return (vector_rows)_mm256_min_epi16((__m256i)a, (__m256i)b);
#else
    vector_rows is_less = a < b;
    return (a & is_less) | (b & ~is_less);
#endif
}

INLINE vector_rows most_rows(vector_rows a, vector_rows b)
{
#if defined(__AVX2__)
    return (vector_rows)_mm256_max_epi16((__m256i)a, (__m256i)b);
#else
    vector_rows is_more = a > b;
    return (a & is_more) | (b & ~is_more);
#endif
}

INLINE bool any_row(vector_rows v)
{
    return any_lane((vector_uint)v);
}

/* ---- A line's touch ---- */

/* How sample_cell shifts crossings, row by row, and again from the ninth row on. */
#define SAMPLE_SHIFTS 0, 4, 2, 6, 1, 5, 3, 7

/* x of a line in a row of samples, and what it has more in each row below. Numbers have 64 bits, 32 of them a
 * fraction. They go on from row to row by additions, which are exact. */
typedef struct sample_walk {
    uint64_t x, step;
} sample_walk;

/* Begins in the first row of samples of the pixels from `top` on, in subpixels from `left`. x is right where the line
 * crosses the row of samples. */
INLINE sample_walk sample_walk_of(const line_walk *walk, int left, int top)
{
    uint64_t leftward = (uint64_t)(int64_t)walk->leftward;
    uint64_t across = (uint64_t)(int64_t)(top + sample_y(0) - walk->y0) * walk->x_slope + HALF_FRACTION;
    /* Leftward, -floor(across) is what the high word of ~across lacks one to. */
    uint64_t x = ((uint64_t)(int64_t)(walk->x0 - left - walk->leftward) << 32) + (across ^ leftward);
    return (sample_walk){x, ((walk->x_slope << SAMPLE_ROW_SHIFT) ^ leftward) - leftward};
}

/* Returns x of a line in each row of samples. It is right where the line is at most 127 pixels away. */
INLINE vector_rows positions_in_rows(const line_walk *walk, int left, int top)
{
    sample_walk samples = sample_walk_of(walk, left, top);
    uint64_t x = samples.x, step = samples.step;
#if defined(__AVX2__)
    vector_long odd = {0, ~(uint64_t)0, 0, ~(uint64_t)0};
    vector_long high = {0, 0, ~(uint64_t)0, ~(uint64_t)0};
    vector_long step2 = (vector_long){0} + 2 * step;
    vector_long v0 = x + (odd & step) + (high & (step << 3)); /* rows 0, 1, 8 and 9 */
    vector_long v1 = v0 + step2;
    vector_long v2 = v1 + step2;
    vector_long v3 = v2 + step2;
    __m256 upper = _mm256_shuffle_ps((__m256)v0, (__m256)v1, _MM_SHUFFLE(3, 1, 3, 1));
    __m256 lower = _mm256_shuffle_ps((__m256)v2, (__m256)v3, _MM_SHUFFLE(3, 1, 3, 1));
    return (vector_rows)_mm256_packs_epi32((__m256i)upper, (__m256i)lower);
#else
    vector_rows found;
    for (int row = 0; row < SAMPLE_ROWS; row++, x += step)
        found[row] = (int16_t)int_clamp((int)(x >> 32), INT16_MIN, INT16_MAX);
    return found;
#endif
}

/* The part of a line in a row of pixels, in subpixels from the coverage's corner, but for `top` from the row's top. */
typedef struct row_part {
    int x_upper, x_lower, y_upper, y_lower;
} row_part;

/* Stores the first cells right of a line in the pixel whose left edge is `left`. x are the line's positions from
 * there, and `top` is the pixel's upper edge. */
INLINE void store_touch(cpu_touch *to, vector_rows x, const row_part *part, int left, int top)
{
    const vector_rows y = {8, 24, 40, 56, 72, 88, 104, 120, 136, 152, 168, 184, 200, 216, 232, 248};
    const vector_rows shifts = {SAMPLE_SHIFTS, SAMPLE_SHIFTS};
    vector_rows above = y < splat_rows(part->y_upper - top);
    vector_rows below = y >= splat_rows(part->y_lower - top);
    vector_rows outside = (above & splat_rows(part->x_upper < left ? 0 : SUBPIXELS)) |
                          (below & splat_rows(part->x_lower < left ? 0 : SUBPIXELS));
    vector_rows held = (x & ~(above | below)) | outside;
    held = least_rows(most_rows(held, splat_rows(0)), splat_rows(SUBPIXELS));
    vector_rows cells = (held + shifts) >> SAMPLE_COLUMN_SHIFT;
    memcpy(to->cells, &cells, sizeof cells);
}

/* Returns what a line that touches the pixel at (left, top) adds to its area, counted from the winding number of which
 * the touch speaks. */
static int touch_share(const line_walk *walk, const row_part *part, int left, int top)
{
    int sign = walk->turn ? -1 : 1;
    int constant = walk->turn ? FULL_AREA : 0;
    int bottom = top + SUBPIXELS;
    int crossed =
        (part->x_lower < left ? bottom - part->y_lower : 0) + (part->x_upper < left ? part->y_upper - top : 0);
    if (part->y_upper == part->y_lower)
        return sign * 2 * SUBPIXELS * crossed + constant;
    int before = walk_height_left_of(walk, left, part->x_upper, part->x_lower, part->y_upper, part->y_lower);
    int after = walk_height_left_of(walk, left + SUBPIXELS, part->x_upper, part->x_lower, part->y_upper, part->y_lower);
    int distances = int_clamp(part->x_upper - left, 0, SUBPIXELS) + int_clamp(part->x_lower - left, 0, SUBPIXELS);
    return sign * (2 * SUBPIXELS * (crossed + before) + (after - before) * (2 * SUBPIXELS - distances)) + constant;
}

/* ---- The winding numbers of a pixel ---- */

/* The touches of a pixel. */
typedef struct pixel_touches {
    const cpu_touch *down, *up;
    uint down_count, up_count;
} pixel_touches;

/* Counts of lines, from the least to the greatest that a sample has. */
typedef struct count_range {
    int least, most;
} count_range;

/* Returns whether the counts of two lines differ by more than 1. Lines of opposite directions then change places. */
INLINE bool two_are_complex(pixel_touches touches)
{
    if (touches.down_count == 1) {
        vector_rows down = rows_of(touches.down);
        vector_rows up = rows_of(touches.up);
        return any_row(down < up) && any_row(up < down);
    }
    const cpu_touch *pair = touches.down_count == 0 ? touches.up : touches.down;
    vector_rows first = rows_of(pair);
    vector_rows second = rows_of(pair + 1);
    return any_row(least_rows(first, second) > 0) && any_row(most_rows(first, second) < SAMPLE_COLUMNS);
}

INLINE int least_of_rows(vector_rows v)
{
#if defined(__AVX2__)
    __m128i half = _mm_min_epi16(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));
    half = _mm_min_epi16(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(1, 0, 3, 2)));
    half = _mm_min_epi16(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(2, 3, 0, 1)));
    int pair = _mm_cvtsi128_si32(half);
    return int_min((int16_t)pair, pair >> 16);
#else
    int least = v[0];
    for (int row = 1; row < SAMPLE_ROWS; row++)
        least = int_min(least, v[row]);
    return least;
#endif
}

/* Returns the counts of the samples in the cells of a touch. Where it is right of the pixel, cell 0 stands for it. */
INLINE vector_rows counts_at(pixel_touches touches, vector_rows cells)
{
    cells &= SAMPLE_COLUMNS - 1;
    vector_rows counts = splat_rows((int)touches.down_count);
    for (uint i = 0; i < touches.down_count; i++)
        counts += rows_of(touches.down + i) > cells;
    for (uint i = 0; i < touches.up_count; i++)
        counts -= rows_of(touches.up + i) > cells;
    return counts;
}

/* Counts change in the cells of the touches alone. */
INLINE count_range range_of_few(pixel_touches touches)
{
    vector_rows least = counts_at(touches, splat_rows(0));
    vector_rows most = least;
    for (uint i = 0; i < touches.down_count; i++) {
        vector_rows counts = counts_at(touches, rows_of(touches.down + i));
        least = least_rows(least, counts);
        most = most_rows(most, counts);
    }
    for (uint i = 0; i < touches.up_count; i++) {
        vector_rows counts = counts_at(touches, rows_of(touches.up + i));
        least = least_rows(least, counts);
        most = most_rows(most, counts);
    }
    return (count_range){least_of_rows(least), -least_of_rows(-most)};
}

/* ---- Counts of samples ----
 *
 * The count of a cell is a number in base 2, whose digits lie in one vector each. */

#define FEW_TOUCHES 7u
#define FEW_DIGITS 3u
#define SOME_TOUCHES 31u
#define SOME_DIGITS 5u
#define MOST_DIGITS 11u /* touches are SAMPLED_MEETINGS / MEETING_TOUCH at most */

/* Returns the cells right of a line. */
INLINE vector_cells cells_right_of(const cpu_touch *touch)
{
#if defined(__AVX512F__)
    __m512i cells = _mm512_cvtepi16_epi32((__m256i)rows_of(touch));
    return (vector_cells)_mm512_sllv_epi32(_mm512_set1_epi32(-1), cells);
#elif defined(__AVX2__)
    __m256i cells = (__m256i)rows_of(touch);
    __m256i halves[2] = {_mm256_cvtepi16_epi32(_mm256_castsi256_si128(cells)),
                         _mm256_cvtepi16_epi32(_mm256_extracti128_si256(cells, 1))};
    halves[0] = _mm256_sllv_epi32(_mm256_set1_epi32(-1), halves[0]);
    halves[1] = _mm256_sllv_epi32(_mm256_set1_epi32(-1), halves[1]);
    vector_cells found;
    memcpy(&found, halves, sizeof found);
    return found;
#else
    vector_cells found;
    for (int row = 0; row < SAMPLE_ROWS; row++)
        found[row] = (uint)((uint64_t)0xffffffffu << (uint)touch->cells[row]);
    return found;
#endif
}

INLINE bool any_cell(vector_cells v)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#else
    vector_uint halves[2];
    memcpy(halves, &v, sizeof v);
    return any_lane(halves[0] | halves[1]);
#endif
}

INLINE uint count_bits(vector_cells v)
{
    uint64_t words[sizeof v / sizeof(uint64_t)];
    memcpy(words, &v, sizeof words);
    int count = 0;
    for (uint i = 0; i < sizeof v / sizeof(uint64_t); i++)
        count += __builtin_popcountll(words[i]);
    return (uint)count;
}

/* Adds 1 to the cells of a mask. */
INLINE void count_cells(vector_cells *digits, uint digit_count, vector_cells cells)
{
#pragma GCC unroll 11
    for (uint i = 0; i < digit_count; i++) {
        vector_cells carry = digits[i] & cells;
        digits[i] ^= cells;
        cells = carry;
    }
}

/* Returns the greatest count, or how far the least lies below the greatest number if `minus` has all bits set. */
INLINE int greatest_count(const vector_cells *digits, uint digit_count, uint minus)
{
    vector_cells cells = ~(vector_cells){0};
    int found = 0;
#pragma GCC unroll 11
    for (uint i = digit_count; i-- > 0;) {
        vector_cells narrower = cells & (digits[i] ^ minus);
        if (any_cell(narrower)) {
            cells = narrower;
            found |= 1 << i;
        }
    }
    return found;
}

/* Returns the number of samples that have a count. */
INLINE uint count_samples(const vector_cells *digits, uint digit_count, int count)
{
    vector_cells same = ~(vector_cells){0};
#pragma GCC unroll 11
    for (uint i = 0; i < digit_count; i++)
        same &= ~(digits[i] ^ (0u - ((uint)count >> i & 1u)));
    return count_bits(same);
}

/* Gives a pixel the area that stands for its coverage. Sums of 32 bits may be modulo 2^32. */
static void change_area(const cpu_coverage *coverage, const cpu_met_pixel *pixel, int covered)
{
    size_t at = (size_t)pixel->row * coverage->stride + (size_t)pixel->column;
    if (coverage->wide) {
        coverage->wide[at] += covered - pixel->area;
        coverage->wide[at + 1] -= covered - pixel->area;
    } else {
        const uint change = (uint)covered - (uint)pixel->area;
        coverage->rows[at] = (int)((uint)coverage->rows[at] + change);
        coverage->rows[at + 1] = (int)((uint)coverage->rows[at + 1] - change);
        touch(coverage->touched + (size_t)pixel->row * coverage->words, (uint)pixel->column + 1u);
    }
}

/* Counts samples, and changes the pixel's area if they are complex. `known` is NULL, or the range of the counts. */
INLINE void count_pixel(const cpu_coverage *coverage, const cpu_met_pixel *pixel, pixel_touches touches,
                        uint digit_count, const count_range *known)
{
    vector_cells digits[MOST_DIGITS];
    for (uint i = 0; i < digit_count; i++)
        digits[i] = (vector_cells){0};
    for (uint i = 0; i < touches.down_count; i++)
        count_cells(digits, digit_count, cells_right_of(touches.down + i));
    for (uint i = 0; i < touches.up_count; i++)
        count_cells(digits, digit_count, ~cells_right_of(touches.up + i));
    count_range range = known ? *known
                              : (count_range){(1 << digit_count) - 1 - greatest_count(digits, digit_count, ~0u),
                                              greatest_count(digits, digit_count, 0)};
    if (range.most - range.least <= 1)
        return;
    int winding = (int)((pixel->area - pixel->share) / FULL_AREA);
    pixel_samples samples = no_samples();
    for (int count = range.least; count <= range.most; count++) {
        uint found = count_samples(digits, digit_count, count);
        if (found != 0)
            samples = samples_join(samples, samples_of(winding + count, found, coverage->even_odd));
    }
    change_area(coverage, pixel,
                coverage_area_of_samples(samples, (int)(pixel->area >> 16), (uint)(pixel->area & 0xffff)));
}

static __attribute__((noinline)) void count_few(const cpu_coverage *coverage, const cpu_met_pixel *pixel,
                                                pixel_touches touches, count_range range)
{
    count_pixel(coverage, pixel, touches, FEW_DIGITS, &range);
}

static __attribute__((noinline)) void count_some(const cpu_coverage *coverage, const cpu_met_pixel *pixel,
                                                 pixel_touches touches)
{
    count_pixel(coverage, pixel, touches, SOME_DIGITS, NULL);
}

static __attribute__((noinline)) void count_many(const cpu_coverage *coverage, const cpu_met_pixel *pixel,
                                                 pixel_touches touches)
{
    count_pixel(coverage, pixel, touches, MOST_DIGITS, NULL);
}

/* Samples a pixel whose touches are recorded. */
INLINE void sample_pixel(const cpu_coverage *coverage, const cpu_met_pixel *pixel)
{
    pixel_touches touches = {coverage->touches + pixel->first, coverage->touches + pixel->up_begin,
                             pixel->down_end - pixel->first, pixel->up_end - pixel->up_begin};
    uint count = touches.down_count + touches.up_count;
    if (count == 2) {
        if (two_are_complex(touches))
            count_few(coverage, pixel, touches, (count_range){0, 2});
    } else if (count <= FEW_TOUCHES) {
        count_range range = range_of_few(touches);
        if (range.most - range.least > 1)
            count_few(coverage, pixel, touches, range);
    } else if (count <= SOME_TOUCHES) {
        count_some(coverage, pixel, touches);
    } else {
        count_many(coverage, pixel, touches);
    }
}
