/* 10 mask: the coverage of a tile_path that has many tile_lines.
 *
 * Reads heavy_tile_paths, tile_paths, sorted tile_lines, lines, visible; writes masks: 256 levels for each tile_path,
 * four to a word, row by row. One workgroup takes one tile_path, and each invocation takes one tile_line at a time. It
 * walks the line through the tile and adds to each cell, in shared memory, what changes there along the row. Sums of
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

/* Returns the invocation's number. Four side by side share a subgroup. */
uint mask_invocation()
{
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
}

/* A sum over this many tile_lines stays within 32 bits. It is then moved to 48 bits. */
#define FOLD_TILE_LINES 4096u

shared int sums[TILE_PIXELS];      /* what is added to a pixel and to all after it in its row */
shared uint meetings[TILE_PIXELS]; /* MEETING_TOUCH for each tile_line that touches a pixel, 1 for each end in it */
shared int belows[TILE_SIDE + 1];  /* what is added to a row and to all below it */

void clear_sums(uint lane)
{
    for (uint i = 0u; i < 4u; i++)
        sums[lane * 4u + i] = 0;
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
    horizontal_cells horizontal = coverage_horizontal_cells(l, tile_left, tile_top);
    for (int column = horizontal.first; column <= horizontal.last; column++)
        touch(horizontal.row, column, coverage_horizontal_ends(l, tile_left, column));
    while (coverage_walk_goes_on(walk)) {
        if (coverage_walk_row_is_done(walk)) {
            int added = coverage_walk_next_row(walk, l, tile_left, tile_top);
            if (added != 0)
                atomicAdd(sums[coverage_walk_row(walk) * TILE_SIDE], added);
        }
        if (!coverage_walk_row_is_done(walk)) {
            int cell = coverage_walk_row(walk) * TILE_SIDE + walk.column;
            touch(coverage_walk_row(walk), walk.column, coverage_walk_ends(walk, l, tile_left, tile_top));
            atomicAdd(sums[cell], coverage_walk_cell(walk, l, tile_left, tile_top));
            if (coverage_walk_row_is_done(walk) && walk.column < TILE_SIDE && walk.carry != 0)
                atomicAdd(sums[cell + 1], walk.carry);
        }
    }
    if (walk.tail != 0)
        atomicAdd(sums[coverage_walk_tail_row(walk) * TILE_SIDE], walk.tail);
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
        sum += sums[row * TILE_SIDE + column];
        quad = mix(quad, ivec4(sum), equal(ivec4(column), first_column + ivec4(0, 1, 2, 3)));
    }
    return quad;
}

/* ---- Pixels where few tile_lines meet ---- */

#define MEETING_SLOTS 1u
#define MEETING_WORDS 66u /* its masks share memory with the steps below */
#include "stages/meetings.glsl"

shared uint first_tile_line;
shared uint mask_words;
shared int path_backdrop;
shared uint even_odd;
shared uint sampled_levels[TILE_PIXELS]; /* NONE: the area tells the level */
shared int area_high[TILE_PIXELS];
shared uint area_low[TILE_PIXELS];

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

/* ---- Pixels where many tile_lines meet ---- */

#define STEP_ROWS 4 /* rows of samples that are found together */
#define STEP_CELLS (TILE_SIDE * SAMPLE_COLUMNS)
#define STEP_PITCH (STEP_CELLS + TILE_SIDE) /* a word between pixels, so that their cells lie in different banks */

shared int pixel_steps[STEP_ROWS * TILE_SIDE]; /* sums of a pixel's steps */
shared uint crowded_rows, sampled_rows;

/* Steps are what a crossing adds to a cell and to all after it in its row of samples. They lie in meeting_masks. */
uint step_at(int row, int cell)
{
    return uint(row * STEP_PITCH + cell + cell / SAMPLE_COLUMNS);
}

/* Adds what a line changes in rows of samples. `top` is the upper edge of the row of pixels. */
void add_steps(line l, int tile_left, int tile_top, int top, int first_row)
{
    int sign = line_sign(l);
    int upper = max(l.y0, tile_top);
    if (upper > top + sample_y(first_row + STEP_ROWS - 1))
        return;
    bool is_horizontal = l.y0 == l.y1;
    int begins = (is_horizontal ? l.x0 : line_x_at(l, upper)) < tile_left ? -sign : 0;
    int ends = l.y1 < tile_top + TILE_SUBPIXELS && l.x1 < tile_left ? sign : 0;
    if (is_horizontal && l.y0 <= tile_top)
        return;
    for (int i = 0; i < STEP_ROWS; i++) {
        int y = top + sample_y(first_row + i);
        if (upper > y)
            continue;
        int all = begins;
        if (y < l.y1) {
            int cell = clamp(sample_cell(line_x_at(l, y) - tile_left, first_row + i), 0, STEP_CELLS);
            if (cell < STEP_CELLS)
                atomicAdd(meeting_masks[step_at(i, cell)], uint(sign));
        } else {
            all += ends;
        }
        if (all != 0)
            atomicAdd(meeting_masks[step_at(i, 0)], uint(all));
    }
}

/* Begins and ends with a barrier. */
void find_steps(uint count, int tile_left, int tile_top, int top, int first_row)
{
    uint lane = mask_invocation();
    for (uint i = 0u; i < uint(STEP_ROWS * STEP_PITCH); i += gl_WorkGroupSize.x)
        if (i + lane < uint(STEP_ROWS * STEP_PITCH))
            meeting_masks[i + lane] = 0u;
    barrier();
    for (uint chunk = 0u; chunk < count; chunk += gl_WorkGroupSize.x)
        if (chunk + lane < count)
            add_steps(meeting_line(first_tile_line + chunk + lane), tile_left, tile_top, top, first_row);
    barrier();
}

/* Returns the samples of one row of a pixel. Ends with a barrier. */
pixel_samples samples_of_steps(int row, int column)
{
    int sum = 0;
    for (int i = 0; i < SAMPLE_COLUMNS; i++)
        sum += int(meeting_masks[step_at(row, column * SAMPLE_COLUMNS + i)]);
    pixel_steps[row * TILE_SIDE + column] = sum;
    barrier();
    int winding = path_backdrop;
    for (int i = 0; i < TILE_SIDE; i++)
        winding += i < column ? pixel_steps[row * TILE_SIDE + i] : 0;
    pixel_samples samples = no_samples();
    for (int i = 0; i < SAMPLE_COLUMNS; i++) {
        winding += int(meeting_masks[step_at(row, column * SAMPLE_COLUMNS + i)]);
        samples = samples_join(samples, samples_of(winding, 1u, even_odd != 0u));
    }
    barrier();
    return samples;
}

/* Finds the levels of a row of pixels, each by STEP_ROWS invocations side by side. Ends with a barrier. */
void sample_crowded_row(uint count, int tile_left, int tile_top, int row)
{
    int column = int(mask_invocation()) / STEP_ROWS;
    int step_row = int(mask_invocation()) % STEP_ROWS;
    pixel_samples samples = no_samples();
    for (int first = 0; first < SAMPLE_ROWS; first += STEP_ROWS) {
        find_steps(count, tile_left, tile_top, tile_top + row * SUBPIXELS, first);
        samples = samples_join(samples, samples_of_steps(step_row, column));
    }
    samples = samples_join_lanes(samples);
    int pixel = row * TILE_SIDE + column;
    if (step_row == 0 && is_sampled(uint(pixel)) && samples_are_complex(samples))
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
void sample_pixels(uint count, int tile_left, int tile_top, inout uvec4 level)
{
    uint lane = mask_invocation();
    bool has_masks = count <= 32u * MEETING_WORDS;
    if (lane == 0u)
        crowded_rows = has_masks ? 0u : (1u << TILE_SIDE) - 1u;
    clear_meetings();
    barrier();
    if (has_masks)
        for (uint chunk = 0u; chunk < count; chunk += gl_WorkGroupSize.x)
            if (chunk + lane < count)
                place_line(0u, chunk + lane, meeting_line(first_tile_line + chunk + lane), tile_left, tile_top);
    barrier();
    uint mine = 0u;
    for (uint i = 0u; i < 4u; i++) {
        bool sampled = is_sampled(lane * 4u + i);
        bool crowded = has_masks && is_crowded(lane * 4u + i);
        mine |= sampled ? 1u << i : 0u;
        if (sampled && crowded)
            atomicOr(crowded_rows, 1u << (lane >> 2));
    }
    if (mine != 0u)
        atomicOr(sampled_rows, 1u << (lane >> 2));
    barrier();
    uint crowded = crowded_rows & sampled_rows;
    mine = list_pixels((crowded >> (lane >> 2) & 1u) == 0u ? mine : 0u);
    barrier();
    sample_meetings(mine, tile_left, tile_top);
    for (int row = 0; row < TILE_SIDE; row++)
        if ((crowded >> row & 1u) != 0u)
            sample_crowded_row(count, tile_left, tile_top, row);
    for (int i = 0; i < 4; i++)
        level[i] = sampled_levels[lane * 4u + uint(i)] != NONE ? sampled_levels[lane * 4u + uint(i)] : level[i];
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
        sampled_rows = 0u;
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
        area_low[lane * 4u + uint(i)] = low[i];
        sampled_levels[lane * 4u + uint(i)] = NONE;
    }
    sample_pixels(r.tile_line_count, tile_left, tile_top, level);
    masks[heavy * uint(TILE_PIXELS / 4) + lane] = level.x | level.y << 8 | level.z << 16 | level.w << 24;
}
