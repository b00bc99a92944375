/* 10 mask: the coverage of a tile_path that has many tile_lines.
 *
 * Reads heavy_tile_paths, tile_paths, sorted tile_lines, lines, visible; writes masks: 256 levels a tile_path, four to
 * a word, row by row. One tile_path a workgroup, a tile_line an invocation at a time. Each walks its line through the
 * tile and adds what changes along the row to the cells it touches, in shared memory: sums of integers, which have no
 * order. A prefix sum along the row ends it. */
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

/* A sum of so many tile_lines stays within 32 bits; it is then moved to 48. */
#define FOLD_TILE_LINES 4096u

shared int sums[TILE_PIXELS];     /* what a pixel adds to all from it on in its row */
shared int belows[TILE_SIDE + 1]; /* what a row adds to all from it on */

void clear_sums(uint lane)
{
    for (uint i = 0u; i < 4u; i++)
        sums[lane * 4u + i] = 0;
    if (lane <= uint(TILE_SIDE))
        belows[lane] = 0;
}

/* The loop's rounds differ: it touches shared memory by relaxed atomics alone. See the trap that stage.glsl
 * names. */
void add_tile_line(line l, int tile_left, int tile_top)
{
    coverage_walk walk = coverage_walk_begin(l, tile_left, tile_top);
    while (coverage_walk_goes_on(walk)) {
        if (coverage_walk_row_is_done(walk)) {
            int added = coverage_walk_next_row(walk, l, tile_left, tile_top);
            if (added != 0)
                atomicAdd(sums[coverage_walk_row(walk) * TILE_SIDE], added);
        }
        if (!coverage_walk_row_is_done(walk)) {
            int cell = coverage_walk_row(walk) * TILE_SIDE + walk.column;
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

/* The sums of an invocation's four pixels. */
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

void main()
{
    uint heavy = stage_workgroup();
    if (heavy >= counters.heavy_count || counters.ready_tile_paths == 0u)
        return;
    tile_path r = tile_paths[heavy_tile_paths[heavy]];
    uint lane = gl_LocalInvocationIndex;
    int row = int(lane >> 2);
    int first_column = int(lane & 3u) * 4;
    int tile_left = r.x * TILE_SUBPIXELS;
    int tile_top = r.y * TILE_SUBPIXELS;
    /* The sums of the invocation's pixels: high * 2^16 + low. */
    ivec4 high = ivec4(2 * r.backdrop);
    uvec4 low = uvec4(0u);
    clear_sums(lane);
    barrier();
    for (uint first = 0u; first < r.tile_line_count; first += FOLD_TILE_LINES) {
        uint end = min(first + FOLD_TILE_LINES, r.tile_line_count);
        for (uint chunk = first; chunk < end; chunk += gl_WorkGroupSize.x) {
            uint i = chunk + lane;
            if (i < end) {
                uint tile_line = tile_lines[tile_line_half * config.tile_line_capacity + r.first_tile_line + i];
                add_tile_line(lines[tile_line >> TILE_LINE_SHIFT], tile_left, tile_top);
            }
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
    bool even_odd = (visible[r.visible].kind & ELEMENT_EVEN_ODD) != 0u;
    uint word = 0u;
    for (int i = 0; i < 4; i++)
        word |= coverage_level_of_parts(high[i], low[i], even_odd) << (8 * i);
    masks[heavy * uint(TILE_PIXELS / 4) + lane] = word;
}
