/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds the pixels of an element in which lines meet, and has them sampled. Part of kernels_body.h.
 *
 * Pixels are listed with their areas, as many as there is room for their touches, but one at least. The edges are
 * walked again. Each leaves a touch with every listed pixel that it touches. Touches and area give a pixel's winding
 * numbers, because whatever crosses its left edge, or lies between that and a sample, touches it. A complex pixel
 * then gets an area that stands for its coverage, and the next one in its row is corrected for that. */

typedef struct meeting_pass {
    const cpu_coverage *coverage;
    const cpu_slot *const *heads;
    uint head_count;
    uint chains; /* CHAINS_* */
    uint pixel_count, touch_count;
    uint row_pixels, row_touches; /* those before the row that is listed */
    uint rows;                    /* a bit for each row that has pixels of the list */
    uint64_t columns;             /* a bit for each 1 << column_shift columns that may have pixels of the list */
    int column_shift;
    int first_row, last_row;
} meeting_pass;

/* A row is stepped if it has this many touches for each column. From 5 to 12, times are alike. */
#define STEPPED_TOUCHES 8u

#include "render/cpu/kernels_steps.h"

/* ---- The second walk over the edges ---- */

INLINE cpu_touch *take_touch(const cpu_coverage *coverage, uint met, int turn, int share)
{
    cpu_met_pixel *pixel = &coverage->met_pixels[met >> 1];
    pixel->share += share;
    return &coverage->touches[turn ? --pixel->up_begin : pixel->down_end++];
}

/* Records a line's part with each listed pixel that it touches. */
static __attribute__((noinline)) void record_part(const cpu_coverage *coverage, int row, const line_walk *walk,
                                                  const row_part *part)
{
    const uint32_t *meetings = coverage->meetings + (size_t)row * coverage->stride;
    int column = int_max(int_min(part->x_upper, part->x_lower) >> SUBPIXEL_SHIFT, 0);
    int last = int_min(int_max(part->x_upper, part->x_lower) >> SUBPIXEL_SHIFT, coverage->width - 1);
    for (; column <= last; column++) {
        if (meetings[column] & MET_LISTED) {
            int left = column * SUBPIXELS;
            int top = row * SUBPIXELS;
            int share = touch_share(walk, part, left, top);
            store_touch(take_touch(coverage, meetings[column], walk->turn, share), positions_in_rows(walk, left, top),
                        part, left, top);
        }
    }
}

/* Returns whether the box around an edge has rows and columns of listed pixels, in each lane that is seen. */
INLINE vector_int are_near_list(const meeting_pass *pass, vector_int least, vector_int most, const line_lanes *lanes)
{
    vector_uint first_row = (vector_uint)((lanes->upper >> SUBPIXEL_SHIFT) & 31);
    vector_uint last_row = (vector_uint)((lanes->end >> SUBPIXEL_SHIFT) & 31);
    vector_uint rows = ((splat(2) << last_row) - (splat(1) << first_row)) & pass->rows;
    int end = pass->coverage->width * SUBPIXELS - 1;
    lane_longs first = longs_of(clamp_ints(least, 0, end) >> (SUBPIXEL_SHIFT + pass->column_shift));
    lane_longs last = longs_of(clamp_ints(most, 0, end) >> (SUBPIXEL_SHIFT + pass->column_shift));
    const vector_long one = (vector_long){0} + 1;
    lane_longs columns = {((2 * one << last.low) - (one << first.low)) & pass->columns,
                          ((2 * one << last.high) - (one << first.high)) & pass->columns};
    columns.low = (vector_long)(columns.low != 0) >> 32;
    columns.high = (vector_long)(columns.high != 0) << 32;
    return (vector_int)(columns.low | columns.high) & (vector_int)(rows != 0);
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
    lanes->is_seen &= are_near_list(pass, least, most, lanes);
    if (!any_lane((vector_uint)lanes->is_seen))
        return false;
    vector_int is_horizontal = lanes->y0 == lanes->y1;
    lanes->turn = select_ints(is_horizontal, ~(lanes->x1 < lanes->x0), lanes->turn);
    lanes->x0 = select_ints(is_horizontal, least, lanes->x0);
    lanes->x1 = select_ints(is_horizontal, most, lanes->x1);
    lanes->touch = splat_int((int)MET_TOUCH);
    find_lane_slopes(lanes);
    return true;
}

static void record_horizontals(const meeting_pass *pass, const stored_lanes *stored, uint bits)
{
    for (; bits != 0; bits &= bits - 1) {
        line_walk walk = stored_walk(stored, (uint)__builtin_ctz(bits));
        int row = walk.y0 >> SUBPIXEL_SHIFT;
        row_part part = {walk.x0, walk.x1, walk.y0, walk.y0};
        if ((pass->rows >> row & 1u) != 0 && (walk.y0 & (SUBPIXELS - 1)) != 0)
            record_part(pass->coverage, row, &walk, &part);
    }
}

/* What lines in one or two columns add to the areas there: touch_share, in each lane. */
typedef struct share_lanes {
    int left[LANES], right[LANES];
} share_lanes;

INLINE void find_shares(const line_lanes *lanes, const row_lanes *row, share_lanes *shares)
{
    vector_int left = least_ints(row->x_upper, row->x_lower);
    vector_int right = most_ints(row->x_upper, row->x_lower);
    vector_int start = left & ~(SUBPIXELS - 1);
    vector_int edge = start + SUBPIXELS;
    vector_int height = row->y_lower - row->y_upper;
    vector_int crossing = lanes->y0 + lane_distances(negate_lanes(edge - lanes->x0, lanes->leftward), lanes->y_slope);
    crossing = least_ints(most_ints(crossing, row->y_upper), row->y_lower);
    vector_int before = select_ints(lanes->leftward, row->y_lower - crossing, crossing - row->y_upper);
    before = select_ints(right < edge, height, before);
    vector_int distances = left - start + least_ints(right - start, splat_int(SUBPIXELS));
    vector_int constant = lanes->turn & FULL_AREA;
    store_ints(shares->left, negate_lanes(before * (2 * SUBPIXELS - distances), lanes->turn) + constant);
    vector_int top = row->y_upper & ~(SUBPIXELS - 1);
    vector_int crossed = ((row->x_lower < edge) & (top + SUBPIXELS - row->y_lower)) +
                         ((row->x_upper < edge) & (row->y_upper - top)) + height;
    vector_int area = crossed * (2 * SUBPIXELS) - (height - before) * most_ints(right - edge, splat_int(0));
    store_ints(shares->right, negate_lanes(area, lanes->turn) + constant);
}

/* Records the parts of a row that touch listed pixels. `bits` says which lanes may. */
INLINE void record_row(const meeting_pass *pass, const line_lanes *lanes, const stored_lanes *stored,
                       const row_lanes *row, uint bits)
{
    const cpu_coverage *coverage = pass->coverage;
    vector_int left = least_ints(row->x_upper, row->x_lower) >> SUBPIXEL_SHIFT;
    vector_int right = most_ints(row->x_upper, row->x_lower) >> SUBPIXEL_SHIFT;
    vector_int first = most_ints(left, splat_int(0));
    vector_int last = least_ints(right, splat_int(coverage->width - 1));
    bits &= lane_bits(first <= last);
    uint wide = lane_bits(right > left + 1) & bits;
    int from[LANES], to[LANES];
    store_ints(from, row->areas + first);
    store_ints(to, row->areas + last);
    uint listed = 0;
    for (uint rest = bits & ~wide; rest != 0; rest &= rest - 1) {
        uint lane = (uint)__builtin_ctz(rest);
        listed |= ((coverage->meetings[from[lane]] | coverage->meetings[to[lane]]) & MET_LISTED) << lane;
    }
    if ((listed | wide) == 0)
        return;
    int columns[LANES], numbers[LANES];
    store_ints(columns, left);
    store_ints(numbers, row->y_upper >> SUBPIXEL_SHIFT);
    share_lanes shares;
    if (listed != 0)
        find_shares(lanes, row, &shares);
    for (listed |= wide; listed != 0; listed &= listed - 1) {
        uint lane = (uint)__builtin_ctz(listed);
        line_walk walk = stored_walk(stored, lane);
        row_part part = {row->x_upper[lane], row->x_lower[lane], row->y_upper[lane], row->y_lower[lane]};
        if (wide >> lane & 1u) {
            record_part(coverage, numbers[lane], &walk, &part);
            continue;
        }
        int start = columns[lane] * SUBPIXELS;
        int top = numbers[lane] * SUBPIXELS;
        vector_rows x = positions_in_rows(&walk, start, top);
        uint met = coverage->meetings[from[lane]];
        if (columns[lane] < 0) {
            x -= SUBPIXELS;
            store_touch(take_touch(coverage, met, walk.turn, shares.right[lane]), x, &part, start + SUBPIXELS, top);
            continue;
        }
        if (met & MET_LISTED)
            store_touch(take_touch(coverage, met, walk.turn, shares.left[lane]), x, &part, start, top);
        met = coverage->meetings[to[lane]];
        if (to[lane] > from[lane] && (met & MET_LISTED) != 0) {
            x -= SUBPIXELS;
            store_touch(take_touch(coverage, met, walk.turn, shares.right[lane]), x, &part, start + SUBPIXELS, top);
        }
    }
}

/* Walks LANES edges through the rows of the list. */
INLINE void record_edges(const meeting_pass *pass, const cpu_edge *edges, uint count)
{
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
        row.areas = number * (int)pass->coverage->stride;
        vector_int has_pixels = (vector_int)((pass->rows >> ((vector_uint)number & 31u)) & 1u) != 0;
        uint bits = lane_bits(lanes.is_seen & has_pixels);
        if (bits != 0)
            record_row(pass, &lanes, &stored, &row, bits);
        row.x_upper = row.x_lower;
        row.y_upper = row.y_lower;
        lanes.is_seen &= row.y_upper < lanes.end;
    }
}

static __attribute__((noinline)) void record_runs(const meeting_pass *pass)
{
    for (uint i = 0; i < pass->head_count; i++) {
        const cpu_edge *edges = &pass->heads[i][1].edge;
        uint count = pass->heads[i]->head.count;
        if (pass->coverage->sampling)
            pass->coverage->sampling->walked_lines += count;
        for (uint first = 0; first < count; first += LANES)
            record_edges(pass, edges + first, count - first);
    }
}

/* ---- Passes ---- */

static void begin_pass(meeting_pass *pass)
{
    pass->pixel_count = 0;
    pass->touch_count = 0;
    pass->row_pixels = 0;
    pass->row_touches = 0;
    pass->rows = 0;
    pass->columns = 0;
}

static __attribute__((noinline)) void finish_pass(meeting_pass *pass)
{
    const cpu_coverage *coverage = pass->coverage;
    if (pass->pixel_count == 0)
        return;
    pass->first_row = __builtin_ctz(pass->rows);
    pass->last_row = 31 - __builtin_clz(pass->rows);
    record_runs(pass);
    if (coverage->sampling)
        coverage->sampling->touches += pass->touch_count;
    for (uint i = 0; i < pass->pixel_count; i++) {
        const cpu_met_pixel *pixel = &coverage->met_pixels[i];
        coverage->meetings[(size_t)pixel->row * coverage->stride + (size_t)pixel->column] = 0;
        sample_pixel(coverage, pixel);
    }
    begin_pass(pass);
}

/* Returns the meetings of a pixel that is not listed. */
INLINE uint meetings_of(uint met)
{
    return met >> MET_SHIFT & ((1u << MET_BITS) - 1u);
}

/* Lists the pixels of a group, given their areas. Returns false if the pass is full before that. */
INLINE bool list_group(meeting_pass *pass, int row, int x, uint bits, const int64_t *areas)
{
    const cpu_coverage *coverage = pass->coverage;
    uint32_t *meetings = coverage->meetings + (size_t)row * coverage->stride + x;
    for (; bits != 0; bits &= bits - 1) {
        uint lane = (uint)__builtin_ctz(bits);
        uint first = pass->touch_count;
        uint end = first + meetings_of(meetings[lane]) / MEETING_TOUCH;
        /* A row that needs more room than there is gets stepped. */
        bool is_full = end > coverage->touch_capacity && pass->row_touches != 0;
        if (is_full || pass->pixel_count == coverage->met_capacity)
            return false;
        coverage->met_pixels[pass->pixel_count] = (cpu_met_pixel){.area = areas[lane],
                                                                  .first = first,
                                                                  .down_end = first,
                                                                  .up_begin = end,
                                                                  .up_end = end,
                                                                  .row = row,
                                                                  .column = x + (int)lane};
        pass->touch_count = end;
        pass->rows |= 1u << row;
        pass->columns |= (uint64_t)1 << ((x + (int)lane) >> pass->column_shift);
        meetings[lane] = pass->pixel_count++ << 1 | MET_LISTED;
    }
    return true;
}

/* Returns whether the lines of a pixel are one chain that runs in one direction, in each lane. Then the chain goes in
 * only one of the two vertical directions, or horizontal ones. Lines that run across are neutral: in a chain of
 * verticals and lines to the right, say, those that cross a row of samples take turns. Their crossings keep the order
 * of the chain, because crossings are exact at the lines' ends and monotone between them. So such a chain separates two
 * adjacent winding numbers, and the samples would leave the pixel its area. Lines need not be joined in the pixel if
 * the element is a chain along their axis (find_chains). */
INLINE vector_int are_plain_chains(vector_uint met, vector_uint meetings, uint chains)
{
    vector_uint down = met >> MET_DOWN_SHIFT & 15u;
    vector_uint up = met >> MET_UP_SHIFT & 15u;
    vector_uint leftward = met >> MET_LEFT_SHIFT;
    vector_uint touches = down + up;
    vector_int is_joined = meetings == touches * (MEETING_TOUCH + 2u) - 2u;
    vector_int along_x = is_joined | splat_int((chains & CHAINS_ALONG_X) != 0 ? -1 : 0);
    vector_int along_y = is_joined | splat_int((chains & CHAINS_ALONG_Y) != 0 ? -1 : 0);
    vector_int is_chain = (along_x & ((leftward == 0) | (leftward == touches))) | (along_y & ((up == 0) | (down == 0)));
    return is_chain & (meetings < 16u * MEETING_TOUCH);
}

/* Returns a bit for each pixel of a group that is to be sampled, and clears the meetings of the others. */
INLINE uint take_meetings(uint32_t *to, int count, uint chains)
{
    vector_uint met = load_pixels(to);
    vector_uint meetings = met >> MET_SHIFT & ((1u << MET_BITS) - 1u);
    vector_int is_sampled = (meetings >= 2u * MEETING_TOUCH) & (meetings != 2u * MEETING_TOUCH + 2u) &
                            (meetings <= SAMPLED_MEETINGS) & first_lanes(count);
    if (any_lane((vector_uint)is_sampled))
        is_sampled &= ~are_plain_chains(met, meetings, chains);
    store_pixels(to, met & (vector_uint)is_sampled);
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
            uint sampled = take_meetings(meetings + x, coverage->width - x, pass->chains);
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
        uint sampled = take_meetings(meetings + x, coverage->width - x, pass->chains);
        int64_t found[LANES];
        for (int i = 0; i < LANES; i++)
            found[i] = sum += areas[x + i];
        if (sampled != 0 && !list_group(pass, row, x, sampled, found))
            return false;
    }
    return true;
}

/* Returns whether the row that has been listed is to be stepped. */
static bool row_is_stepped(const meeting_pass *pass)
{
    if (pass->pixel_count == pass->row_pixels)
        return false;
    const cpu_met_pixel *pixels = pass->coverage->met_pixels;
    uint columns = (uint)(pixels[pass->pixel_count - 1u].column - pixels[pass->row_pixels].column) + 1u;
    return pass->touch_count - pass->row_touches >= STEPPED_TOUCHES * columns ||
           pass->touch_count > pass->coverage->touch_capacity;
}

/* Ends the listing of a row. Samples its pixels if it is to be stepped. */
static void end_row(meeting_pass *pass, int row)
{
    const cpu_coverage *coverage = pass->coverage;
    uint count = pass->pixel_count - pass->row_pixels;
    if (row_is_stepped(pass)) {
        if (coverage->sampling)
            coverage->sampling->stepped_pixels += count;
        const cpu_met_pixel *pixels = coverage->met_pixels + pass->row_pixels;
        for (uint i = 0; i < count; i++)
            coverage->meetings[(size_t)row * coverage->stride + (size_t)pixels[i].column] = 0;
        sample_row_of_steps(pass, pixels, count);
        pass->pixel_count = pass->row_pixels;
        pass->touch_count = pass->row_touches;
        pass->rows &= ~(1u << row);
    }
    pass->row_pixels = pass->pixel_count;
    pass->row_touches = pass->touch_count;
}

static __attribute__((noinline)) void sample_rows(const cpu_coverage *coverage, const cpu_slot *const *heads,
                                                  uint count, uint chains, int first_row)
{
    cpu_coverage local = *coverage;
    meeting_pass pass;
    pass.coverage = &local;
    pass.heads = heads;
    pass.head_count = count;
    pass.chains = chains;
    pass.column_shift = 0;
    while ((local.width - 1) >> pass.column_shift > 63)
        pass.column_shift++;
    begin_pass(&pass);
    for (int row = first_row; row < local.height; row++) {
        while (!(local.wide ? list_wide_row(&pass, row) : list_row(&pass, row)))
            finish_pass(&pass);
        end_row(&pass, row);
    }
    finish_pass(&pass);
}

/* Clears the meetings of a row if no pixel of it is to be sampled. Else returns true. */
INLINE bool row_has_meetings(const cpu_coverage *coverage, uint chains, int row)
{
    uint32_t *meetings = coverage->meetings + (size_t)row * coverage->stride;
    const uint64_t *touched = coverage->touched + (size_t)row * coverage->words;
    for (uint word = 0; word < coverage->words; word++) {
        for (uint64_t bits = touched[word]; bits != 0; bits &= bits - 1) {
            int x = (int)((word * 64u + (uint)__builtin_ctzll(bits)) << COVERAGE_GROUP_SHIFT);
            if (take_meetings(meetings + x, coverage->width - x, chains) != 0)
                return true;
        }
    }
    return false;
}

/* Returns the first row from this one on that has pixels to be sampled, or the height. */
static int first_met_row(const cpu_coverage *coverage, uint chains, int row)
{
    while (row < coverage->height && !row_has_meetings(coverage, chains, row))
        row++;
    return row;
}

static void sample_meetings(const cpu_coverage *coverage, const cpu_slot *const *heads, uint count)
{
    uint chains = 0;
    int row = 0;
    if (!coverage->wide) {
        row = first_met_row(coverage, chains, row);
        if (row < coverage->height && (chains = find_chains(coverage, heads, count)) != 0)
            row = first_met_row(coverage, chains, row);
    }
    if (row < coverage->height)
        sample_rows(coverage, heads, count, chains, row);
}
