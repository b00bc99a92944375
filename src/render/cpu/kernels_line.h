/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Adds lines to the rows of a coverage. Part of kernels_body.h. */

/* A line while it is followed through the rows, in subpixels from the coverage's corner. shaders/lib/coverage.h says
 * what its position adds to a row. Crossings of rows and of columns are computed from the whole line, by exact sums. */
typedef struct line_walk {
    int x0, y0, x1, y1;
    int touch;        /* touch_of_lanes; 0: it only stands for a line left of the coverage */
    int turn;         /* 0: it ran downward; -1: upward, all it adds is negative */
    int leftward;     /* -1, or 0 */
    uint64_t x_slope; /* floor(2^32 dx / dy) */
    uint64_t y_slope; /* floor(2^32 dy / dx); 0: it is vertical */
} line_walk;

#define HALF_FRACTION 0x80000000u

INLINE int negate_if(int x, int minus)
{
    return (x ^ minus) - minus;
}

/* Returns x at a height within the line. It is exact at both ends. */
INLINE int walk_x_at(const line_walk *walk, int y)
{
    uint64_t across = (uint64_t)(uint)(y - walk->y0) * walk->x_slope + HALF_FRACTION;
    return walk->x0 + negate_if((int)(across >> 32), walk->leftward);
}

/* Returns the height that the line spends left of x between y_upper and y_lower, where the line is at x_upper and
 * x_lower. */
INLINE int walk_height_left_of(const line_walk *walk, int x, int x_upper, int x_lower, int y_upper, int y_lower)
{
    if ((x_upper < x) == (x_lower < x))
        return x_upper < x ? y_lower - y_upper : 0;
    uint64_t down = (uint64_t)(uint)int_abs(x - walk->x0) * walk->y_slope + HALF_FRACTION;
    int crossing = int_clamp(walk->y0 + (int)(down >> 32), y_upper, y_lower);
    return x_upper < x ? crossing - y_upper : y_lower - crossing;
}

INLINE void touch(uint64_t *touched, uint column)
{
    touched[column >> (COVERAGE_GROUP_SHIFT + 6u)] |= (uint64_t)1 << ((column >> COVERAGE_GROUP_SHIFT) & 63u);
}

/* Returns how many of the line's ends lie inside a column of a row, but not on the row's edges. */
INLINE int ends_in_pixel(const line_walk *walk, int column, int y_upper, int y_lower)
{
    bool starts = y_upper == walk->y0 && (walk->y0 & (SUBPIXELS - 1)) != 0 && walk->x0 >> SUBPIXEL_SHIFT == column;
    bool ends = y_lower == walk->y1 && (walk->y1 & (SUBPIXELS - 1)) != 0 && walk->x1 >> SUBPIXEL_SHIFT == column;
    return (starts ? 1 : 0) + (ends ? 1 : 0);
}

/* Adds what a line does in one column of a row. `height` is the height that it spends there. `distances` is the sum of
 * its ends' distances from the column's left edge. */
INLINE void add_pixel(int32_t *row, int column, int height, int distances)
{
    int carry = height * distances;
    row[column] += height * 2 * SUBPIXELS - carry;
    row[column + 1] += carry;
}

/* Adds a row's part of a line that leaves the coverage. */
static __attribute__((noinline)) void add_cut(const cpu_coverage *coverage, const line_walk *walk, int y, int x_upper,
                                              int x_lower, int y_upper, int y_lower)
{
    int32_t *row = coverage->rows + (size_t)y * coverage->stride;
    uint64_t *touched = coverage->touched + (size_t)y * coverage->words;
    uint32_t *meetings = coverage->meetings + (size_t)y * coverage->stride;
    int sign = walk->turn ? -1 : 1;
    int column = int_min(x_upper, x_lower) >> SUBPIXEL_SHIFT;
    int last = int_min(int_max(x_upper, x_lower) >> SUBPIXEL_SHIFT, coverage->width - 1);
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
        add_pixel(row, column, sign * (after - before), distances);
        meetings[column] += (uint)walk->touch + MET_END * (uint)ends_in_pixel(walk, column, y_upper, y_lower);
        touch(touched, (uint)column);
        touch(touched, (uint)column + 1u);
        before = after;
    }
}

/* Adds a line that leaves the coverage, from upper to end. */
static __attribute__((noinline)) void add_cut_line(const cpu_coverage *coverage, const line_walk *walk, int upper,
                                                   int end)
{
    const int right = coverage->width * SUBPIXELS, full = walk->turn ? -2 * SUBPIXELS : 2 * SUBPIXELS;
    int x_upper = walk_x_at(walk, upper);
    do {
        const size_t y = (size_t)(upper >> SUBPIXEL_SHIFT);
        int lower = int_min((upper | (SUBPIXELS - 1)) + 1, end);
        int x_lower = walk_x_at(walk, lower);
        if (int_max(x_upper, x_lower) < 0) {
            coverage->rows[y * coverage->stride] += (lower - upper) * full;
            touch(coverage->touched + y * coverage->words, 0);
        } else if (int_min(x_upper, x_lower) < right) {
            add_cut(coverage, walk, (int)y, x_upper, x_lower, upper, lower);
        }
        x_upper = x_lower;
        upper = lower;
    } while (upper < end);
}

/* How a line goes from column to column. */
typedef struct column_steps {
    uint64_t step;         /* 2^32 dy / dx, negative leftward */
    vector_long low, high; /* steps from a column's right edge to that of the columns 0 to 3 and 4 to 7 further */
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

/* This many columns are added at once. The last lane takes what is carried to the next column. */
#define COLUMNS_AT_ONCE (LANES - 1)

/* Adds a row's part of a line that is within the coverage. */
INLINE void add_columns(int32_t *row, uint32_t *meetings, const line_walk *walk, column_steps steps, int x_upper,
                        int x_lower, int y_upper, int y_lower)
{
    int left = walk->leftward ? x_lower : x_upper;
    int right = walk->leftward ? x_upper : x_lower;
    int column = left >> SUBPIXEL_SHIFT;
    int last = right >> SUBPIXEL_SHIFT;
    int base = walk->leftward ? y_lower : y_upper;
    int height = negate_if(y_lower - y_upper, walk->turn);
    vector_int turn = splat_int(walk->turn ^ walk->leftward);
    vector_int from_left = splat_int(left & (SUBPIXELS - 1)) & (lane_numbers() == 0);
    int before = 0; /* height that the line spends left of the column */
    do {
        /* The heights from `base` to the crossings of the columns' right edges. The line spends them left of these
         * edges. */
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
        vector_int met;
        memcpy(&met, meetings + column, sizeof met);
        met += (lane_numbers() + column <= last) & first_lanes(COLUMNS_AT_ONCE) & walk->touch;
        memcpy(meetings + column, &met, sizeof met);
        before = after[COLUMNS_AT_ONCE - 1];
        from_left = splat_int(0);
        column += COLUMNS_AT_ONCE;
    } while (column <= last);
    if (y_upper == walk->y0 && (walk->y0 & (SUBPIXELS - 1)) != 0)
        meetings[walk->x0 >> SUBPIXEL_SHIFT] += MET_END;
    if (y_lower == walk->y1 && (walk->y1 & (SUBPIXELS - 1)) != 0)
        meetings[walk->x1 >> SUBPIXEL_SHIFT] += MET_END;
}

/* The functions below add LANES lines side by side, row by row. Each lane holds a line's part of the row that it has
 * reached. */

/* A 64-bit number for each lane. `low` holds those of the lanes that are low halves of a vector_long's numbers, and
 * `high` holds those of the high halves. */
typedef struct lane_longs {
    vector_long low, high;
} lane_longs;

/* Selects the one of the two that belongs to a lane. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LANE_HALF(i) ((i)&1u)
#else
#define LANE_HALF(i) (~(i)&1u)
#endif

INLINE lane_longs longs_of(vector_int v)
{
    vector_long both = (vector_long)v;
    return (lane_longs){both & 0xffffffffu, both >> 32};
}

/* Returns the high words. */
INLINE vector_int lane_high_words(lane_longs v)
{
    return (vector_int)(v.low >> 32 | (v.high & 0xffffffff00000000u));
}

INLINE vector_double doubles_of(vector_long v)
{
    return (vector_double)(v | 0x4330000000000000u) - 4503599627370496.0;
}

/* Returns floor(2^32 rise / run), which must be below 2^52, for rise below 2^21. The double nearest to the quotient has
 * the same floor, because at least 1 / run is missing to the next integer, and rounding adds at most rise / (run
 * 2^21). */
INLINE vector_long slopes_of(vector_long rise, vector_long run)
{
    vector_double quotient = doubles_of(rise) * 4294967296.0 / doubles_of(run);
#if defined(__AVX512DQ__)
    return (vector_long)_mm256_cvttpd_epu64((__m256d)quotient);
#else
    vector_double nearest = quotient + 4503599627370496.0;
    return (vector_long)nearest - 0x4330000000000000u + (vector_long)(nearest - 4503599627370496.0 > quotient);
#endif
}

/* Returns floor(2^32 rise / run) for rise and run up to 2^26, run above 0. Integers are divided only for lines that are
 * a million times as long as high, or as long as 8,192 pixels. */
INLINE lane_longs find_slopes(vector_int rise, vector_int run)
{
    lane_longs rises = longs_of(rise);
    lane_longs runs = longs_of(run);
    if (any_lane((vector_uint)(rise >> 20 >= least_ints(run, splat_int(2))))) {
        lane_longs exact = {(rises.low << 32) / runs.low, (rises.high << 32) / runs.high};
        return exact;
    }
    return (lane_longs){slopes_of(rises.low, runs.low), slopes_of(rises.high, runs.high)};
}

/* Returns how far lines go at a slope over a distance. Neither is negative. */
INLINE vector_int lane_distances(vector_int distance, lane_longs slope)
{
    lane_longs along = longs_of(distance);
    along.low = product_of(slope.low, along.low) + HALF_FRACTION;
    along.high = product_of(slope.high, along.high) + HALF_FRACTION;
    return lane_high_words(along);
}

INLINE vector_int negate_lanes(vector_int x, vector_int minus)
{
    return (x ^ minus) - minus;
}

typedef struct line_lanes {
    vector_int x0, y0, x1, y1;
    vector_int touch, turn, leftward; /* line_walk */
    vector_int upper, end;            /* the rest of it in the coverage */
    vector_int is_seen, is_cut;
    lane_longs x_slope, y_slope;
} line_lanes;

INLINE vector_int lane_x_at(const line_lanes *lanes, vector_int y)
{
    return lanes->x0 + negate_lanes(lane_distances(y - lanes->y0, lanes->x_slope), lanes->leftward);
}

_Static_assert(LANES == CPU_EDGES_READ, "lines are read in groups");

/* Loads LANES lines. Lines beyond the count are read and left out. */
INLINE void load_lanes(const cpu_edge *edges, uint count, line_lanes *lanes)
{
    vector_int pair0 = load_ints(&edges[0].ax);
    vector_int pair1 = load_ints(&edges[2].ax);
    vector_int pair2 = load_ints(&edges[4].ax);
    vector_int pair3 = load_ints(&edges[6].ax);
    vector_int a = __builtin_shufflevector(pair0, pair1, 0, 4, 8, 12, 1, 5, 9, 13);
    vector_int b = __builtin_shufflevector(pair0, pair1, 2, 6, 10, 14, 3, 7, 11, 15);
    vector_int c = __builtin_shufflevector(pair2, pair3, 0, 4, 8, 12, 1, 5, 9, 13);
    vector_int d = __builtin_shufflevector(pair2, pair3, 2, 6, 10, 14, 3, 7, 11, 15);
    vector_int ax = __builtin_shufflevector(a, c, 0, 1, 2, 3, 8, 9, 10, 11);
    vector_int ay = __builtin_shufflevector(a, c, 4, 5, 6, 7, 12, 13, 14, 15);
    vector_int bx = __builtin_shufflevector(b, d, 0, 1, 2, 3, 8, 9, 10, 11);
    vector_int by = __builtin_shufflevector(b, d, 4, 5, 6, 7, 12, 13, 14, 15);
    vector_int forward = ay < by;
    lanes->turn = ~forward;
    lanes->x0 = select_ints(forward, ax, bx);
    lanes->y0 = select_ints(forward, ay, by);
    lanes->x1 = select_ints(forward, bx, ax);
    lanes->y1 = select_ints(forward, by, ay);
    lanes->is_seen = first_lanes((int)count);
}

/* Finds the slopes of the lanes that are seen. */
INLINE void find_lane_slopes(line_lanes *lanes)
{
    vector_int one = splat_int(1);
    lanes->leftward = lanes->x1 < lanes->x0;
    vector_int dx = negate_lanes(lanes->x1 - lanes->x0, lanes->leftward) & lanes->is_seen;
    vector_int dy = select_ints(lanes->is_seen, most_ints(lanes->y1 - lanes->y0, one), one);
    lanes->x_slope = find_slopes(dx, dy);
    lanes->y_slope = find_slopes(dy & (dx > 0), most_ints(dx, one));
}

/* Returns what lines with height add to the meetings of a pixel that they touch. */
INLINE vector_int touch_of_lanes(const line_lanes *lanes)
{
    vector_int leftward = select_ints(lanes->turn, lanes->x0 < lanes->x1, lanes->x1 < lanes->x0);
    return (int)MET_TOUCH + select_ints(lanes->turn, splat_int((int)MET_UP), splat_int((int)MET_DOWN)) +
           (leftward & (int)MET_LEFT);
}

INLINE void place_lanes(const cpu_coverage *coverage, line_lanes *lanes)
{
    lanes->x0 -= coverage->left;
    lanes->y0 -= coverage->top;
    lanes->x1 -= coverage->left;
    lanes->y1 -= coverage->top;
    /* A line entirely on the left adds the same as a line along the edge. */
    vector_int beyond = most_ints(lanes->x0, lanes->x1) < 0;
    lanes->x0 &= ~beyond;
    lanes->x1 &= ~beyond;
    lanes->touch = ~beyond & touch_of_lanes(lanes);
    int right = coverage->width * SUBPIXELS;
    vector_int least = least_ints(lanes->x0, lanes->x1);
    vector_int most = most_ints(lanes->x0, lanes->x1);
    lanes->upper = most_ints(lanes->y0, splat_int(0));
    lanes->end = least_ints(lanes->y1, splat_int(coverage->height * SUBPIXELS));
    lanes->is_seen &= (lanes->upper < lanes->end) & (least < right);
    lanes->is_cut = ((least < 0) | (most >= right)) & lanes->is_seen;
    find_lane_slopes(lanes);
}

/* Lines in memory, for work that takes one at a time. */
typedef struct stored_lanes {
    int x0[LANES], y0[LANES], x1[LANES], y1[LANES], touch[LANES], turn[LANES], leftward[LANES], upper[LANES],
        end[LANES];
    uint64_t x_slope[2][LONG_LANES], y_slope[2][LONG_LANES]; /* lane_longs */
} stored_lanes;

INLINE void store_lanes(const line_lanes *lanes, stored_lanes *stored)
{
    store_ints(stored->x0, lanes->x0);
    store_ints(stored->y0, lanes->y0);
    store_ints(stored->x1, lanes->x1);
    store_ints(stored->y1, lanes->y1);
    store_ints(stored->touch, lanes->touch);
    store_ints(stored->turn, lanes->turn);
    store_ints(stored->leftward, lanes->leftward);
    store_ints(stored->upper, lanes->upper);
    store_ints(stored->end, lanes->end);
    memcpy(stored->x_slope, &lanes->x_slope, sizeof lanes->x_slope);
    memcpy(stored->y_slope, &lanes->y_slope, sizeof lanes->y_slope);
}

INLINE line_walk stored_walk(const stored_lanes *stored, uint i)
{
    line_walk walk = {
        .x0 = stored->x0[i], .y0 = stored->y0[i], .x1 = stored->x1[i], .y1 = stored->y1[i], .turn = stored->turn[i]};
    walk.touch = stored->touch[i];
    walk.leftward = stored->leftward[i];
    walk.x_slope = stored->x_slope[LANE_HALF(i)][i >> 1];
    walk.y_slope = stored->y_slope[LANE_HALF(i)][i >> 1];
    return walk;
}

static __attribute__((noinline)) void add_cut_lanes(const cpu_coverage *coverage, const line_lanes *lanes)
{
    stored_lanes stored;
    store_lanes(lanes, &stored);
    for (uint bits = lane_bits(lanes->is_cut); bits != 0; bits &= bits - 1) {
        uint i = (uint)__builtin_ctz(bits);
        line_walk walk = stored_walk(&stored, i);
        add_cut_line(coverage, &walk, stored.upper[i], stored.end[i]);
    }
}

/* The part of each line in one row. */
typedef struct row_lanes {
    vector_int x_upper, x_lower, y_upper, y_lower;
    vector_int areas, words; /* where the rows start, in the coverage's arrays */
} row_lanes;

/* Adds rows of lines that cross more than two columns. */
static __attribute__((noinline)) void add_wide_lanes(const cpu_coverage *coverage, const line_lanes *lanes,
                                                     const row_lanes *row, vector_int is_wide)
{
    stored_lanes stored;
    store_lanes(lanes, &stored);
    int x_upper[LANES], x_lower[LANES], y_upper[LANES], y_lower[LANES], areas[LANES], words[LANES];
    store_ints(x_upper, row->x_upper);
    store_ints(x_lower, row->x_lower);
    store_ints(y_upper, row->y_upper);
    store_ints(y_lower, row->y_lower);
    store_ints(areas, row->areas);
    store_ints(words, row->words);
    for (uint bits = lane_bits(is_wide); bits != 0; bits &= bits - 1) {
        uint i = (uint)__builtin_ctz(bits);
        line_walk walk = stored_walk(&stored, i);
        uint last = ((uint)int_max(x_upper[i], x_lower[i]) + SUBPIXELS) >> (SUBPIXEL_SHIFT + COVERAGE_GROUP_SHIFT);
        for (uint group = (uint)int_min(x_upper[i], x_lower[i]) >> (SUBPIXEL_SHIFT + COVERAGE_GROUP_SHIFT);
             group <= last; group++) {
            touch(coverage->touched + words[i], group << COVERAGE_GROUP_SHIFT);
        }
        add_columns(coverage->rows + areas[i], coverage->meetings + areas[i], &walk, steps_of(&walk), x_upper[i],
                    x_lower[i], y_upper[i], y_lower[i]);
    }
}

/* Adds rows of lines in one or two columns. `bits` says which lanes. */
INLINE void add_narrow_lanes(const cpu_coverage *coverage, const line_lanes *lanes, const row_lanes *row,
                             vector_int left, vector_int right, uint bits)
{
    vector_int column = left >> SUBPIXEL_SHIFT;
    vector_int start = column * SUBPIXELS;
    vector_int edge = start + SUBPIXELS;
    vector_int height = row->y_lower - row->y_upper;
    /* The heights that the lines spend left of the edge between the columns. */
    vector_int across = negate_lanes(edge - lanes->x0, lanes->leftward);
    vector_int crossing = lanes->y0 + lane_distances(across, lanes->y_slope);
    crossing = least_ints(most_ints(crossing, row->y_upper), row->y_lower);
    vector_int before = select_ints(lanes->leftward, row->y_lower - crossing, crossing - row->y_upper);
    before = select_ints(right < edge, height, before);
    vector_int first = negate_lanes(before, lanes->turn);
    vector_int second = negate_lanes(height - before, lanes->turn);
    vector_int carry = first * (left - start + least_ints(right - start, splat_int(SUBPIXELS)));
    vector_int last = second * most_ints(right - edge, splat_int(0));
    int sums[3][LANES];
    store_ints(sums[0], first * (2 * SUBPIXELS) - carry);
    store_ints(sums[1], carry + second * (2 * SUBPIXELS) - last);
    store_ints(sums[2], last);
    int areas[LANES];
    int words[LANES];
    store_ints(areas, row->areas + column);
    store_ints(words, row->words + (left >> (SUBPIXEL_SHIFT + (int)COVERAGE_GROUP_SHIFT + 6)));
    vector_int inner = (lanes->touch != 0) & ((lanes->y0 & (SUBPIXELS - 1)) != 0) & (row->y_upper == lanes->y0);
    vector_int starts_right = (lanes->x0 >= edge) & inner;
    vector_int ends = inner & ~starts_right;
    vector_int ends_right = starts_right;
    inner = (lanes->touch != 0) & ((lanes->y1 & (SUBPIXELS - 1)) != 0) & (row->y_lower == lanes->y1);
    starts_right = (lanes->x1 >= edge) & inner;
    ends += inner & ~starts_right;
    ends_right += starts_right;
    int meetings[2][LANES];
    store_ints(meetings[0], lanes->touch - ends * (int)MET_END);
    store_ints(meetings[1], (lanes->touch & (right >= edge)) - ends_right * (int)MET_END);
    /* A line touches one group, or two adjacent ones. */
    vector_int group = left >> (SUBPIXEL_SHIFT + (int)COVERAGE_GROUP_SHIFT);
    vector_int last_group = (right + SUBPIXELS) >> (SUBPIXEL_SHIFT + (int)COVERAGE_GROUP_SHIFT);
    int groups[LANES];
    int touched[LANES];
    store_ints(groups, group);
    store_ints(touched, 1 + 2 * (last_group - group));
    for (; bits != 0; bits &= bits - 1) {
        uint i = (uint)__builtin_ctz(bits);
        int32_t *to = coverage->rows + areas[i];
        to[0] += sums[0][i];
        to[1] += sums[1][i];
        to[2] += sums[2][i];
        coverage->meetings[areas[i]] += (uint)meetings[0][i];
        coverage->meetings[areas[i] + 1] += (uint)meetings[1][i];
        coverage->touched[words[i]] |= (uint64_t)(uint)touched[i] << ((uint)groups[i] & 63u);
    }
}

/* Adds rows, from x_upper and y_upper to x_lower and y_lower, in the lanes of a mask. */
INLINE void add_row_lanes(const cpu_coverage *coverage, const line_lanes *lanes, const row_lanes *row,
                          vector_int is_seen)
{
    vector_int left = least_ints(row->x_upper, row->x_lower);
    vector_int right = most_ints(row->x_upper, row->x_lower);
    vector_int columns = (right >> SUBPIXEL_SHIFT) - (left >> SUBPIXEL_SHIFT);
    vector_int words = (right + SUBPIXELS) >> (SUBPIXEL_SHIFT + (int)COVERAGE_GROUP_SHIFT + 6);
    vector_int is_wide = (columns > 1) | (words > left >> (SUBPIXEL_SHIFT + (int)COVERAGE_GROUP_SHIFT + 6));
    add_narrow_lanes(coverage, lanes, row, left, right, lane_bits(is_seen & ~is_wide));
    is_wide &= is_seen;
    if (any_lane((vector_uint)is_wide))
        add_wide_lanes(coverage, lanes, row, is_wide);
}

/* Adds one line with a row in each lane, from `upper`, where the line is at x, to `end`. */
INLINE void add_rows(const cpu_coverage *coverage, const line_walk *walk, int x, int upper, int end)
{
    line_lanes lanes;
    lanes.x0 = splat_int(walk->x0);
    lanes.y0 = splat_int(walk->y0);
    lanes.x1 = splat_int(walk->x1);
    lanes.y1 = splat_int(walk->y1);
    lanes.upper = splat_int(upper);
    lanes.end = splat_int(end);
    lanes.touch = splat_int(walk->touch);
    lanes.turn = splat_int(walk->turn);
    lanes.leftward = splat_int(walk->leftward);
    lanes.x_slope.low = lanes.x_slope.high = (vector_long){0} + walk->x_slope;
    lanes.y_slope.low = lanes.y_slope.high = (vector_long){0} + walk->y_slope;
    for (; upper < end; upper = (upper & ~(SUBPIXELS - 1)) + LANES * SUBPIXELS) {
        vector_int number = (upper >> SUBPIXEL_SHIFT) + lane_numbers();
        row_lanes row;
        row.y_upper = most_ints(number * SUBPIXELS, splat_int(upper));
        row.y_lower = least_ints((number + 1) * SUBPIXELS, splat_int(end));
        row.x_lower = lane_x_at(&lanes, row.y_lower);
        row.x_upper = shifted_in(row.x_lower, x);
        row.areas = number * (int)coverage->stride;
        row.words = number * (int)coverage->words;
        add_row_lanes(coverage, &lanes, &row, row.y_upper < end);
        x = row.x_lower[LANES - 1];
    }
}

/* Adds the rest of lines, from a row on. */
static __attribute__((noinline)) void add_tall_lanes(const cpu_coverage *coverage, const line_lanes *lanes,
                                                     const row_lanes *row)
{
    stored_lanes stored;
    store_lanes(lanes, &stored);
    int x_upper[LANES], y_upper[LANES];
    store_ints(x_upper, row->x_upper);
    store_ints(y_upper, row->y_upper);
    for (uint bits = lane_bits(lanes->is_seen); bits != 0; bits &= bits - 1) {
        uint i = (uint)__builtin_ctz(bits);
        line_walk walk = stored_walk(&stored, i);
        add_rows(coverage, &walk, x_upper[i], y_upper[i], stored.end[i]);
    }
}

/* Returns whether so few lines are left, with so many rows, that the lanes had better be rows of each line. */
INLINE bool are_tall(const line_lanes *lanes, vector_int y_upper)
{
    uint count = (uint)__builtin_popcount(lane_bits(lanes->is_seen));
    return count <= LANES / 2 &&
           any_lane((vector_uint)((lanes->end - y_upper > (int)(count + 1) * SUBPIXELS) & lanes->is_seen));
}

/* Adds the touches of lines without height. */
static __attribute__((noinline)) void touch_horizontals(const cpu_coverage *coverage, const cpu_edge *edges, uint bits)
{
    for (; bits != 0; bits &= bits - 1) {
        cpu_edge edge = edges[__builtin_ctz(bits)];
        int y = edge.ay - coverage->top;
        int row = y >> SUBPIXEL_SHIFT;
        if (row < 0 || row >= coverage->height || (y & (SUBPIXELS - 1)) == 0)
            continue;
        int first = (edge.ax - coverage->left) >> SUBPIXEL_SHIFT;
        int last = (edge.bx - coverage->left) >> SUBPIXEL_SHIFT;
        uint32_t *meetings = coverage->meetings + (size_t)row * coverage->stride;
        if (first >= 0 && first < coverage->width)
            meetings[first] += MET_END;
        if (last >= 0 && last < coverage->width)
            meetings[last] += MET_END;
        int end = int_min(int_max(first, last), coverage->width - 1);
        for (int column = int_max(int_min(first, last), 0); column <= end; column++) {
            meetings[column] += MET_TOUCH + MET_DOWN + (edge.bx < edge.ax ? MET_LEFT : 0u);
            touch(coverage->touched + (size_t)row * coverage->words, (uint)column);
        }
    }
}

INLINE void add_batch(const cpu_coverage *coverage, const cpu_edge *edges, uint count)
{
    line_lanes lanes;
    load_lanes(edges, count, &lanes);
    uint horizontals = lane_bits(lanes.is_seen & (lanes.y0 == lanes.y1));
    if (horizontals != 0)
        touch_horizontals(coverage, edges, horizontals);
    place_lanes(coverage, &lanes);
    if (any_lane((vector_uint)lanes.is_cut)) {
        add_cut_lanes(coverage, &lanes);
        lanes.is_seen &= ~lanes.is_cut;
    }
    row_lanes row = {.y_upper = lanes.upper, .x_upper = lane_x_at(&lanes, lanes.upper)};
    row.areas = (lanes.upper >> SUBPIXEL_SHIFT) * (int)coverage->stride;
    row.words = (lanes.upper >> SUBPIXEL_SHIFT) * (int)coverage->words;
    while (any_lane((vector_uint)lanes.is_seen)) {
        if (are_tall(&lanes, row.y_upper)) {
            add_tall_lanes(coverage, &lanes, &row);
            break;
        }
        row.y_lower = least_ints((row.y_upper | (SUBPIXELS - 1)) + 1, lanes.end);
        row.x_lower = lane_x_at(&lanes, row.y_lower);
        add_row_lanes(coverage, &lanes, &row, lanes.is_seen);
        row.x_upper = row.x_lower;
        row.y_upper = row.y_lower;
        row.areas += (int)coverage->stride;
        row.words += (int)coverage->words;
        lanes.is_seen &= row.y_upper < lanes.end;
    }
}

static void add_edges(const cpu_coverage *coverage, const cpu_edge *edges, uint count)
{
    cpu_coverage local = *coverage;
    for (uint i = 0; i < count; i += LANES)
        add_batch(&local, edges + i, count - i);
}
