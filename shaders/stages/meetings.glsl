/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Samples the pixels of a tile in which tile_lines meet (lib/coverage.h), for kernels of 64 invocations.
 *
 * Each slot stands for a tile_path. Its lines are placed first: masks tell which of them may touch a row and a column
 * of pixels, so that a pixel's own lines are a few bits. Pixels are then listed, as many at a time as there are
 * invocations. Each invocation looks whether one of them is proved to be simple. The others are sampled by four
 * invocations each, which take four rows of samples each. In a row each bit of a word is a cell, what lies right of a
 * line is a mask, and adders take all bits side by side.
 *
 * The includer defines MEETING_SLOTS, MEETING_WORDS (words of 32 tile_lines of each slot), and the functions that are
 * declared below. If it needs more memory after the masks, it defines MEETING_MASKS.
 *
 * Loops whose rounds differ between subgroups touch shared memory by relaxed atomics alone (see the trap in
 * stage.glsl). */
#ifndef MEETINGS_GLSL
#define MEETINGS_GLSL

#define MEETING_LISTED 64u  /* pixels that are listed at a time */
#define MEETING_AT_ONCE 16u /* pixels that are sampled at a time */
#define LANE_ROWS 4         /* rows of samples of an invocation */
#define DIGITS 6            /* digits of a winding number that up to 31 lines change, in two's complement */
#define MEETING_MOST_TOUCHES 31u

/* Masks of the tile_lines that may touch a row of pixels, then of those that may touch a column. */
#define MEETING_COLUMNS (MEETING_SLOTS * uint(TILE_SIDE) * MEETING_WORDS)
#ifndef MEETING_MASKS
#define MEETING_MASKS (2u * MEETING_COLUMNS)
#endif
shared uint meeting_masks[MEETING_MASKS];
/* How much more the winding number of the tile's left edge is at a row's top than at the top of the row above. */
shared int meeting_left[MEETING_SLOTS * uint(TILE_SIDE)];
shared uint meeting_listed[MEETING_LISTED]; /* pixels, and later the levels of those in meeting_open; NONE: simple */
shared uint meeting_open[MEETING_LISTED];
shared uint meeting_listed_count, meeting_open_count;

/* An area is high * 2^16 + low, 0 <= low < 2^16. */
struct area_parts {
    int high;
    uint low;
};

/* Returns the invocation's number. Four side by side share a subgroup. */
uint meeting_invocation();
/* Returns how many words the masks of each slot have, at most MEETING_WORDS. All invocations get the same. */
uint meeting_words();
/* Returns where the slot's tile_lines begin. */
uint meeting_first_tile_line(uint slot);
/* Returns the line of a tile_line, without y_slope. */
line meeting_line(uint tile_line);
int meeting_backdrop(uint slot);
bool meeting_is_even_odd(uint slot);
/* Called by all four invocations of a pixel, and not by all subgroups equally often. */
area_parts meeting_area(uint slot, uint pixel);
void meeting_set_level(uint slot, uint pixel, uint level);

void clear_lists()
{
    meeting_listed_count = 0u;
    meeting_open_count = 0u;
}

/* Must be called by all invocations before tile_lines are placed, with a barrier after it. */
void clear_meetings()
{
    uint invocation = meeting_invocation();
    uint count = MEETING_SLOTS * uint(TILE_SIDE) * meeting_words();
    for (uint i = 0u; i < count; i += 64u) {
        if (i + invocation < count) {
            meeting_masks[i + invocation] = 0u;
            meeting_masks[MEETING_COLUMNS + i + invocation] = 0u;
        }
    }
    for (uint i = 0u; i < MEETING_SLOTS * uint(TILE_SIDE); i += 64u)
        if (i + invocation < MEETING_SLOTS * uint(TILE_SIDE))
            meeting_left[i + invocation] = 0;
    if (invocation == 0u)
        clear_lists();
}

/* Places a line that may cross the tile's left edge. It changes the winding number there for all rows below. A
 * horizontal one does so for a row that begins on it, too. */
void place_left(uint slot, line l, int tile_left, int tile_top)
{
    uint left = slot * uint(TILE_SIDE);
    if (min(l.x0, l.x1) >= tile_left || max(l.x0, l.x1) < tile_left)
        return;
    if (l.y0 == l.y1) {
        int below = (l.y0 - tile_top + SUBPIXELS - 1) >> SUBPIXEL_SHIFT;
        if (l.y0 > tile_top && below < TILE_SIDE)
            atomicAdd(meeting_left[left + uint(below)], -line_sign(l));
        return;
    }
    int first_row = max((l.y0 - tile_top) >> SUBPIXEL_SHIFT, 0);
    int last_row = min((l.y1 - 1 - tile_top) >> SUBPIXEL_SHIFT, TILE_SIDE - 2);
    bool begins_left = line_x_at(l, max(l.y0, tile_top)) < tile_left;
    for (int row = first_row; row <= last_row; row++) {
        bool is_left = line_x_at(l, min(l.y1, tile_top + (row + 1) * SUBPIXELS)) < tile_left;
        if (is_left != begins_left) {
            atomicAdd(meeting_left[left + uint(row) + 1u], is_left ? line_sign(l) : -line_sign(l));
            return;
        }
    }
}

void place_line(uint slot, uint i, line l, int tile_left, int tile_top)
{
    uint words = meeting_words();
    uint base = slot * uint(TILE_SIDE) * words + i / 32u;
    uint bit = 1u << (i & 31u);
    int first_row = max((l.y0 - tile_top) >> SUBPIXEL_SHIFT, 0);
    int last_row = min((max(l.y1 - 1, l.y0) - tile_top) >> SUBPIXEL_SHIFT, TILE_SIDE - 1);
    int least = min(l.x0, l.x1) - tile_left;
    int most = max(l.x0, l.x1) - tile_left;
    for (int row = first_row; row <= last_row; row++)
        atomicOr(meeting_masks[base + uint(row) * words], bit);
    int last_column = min(most >> SUBPIXEL_SHIFT, TILE_SIDE - 1);
    for (int column = max(least >> SUBPIXEL_SHIFT, 0); column <= last_column; column++)
        atomicOr(meeting_masks[MEETING_COLUMNS + base + uint(column) * words], bit);
    place_left(slot, l, tile_left, tile_top);
}

/* A listed pixel. left and top are those of the pixel. */
struct meeting_pixel {
    uint slot, pixel;
    int tile_left, left, top;
    uint rows, columns; /* where its masks stand */
    uint first_tile_line;
};

meeting_pixel meeting_pixel_of(uint listed, int tile_left, int tile_top)
{
    meeting_pixel p;
    p.slot = listed >> 8;
    p.pixel = listed & 0xffu;
    uint row = p.pixel / uint(TILE_SIDE);
    uint column = p.pixel % uint(TILE_SIDE);
    p.tile_left = tile_left;
    p.left = tile_left + int(column) * SUBPIXELS;
    p.top = tile_top + int(row) * SUBPIXELS;
    p.rows = (p.slot * uint(TILE_SIDE) + row) * meeting_words();
    p.columns = MEETING_COLUMNS + (p.slot * uint(TILE_SIDE) + column) * meeting_words();
    p.first_tile_line = meeting_first_tile_line(p.slot);
    return p;
}

/* A line's part in the pixel's row of pixels. */
struct row_part {
    bool touches; /* the pixel */
    int y_upper, y_lower, x_upper, x_lower;
};

row_part part_of(line l, meeting_pixel p)
{
    row_part part;
    part.y_upper = max(l.y0, p.top);
    part.y_lower = min(l.y1, p.top + SUBPIXELS);
    bool is_horizontal = l.y0 == l.y1;
    part.touches = is_horizontal ? p.top < l.y0 && l.y0 < p.top + SUBPIXELS : part.y_upper < part.y_lower;
    part.x_upper = l.x0;
    part.x_lower = l.x1;
    if (!is_horizontal && part.touches) {
        part.x_upper = line_x_at(l, part.y_upper);
        part.x_lower = line_x_at(l, part.y_lower);
    }
    part.touches = part.touches && min(part.x_upper, part.x_lower) < p.left + SUBPIXELS &&
                   max(part.x_upper, part.x_lower) >= p.left;
    return part;
}

/* ---- Pixels that are proved to be simple ---- */

/* What the lines of a pixel have in common. */
struct meeting_facts {
    uint touches, ends;
    uint down, right; /* lines that run downward; lines that run to the right */
    uint first, last; /* their numbers */
};

uint ends_in_pixel(line l, meeting_pixel p)
{
    bool starts = p.top < l.y0 && l.y0 < p.top + SUBPIXELS && p.left <= l.x0 && l.x0 < p.left + SUBPIXELS;
    bool ends = p.top < l.y1 && l.y1 < p.top + SUBPIXELS && p.left <= l.x1 && l.x1 < p.left + SUBPIXELS;
    return (starts ? 1u : 0u) + (ends ? 1u : 0u);
}

meeting_facts facts_of(meeting_pixel p)
{
    meeting_facts facts = meeting_facts(0u, 0u, 0u, 0u, NONE, NONE);
    for (uint word = 0u; word < meeting_words(); word++) {
        uint rest = RELAXED_LOAD(meeting_masks[p.rows + word]) & RELAXED_LOAD(meeting_masks[p.columns + word]);
        while (rest != 0u) {
            uint i = word * 32u + uint(findLSB(rest));
            rest &= rest - 1u;
            line l = meeting_line(p.first_tile_line + i);
            if (!part_of(l, p).touches)
                continue;
            bool is_down = line_sign(l) > 0;
            bool is_right = is_down == (l.x1 >= l.x0);
            facts.touches++;
            facts.ends += ends_in_pixel(l, p);
            facts.down += l.y0 != l.y1 && is_down ? 1u : 0u;
            facts.right += is_right ? 1u : 0u;
            facts.first = facts.touches == 1u ? i : facts.first;
            facts.last = i;
        }
    }
    return facts;
}

/* Two lines without ends in the pixel, drawn through it. They separate two values of the winding number if they do not
 * cross in the pixel's rows and one runs downward, the other upward; or if they do not cross in its columns and one
 * runs to the right, the other to the left. Distances are in subpixels. What floats and the rounding of samples may be
 * off is less than what is asked for. */
#define PROOF_LENGTH 262144
#define PROOF_SLOPE 64
#define PROOF_DISTANCE 4.0f

/* Returns whether two lines y = a_y + x a_slope, and b likewise, keep a distance between x = 0 and x = SUBPIXELS. */
bool keep_apart(float a_y, float a_slope, float b_y, float b_slope, float distance)
{
    PRECISE float first = b_y - a_y;
    PRECISE float last = first + float(SUBPIXELS) * (b_slope - a_slope);
    return min(first, last) > distance || max(first, last) < -distance;
}

bool two_lines_are_simple(line a, line b, meeting_pixel p)
{
    ivec4 d = abs(ivec4(a.x1 - a.x0, a.y1 - a.y0, b.x1 - b.x0, b.y1 - b.y0));
    if (max(max(d.x, d.y), max(d.z, d.w)) > PROOF_LENGTH)
        return false;
    bool opposite = line_sign(a) != line_sign(b);
    if (opposite && d.x <= PROOF_SLOPE * d.y && d.z <= PROOF_SLOPE * d.w && d.y != 0 && d.w != 0) {
        PRECISE float a_slope = float(a.x1 - a.x0) * reciprocal(float(d.y));
        PRECISE float b_slope = float(b.x1 - b.x0) * reciprocal(float(d.w));
        PRECISE float a_x = float(a.x0 - p.left) - float(a.y0 - p.top) * a_slope;
        PRECISE float b_x = float(b.x0 - p.left) - float(b.y0 - p.top) * b_slope;
        if (keep_apart(a_x, a_slope, b_x, b_slope, PROOF_DISTANCE))
            return true;
    }
    bool same_side = (a.x1 >= a.x0) == (b.x1 >= b.x0);
    if (opposite == same_side && d.y <= PROOF_SLOPE * d.x && d.w <= PROOF_SLOPE * d.z && d.x != 0 && d.z != 0) {
        PRECISE float a_slope = float(d.y) * reciprocal(float(a.x1 - a.x0));
        PRECISE float b_slope = float(d.w) * reciprocal(float(b.x1 - b.x0));
        PRECISE float a_y = float(a.y0 - p.top) - float(a.x0 - p.left) * a_slope;
        PRECISE float b_y = float(b.y0 - p.top) - float(b.x0 - p.left) * b_slope;
        PRECISE float distance = PROOF_DISTANCE * (1.0f + abs(a_slope) + abs(b_slope));
        return keep_apart(a_y, a_slope, b_y, b_slope, distance);
    }
    return false;
}

/* Lines that are joined in the pixel and run in one vertical or horizontal direction cut it in two. Two lines may be
 * proved apart. Whatever is not proved is sampled, with the same result. */
bool is_proved_simple(meeting_pixel p)
{
    meeting_facts facts = facts_of(p);
    if (facts.ends == 2u * (facts.touches - 1u))
        return facts.down == 0u || facts.down == facts.touches || facts.right == 0u || facts.right == facts.touches;
    return facts.touches == 2u && facts.ends == 0u &&
           two_lines_are_simple(meeting_line(p.first_tile_line + facts.first),
                                meeting_line(p.first_tile_line + facts.last), p);
}

/* ---- Samples ---- */

/* The cells of a row of samples: a winding number that all have, and what each has more. */
struct sample_row {
    int winding;
    uint digits[DIGITS];
};

/* Joins the samples of the four invocations of a pixel. Each of them gets all. */
pixel_samples samples_join_lanes(pixel_samples samples)
{
    for (uint stride = 1u; stride < 4u; stride <<= 1) {
        pixel_samples other;
        other.least = subgroupShuffleXor(samples.least, stride);
        other.most = subgroupShuffleXor(samples.most, stride);
        other.sum = subgroupShuffleXor(samples.sum, stride);
        other.squares = subgroupShuffleXor(samples.squares, stride);
        other.inside = subgroupShuffleXor(samples.inside, stride);
        other.inside_sum = subgroupShuffleXor(samples.inside_sum, stride);
        samples = samples_join(samples, other);
    }
    return samples;
}

int sum_of_lanes(int x)
{
    x += subgroupShuffleXor(x, 1u);
    return x + subgroupShuffleXor(x, 2u);
}

/* Returns the winding number of the pixel's upper left corner. */
int corner_winding(meeting_pixel p)
{
    uint lane = meeting_invocation() & 3u;
    int corner = 0;
    uint row = p.pixel / uint(TILE_SIDE);
    for (uint i = 0u; i < uint(TILE_SIDE); i += 4u)
        corner += i + lane <= row ? RELAXED_LOAD(meeting_left[p.slot * uint(TILE_SIDE) + i + lane]) : 0;
    for (uint word = 0u; word < meeting_words(); word++) {
        uint rest = RELAXED_LOAD(meeting_masks[p.rows + word]) & (0x11111111u << lane);
        while (rest != 0u) {
            line l = meeting_line(p.first_tile_line + word * 32u + uint(findLSB(rest)));
            rest &= rest - 1u;
            if (l.y0 <= p.top && p.top < l.y1) {
                int x = line_x_at(l, p.top);
                corner += x < p.left && x >= p.tile_left ? line_sign(l) : 0;
            }
        }
    }
    return sum_of_lanes(corner) + meeting_backdrop(p.slot);
}

void add_line(line l, meeting_pixel p, inout sample_row rows[LANE_ROWS])
{
    row_part part = part_of(l, p);
    if (!part.touches)
        return;
    int sign = line_sign(l);
    int begins = part.x_upper < p.left ? -sign : 0;
    int ends = part.x_lower < p.left ? sign : 0;
    uint minus = sign < 0 ? 0xffffffffu : 0u;
    for (int k = 0; k < LANE_ROWS; k++) {
        int row = int(meeting_invocation() & 3u) * LANE_ROWS + k;
        int y = p.top + sample_y(row);
        if (y < part.y_upper)
            continue;
        rows[k].winding += begins;
        if (y >= part.y_lower) {
            rows[k].winding += ends;
            continue;
        }
        int cell = clamp(sample_cell(line_x_at(l, y) - p.left, row), 0, SAMPLE_COLUMNS);
        uint mask = cell >= SAMPLE_COLUMNS ? 0u : 0xffffffffu << cell;
        for (int i = 0; i < DIGITS; i++) {
            uint carry = (rows[k].digits[i] ^ minus) & mask;
            rows[k].digits[i] ^= mask;
            mask = carry;
        }
    }
}

/* Returns the samples of a row. Each round takes all cells that have the winding number of the first that is left. */
pixel_samples samples_of_row(sample_row row, bool even_odd)
{
    pixel_samples samples = no_samples();
    uint rest = 0xffffffffu;
    while (rest != 0u) {
        int cell = findLSB(rest);
        uint same = rest;
        int more = 0;
        for (int i = 0; i < DIGITS; i++) {
            uint digit = row.digits[i] >> cell & 1u;
            more |= int(digit) << i;
            same &= row.digits[i] ^ (digit - 1u);
        }
        more = more << (32 - DIGITS) >> (32 - DIGITS);
        samples = samples_join(samples, samples_of(row.winding + more, uint(bitCount(same)), even_odd));
        rest &= ~same;
    }
    return samples;
}

pixel_samples sample_pixel(meeting_pixel p)
{
    int corner = corner_winding(p);
    sample_row rows[LANE_ROWS];
    for (int k = 0; k < LANE_ROWS; k++) {
        rows[k].winding = corner;
        for (int i = 0; i < DIGITS; i++)
            rows[k].digits[i] = 0u;
    }
    for (uint word = 0u; word < meeting_words(); word++) {
        uint rest = RELAXED_LOAD(meeting_masks[p.rows + word]) & RELAXED_LOAD(meeting_masks[p.columns + word]);
        while (rest != 0u) {
            add_line(meeting_line(p.first_tile_line + word * 32u + uint(findLSB(rest))), p, rows);
            rest &= rest - 1u;
        }
    }
    pixel_samples samples = no_samples();
    bool even_odd = meeting_is_even_odd(p.slot);
    for (int k = 0; k < LANE_ROWS; k++)
        samples = samples_join(samples, samples_of_row(rows[k], even_odd));
    return samples_join_lanes(samples);
}

/* ---- Listed pixels ---- */

/* Lists pixels, slot * TILE_PIXELS + pixel, until the list is full. `mine` has a bit for each pixel of the
 * invocation that is left: bit slot * 4 + i. Returns what is left then. */
uint list_pixels(uint mine)
{
    if (mine == 0u)
        return 0u;
    uint at = atomicAdd(meeting_listed_count, uint(bitCount(mine)));
    for (; mine != 0u && at < MEETING_LISTED; at++) {
        uint bit = uint(findLSB(mine));
        mine &= mine - 1u;
        atomicExchange(meeting_listed[at], (bit >> 2) * uint(TILE_PIXELS) + meeting_invocation() * 4u + (bit & 3u));
    }
    return mine;
}

void sample_open_pixels(uint count, int tile_left, int tile_top)
{
    uint invocation = meeting_invocation();
    for (uint entry = invocation / 4u; entry < count; entry += MEETING_AT_ONCE) {
        uint listed = RELAXED_LOAD(meeting_open[entry]);
        meeting_pixel p = meeting_pixel_of(listed, tile_left, tile_top);
        pixel_samples samples = sample_pixel(p);
        area_parts area = meeting_area(p.slot, p.pixel);
        uint level = NONE;
        if (samples_are_complex(samples))
            level = coverage_level(coverage_area_of_samples(samples, area.high, area.low), false);
        if ((invocation & 3u) == 0u)
            atomicExchange(meeting_listed[entry], level);
    }
    barrier();
    if (invocation < count && meeting_listed[invocation] != NONE)
        meeting_set_level(meeting_open[invocation] >> 8, meeting_open[invocation] & 0xffu, meeting_listed[invocation]);
}

/* Sets the levels of pixels that are complex. `mine` is what list_pixels has left after the last place_line. Called by
 * all invocations after a barrier. Ends with one. */
void sample_meetings(uint mine, int tile_left, int tile_top)
{
    uint invocation = meeting_invocation();
    for (;;) {
        uint listed = meeting_listed_count;
        if (listed == 0u)
            break;
        if (invocation < listed) {
            uint pixel = meeting_listed[invocation];
            if (!is_proved_simple(meeting_pixel_of(pixel, tile_left, tile_top)))
                meeting_open[atomicAdd(meeting_open_count, 1u)] = pixel;
        }
        barrier();
        sample_open_pixels(meeting_open_count, tile_left, tile_top);
        if (listed <= MEETING_LISTED)
            break;
        barrier();
        if (invocation == 0u)
            clear_lists();
        barrier();
        mine = list_pixels(mine);
        barrier();
    }
    barrier();
}

#endif
