/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 10 mask: the coverage of a tile_path that has many tile_lines.
 *
 * Reads heavy_tile_paths, tile_paths, sorted tile_lines, lines, visible; writes masks: 256 levels for each tile_path,
 * four to a word, row by row. One workgroup takes one tile_path, and each invocation takes one tile_line at a time. It
 * walks the line through the tile and adds to each pixel, in shared memory, what changes there along the row. Sums of
 * integers do not depend on their order. A prefix sum along each row comes last. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#define STAGE_LOCAL_SIZE 64
#include "stages/stage.glsl"
#include "lib/coverage.h"

layout(scalar, set = 0, binding = 1) readonly buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, set = 0, binding = 2) readonly buffer tile_paths_buffer
{
    tile_path tile_paths[];
};
layout(scalar, set = 0, binding = 3) readonly buffer visible_buffer
{
    visible_element visible[];
};
layout(scalar, set = 0, binding = 4) readonly buffer lines_buffer
{
    line lines[];
};
layout(scalar, set = 0, binding = 5) readonly buffer sort_buffer
{
    uint tile_line_half;
};
layout(scalar, set = 0, binding = 6) readonly buffer tile_lines_buffer
{
    uint tile_lines[];
};
layout(scalar, set = 0, binding = 7) readonly buffer heavy_buffer
{
    uint heavy_tile_paths[];
};
layout(scalar, set = 0, binding = 8) writeonly buffer masks_buffer
{
    uint masks[];
};
layout(scalar, set = 0, binding = 9) writeonly buffer ended_loops_buffer
{
    uint ended_loops;
};

/* Returns the invocation's number. Four side by side share a subgroup. */
uint mask_invocation()
{
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
}

/* A sum over this many tile_lines stays within 32 bits. It is then moved to 48 bits. */
#define FOLD_TILE_LINES 4096u

/* Memory is shared by what is needed one after the other, since its amount decides how many workgroups run at once.
 * Sums are what is added to a pixel and to all after it in its row. Later, levels are there; NONE: the area tells the
 * level. Meetings are MEETING_TOUCH for each tile_line that touches a pixel, and 1 for each end in it. Later, the low
 * parts of areas are there. */
shared uint sums[TILE_PIXELS];
shared uint meetings[TILE_PIXELS];
#define sampled_levels sums
#define area_low meetings
shared int belows[TILE_SIDE + 1]; /* what is added to a row and to all below it */

void clear_sums(uint lane)
{
    for (uint i = 0u; i < 4u; i++)
        sums[lane * 4u + i] = 0u;
    if (lane <= uint(TILE_SIDE))
        belows[lane] = 0;
}

void touch(int row, int column, uint ends)
{
    atomicAdd(meetings[row * TILE_SIDE + column], MEETING_TOUCH + ends);
}

/* The number of rounds differs between subgroups, so the loops touch shared memory by relaxed atomics alone (see the
 * trap in stage.glsl). */
void add_tile_line(line l, int tile_left, int tile_top)
{
    coverage_walk walk = coverage_walk_begin(l, tile_left, tile_top);
    horizontal_pixels horizontal = coverage_horizontal_pixels(l, tile_left, tile_top);
    for (int column = horizontal.first; column <= horizontal.last; column++)
        touch(horizontal.row, column, coverage_horizontal_ends(l, tile_left, column));
    while (coverage_walk_goes_on(walk)) {
        if (coverage_walk_row_is_done(walk)) {
            int added = coverage_walk_next_row(walk, l, tile_left, tile_top);
            if (added != 0)
                atomicAdd(sums[coverage_walk_row(walk) * TILE_SIDE], uint(added));
        }
        if (!coverage_walk_row_is_done(walk)) {
            int pixel = coverage_walk_row(walk) * TILE_SIDE + walk.column;
            touch(coverage_walk_row(walk), walk.column, coverage_walk_ends(walk, l, tile_left, tile_top));
            atomicAdd(sums[pixel], uint(coverage_walk_pixel(walk, l, tile_left, tile_top)));
            if (coverage_walk_row_is_done(walk) && walk.column < TILE_SIDE && walk.carry != 0)
                atomicAdd(sums[pixel + 1], uint(walk.carry));
        }
    }
    if (walk.tail != 0)
        atomicAdd(sums[coverage_walk_tail_row(walk) * TILE_SIDE], uint(walk.tail));
    if (walk.below != 0)
        atomicAdd(belows[coverage_walk_first_below(walk)], walk.below);
}

bool is_sampled(uint pixel)
{
    return meetings_are_sampled(meetings[pixel]);
}

/* Returns the sums of an invocation's four pixels. */
ivec4 quad_sum(int row, int first_column)
{
    int sum = 0;
    for (int i = 0; i < TILE_SIDE; i++) {
        int here = belows[i];
        sum += i <= row ? here : 0;
    }
    ivec4 quad = ivec4(0);
    for (int column = 0; column < TILE_SIDE; column++) {
        sum += int(sums[row * TILE_SIDE + column]);
        quad = mix(quad, ivec4(sum), equal(ivec4(column), first_column + ivec4(0, 1, 2, 3)));
    }
    return quad;
}

/* ---- Memory of both kinds of pixels below ---- */

/* Rows of samples that are found together. On an H200, 8 took hawaii 12 % less and waves 17 % more, because more memory
 * leaves fewer workgroups at once. */
#define STEP_ROWS 4
#define STEP_LANE_ROWS (STEP_ROWS / 4)
/* Words of a pixel. Each has the steps of two cells, low + high * 2^16. */
#define STEP_WORDS (uint(SAMPLE_COLUMNS) / 2u)
/* Words between pixels, and between rows of samples, are so many that the invocations read different banks. */
#define STEP_PIXEL_PITCH (SAMPLE_COLUMNS / 2 + 1)
#define STEP_PITCH 296 /* at least TILE_SIDE * STEP_PIXEL_PITCH, and 8 modulo 32 */

/* ---- Pixels where few tile_lines meet ---- */

#define MEETING_SLOTS 1u
/* More tile_lines than these words have bits get no masks. With 66 words, waves took 10 % more on an H200. */
#define MEETING_WORDS 16u
/* Masks of rows, and then the steps below, of which those of columns take the place before. */
#define MEETING_MASKS (MEETING_COLUMNS + uint(STEP_ROWS * STEP_PITCH))
#include "stages/meetings.glsl"

shared uint first_tile_line;
shared uint mask_words;
shared int path_backdrop;
shared uint even_odd;
shared int area_high[TILE_PIXELS];

uint meeting_invocation()
{
    return mask_invocation();
}

uint meeting_words()
{
    return RELAXED_LOAD(mask_words);
}

uint meeting_first_tile_line(uint slot)
{
    return RELAXED_LOAD(first_tile_line);
}

int meeting_backdrop(uint slot)
{
    return RELAXED_LOAD(path_backdrop);
}

bool meeting_is_even_odd(uint slot)
{
    return RELAXED_LOAD(even_odd) != 0u;
}

line meeting_line(uint tile_line)
{
    return lines[tile_lines[tile_line] >> TILE_LINE_SHIFT];
}

area_parts meeting_area(uint slot, uint pixel)
{
    return area_parts(RELAXED_LOAD(area_high[pixel]), RELAXED_LOAD(area_low[pixel]));
}

void meeting_set_level(uint slot, uint pixel, uint level)
{
    sampled_levels[pixel] = level;
}

/* ---- Pixels where many tile_lines meet ----
 *
 * A row of pixels is taken whole. A tile_line that crosses a row of samples changes the winding number of a cell and of
 * all after it: a step. The number of operations does not depend on how many pixels a tile_line touches. Pixels that
 * are not sampled have their steps summed. */

/* Sums of the steps of a pixel in a row of samples that are not in its words. */
shared int pixel_steps[STEP_ROWS * TILE_SIDE];
shared uint crowded_rows;
shared uint any_is_sampled;
shared uint sampled_columns[TILE_SIDE];       /* a bit for each pixel of the row that is sampled */
shared uint lines_before[MEETING_WORDS + 1u]; /* in the words of a row's mask before this one */

/* Steps lie after the masks of rows. */
uint step_at(int row, int cell)
{
    return MEETING_COLUMNS +
           uint(row * STEP_PITCH + (cell / SAMPLE_COLUMNS) * STEP_PIXEL_PITCH + (cell % SAMPLE_COLUMNS) / 2);
}

/* Returns the part of a word of steps that belongs to its first cell. */
int first_step(uint word)
{
    return int(word << 16) >> 16;
}

int second_step(uint word)
{
    return int(word - uint(first_step(word))) >> 16;
}

/* Does line_x_at for heights that follow one another, SUBPIXELS / SAMPLE_ROWS apart. */
struct sample_walk {
    int x0;
    bool is_leftward;
    uvec2 across, step; /* low and high words of 64 bits, of which 32 are a fraction */
};

uvec2 long_sum(uvec2 a, uvec2 b)
{
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

/* y may lie above the line. */
sample_walk sample_walk_begin(line l, int y)
{
    sample_walk walk;
    walk.x0 = l.x0;
    walk.is_leftward = l.x1 < l.x0;
    uint high, low;
    umulExtended(uint(y - l.y0), l.x_slope_fraction, high, low);
    high += uint(y - l.y0) * l.x_slope - (y < l.y0 ? l.x_slope_fraction : 0u);
    walk.across = long_sum(uvec2(low, high), uvec2(0x80000000u, 0u));
    walk.step = uvec2(l.x_slope_fraction << SAMPLE_ROW_SHIFT,
                      l.x_slope << SAMPLE_ROW_SHIFT | l.x_slope_fraction >> (32 - SAMPLE_ROW_SHIFT));
    return walk;
}

int sample_walk_x(sample_walk walk)
{
    return walk.is_leftward ? walk.x0 - int(walk.across.y) : walk.x0 + int(walk.across.y);
}

void add_step(int row, int cell, int sign, uint sampled)
{
    int column = cell / SAMPLE_COLUMNS;
    if ((sampled >> column & 1u) != 0u)
        atomicAdd(meeting_masks[step_at(row, cell)], uint(sign) << (16 * (cell & 1)));
    else
        atomicAdd(pixel_steps[row * TILE_SIDE + column], sign);
}

/* Adds what a tile_line changes in rows of samples of a row of pixels, in which it has a part. `top` is the upper edge
 * of these pixels. What it changes in rows of pixels below is in meeting_left. */
void add_steps(line l, int tile_left, int top, int first_row, uint sampled)
{
    int sign = line_sign(l);
    int upper = max(l.y0, top);
    int lower = min(l.y1, top + SUBPIXELS);
    int begins = 0;
    int ends = 0;
    bool is_horizontal = l.y0 == l.y1;
    if (is_horizontal && upper == top)
        return;
    if (min(l.x0, l.x1) < tile_left) {
        int x_upper = is_horizontal ? l.x0 : line_x_at(l, upper);
        int x_lower = is_horizontal ? l.x1 : line_x_at(l, lower);
        begins = x_upper < tile_left ? -sign : 0;
        ends = x_lower < tile_left ? sign : 0;
    }
    sample_walk walk = sample_walk_begin(l, top + sample_y(first_row));
    for (int row = 0; row < STEP_ROWS; row++) {
        int y = top + sample_y(first_row + row);
        /* Of most lines, what they begin and what they step left of the tile add up to nothing. */
        int all = y >= upper ? begins : 0;
        if (y >= upper && y < lower) {
            int cell = sample_cell(sample_walk_x(walk) - tile_left, first_row + row);
            all += cell < 0 ? sign : 0;
            if (cell >= 0 && cell < TILE_SIDE * SAMPLE_COLUMNS)
                add_step(row, cell, sign, sampled);
        }
        all += y >= lower ? ends : 0;
        if (all != 0)
            atomicAdd(pixel_steps[row * TILE_SIDE], all);
        walk.across = long_sum(walk.across, walk.step);
    }
}

/* Returns the number of the bit that is set and has `rank` set bits below it. */
int bit_of_rank(uint word, uint rank)
{
    int at = 0;
    for (int width = 16; width > 0; width /= 2) {
        uint below = uint(bitCount(bitfieldExtract(word, at, width)));
        at += rank >= below ? width : 0;
        rank -= rank >= below ? below : 0u;
    }
    return at;
}

/* Returns which of the tile_lines comes at a place among those that have a part in the row of pixels. */
uint tile_line_at(uint place, int row, uint words)
{
    uint first = 0u;
    for (uint width = 64u; width > 0u; width /= 2u)
        if (first + width < words && RELAXED_LOAD(lines_before[first + width]) <= place)
            first += width;
    uint word = RELAXED_LOAD(meeting_masks[uint(row) * words + first]);
    return first * 32u + uint(bit_of_rank(word, place - RELAXED_LOAD(lines_before[first])));
}

/* Finds how many tile_lines have parts in a row of pixels. Begins and ends with a barrier. */
void count_tile_lines(int row)
{
    uint words = mask_words;
    barrier();
    for (uint word = mask_invocation(); word <= words; word += gl_WorkGroupSize.x) {
        uint count = 0u;
        for (uint before = 0u; before < word; before++)
            count += uint(bitCount(RELAXED_LOAD(meeting_masks[uint(row) * words + before])));
        atomicExchange(lines_before[word], count);
    }
    barrier();
}

/* Finds the steps of a row of pixels. Begins after a barrier, and ends with one. `count` is 0 if there are masks. */
void find_steps(uint count, int tile_left, int tile_top, int row, int first_row)
{
    uint lane = mask_invocation();
    for (uint i = 0u; i < uint(STEP_ROWS * STEP_PITCH); i += gl_WorkGroupSize.x)
        if (i + lane < uint(STEP_ROWS * STEP_PITCH))
            meeting_masks[MEETING_COLUMNS + i + lane] = 0u;
    for (uint i = 0u; i < uint(STEP_ROWS * TILE_SIDE); i += gl_WorkGroupSize.x)
        pixel_steps[i + lane] = 0;
    barrier();
    int top = tile_top + row * SUBPIXELS;
    uint sampled = sampled_columns[row];
    uint words = mask_words;
    uint end = count != 0u ? count : lines_before[words];
    for (uint place = lane; place < end; place += gl_WorkGroupSize.x) {
        uint i = count != 0u ? place : tile_line_at(place, row, words);
        line l = meeting_line(meeting_first_tile_line(0u) + i);
        if (count == 0u || (l.y0 < top + SUBPIXELS && max(l.y1, l.y0 + 1) > top))
            add_steps(l, tile_left, top, first_row, sampled);
    }
    barrier();
}

/* Returns the samples of rows of a pixel, by STEP_LANE_ROWS for each of four invocations side by side. `left` is the
 * winding number of the row's upper left corner. Ends with a barrier. */
pixel_samples samples_of_steps(int left, int lane, int column, bool is_sampled)
{
    int before[STEP_LANE_ROWS]; /* the pixel's first cell */
    for (int k = 0; k < STEP_LANE_ROWS; k++) {
        uint at = uint((4 * k + lane) * TILE_SIDE + column);
        uint first = step_at(4 * k + lane, column * SAMPLE_COLUMNS);
        before[k] = RELAXED_LOAD(pixel_steps[at]);
        int sum = before[k];
        for (uint i = 0u; is_sampled && i < STEP_WORDS; i++) {
            uint word = RELAXED_LOAD(meeting_masks[first + i]);
            sum += first_step(word) + second_step(word);
        }
        atomicExchange(pixel_steps[at], sum);
    }
    barrier();
    pixel_samples samples = no_samples();
    bool even_odd_rule = even_odd != 0u;
    for (int k = 0; is_sampled && k < STEP_LANE_ROWS; k++) {
        uint first = step_at(4 * k + lane, column * SAMPLE_COLUMNS);
        int winding = left + before[k];
        for (int i = 0; i < TILE_SIDE; i++)
            winding += i < column ? RELAXED_LOAD(pixel_steps[(4 * k + lane) * TILE_SIDE + i]) : 0;
        for (uint i = 0u; i < STEP_WORDS; i++) {
            uint word = RELAXED_LOAD(meeting_masks[first + i]);
            winding += first_step(word);
            samples = samples_join(samples, samples_of(winding, 1u, even_odd_rule));
            winding += second_step(word);
            samples = samples_join(samples, samples_of(winding, 1u, even_odd_rule));
        }
    }
    barrier();
    return samples;
}

/* Finds the levels of a row of pixels. Ends with a barrier. */
void sample_crowded_row(uint count, int tile_left, int tile_top, int row)
{
    int column = int(mask_invocation()) / 4;
    int lane = int(mask_invocation()) % 4;
    int pixel = row * TILE_SIDE + column;
    int left = path_backdrop;
    for (int i = 0; i <= row; i++)
        left += meeting_left[i];
    bool sampled = (sampled_columns[row] >> column & 1u) != 0u;
    pixel_samples samples = no_samples();
    if (count == 0u)
        count_tile_lines(row);
    for (int first = 0; first < SAMPLE_ROWS; first += STEP_ROWS) {
        find_steps(count, tile_left, tile_top, row, first);
        samples = samples_join(samples, samples_of_steps(left, lane, column, sampled));
    }
    samples = samples_join_lanes(samples);
    if (lane == 0 && sampled && samples_are_complex(samples))
        sampled_levels[pixel] =
            coverage_level(coverage_area_of_samples(samples, area_high[pixel], area_low[pixel]), false);
    barrier();
}

/* More tile_lines than this may touch a pixel, by the masks: then its row is taken whole. */
#define CROWDED_TILE_LINES 48u

/* Returns whether a pixel has more tile_lines than its four invocations should take. */
bool is_crowded(uint pixel)
{
    uint rows = pixel / uint(TILE_SIDE) * mask_words;
    uint columns = MEETING_COLUMNS + pixel % uint(TILE_SIDE) * mask_words;
    uint count = 0u;
    for (uint word = 0u; word < mask_words; word++)
        count += uint(bitCount(meeting_masks[rows + word] & meeting_masks[columns + word]));
    return count > CROWDED_TILE_LINES || meetings[pixel] / MEETING_TOUCH > MEETING_MOST_TOUCHES;
}

/* Replaces the levels of pixels that are complex. Rows with crowded pixels are taken whole. Begins after a barrier. */
void sample_pixels(uint count, int tile_left, int tile_top, uvec4 low, inout uvec4 level)
{
    uint lane = mask_invocation();
    bool has_masks = count <= 32u * MEETING_WORDS;
    if (lane == 0u) {
        crowded_rows = has_masks ? 0u : (1u << TILE_SIDE) - 1u;
        any_is_sampled = 0u;
    }
    if (lane < uint(TILE_SIDE))
        sampled_columns[lane] = 0u;
    clear_meetings();
    barrier();
    uint mine = 0u;
    for (uint i = 0u; i < 4u; i++)
        mine |= is_sampled(lane * 4u + i) ? 1u << i : 0u;
    if (mine != 0u)
        any_is_sampled = 1u;
    barrier();
    if (any_is_sampled == 0u)
        return;
    for (uint i = lane; i < count; i += gl_WorkGroupSize.x) {
        line l = meeting_line(first_tile_line + i);
        if (has_masks)
            place_line(0u, i, l, tile_left, tile_top);
        else
            place_left(0u, l, tile_left, tile_top);
    }
    barrier();
    for (uint i = 0u; i < 4u; i++) {
        bool crowded = has_masks && is_crowded(lane * 4u + i);
        if (crowded && (mine >> i & 1u) != 0u)
            atomicOr(crowded_rows, 1u << (lane >> 2));
        area_low[lane * 4u + i] = low[i];
    }
    atomicOr(sampled_columns[lane >> 2], mine << (lane & 3u) * 4u);
    barrier();
    uint crowded = crowded_rows;
    mine = list_pixels((crowded >> (lane >> 2) & 1u) == 0u ? mine : 0u);
    barrier();
    sample_meetings(mine, tile_left, tile_top);
    for (int row = 0; row < TILE_SIDE; row++)
        if ((crowded >> row & 1u) != 0u && sampled_columns[row] != 0u)
            sample_crowded_row(has_masks ? 0u : count, tile_left, tile_top, row);
    for (int i = 0; i < 4; i++)
        level[i] = sampled_levels[lane * 4u + uint(i)] != NONE ? sampled_levels[lane * 4u + uint(i)] : level[i];
}

/* Lavapipe ends all loops of an invocation after 65,535 rounds in all. What then goes round once more, does not. The
 * compiler does not know how often this loop goes round: a heavy tile_path has more tile_lines than two. */
bool loops_have_ended(uint tile_line_count)
{
    uint rounds = 0u;
    while (rounds < min(tile_line_count, 2u))
        rounds++;
    return rounds < 2u;
}

void main()
{
    uint heavy = stage_workgroup();
    if (heavy >= counters.heavy_count || counters.ready_tile_paths == 0u)
        return;
    tile_path r = tile_paths[heavy_tile_paths[heavy]];
    uint lane = mask_invocation();
    int row = int(lane >> 2);
    int first_column = int(lane & 3u) * 4;
    int tile_left = r.x * TILE_SUBPIXELS;
    int tile_top = r.y * TILE_SUBPIXELS;
    /* The sums of the invocation's pixels: high * 2^16 + low. */
    ivec4 high = ivec4(2 * r.backdrop);
    uvec4 low = uvec4(0u);
    clear_sums(lane);
    for (uint i = 0u; i < 4u; i++)
        meetings[lane * 4u + i] = 0u;
    if (lane == 0u) {
        first_tile_line = tile_line_half * config.tile_line_capacity + r.first_tile_line;
        mask_words = min((r.tile_line_count + 31u) / 32u, MEETING_WORDS);
        path_backdrop = r.backdrop;
        even_odd = visible[r.visible].kind & ELEMENT_EVEN_ODD;
    }
    barrier();
    for (uint first = 0u; first < r.tile_line_count; first += FOLD_TILE_LINES) {
        uint end = min(first + FOLD_TILE_LINES, r.tile_line_count);
        for (uint chunk = first; chunk < end; chunk += gl_WorkGroupSize.x) {
            uint i = chunk + lane;
            if (i < end)
                add_tile_line(meeting_line(first_tile_line + i), tile_left, tile_top);
        }
        barrier();
        ivec4 sum = quad_sum(row, first_column);
        high += sum >> 16;
        low += uvec4(sum & 0xffff);
        high += ivec4(low >> 16u);
        low &= 0xffffu;
        barrier();
        clear_sums(lane);
        barrier();
    }
    uvec4 level;
    for (int i = 0; i < 4; i++) {
        level[i] = coverage_level_of_parts(high[i], low[i], even_odd != 0u);
        area_high[lane * 4u + uint(i)] = high[i];
        sampled_levels[lane * 4u + uint(i)] = NONE;
    }
    sample_pixels(r.tile_line_count, tile_left, tile_top, low, level);
    masks[heavy * uint(TILE_PIXELS / 4) + lane] = level.x | level.y << 8 | level.z << 16 | level.w << 24;
    if (loops_have_ended(r.tile_line_count))
        ended_loops = 1u;
}
