/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Samples a row of pixels in which lines meet nearly everywhere (shaders/lib/coverage.h). Part of kernels_body.h.
 *
 * Work does not depend on how many lines touch a pixel. A line that crosses a row of samples changes the winding number
 * of a cell and of all after it: a step. Sums of steps along the row are the winding numbers. All rows of samples of
 * the row of pixels are summed side by side. As many columns as there is room for are a window. */

/* Cells of a column, and room for a cell that takes the steps of no cell. */
#define STEPS_OF_COLUMN (SAMPLE_COLUMNS * SAMPLE_ROWS)
#define STEPS_OF_NONE SAMPLE_ROWS
_Static_assert(CPU_TOUCHES_LEAST * sizeof(cpu_touch) >= (STEPS_OF_COLUMN + STEPS_OF_NONE) * sizeof(int16_t),
               "there is room for a column");
/* How far, in subpixels, a line may be from where it crosses the borders of its row, because both are rounded. */
#define STEPS_MARGIN 2
/* Steps and their sums are modulo 2^16. The winding numbers of a pixel's samples differ from one another, and from its
 * area in turns, by no more than the lines that touch it. So they are known where the area is near 0. */
#define STEPS_FAR 16384
_Static_assert(STEPS_FAR + SAMPLED_MEETINGS / MEETING_TOUCH < INT16_MAX, "near winding numbers fit");

typedef struct step_window {
    int16_t *steps; /* those of a cell in all rows of samples, then those of the next cell, ... */
    int left, top;  /* subpixels of the coverage */
    int cells;
    bool is_first; /* what lies left of the window counts for its first cell. Else it has been counted */
} step_window;

/* Returns the number of columns for whose steps there is room. */
INLINE int step_columns(const cpu_coverage *coverage)
{
    return (int)((coverage->touch_capacity * sizeof(cpu_touch) / sizeof(int16_t) - STEPS_OF_NONE) / STEPS_OF_COLUMN);
}

/* ---- Steps ---- */

/* Returns where the steps of a line are, in eight rows of samples. `high` words of x are subpixels of the window. */
INLINE vector_int steps_at(const step_window *window, vector_long low, vector_long high, int first_row)
{
    const vector_int shifts = {SAMPLE_SHIFTS};
    /* What is right of the window goes to the cell of none. So does what is left of one that is not the first. */
    vector_int cells = (high_words(low, high) + shifts) >> SAMPLE_COLUMN_SHIFT;
    cells = most_ints(cells, splat_int(window->is_first ? 0 : -1));
    cells = select_ints(cells < 0, splat_int(window->cells), least_ints(cells, splat_int(window->cells)));
    return cells * SAMPLE_ROWS + first_row + lane_numbers();
}

/* Adds the steps of a line with height. */
INLINE void add_steps(const step_window *window, const line_walk *walk)
{
    const int half = SUBPIXELS / SAMPLE_ROWS / 2;
    int row = int_max((walk->y0 - window->top + half - 1) >> SAMPLE_ROW_SHIFT, 0);
    int end = int_min((walk->y1 - window->top + half - 1) >> SAMPLE_ROW_SHIFT, SAMPLE_ROWS);
    int16_t sign = walk->turn ? -1 : 1;
    sample_walk samples = sample_walk_of(walk, window->left, window->top);
    uint64_t step = samples.step;
    vector_long low = samples.x + (vector_long){0, step, 2 * step, 3 * step};
    int at[SAMPLE_ROWS];
    store_ints(at, steps_at(window, low, low + 4 * step, 0));
    store_ints(at + LANES, steps_at(window, low + 8 * step, low + 12 * step, LANES));
    for (; row < end; row++)
        window->steps[at[row]] += sign;
}

/* Takes the lanes that lie right or left of the window in all of its row out of those that are seen. Those on the left
 * count for the first cell. Where one of them goes through the whole row, it counts alike in all rows of samples:
 * returns what such lanes add there. */
INLINE int pass_far_lanes(const step_window *window, line_lanes *lanes)
{
    const vector_int top = splat_int(window->top), bottom = splat_int(window->top + SUBPIXELS);
    const vector_int upper = lane_x_at(lanes, most_ints(lanes->y0, top));
    const vector_int lower = lane_x_at(lanes, least_ints(lanes->y1, bottom));
    const int right = window->left + (window->cells << SAMPLE_COLUMN_SHIFT);
    lanes->is_seen &= least_ints(upper, lower) <= right + STEPS_MARGIN;
    const vector_int is_left = lanes->is_seen & (most_ints(upper, lower) < window->left - SUBPIXELS);
    const vector_int is_through = is_left & (lanes->y0 <= top) & (lanes->y1 >= bottom);
    lanes->is_seen &= ~(window->is_first ? is_through : is_left);
    if (!window->is_first)
        return 0;
    const uint through = lane_bits(is_through);
    return __builtin_popcount(through) - 2 * __builtin_popcount(through & lane_bits(lanes->turn));
}

/* Adds the steps of LANES edges. Returns what all rows of samples have in common at the first cell. */
INLINE int add_edge_steps(const cpu_coverage *coverage, const step_window *window, const cpu_edge *edges, uint count)
{
    line_lanes lanes = {0};
    load_lanes(edges, count, &lanes);
    lanes.x0 -= coverage->left;
    lanes.y0 -= coverage->top;
    lanes.x1 -= coverage->left;
    lanes.y1 -= coverage->top;
    lanes.is_seen &= (lanes.y0 < window->top + SUBPIXELS) & (lanes.y1 > window->top);
    lanes.is_seen &= least_ints(lanes.x0, lanes.x1) < window->left + (window->cells << SAMPLE_COLUMN_SHIFT);
    if (!window->is_first)
        lanes.is_seen &= most_ints(lanes.x0, lanes.x1) >= window->left - SUBPIXELS;
    if (lane_bits(lanes.is_seen) == 0)
        return 0;
    lanes.leftward = lanes.x1 < lanes.x0;
    vector_int run = negate_lanes(lanes.x1 - lanes.x0, lanes.leftward) & lanes.is_seen;
    lanes.x_slope = find_slopes(run, most_ints(lanes.y1 - lanes.y0, splat_int(1)));
    const int common = pass_far_lanes(window, &lanes);
    uint bits = lane_bits(lanes.is_seen);
    if (bits == 0)
        return common;
    stored_lanes stored;
    store_lanes(&lanes, &stored);
    for (; bits != 0; bits &= bits - 1) {
        line_walk walk = stored_walk(&stored, (uint)__builtin_ctz(bits));
        add_steps(window, &walk);
    }
    return common;
}

static __attribute__((noinline)) void find_steps(const meeting_pass *pass, const step_window *window)
{
    int common = 0;
    memset(window->steps, 0, ((size_t)window->cells + 1) * SAMPLE_ROWS * sizeof *window->steps);
    for (uint i = 0; i < pass->head_count; i++) {
        const cpu_edge *edges = &pass->heads[i][1].edge;
        uint count = pass->heads[i]->head.count;
        if (pass->coverage->sampling)
            pass->coverage->sampling->walked_lines += count;
        for (uint first = 0; first < count; first += LANES)
            common += add_edge_steps(pass->coverage, window, edges + first, count - first);
    }
    for (int row = 0; row < SAMPLE_ROWS; row++)
        window->steps[row] = (int16_t)(window->steps[row] + common);
}

/* ---- Sums ---- */

/* Adds to each of the sums the products of two rows of samples. */
INLINE vector_int add_products(vector_int sums, vector_rows a, vector_rows b)
{
#if defined(__AVX2__)
    return sums + (vector_int)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#else
    for (int i = 0; i < LANES; i++)
        sums[i] += a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    return sums;
#endif
}

INLINE uint sum_lanes(vector_int v)
{
    uint sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += (uint)v[i];
    return sum;
}

/* Adds the steps of a column to the winding numbers. */
INLINE void pass_column(const int16_t *steps, vector_rows *winding)
{
    for (int cell = 0; cell < SAMPLE_COLUMNS; cell++)
        *winding += rows_at(steps + cell * SAMPLE_ROWS);
}

/* Does pass_column and returns the samples, whose winding numbers count from `base`. */
INLINE pixel_samples sample_column(const int16_t *steps, bool even_odd, int base, vector_rows *winding)
{
    vector_rows now = *winding - splat_rows(base), least = splat_rows(INT16_MAX), most = splat_rows(INT16_MIN),
                inside = {0};
    vector_int sum = {0}, squares = {0}, inside_count = {0}, inside_sum = {0};
    for (int cell = 0; cell < SAMPLE_COLUMNS; cell++) {
        now += rows_at(steps + cell * SAMPLE_ROWS);
        least = least_rows(least, now);
        most = most_rows(most, now);
        sum = add_products(sum, now, splat_rows(1));
        squares = add_products(squares, now, now);
        vector_rows is_inside = even_odd ? -(now & 1) : (vector_rows)(now != 0);
        inside -= is_inside;
        if (even_odd)
            inside_sum = add_products(inside_sum, now, -is_inside);
    }
    *winding = now + splat_rows(base);
    inside_count = add_products(inside_count, inside, splat_rows(1));
    pixel_samples samples = {.least = least_of_rows(least), .most = -least_of_rows(-most)};
    samples.sum = sum_lanes(sum);
    samples.squares = sum_lanes(squares);
    samples.inside = sum_lanes(inside_count);
    samples.inside_sum = even_odd ? sum_lanes(inside_sum) : samples.sum;
    return samples;
}

/* Samples a pixel by the steps of its column. Far from 0, the non-zero rule covers it in full, as its area does. The
 * even-odd rule may count from any even number, also where areas are modulo 2^32. */
INLINE void sample_by_steps(const cpu_coverage *coverage, const int16_t *steps, const cpu_met_pixel *pixel,
                            bool even_odd, vector_rows *winding)
{
    const int64_t turns = pixel->area / FULL_AREA;
    if (!even_odd && (turns <= -STEPS_FAR || turns >= STEPS_FAR)) {
        pass_column(steps, winding);
        return;
    }
    const int base = even_odd ? ((*winding)[0] + steps[0]) & ~1 : 0; /* the first sample's, which all others are near */
    const int area = (int)((uint)pixel->area - (uint)base * FULL_AREA);
    pixel_samples samples = sample_column(steps, even_odd, base, winding);
    if (samples_are_complex(samples))
        change_area(coverage, pixel, coverage_area_of_samples(samples, area >> 16, (uint)area & 0xffffu));
}

/* Samples the listed pixels of a window. The winding numbers are those left of it, and then those of its right edge. */
INLINE void sample_window(const cpu_coverage *coverage, const step_window *window, const cpu_met_pixel *pixels,
                          uint count, bool even_odd, vector_rows *winding)
{
    int first = window->left >> SUBPIXEL_SHIFT;
    int end = first + window->cells / SAMPLE_COLUMNS;
    uint next = 0;
    for (int column = first; column < end; column++) {
        const int16_t *steps = window->steps + (size_t)(column - first) * STEPS_OF_COLUMN;
        if (next < count && pixels[next].column == column)
            sample_by_steps(coverage, steps, &pixels[next++], even_odd, winding);
        else
            pass_column(steps, winding);
    }
}

/* Samples all listed pixels of a row, which is the last one of the pass. */
static __attribute__((noinline)) void sample_row_of_steps(const meeting_pass *pass, const cpu_met_pixel *pixels,
                                                          uint count)
{
    const cpu_coverage *coverage = pass->coverage;
    int row = pixels[0].row;
    int end = pixels[count - 1].column + 1;
    vector_rows winding = {0};
    step_window window = {.steps = (int16_t *)(void *)coverage->touches, .top = row * SUBPIXELS, .is_first = true};
    for (int column = pixels[0].column; column < end; window.is_first = false) {
        int columns = int_min(end - column, step_columns(coverage));
        window.left = column * SUBPIXELS;
        window.cells = columns * SAMPLE_COLUMNS;
        find_steps(pass, &window);
        uint here = 0;
        while (here < count && pixels[here].column < column + columns)
            here++;
        if (coverage->even_odd)
            sample_window(coverage, &window, pixels, here, true, &winding);
        else
            sample_window(coverage, &window, pixels, here, false, &winding);
        pixels += here;
        count -= here;
        column += columns;
    }
}
