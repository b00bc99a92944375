/* The kernels, once for each instruction set: the includer defines CPU_KERNELS, the name of the table, and CPU_KERNELS_NAME.
 *
 * Vectors are those of GCC and Clang: LANES numbers of 32 bits, each a pixel or an area. Colours are multiplied two channels at a
 * time, in lanes of 16 bits, as shaders/lib/paint.h does it in words. */
#include "cpu/kernels.h"
#include "cpu/kernels_vector.h"
#include "lib/coverage.h"
#include "lib/paint.h"

#include <string.h>

/* ---- Lines ---- */

/* A line on its way through the rows, in subpixels from the cover's corner. What its position adds to a row is what
 * shaders/lib/coverage.h says; crossings of rows and of columns are worked out from the whole line, by sums that are exact. */
typedef struct line_walk {
    int x0, y0, x1, y1;
    int turn;                  /* 0: it ran downward; -1: upward, all it adds is negative */
    int leftward;              /* -1, or 0 */
    uint64_t x_slope;          /* floor(2^32 dx / dy) */
    uint64_t y_slope;          /* floor(2^32 dy / dx); 0: it is vertical */
} line_walk;

#define HALF_FRACTION 0x80000000u

INLINE int negate_if(int x, int minus) { return (x ^ minus) - minus; }

/* x at a height within the line, exact at both ends. */
INLINE int walk_x_at(const line_walk *walk, int y)
{
    uint64_t across = (uint64_t)(uint)(y - walk->y0) * walk->x_slope + HALF_FRACTION;
    return walk->x0 + negate_if((int)(across >> 32), walk->leftward);
}

/* The height that the line spends left of x between y_upper and y_lower, where it is at x_upper and x_lower. */
INLINE int walk_height_left_of(const line_walk *walk, int x, int x_upper, int x_lower, int y_upper, int y_lower)
{
    if ((x_upper < x) == (x_lower < x)) {
        return x_upper < x ? y_lower - y_upper : 0;
    }
    uint64_t down = (uint64_t)(uint)int_abs(x - walk->x0) * walk->y_slope + HALF_FRACTION;
    int crossing = int_clamp(walk->y0 + (int)(down >> 32), y_upper, y_lower);
    return x_upper < x ? crossing - y_upper : y_lower - crossing;
}

INLINE void touch(uint64_t *touched, uint column)
{
    touched[column >> (COVER_GROUP_SHIFT + 6u)] |= (uint64_t)1 << ((column >> COVER_GROUP_SHIFT) & 63u);
}

/* Adds what a line does in one column of a row, of a height and with its ends at distances from the column's left edge. */
INLINE void add_cell(int32_t *row, int column, int height, int distances)
{
    int carry = height * distances;
    row[column] += height * 2 * SUBPIXELS - carry;
    row[column + 1] += carry;
}

/* How a line goes from column to column. */
typedef struct column_steps {
    uint64_t step;             /* 2^32 dy / dx, negative leftward */
    vector_long low, high;     /* from one column's right edge to that of each next: 0 to 3, 4 to 7 */
} column_steps;

INLINE column_steps steps_of(const line_walk *walk)
{
    column_steps made;
    made.step = (walk->y_slope ^ (uint64_t)(int64_t)walk->leftward) - (uint64_t)(int64_t)walk->leftward;
    uint64_t column = made.step << SUBPIXEL_SHIFT;
    made.low = (vector_long){0, column, 2 * column, 3 * column};
    made.high = made.low + 4 * column;
    return made;
}

/* Columns that are added at once; what is carried to the next one takes the last lane. */
#define COLUMNS_AT_ONCE (LANES - 1)

/* A row's part of a line that is within the cover. */
INLINE void add_columns(int32_t *row, const line_walk *walk, column_steps steps, int x_upper, int x_lower, int y_upper, int y_lower)
{
    int left = walk->leftward ? x_lower : x_upper;
    int right = walk->leftward ? x_upper : x_lower;
    int column = left >> SUBPIXEL_SHIFT;
    int last = right >> SUBPIXEL_SHIFT;
    int base = walk->leftward ? y_lower : y_upper;
    int height = negate_if(y_lower - y_upper, walk->turn);
    vector_int turn = splat_int(walk->turn ^ walk->leftward);
    vector_int from_left = splat_int(left & (SUBPIXELS - 1)) & (lane_numbers() == 0);
    int before = 0;            /* height that the line spends left of the column */
    do {
        /* Heights from `base` to the crossings of the columns' right edges: of the way on the left. */
        uint64_t down = (uint64_t)(int64_t)((column + 1) * SUBPIXELS - walk->x0) * steps.step + HALF_FRACTION;
        vector_int crossing = walk->y0 + high_words(steps.low + down, steps.high + down);
        crossing = clamp_ints(crossing, y_upper, y_lower) - base;
        vector_int rest = right - (lane_numbers() + column) * SUBPIXELS;
        vector_int after = select_ints(rest < SUBPIXELS, splat_int(height), (crossing ^ turn) - turn);
        vector_int inside = (after - shifted_in(after, before)) & first_lanes(COLUMNS_AT_ONCE);
        vector_int carry = inside * (from_left + clamp_ints(rest, 0, SUBPIXELS));
        vector_int sums;
        memcpy(&sums, row + column, sizeof sums);
        sums += inside * (2 * SUBPIXELS) - carry + shifted_in(carry, 0);
        memcpy(row + column, &sums, sizeof sums);
        before = after[COLUMNS_AT_ONCE - 1];
        from_left = splat_int(0);
        column += COLUMNS_AT_ONCE;
    } while (column <= last);
}

/* A row's part of a line that leaves the cover. */
static __attribute__((noinline)) void add_cut(const cpu_cover *cover, const line_walk *walk, int y, int x_upper, int x_lower, int y_upper,
                                              int y_lower)
{
    int32_t *row = cover->rows + (size_t)y * cover->stride;
    uint64_t *touched = cover->touched + (size_t)y * cover->words;
    int sign = walk->turn ? -1 : 1;
    int column = int_min(x_upper, x_lower) >> SUBPIXEL_SHIFT;
    int last = int_min(int_max(x_upper, x_lower) >> SUBPIXEL_SHIFT, cover->width - 1);
    int before = 0;
    if (column < 0) {
        before = walk_height_left_of(walk, 0, x_upper, x_lower, y_upper, y_lower);
        row[0] += sign * before * 2 * SUBPIXELS;
        touch(touched, 0);
        column = 0;
    }
    for (; column <= last; column++) {
        int x = column * SUBPIXELS;
        int after = walk_height_left_of(walk, x + SUBPIXELS, x_upper, x_lower, y_upper, y_lower);
        int distances = int_clamp(x_upper - x, 0, SUBPIXELS) + int_clamp(x_lower - x, 0, SUBPIXELS);
        add_cell(row, column, sign * (after - before), distances);
        touch(touched, (uint)column);
        touch(touched, (uint)column + 1u);
        before = after;
    }
}

/* Where a row of a cover lies. */
typedef struct cover_row {
    int32_t *areas;
    uint64_t *touched;
} cover_row;

/* How a line's columns lie in the cover. */
typedef enum line_place {
    LINE_NARROW,               /* within it, in one or two groups of a word: `mask`, of the word that cover_row.touched names */
    LINE_INSIDE,
    LINE_CUT,                  /* it leaves the cover */
} line_place;

/* One row, from y_upper to y_lower. */
INLINE void add_row(const cpu_cover *cover, cover_row row, const line_walk *walk, column_steps steps, line_place place, uint64_t mask, int x_upper,
                    int x_lower, int y_upper, int y_lower)
{
    if (place == LINE_CUT) {
        add_cut(cover, walk, y_upper >> SUBPIXEL_SHIFT, x_upper, x_lower, y_upper, y_lower);
        return;
    }
    if (place == LINE_NARROW) {
        *row.touched |= mask;
    } else {
        uint last = ((uint)int_max(x_upper, x_lower) + SUBPIXELS) >> (SUBPIXEL_SHIFT + COVER_GROUP_SHIFT);
        for (uint group = (uint)int_min(x_upper, x_lower) >> (SUBPIXEL_SHIFT + COVER_GROUP_SHIFT); group <= last; group++) {
            touch(row.touched, group << COVER_GROUP_SHIFT);
        }
    }
    if (steps.step == 0) {
        add_cell(row.areas, x_upper >> SUBPIXEL_SHIFT, negate_if(y_lower - y_upper, walk->turn),
                 (x_upper & (SUBPIXELS - 1)) + (x_lower & (SUBPIXELS - 1)));
    } else {
        add_columns(row.areas, walk, steps, x_upper, x_lower, y_upper, y_lower);
    }
}

/* The rows of a line from upper to end. */
INLINE void add_rows(const cpu_cover *cover, const line_walk *walk, int upper, int end, line_place place, uint word, uint64_t mask)
{
    int y = upper >> SUBPIXEL_SHIFT;
    cover_row row = {cover->rows + (size_t)y * cover->stride, cover->touched + (size_t)y * cover->words + word};
    column_steps steps = {0};
    if ((walk->x0 ^ walk->x1) >> SUBPIXEL_SHIFT != 0) {
        steps = steps_of(walk);
    }
    int x_upper = walk_x_at(walk, upper);
    do {
        int lower = int_min((upper | (SUBPIXELS - 1)) + 1, end);
        int x_lower = walk_x_at(walk, lower);
        add_row(cover, row, walk, steps, place, mask, x_upper, x_lower, upper, lower);
        row.areas += cover->stride;
        row.touched += cover->words;
        x_upper = x_lower;
        upper = lower;
    } while (upper < end);
}

/* LANES lines made ready to walk. */
typedef struct line_batch {
    int x0[LANES], y0[LANES], x1[LANES], y1[LANES];
    int turn[LANES], leftward[LANES];
    int upper[LANES], end[LANES]; /* the rows that they touch of the cover */
    int first[LANES], last[LANES]; /* groups of columns */
    int is_cut[LANES], is_seen[LANES];
    uint64_t x_slope[LANES], y_slope[LANES];
} line_batch;

/* floor(2^32 rise / run), for rise and run up to 2^26: guessed by doubles to within one. What no double holds to the last bit, of
 * lines a million times as long as high, is divided. */
INLINE void find_slopes(vector_int rise, vector_int run, uint64_t *slopes)
{
    int rises[LANES];
    int runs[LANES];
    memcpy(rises, &rise, sizeof rise);
    memcpy(runs, &run, sizeof run);
    for (uint i = 0; i < LANES; i += LONG_LANES) {
        vector_half_int half_rise;
        vector_half_int half_run;
        memcpy(&half_rise, rises + i, sizeof half_rise);
        memcpy(&half_run, runs + i, sizeof half_run);
        vector_double scaled = __builtin_convertvector(half_rise, vector_double) * 4294967296.0 / __builtin_convertvector(half_run, vector_double);
        vector_long guess = (vector_long)(scaled + 4503599627370496.0) - 0x4330000000000000u;
        vector_long divisor = (vector_long)__builtin_convertvector(half_run, vector_signed_long);
        vector_long product = (guess & 0xffffffffu) * divisor + ((guess >> 32) * divisor << 32);
        vector_signed_long rest = (vector_signed_long)((vector_long)__builtin_convertvector(half_rise, vector_signed_long) * 4294967296u - product);
        guess += (vector_long)(rest < 0);
        guess -= (vector_long)(rest >= (vector_signed_long)divisor);
        memcpy(slopes + i, &guess, sizeof guess);
    }
    if (any_lane((vector_uint)(rise >> 20 >= run))) {
        for (uint i = 0; i < LANES; i++) {
            slopes[i] = ((uint64_t)(uint)rises[i] << 32) / (uint)runs[i];
        }
    }
}

INLINE void store_ints(int *to, vector_int v) { memcpy(to, &v, sizeof v); }

/* Loads lines, the last one again in lanes behind it. */
INLINE void load_batch(const cpu_cover *cover, const cpu_line *lines, uint count, line_batch *batch)
{
    vector_int ax, ay, bx, by;
    for (uint i = 0; i < LANES; i++) {
        cpu_line line = lines[i < count ? i : count - 1];
        ax[i] = line.ax;
        ay[i] = line.ay;
        bx[i] = line.bx;
        by[i] = line.by;
    }
    vector_int forward = ay < by;
    vector_int x0 = select_ints(forward, ax, bx) - cover->left;
    vector_int y0 = select_ints(forward, ay, by) - cover->top;
    vector_int x1 = select_ints(forward, bx, ax) - cover->left;
    vector_int y1 = select_ints(forward, by, ay) - cover->top;
    vector_int leftward = x1 < x0;
    vector_int least = select_ints(leftward, x1, x0);
    vector_int most = select_ints(leftward, x0, x1);
    vector_int upper = y0 & (y0 > 0);
    vector_int end = select_ints(y1 < cover->height * SUBPIXELS, y1, splat_int(cover->height * SUBPIXELS));
    int right = cover->width * SUBPIXELS;
    store_ints(batch->x0, x0);
    store_ints(batch->y0, y0);
    store_ints(batch->x1, x1);
    store_ints(batch->y1, y1);
    store_ints(batch->turn, ~forward);
    store_ints(batch->leftward, leftward);
    store_ints(batch->upper, upper);
    store_ints(batch->end, end);
    store_ints(batch->first, least >> (SUBPIXEL_SHIFT + (int)COVER_GROUP_SHIFT));
    store_ints(batch->last, (most + SUBPIXELS) >> (SUBPIXEL_SHIFT + (int)COVER_GROUP_SHIFT));
    store_ints(batch->is_cut, (least < 0) | (most >= right));
    store_ints(batch->is_seen, (upper < end) & (least < right));
    vector_int dx = most - least;
    vector_int dy = y1 - y0;
    find_slopes(dx, select_ints(dy > 0, dy, splat_int(1)), batch->x_slope);
    find_slopes(dy & (dx > 0), select_ints(dx > 0, dx, splat_int(1)), batch->y_slope);
}

static __attribute__((noinline)) void add_long_line(const cpu_cover *cover, const line_walk *walk, int upper, int end)
{
    add_rows(cover, walk, upper, end, LINE_INSIDE, 0, 0);
}

static __attribute__((noinline)) void add_cut_line(const cpu_cover *cover, const line_walk *walk, int upper, int end)
{
    add_rows(cover, walk, upper, end, LINE_CUT, 0, 0);
}

INLINE void add_line(const cpu_cover *cover, const line_batch *batch, uint i)
{
    line_walk walk = {.x0 = batch->x0[i], .y0 = batch->y0[i], .x1 = batch->x1[i], .y1 = batch->y1[i], .turn = batch->turn[i]};
    walk.leftward = batch->leftward[i];
    walk.x_slope = batch->x_slope[i];
    walk.y_slope = batch->y_slope[i];
    int upper = batch->upper[i];
    int end = batch->end[i];
    if (batch->is_cut[i]) {
        add_cut_line(cover, &walk, upper, end);
        return;
    }
    uint first = (uint)batch->first[i];
    uint last = (uint)batch->last[i];
    if (last - first < 2u && first >> 6 == last >> 6) {
        add_rows(cover, &walk, upper, end, LINE_NARROW, first >> 6, (uint64_t)1 << (first & 63u) | (uint64_t)1 << (last & 63u));
    } else {
        add_long_line(cover, &walk, upper, end);
    }
}

static void add_lines(const cpu_cover *cover, const cpu_line *lines, uint count)
{
    cpu_cover local = *cover;
    line_batch batch;
    for (uint i = 0; i < count; i += LANES) {
        uint in_batch = uint_min(count - i, LANES);
        load_batch(&local, lines + i, in_batch, &batch);
        for (uint j = 0; j < in_batch; j++) {
            if (batch.is_seen[j]) {
                add_line(&local, &batch, j);
            }
        }
    }
}

/* ---- Colours ---- */

/* color_scale, with a level for each pixel. */
INLINE vector_uint scale_pixels(vector_uint color, vector_uint level)
{
    vector_half levels = (vector_half)(level | (level << 16));
    vector_half low = (vector_half)(color & 0xff00ffu) * levels + 128;
    vector_half high = (vector_half)((color >> 8) & 0xff00ffu) * levels + 128;
    low = (low + (low >> 8)) >> 8;
    high = high + (high >> 8);
    return (vector_uint)low | ((vector_uint)high & 0xff00ff00u);
}

/* color_over. */
INLINE vector_uint pixels_over(vector_uint source, vector_uint destination)
{
    return source + scale_pixels(destination, 255u - (source >> 24));
}

/* ---- Areas ---- */

INLINE vector_int sums_before(vector_int v)
{
    vector_int zero = {0};
    v += __builtin_shufflevector(zero, v, 0, 8, 9, 10, 11, 12, 13, 14);
    v += __builtin_shufflevector(zero, v, 0, 0, 8, 9, 10, 11, 12, 13);
    v += __builtin_shufflevector(zero, v, 0, 0, 0, 0, 8, 9, 10, 11);
    return v;
}

/* coverage_level. */
INLINE vector_uint levels_of(vector_int area, bool even_odd)
{
    vector_int turned;
    if (even_odd) {
        vector_int from = (area & (2 * FULL_AREA - 1)) - FULL_AREA;
        vector_int sign = from >> 31;
        turned = FULL_AREA - ((from ^ sign) - sign);
    } else {
        vector_int sign = area >> 31;
        turned = (area ^ sign) - sign;
        vector_int above = turned > FULL_AREA;
        turned = (turned & ~above) | (above & FULL_AREA);
    }
    return (vector_uint)(255 * turned + FULL_AREA / 2) >> 17;
}

/* What takes the levels of a row: of a group of pixels, and of a span of one level. */
typedef struct paint_row {
    uint color;
    uint32_t *pixels;
} paint_row;

INLINE void paint_group(paint_row row, int x, vector_uint levels)
{
    if (!any_lane(levels)) {
        return;
    }
    vector_uint source = scale_pixels(splat(row.color), levels);
    store_pixels(row.pixels + x, pixels_over(source, load_pixels(row.pixels + x)));
}

INLINE void paint_span(paint_row row, int x, int end, uint level)
{
    uint color = color_scale(row.color, level);
    vector_uint source = splat(color);
    if (color >> 24 == 255u) {
        for (; x + LANES <= end; x += LANES) {
            store_pixels(row.pixels + x, source);
        }
    } else {
        for (; x + LANES <= end; x += LANES) {
            store_pixels(row.pixels + x, pixels_over(source, load_pixels(row.pixels + x)));
        }
    }
    if (x < end) {
        vector_uint old = load_pixels(row.pixels + x);
        store_pixels(row.pixels + x, select_pixels(first_lanes(end - x), pixels_over(source, old), old));
    }
}

/* Sums a row and leaves it zero. `levels` NULL: it is painted; else the levels are stored there. */
INLINE void sum_row(const cpu_cover *cover, int y, paint_row row, uint8_t *levels)
{
    int32_t *areas = cover->rows + (size_t)y * cover->stride;
    uint64_t *touched = cover->touched + (size_t)y * cover->words;
    vector_int carry = {0};
    int at = 0;
    uint level = 0;            /* of what follows the last group */
    for (uint word = 0; word < cover->words; word++) {
        uint64_t bits = touched[word];
        touched[word] = 0;
        while (bits != 0) {
            int x = (int)((word * 64u + (uint)__builtin_ctzll(bits)) << COVER_GROUP_SHIFT);
            bits &= bits - 1;
            vector_int area;
            memcpy(&area, areas + x, sizeof area);
            memset(areas + x, 0, sizeof area);
            if (x >= cover->width) {
                continue;
            }
            if (x > at) {
                if (levels != NULL) {
                    memset(levels + at, (int)level, (size_t)(x - at));
                } else if (level != 0) {
                    paint_span(row, at, x, level);
                }
            }
            area = sums_before(area) + carry;
            carry = __builtin_shufflevector(area, area, 7, 7, 7, 7, 7, 7, 7, 7);
            vector_uint found = levels_of(area, cover->even_odd);
            level = found[LANES - 1];
            at = x + LANES;
            if (at > cover->width) {
                found &= (vector_uint)first_lanes(cover->width - x);
            }
            if (levels != NULL) {
                store_levels(levels + x, found);
            } else {
                paint_group(row, x, found);
            }
        }
    }
    if (at < cover->width) {
        if (levels != NULL) {
            memset(levels + at, (int)level, (size_t)(cover->width - at));
        } else if (level != 0) {
            paint_span(row, at, cover->width, level);
        }
    }
}

static void paint(const cpu_cover *cover, uint color, uint32_t *pixels, size_t pitch)
{
    cpu_cover local = *cover;
    for (int y = 0; y < local.height; y++) {
        sum_row(&local, y, (paint_row){.color = color, .pixels = pixels + (size_t)y * pitch}, NULL);
    }
}

static void find_levels(const cpu_cover *cover, uint8_t *levels, size_t pitch)
{
    cpu_cover local = *cover;
    for (int y = 0; y < local.height; y++) {
        sum_row(&local, y, (paint_row){0}, levels + (size_t)y * pitch);
    }
}

static void fill(uint32_t *pixels, uint color, size_t count)
{
    for (size_t x = 0; x + LANES <= count; x += LANES) {
        store_pixels(pixels + x, splat(color));
    }
}

static void blend_row(uint32_t *pixels, const uint32_t *colors, const uint8_t *levels, int count)
{
    for (int x = 0; x < count; x += LANES) {
        vector_uint level = load_levels(levels + x) & (vector_uint)first_lanes(count - x);
        vector_uint source = load_pixels(colors + x);
        if (!any_lane(~source >> 24 | (level ^ 255u))) {
            store_pixels(pixels + x, source);
        } else if (any_lane(level)) {
            store_pixels(pixels + x, pixels_over(scale_pixels(source, level), load_pixels(pixels + x)));
        }
    }
}

/* ---- Curves ---- */

#include "cpu/kernels_curve.h"

/* ---- Gradients ---- */

#include "cpu/kernels_gradient.h"

/* ---- Layers ---- */

/* Whether the levels of LANES pixels are all 255. */
INLINE bool are_full(const uint8_t *levels)
{
    uint64_t all;
    memcpy(&all, levels, sizeof all);
    return all == UINT64_MAX;
}

static void begin_layer(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        for (int x = 0; x < layer->width; x += LANES) {
            size_t at = (size_t)y * layer->pitch + (size_t)x;
            uint32_t *to = pixels + (size_t)y * pitch + x;
            vector_uint color = load_pixels(to);
            store_pixels(layer->below + at, color);
            vector_int full = load_levels(layer->levels + at) == 255u;
            vector_int outside = ~first_lanes(layer->width - x);
            store_pixels(to, color & (vector_uint)(full | outside));
        }
    }
}

static void end_source(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        for (int x = 0; x < layer->width; x += LANES) {
            size_t at = (size_t)y * layer->pitch + (size_t)x;
            uint32_t *to = pixels + (size_t)y * pitch + x;
            vector_uint color = load_pixels(to);
            vector_uint level = color >> 24;
            store_levels(layer->levels + at, level);
            vector_uint next = load_pixels(layer->below + at) & (vector_uint)(level == 255u);
            store_pixels(to, select_pixels(first_lanes(layer->width - x), next, color));
        }
    }
}

static void end_layer(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        for (int x = 0; x < layer->width; x += LANES) {
            size_t at = (size_t)y * layer->pitch + (size_t)x;
            uint32_t *to = pixels + (size_t)y * pitch + x;
            if (are_full(layer->levels + at)) {
                continue;
            }
            vector_uint color = load_pixels(to);
            vector_uint level = load_levels(layer->levels + at);
            vector_int kept = (vector_int)(level == 255u) | ~first_lanes(layer->width - x);
            vector_uint mixed = pixels_over(scale_pixels(color, level), load_pixels(layer->below + at));
            store_pixels(to, select_pixels(kept, color, mixed));
        }
    }
}

static void merge_layer(const cpu_layer_pixels *layer, int left, int top, const cpu_layer_pixels *other, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < other->height; y++) {
        for (int x = 0; x < other->width; x += LANES) {
            size_t at = (size_t)(y + top) * layer->pitch + (size_t)(x + left);
            uint32_t *to = pixels + (size_t)y * pitch + x;
            if (are_full(other->levels + (size_t)y * other->pitch + (size_t)x)) {
                continue;
            }
            vector_int inside = first_lanes(other->width - x);
            vector_uint old = load_levels(layer->levels + at);
            vector_uint product = old * load_levels(other->levels + (size_t)y * other->pitch + (size_t)x) + 128u;
            product = (product + (product >> 8)) >> 8;
            vector_uint level = select_pixels(inside, product, old);
            store_levels(layer->levels + at, level);
            vector_int cut = (vector_int)(old == 255u) & (vector_int)(level != 255u);
            vector_uint color = load_pixels(to);
            store_pixels(layer->below + at, select_pixels(cut, color, load_pixels(layer->below + at)));
            store_pixels(to, color & ~(vector_uint)cut);
        }
    }
}

/* ---- The target ---- */

INLINE void store_bytes(unsigned char *to, uint32_t color)
{
    to[0] = (unsigned char)color;
    to[1] = (unsigned char)(color >> 8);
    to[2] = (unsigned char)(color >> 16);
    to[3] = (unsigned char)(color >> 24);
}

static void store_row(unsigned char *to, const uint32_t *pixels, int count, bool straight)
{
    int x = 0;
    for (; x + LANES <= count; x += LANES) {
        vector_uint color = load_pixels(pixels + x);
        vector_uint alpha = color >> 24;
        if (straight && any_lane((vector_uint)(alpha != 255u) & (vector_uint)(alpha != 0u))) {
            for (int i = x; i < x + LANES; i++) {
                store_bytes(to + 4 * (size_t)i, color_straight(pixels[i]));
            }
            continue;
        }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        memcpy(to + 4 * (size_t)x, &color, sizeof color);
#else
        for (int i = x; i < x + LANES; i++) {
            store_bytes(to + 4 * (size_t)i, pixels[i]);
        }
#endif
    }
    for (; x < count; x++) {
        store_bytes(to + 4 * (size_t)x, straight ? color_straight(pixels[x]) : pixels[x]);
    }
}

const cpu_kernels CPU_KERNELS = {
    .name = CPU_KERNELS_NAME,
    .add_lines = add_lines,
    .subdivide = subdivide,
    .find_vertices = find_vertices,
    .find_samples = find_samples,
    .paint = paint,
    .find_levels = find_levels,
    .fill = fill,
    .blend_row = blend_row,
    .shade_row = shade_row,
    .begin_layer = begin_layer,
    .end_source = end_source,
    .end_layer = end_layer,
    .merge_layer = merge_layer,
    .store_row = store_row,
};
