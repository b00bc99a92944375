/* Lines, added to the rows of a cover. Part of kernels_body.h. */

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
