// 10 mask: the coverage of a run that has many records.
//
// Reads heavy_runs, runs, sorted records, lines, visible; writes masks: 256 levels a run, four to a word, row by row.
// One run a workgroup, sixteen records by sixteen rows at a time. Each pair adds areas to the pixels that its line touches, and
// heights to the column behind, in shared memory: sums of integers, which have no order. A prefix sum along the row ends it.
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#include "pipeline/stage.glsl"
#include "lib/coverage.h"

layout(scalar, set = 0, binding = 1) readonly buffer counters_buffer { frame_counters counters; };
layout(scalar, set = 0, binding = 2) readonly buffer runs_buffer { run runs[]; };
layout(scalar, set = 0, binding = 3) readonly buffer visible_buffer { visible_element visible[]; };
layout(scalar, set = 0, binding = 4) readonly buffer lines_buffer { line lines[]; };
layout(scalar, set = 0, binding = 5) readonly buffer sort_buffer { uint record_half; };
layout(scalar, set = 0, binding = 6) readonly buffer records_buffer { uint records[]; };
layout(scalar, set = 0, binding = 7) readonly buffer heavy_buffer { uint heavy_runs[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer masks_buffer { uint masks[]; };

// A sum of so many records stays within 32 bits; it is then moved to 48.
#define FOLD_RECORDS 4096u
#define CHUNK 16u

shared int areas[TILE_PIXELS];
shared int heights[TILE_PIXELS];
shared int left_areas[TILE_SIDE];
shared uint levels[TILE_PIXELS];

void clear_sums(uint at)
{
    areas[at] = 0;
    heights[at] = 0;
    if (at < TILE_SIDE)
        left_areas[at] = 0;
}

void add_record(line l, int row_index, int tile_left, int tile_top)
{
    coverage_row row = coverage_of_row(l, tile_left, tile_top, tile_top + row_index * SUBPIXELS);
    if (row.left_area != 0)
        atomicAdd(left_areas[row_index], row.left_area);
    if (row.y_lower == row.y_upper)
        return;
    int sign = line_sign(l);
    int first = max(min(row.x_upper, row.x_lower) >> SUBPIXEL_SHIFT, 0);
    int last = min(max(row.x_upper, row.x_lower) >> SUBPIXEL_SHIFT, TILE_SIDE - 1);
    int before = height_left_of(l, row, tile_left, tile_left + first * SUBPIXELS);
    int outside = height_left_of(l, row, tile_left, tile_left);
    if (first < TILE_SIDE && before != outside)
        atomicAdd(heights[row_index * TILE_SIDE + first], sign * (before - outside));
    for (int column = first; column <= last; column++) {
        int x = column * SUBPIXELS;
        int after = height_left_of(l, row, tile_left, tile_left + x + SUBPIXELS);
        int inside = after - before;
        int distances = clamp(row.x_upper - x, 0, SUBPIXELS) + clamp(row.x_lower - x, 0, SUBPIXELS);
        if (inside != 0) {
            atomicAdd(areas[row_index * TILE_SIDE + column], sign * inside * (2 * SUBPIXELS - distances));
            if (column + 1 < TILE_SIDE)
                atomicAdd(heights[row_index * TILE_SIDE + column + 1], sign * inside);
        }
        before = after;
    }
}

int pixel_sum(int pixel)
{
    int row = pixel / TILE_SIDE;
    int height = 0;
    // All subgroups go round equally often: see the trap that look_back.glsl names.
    for (int column = 0; column < TILE_SIDE; column++) {
        int here = heights[row * TILE_SIDE + column];
        height += column <= pixel % TILE_SIDE ? here : 0;
    }
    return areas[pixel] + 2 * SUBPIXELS * height + left_areas[row];
}

void main()
{
    uint heavy = stage_workgroup();
    if (heavy >= counters.heavy_count || counters.ready_runs == 0u)
        return;
    run r = runs[heavy_runs[heavy]];
    int pixel = int(gl_LocalInvocationIndex);
    int tile_left = r.x * TILE_SUBPIXELS;
    int tile_top = r.y * TILE_SUBPIXELS;
    // Of the invocation's pixel: high * 2^16 + low.
    int high = 2 * r.backdrop;
    uint low = 0u;
    clear_sums(gl_LocalInvocationIndex);
    barrier();
    for (uint first = 0u; first < r.record_count; first += FOLD_RECORDS) {
        uint end = min(first + FOLD_RECORDS, r.record_count);
        for (uint chunk = first; chunk < end; chunk += CHUNK) {
            uint i = chunk + gl_LocalInvocationIndex / uint(TILE_SIDE);
            if (i < end) {
                uint record = records[record_half * config.record_capacity + r.first_record + i];
                add_record(lines[record >> RECORD_LINE_SHIFT], pixel % TILE_SIDE, tile_left, tile_top);
            }
        }
        barrier();
        int sum = pixel_sum(pixel);
        high += sum >> 16;
        low += uint(sum & 0xffff);
        high += int(low >> 16);
        low &= 0xffffu;
        barrier();
        clear_sums(gl_LocalInvocationIndex);
        barrier();
    }
    levels[pixel] = coverage_level_of_parts(high, low, (visible[r.visible].kind & ELEMENT_EVEN_ODD) != 0u);
    barrier();
    if (pixel < TILE_PIXELS / 4) {
        int at = 4 * pixel;
        masks[heavy * uint(TILE_PIXELS / 4) + uint(pixel)] = levels[at] | levels[at + 1] << 8 | levels[at + 2] << 16 | levels[at + 3] << 24;
    }
}
