/* Samples the pixels in which lines of an element meet (shaders/lib/coverage.h). Part of kernels_body.h.
 *
 * Pixels are listed with their areas, as many as the records of a pass suffice for. They always suffice for one pixel.
 * The edges are walked again. Each leaves a record with every listed pixel that it touches. These records and its area
 * give a pixel's winding numbers, because whatever crosses its left edge, or lies between that and a sample, touches
 * it. A complex pixel then gets an area that stands for its coverage, and the next one in its row is corrected for
 * that. */

#define PASS_PIXELS 256u
#define PASS_TOUCHES (SAMPLED_MEETINGS / MEETING_TOUCH)
/* Marks a listed pixel among the meetings; its number follows. */
#define MEETING_LISTED 0x80000000u

/* A line's part in a row of pixels, with one of the pixels. */
typedef struct meeting_touch {
    line_walk walk;
    int x_upper, x_lower, y_upper, y_lower;
    uint next; /* the pixel's next one, plus 1 */
} meeting_touch;

typedef struct meeting_pixel {
    int row, column;
    uint touches;
    uint first; /* its first record, plus 1 */
    int64_t area;
} meeting_pixel;

typedef struct meeting_pass {
    const cpu_coverage *coverage;
    const cpu_slot *const *heads;
    uint head_count;
    uint pixel_count, touch_count, expected_touches;
    uint rows; /* a bit for each row that has pixels of the list */
    int first_row, last_row;
    meeting_pixel pixels[PASS_PIXELS];
    meeting_touch touches[PASS_TOUCHES];
} meeting_pass;

/* ---- One pixel ---- */

/* What the crossings of a row of samples change, from a cell on. */
typedef int sample_steps[SAMPLE_ROWS][SAMPLE_COLUMNS + 1];

/* Returns what a line that touches the pixel at (left, top) adds to its area: what the pixel has more than if all of it
 * had the winding number of its upper left corner. */
static int64_t touch_share(const meeting_touch *touch, int left, int top)
{
    const line_walk *walk = &touch->walk;
    int sign = walk->turn ? -1 : 1;
    int bottom = top + SUBPIXELS;
    int crossed =
        (touch->x_lower < left ? bottom - touch->y_lower : 0) - (touch->x_upper < left ? bottom - touch->y_upper : 0);
    if (touch->y_upper == touch->y_lower)
        return sign * 2 * SUBPIXELS * crossed;
    int before = walk_height_left_of(walk, left, touch->x_upper, touch->x_lower, touch->y_upper, touch->y_lower);
    int after =
        walk_height_left_of(walk, left + SUBPIXELS, touch->x_upper, touch->x_lower, touch->y_upper, touch->y_lower);
    int distances = int_clamp(touch->x_upper - left, 0, SUBPIXELS) + int_clamp(touch->x_lower - left, 0, SUBPIXELS);
    return sign * (2 * SUBPIXELS * (crossed + before) + (after - before) * (2 * SUBPIXELS - distances));
}

/* Adds a line that touches the pixel at (left, top). */
static void add_touch(const meeting_touch *touch, int left, int top, sample_steps steps)
{
    const line_walk *walk = &touch->walk;
    int sign = walk->turn ? -1 : 1;
    bool begins_left = touch->x_upper < left;
    bool ends_left = touch->x_lower < left;
    for (int row = 0; row < SAMPLE_ROWS; row++) {
        int y = top + sample_y(row);
        if (y < touch->y_upper)
            continue;
        if (y < touch->y_lower) {
            steps[row][0] -= begins_left ? sign : 0;
            steps[row][int_clamp(sample_cell(walk_x_at(walk, y) - left, row), 0, SAMPLE_COLUMNS)] += sign;
        } else {
            steps[row][0] += sign * ((ends_left ? 1 : 0) - (begins_left ? 1 : 0));
        }
    }
}

static pixel_samples samples_of_steps(sample_steps steps, int corner, bool even_odd)
{
    pixel_samples samples = no_samples();
    for (int row = 0; row < SAMPLE_ROWS; row++) {
        int winding = corner + steps[row][0];
        uint count = 1;
        for (int cell = 1; cell < SAMPLE_COLUMNS; cell++) {
            if (steps[row][cell] != 0) {
                samples = samples_join(samples, samples_of(winding, count, even_odd));
                count = 0;
            }
            winding += steps[row][cell];
            count++;
        }
        samples = samples_join(samples, samples_of(winding, count, even_odd));
    }
    return samples;
}

/* Gives a pixel the area that stands for its coverage. */
static void change_area(const cpu_coverage *coverage, const meeting_pixel *pixel, int covered)
{
    size_t at = (size_t)pixel->row * coverage->stride + (size_t)pixel->column;
    if (coverage->wide) {
        coverage->wide[at] += covered - pixel->area;
        coverage->wide[at + 1] -= covered - pixel->area;
    } else {
        coverage->rows[at] += covered - (int)pixel->area;
        coverage->rows[at + 1] -= covered - (int)pixel->area;
        touch(coverage->touched + (size_t)pixel->row * coverage->words, (uint)pixel->column + 1u);
    }
}

/* Returns the winding number of a pixel's upper left corner. share: of all lines that touch it. */
INLINE int corner_winding(const meeting_pixel *pixel, int64_t share)
{
    return (int)((pixel->area - share) / FULL_AREA);
}

static void finish_pixel(const cpu_coverage *coverage, const meeting_pixel *pixel, pixel_samples samples)
{
    if (samples_are_complex(samples)) {
        change_area(coverage, pixel,
                    coverage_area_of_samples(samples, (int)(pixel->area >> 16), (uint)(pixel->area & 0xffff)));
    }
}

static int64_t share_of_touches(const meeting_pass *pass, const meeting_pixel *pixel)
{
    int64_t share = 0;
    for (uint i = pixel->first; i != 0; i = pass->touches[i - 1].next)
        share += touch_share(&pass->touches[i - 1], pixel->column * SUBPIXELS, pixel->row * SUBPIXELS);
    return share;
}

static __attribute__((noinline)) void sample_by_steps(const meeting_pass *pass, const meeting_pixel *pixel)
{
    sample_steps steps;
    memset(steps, 0, sizeof steps);
    for (uint i = pixel->first; i != 0; i = pass->touches[i - 1].next)
        add_touch(&pass->touches[i - 1], pixel->column * SUBPIXELS, pixel->row * SUBPIXELS, steps);
    int corner = corner_winding(pixel, share_of_touches(pass, pixel));
    finish_pixel(pass->coverage, pixel, samples_of_steps(steps, corner, pass->coverage->even_odd));
}

/* ---- One pixel that few lines touch ----
 *
 * A lane is a row of samples, and a bit of it a cell. What the cells have more than the corner's winding number is a
 * number of DIGITS bits in two's complement, whose digits lie in one vector each, for the upper and the lower rows. */

#define DIGITS 4u
#define FEW_TOUCHES 7u /* winding numbers then differ from the corner's by 7 at most */
#define HALVES 2u

typedef struct cell_windings {
    vector_uint digits[HALVES][DIGITS];
} cell_windings;

/* Adds 1 to the cells of a mask, or -1. */
INLINE void count_cells(vector_uint digits[DIGITS], vector_uint cells, bool down)
{
#pragma GCC unroll 4
    for (uint i = 0; i < DIGITS; i++) {
        vector_uint carry = (down ? digits[i] : ~digits[i]) & cells;
        digits[i] ^= cells;
        cells = carry;
    }
}

/* Adds a number to all cells of each lane. */
INLINE void add_to_lanes(vector_uint digits[DIGITS], vector_int numbers)
{
    vector_uint carry = {0};
#pragma GCC unroll 4
    for (uint i = 0; i < DIGITS; i++) {
        vector_uint digit = (vector_uint)(numbers << (31 - (int)i) >> 31);
        vector_uint sum = digits[i] ^ digit;
        vector_uint next = (digits[i] & digit) | (sum & carry);
        digits[i] = sum ^ carry;
        carry = next;
    }
}

INLINE void count_touch(const meeting_touch *touch, int left, int top, cell_windings *windings, vector_int *all)
{
    const line_walk *walk = &touch->walk;
    int sign = walk->turn ? -1 : 1;
    vector_int begins_left = splat_int(touch->x_upper < left ? -sign : 0);
    vector_int ends_left = splat_int(touch->x_lower < left ? sign : 0);
    lane_longs slope = {(vector_long){0} + walk->x_slope, (vector_long){0} + walk->x_slope};
    vector_int shifts = {0, 4, 2, 6, 1, 5, 3, 7};
#pragma GCC unroll 2
    for (uint half = 0; half < HALVES; half++) {
        vector_int y = (lane_numbers() + (int)(half * LANES)) * (1 << SAMPLE_ROW_SHIFT) + (top + sample_y(0));
        vector_int is_behind = y >= touch->y_upper;
        vector_int is_below = y >= touch->y_lower;
        vector_int x = walk->x0 + negate_lanes(lane_distances(y - walk->y0, slope), splat_int(walk->leftward));
        vector_int cell = most_ints((x - left + shifts) >> SAMPLE_COLUMN_SHIFT, splat_int(0));
        vector_uint cells = (vector_uint)(is_behind & ~is_below & (cell < SAMPLE_COLUMNS));
        cells &= 0xffffffffu << ((vector_uint)cell & 31u);
        count_cells(windings->digits[half], cells, sign > 0);
        all[half] += (is_behind & begins_left) + (is_below & ends_left);
    }
}

/* Narrows the cells to those that have a digit if some have it, and returns whether they do. */
INLINE bool narrow(vector_uint cells[HALVES], vector_uint low, vector_uint high)
{
    low &= cells[0];
    high &= cells[1];
    if (!any_lane(low | high))
        return false;
    cells[0] = low;
    cells[1] = high;
    return true;
}

/* Returns the greatest of all numbers, or the least if `minus` has all bits set: it counts from -1 down. */
INLINE int greatest_winding(const cell_windings *windings, uint minus)
{
    vector_uint cells[HALVES] = {~(vector_uint){0}, ~(vector_uint){0}};
    uint top = DIGITS - 1u;
    bool is_negative = !narrow(cells, ~(windings->digits[0][top] ^ minus), ~(windings->digits[1][top] ^ minus));
    int found = is_negative ? -(1 << top) : 0;
#pragma GCC unroll 4
    for (uint i = top; i-- > 0;)
        if (narrow(cells, windings->digits[0][i] ^ minus, windings->digits[1][i] ^ minus))
            found |= 1 << i;
    return found;
}

INLINE uint count_bits(vector_uint v)
{
    uint64_t words[LANES / 2];
    memcpy(words, &v, sizeof words);
    int count = 0;
    for (uint i = 0; i < LANES / 2; i++)
        count += __builtin_popcountll(words[i]);
    return (uint)count;
}

/* Returns the number of samples that have a winding number. */
INLINE uint count_samples(const cell_windings *windings, int winding)
{
    vector_uint same[HALVES];
    for (uint half = 0; half < HALVES; half++) {
        same[half] = ~(vector_uint){0};
#pragma GCC unroll 4
        for (uint i = 0; i < DIGITS; i++)
            same[half] &= ~(windings->digits[half][i] ^ (0u - ((uint)winding >> i & 1u)));
    }
    return count_bits(same[0]) + count_bits(same[1]);
}

/* ---- Two lines that do not cross ----
 *
 * In rows above its part in the pixel's row, a line counts as infinitely far to the left if its part begins left of the
 * pixel, else as infinitely far to the right. In rows below its part, the part's end decides. Two lines of opposite
 * directions then separate two values of the winding number if one of them is never right of the other. */

#define FAR 0x3fffffff

/* Which of two lines is the left one, as far as is known. */
typedef struct line_order {
    bool first_is_left, second_is_left, is_close;
} line_order;

/* Lines a subpixel apart might change places where they are rounded. */
INLINE void order_at(line_order *order, int first, int second)
{
    order->first_is_left |= first < second;
    order->second_is_left |= second < first;
    order->is_close |= int_abs(first - second) < 2 && first != FAR && first != -FAR;
}

INLINE int x_above(const meeting_touch *touch, int left)
{
    return touch->x_upper < left ? -FAR : FAR;
}

INLINE int x_below(const meeting_touch *touch, int left)
{
    return touch->x_lower < left ? -FAR : FAR;
}

/* Returns x where the line's part is; where it is not, how far it counts. */
INLINE int x_in_row(const meeting_touch *touch, int left, int y, bool from_below)
{
    if (from_below ? y <= touch->y_upper : y < touch->y_upper)
        return x_above(touch, left);
    if (from_below ? y > touch->y_lower : y >= touch->y_lower)
        return x_below(touch, left);
    if (y == touch->y_upper)
        return touch->x_upper;
    return y == touch->y_lower ? touch->x_lower : walk_x_at(&touch->walk, y);
}

/* Compares the lines between two heights, where neither begins or ends. */
INLINE void order_between(line_order *order, const meeting_touch *first, const meeting_touch *second, int left,
                          int upper, int lower)
{
    if (upper < lower) {
        order_at(order, x_in_row(first, left, upper, false), x_in_row(second, left, upper, false));
        order_at(order, x_in_row(first, left, lower, true), x_in_row(second, left, lower, true));
    }
}

static bool two_lines_are_simple(const meeting_touch *first, const meeting_touch *second, int left, int top)
{
    if (first->walk.turn == second->walk.turn)
        return false;
    line_order order = {0};
    int upper = int_min(first->y_upper, second->y_upper);
    int lower = int_max(first->y_lower, second->y_lower);
    int begin = int_max(first->y_upper, second->y_upper);
    int end = int_min(first->y_lower, second->y_lower);
    order_between(&order, first, second, left, top, upper);
    order_between(&order, first, second, left, upper, int_min(begin, end));
    order_between(&order, first, second, left, int_min(begin, end), int_max(begin, end));
    order_between(&order, first, second, left, int_max(begin, end), lower);
    order_between(&order, first, second, left, lower, top + SUBPIXELS);
    return !order.is_close && !(order.first_is_left && order.second_is_left);
}

static bool has_two_simple_lines(const meeting_pass *pass, const meeting_pixel *pixel)
{
    const meeting_touch *first = &pass->touches[pixel->first - 1];
    return pixel->touches == 2 && two_lines_are_simple(first, &pass->touches[first->next - 1],
                                                       pixel->column * SUBPIXELS, pixel->row * SUBPIXELS);
}

static void sample_few(const meeting_pass *pass, const meeting_pixel *pixel)
{
    cell_windings windings = {0};
    vector_int all[HALVES] = {{0}, {0}};
    for (uint i = pixel->first; i != 0; i = pass->touches[i - 1].next)
        count_touch(&pass->touches[i - 1], pixel->column * SUBPIXELS, pixel->row * SUBPIXELS, &windings, all);
    for (uint half = 0; half < HALVES; half++)
        add_to_lanes(windings.digits[half], all[half]);
    int most = greatest_winding(&windings, 0);
    int least = ~greatest_winding(&windings, 0xffffffffu);
    if (most - least <= 1)
        return;
    int corner = corner_winding(pixel, share_of_touches(pass, pixel));
    pixel_samples samples = no_samples();
    for (int winding = least; winding <= most; winding++) {
        uint count = count_samples(&windings, winding);
        if (count != 0)
            samples = samples_join(samples, samples_of(corner + winding, count, pass->coverage->even_odd));
    }
    finish_pixel(pass->coverage, pixel, samples);
}

/* ---- The second walk over the edges ---- */

/* Leaves a record with each listed pixel that a line's part touches. */
INLINE void record_part(meeting_pass *pass, int row, const meeting_touch *part)
{
    const cpu_coverage *coverage = pass->coverage;
    const uint32_t *meetings = coverage->meetings + (size_t)row * coverage->stride;
    int column = int_max(int_min(part->x_upper, part->x_lower) >> SUBPIXEL_SHIFT, 0);
    int last = int_min(int_max(part->x_upper, part->x_lower) >> SUBPIXEL_SHIFT, coverage->width - 1);
    for (; column <= last; column++) {
        if (meetings[column] & MEETING_LISTED) {
            meeting_pixel *pixel = &pass->pixels[meetings[column] & ~MEETING_LISTED];
            pass->touches[pass->touch_count] = *part;
            pass->touches[pass->touch_count].next = pixel->first;
            pixel->first = ++pass->touch_count;
        }
    }
}

/* Loads the lanes of edges that may touch a pixel of the list, relative to the coverage. Horizontal lines run to the
 * right. Returns false if there are none. */
INLINE bool load_near_lanes(const meeting_pass *pass, const cpu_edge *edges, uint count, line_lanes *lanes)
{
    const cpu_coverage *coverage = pass->coverage;
    load_lanes(edges, count, lanes);
    lanes->x0 -= coverage->left;
    lanes->y0 -= coverage->top;
    lanes->x1 -= coverage->left;
    lanes->y1 -= coverage->top;
    vector_int least = least_ints(lanes->x0, lanes->x1);
    vector_int most = most_ints(lanes->x0, lanes->x1);
    lanes->upper = most_ints(lanes->y0, splat_int(pass->first_row * SUBPIXELS));
    lanes->end = least_ints(lanes->y1, splat_int((pass->last_row + 1) * SUBPIXELS));
    lanes->is_seen &= (lanes->upper < lanes->end) | ((lanes->y0 == lanes->y1) & (lanes->upper == lanes->end));
    lanes->is_seen &= (most >= 0) & (least < coverage->width * SUBPIXELS);
    if (!any_lane((vector_uint)lanes->is_seen))
        return false;
    vector_int is_horizontal = lanes->y0 == lanes->y1;
    lanes->turn = select_ints(is_horizontal, ~(lanes->x1 < lanes->x0), lanes->turn);
    lanes->x0 = select_ints(is_horizontal, least, lanes->x0);
    lanes->x1 = select_ints(is_horizontal, most, lanes->x1);
    lanes->touch = splat_int((int)MEETING_TOUCH);
    find_lane_slopes(lanes);
    return true;
}

static void record_horizontals(meeting_pass *pass, const stored_lanes *stored, uint bits)
{
    for (; bits != 0; bits &= bits - 1) {
        meeting_touch part = {.walk = stored_walk(stored, (uint)__builtin_ctz(bits))};
        int row = part.walk.y0 >> SUBPIXEL_SHIFT;
        part.x_upper = part.walk.x0;
        part.x_lower = part.walk.x1;
        part.y_upper = part.y_lower = part.walk.y0;
        if ((pass->rows >> row & 1u) != 0 && (part.walk.y0 & (SUBPIXELS - 1)) != 0)
            record_part(pass, row, &part);
    }
}

/* Returns the lanes whose parts of a row touch a listed pixel. */
INLINE uint lanes_that_touch(const cpu_coverage *coverage, const row_lanes *row, uint bits)
{
    vector_int first = most_ints(least_ints(row->x_upper, row->x_lower) >> SUBPIXEL_SHIFT, splat_int(0));
    vector_int last =
        least_ints(most_ints(row->x_upper, row->x_lower) >> SUBPIXEL_SHIFT, splat_int(coverage->width - 1));
    int from[LANES], count[LANES];
    store_ints(from, row->areas + first);
    store_ints(count, last - first);
    uint found = 0;
    for (; bits != 0; bits &= bits - 1) {
        uint lane = (uint)__builtin_ctz(bits);
        uint any = 0;
        for (int i = 0; i <= count[lane]; i++)
            any |= coverage->meetings[from[lane] + i];
        found |= any >> 31 << lane;
    }
    return found;
}

/* Walks LANES edges through the rows of the list. */
INLINE void record_edges(meeting_pass *pass, const cpu_edge *edges, uint count)
{
    const cpu_coverage *coverage = pass->coverage;
    line_lanes lanes;
    if (!load_near_lanes(pass, edges, count, &lanes))
        return;
    stored_lanes stored;
    store_lanes(&lanes, &stored);
    uint horizontals = lane_bits(lanes.is_seen & (lanes.y0 == lanes.y1));
    if (horizontals != 0)
        record_horizontals(pass, &stored, horizontals);
    lanes.is_seen &= lanes.upper < lanes.end;
    row_lanes row = {.y_upper = lanes.upper, .x_upper = lane_x_at(&lanes, lanes.upper)};
    while (any_lane((vector_uint)lanes.is_seen)) {
        vector_int number = row.y_upper >> SUBPIXEL_SHIFT;
        row.y_lower = least_ints((row.y_upper | (SUBPIXELS - 1)) + 1, lanes.end);
        row.x_lower = lane_x_at(&lanes, row.y_lower);
        row.areas = number * (int)coverage->stride;
        vector_int has_pixels = (vector_int)((pass->rows >> ((vector_uint)number & 31u)) & 1u) != 0;
        uint bits = lane_bits(lanes.is_seen & has_pixels);
        bits = bits != 0 ? lanes_that_touch(coverage, &row, bits) : 0;
        for (; bits != 0; bits &= bits - 1) {
            uint lane = (uint)__builtin_ctz(bits);
            meeting_touch part = {.walk = stored_walk(&stored, lane)};
            part.x_upper = row.x_upper[lane];
            part.x_lower = row.x_lower[lane];
            part.y_upper = row.y_upper[lane];
            part.y_lower = row.y_lower[lane];
            record_part(pass, number[lane], &part);
        }
        row.x_upper = row.x_lower;
        row.y_upper = row.y_lower;
        lanes.is_seen &= row.y_upper < lanes.end;
    }
}

static __attribute__((noinline)) void record_runs(meeting_pass *pass)
{
    for (uint i = 0; i < pass->head_count; i++) {
        const cpu_edge *edges = &pass->heads[i][1].edge;
        uint count = pass->heads[i]->head.count;
        for (uint first = 0; first < count; first += LANES)
            record_edges(pass, edges + first, count - first);
    }
}

/* ---- Passes ---- */

static void begin_pass(meeting_pass *pass)
{
    pass->pixel_count = 0;
    pass->touch_count = 0;
    pass->expected_touches = 0;
    pass->rows = 0;
}

static __attribute__((noinline)) void finish_pass(meeting_pass *pass)
{
    const cpu_coverage *coverage = pass->coverage;
    pass->first_row = pass->pixel_count > 0 ? __builtin_ctz(pass->rows) : 0;
    pass->last_row = pass->pixel_count > 0 ? 31 - __builtin_clz(pass->rows) : -1;
    if (pass->pixel_count > 0)
        record_runs(pass);
    for (uint i = 0; i < pass->pixel_count; i++) {
        const meeting_pixel *pixel = &pass->pixels[i];
        coverage->meetings[(size_t)pixel->row * coverage->stride + (size_t)pixel->column] = 0;
        if (has_two_simple_lines(pass, pixel))
            continue;
        if (pixel->touches <= FEW_TOUCHES)
            sample_few(pass, pixel);
        else
            sample_by_steps(pass, pixel);
    }
    begin_pass(pass);
}

/* Lists the pixels of a group, given their areas. Returns false if the pass is full before that. */
static __attribute__((noinline)) bool list_group(meeting_pass *pass, int row, int x, uint bits, const int64_t *areas)
{
    const cpu_coverage *coverage = pass->coverage;
    uint32_t *meetings = coverage->meetings + (size_t)row * coverage->stride + x;
    for (; bits != 0; bits &= bits - 1) {
        uint lane = (uint)__builtin_ctz(bits);
        uint touches = meetings[lane] / MEETING_TOUCH;
        if (pass->pixel_count == PASS_PIXELS || pass->expected_touches + touches > PASS_TOUCHES)
            return false;
        pass->pixels[pass->pixel_count] =
            (meeting_pixel){.row = row, .column = x + (int)lane, .touches = touches, .area = areas[lane]};
        pass->expected_touches += touches;
        pass->rows |= 1u << row;
        meetings[lane] = MEETING_LISTED | pass->pixel_count++;
    }
    return true;
}

/* Returns a bit for each pixel of a group that is to be sampled, and clears the meetings of the others. */
INLINE uint take_meetings(uint32_t *meetings, int count)
{
    vector_int met;
    memcpy(&met, meetings, sizeof met);
    vector_int is_sampled = (met >= 2 * (int)MEETING_TOUCH) & (met != 2 * (int)MEETING_TOUCH + 2) &
                            (met <= (int)SAMPLED_MEETINGS) & first_lanes(count);
    vector_int kept = met & (is_sampled | met >> 31);
    memcpy(meetings, &kept, sizeof kept);
    return lane_bits(is_sampled);
}

/* Lists the pixels of a row. Returns false if the pass is full before that; then the row is to be listed again. */
static bool list_row(meeting_pass *pass, int row)
{
    const cpu_coverage *coverage = pass->coverage;
    const int32_t *areas = coverage->rows + (size_t)row * coverage->stride;
    uint32_t *meetings = coverage->meetings + (size_t)row * coverage->stride;
    const uint64_t *touched = coverage->touched + (size_t)row * coverage->words;
    vector_int carry = {0};
    for (uint word = 0; word < coverage->words; word++) {
        for (uint64_t bits = touched[word]; bits != 0; bits &= bits - 1) {
            int x = (int)((word * 64u + (uint)__builtin_ctzll(bits)) << COVERAGE_GROUP_SHIFT);
            uint sampled = take_meetings(meetings + x, coverage->width - x);
            vector_int area;
            memcpy(&area, areas + x, sizeof area);
            area = sums_before(area) + carry;
            carry = __builtin_shufflevector(area, area, 7, 7, 7, 7, 7, 7, 7, 7);
            if (sampled != 0) {
                int64_t found[LANES];
                for (uint i = 0; i < LANES; i++)
                    found[i] = area[i];
                if (!list_group(pass, row, x, sampled, found))
                    return false;
            }
        }
    }
    return true;
}

/* Does list_row where the sums have 64 bits. */
static bool list_wide_row(meeting_pass *pass, int row)
{
    const cpu_coverage *coverage = pass->coverage;
    const int64_t *areas = coverage->wide + (size_t)row * coverage->stride;
    uint32_t *meetings = coverage->meetings + (size_t)row * coverage->stride;
    int64_t sum = 0;
    for (int x = 0; x < coverage->width; x += LANES) {
        uint sampled = take_meetings(meetings + x, coverage->width - x);
        int64_t found[LANES];
        for (int i = 0; i < LANES; i++)
            found[i] = sum += areas[x + i];
        if (sampled != 0 && !list_group(pass, row, x, sampled, found))
            return false;
    }
    return true;
}

static __attribute__((noinline)) void sample_rows(const cpu_coverage *coverage, const cpu_slot *const *heads,
                                                  uint count, int first_row)
{
    cpu_coverage local = *coverage;
    meeting_pass pass;
    pass.coverage = &local;
    pass.heads = heads;
    pass.head_count = count;
    begin_pass(&pass);
    for (int row = first_row; row < local.height; row++)
        while (!(local.wide ? list_wide_row(&pass, row) : list_row(&pass, row)))
            finish_pass(&pass);
    finish_pass(&pass);
}

/* Clears the meetings of a row if no pixel of it is to be sampled. Else returns true. */
INLINE bool row_has_meetings(const cpu_coverage *coverage, int row)
{
    uint32_t *meetings = coverage->meetings + (size_t)row * coverage->stride;
    const uint64_t *touched = coverage->touched + (size_t)row * coverage->words;
    for (uint word = 0; word < coverage->words; word++) {
        for (uint64_t bits = touched[word]; bits != 0; bits &= bits - 1) {
            int x = (int)((word * 64u + (uint)__builtin_ctzll(bits)) << COVERAGE_GROUP_SHIFT);
            if (take_meetings(meetings + x, coverage->width - x) != 0)
                return true;
        }
    }
    return false;
}

static void sample_meetings(const cpu_coverage *coverage, const cpu_slot *const *heads, uint count)
{
    int row = 0;
    if (!coverage->wide)
        while (row < coverage->height && !row_has_meetings(coverage, row))
            row++;
    if (row < coverage->height)
        sample_rows(coverage, heads, count, row);
}
