/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 05 tile_lines: each line with its slopes, and one tile_line for each tile that it touches in its element's box.
 *
 * Reads edges, visible, counters; writes lines, tile_line_keys, tile_line_values, counters, arguments.
 * Dispatch: one workgroup for each TILE_LINES_PARTITION edges. Its invocations share the tile_lines, which are adjacent
 * in memory.
 * Invariant: a prefix sum of the lines' counts keeps tile_lines in the order of lines, rows and columns.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#include "stages/stage.glsl"
#include "stages/owner.glsl"
#include "lib/sheet.h"
#include "lib/tile_lines.h"

layout(scalar, binding = 1) buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, binding = 2) writeonly buffer arguments_buffer
{
    dispatch_arguments arguments[];
};
layout(scalar, binding = 3) buffer table_buffer
{
    uint look_back_words[];
};
layout(scalar, binding = 4) readonly buffer visible_buffer
{
    visible_element visible_elements[];
};
layout(scalar, binding = 5) readonly buffer edges_buffer
{
    edge edges[];
};
layout(scalar, binding = 6) writeonly buffer lines_buffer
{
    line lines[];
};
layout(scalar, binding = 7) writeonly buffer keys_buffer
{
    uint tile_line_keys[];
};
layout(scalar, binding = 8) writeonly buffer values_buffer
{
    uint tile_line_values[];
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 1
#include "primitive/look_back.glsl"
#include "primitive/workgroup_scan.glsl"

shared line partition_lines[TILE_LINES_PARTITION];
shared tile_lines partition_tile_lines[TILE_LINES_PARTITION];
shared uint partition_rows[TILE_LINES_PARTITION]; /* dense row of the frame's row 0 */

/* Returns the line of an edge, in the atlas. */
line line_of(edge e)
{
    uint place = visible_elements[e.visible].place;
    int x = place_x(place) * TILE_SUBPIXELS;
    int y = place_y(place) * TILE_SUBPIXELS;
    return line_make(e.ax + x, e.ay + y, e.bx + x, e.by + y, e.visible);
}

look_back_value value_of(uint count)
{
    look_back_value value;
    value.part[0] = min(count, LOOK_BACK_MAX);
    return value;
}

look_back_value look_back_recompute(uint partition_index)
{
    uint index = partition_index * TILE_LINES_PARTITION + workgroup_invocation();
    uint count = 0u;
    if (index < counters.ready_lines) {
        edge e = edges[index];
        count = tile_line_count(line_of(e), visible_elements[e.visible].box);
    }
    uint total;
    workgroup_exclusive_scan(count, total);
    return value_of(total);
}

/* Loads the workgroup's lines, and finds where the tile_lines of each begin among those of all. Returns the number of
 * all tile_lines. */
uint load_lines(uint first_line)
{
    uint item = workgroup_invocation();
    uint index = first_line + item;
    uint count = 0u;
    if (index < counters.ready_lines) {
        edge e = edges[index];
        line l = line_of(e);
        tile_box box = visible_elements[e.visible].box;
        count = tile_line_count(l, box);
        lines[index] = l;
        partition_lines[item] = l;
        partition_tile_lines[item] = tile_lines_of(l, box);
        partition_rows[item] = visible_elements[e.visible].first_row - uint(box.y0);
    }
    uint total;
    owner_starts[item] = workgroup_exclusive_scan(count, total);
    if (item == TILE_LINES_PARTITION - 1u)
        owner_starts[TILE_LINES_PARTITION] = total;
    return total;
}

void write_tile_line(uint first_line, uint base, uint piece)
{
    uint item = owner_of(piece);
    line l = partition_lines[item];
    tile_line made = tile_line_at(l, partition_tile_lines[item], piece - owner_starts[item]);
    uint row = partition_rows[item] + uint(made.row);
    uint crossing = line_sign(l) > 0 ? TILE_LINE_WINDING_UP : TILE_LINE_WINDING_DOWN;
    tile_line_keys[base + piece] = row << config.column_bits | uint(made.column - config.part.x0 + 1);
    tile_line_values[base + piece] = (first_line + item) << TILE_LINE_SHIFT | (made.crosses != 0u ? crossing : 0u);
}

void finish(uint total)
{
    uint overflow =
        (total > config.tile_line_capacity ? OVERFLOW_TILE_LINES : 0u) | (total == LOOK_BACK_MAX ? OVERFLOW_COUNT : 0u);
    uint ready = overflow == 0u ? total : 0u;
    counters.tile_line_count = total;
    counters.overflow |= overflow;
    counters.ready_tile_lines = ready;
    arguments[ARGUMENT_WIND] = stage_arguments(ready, WIND_PARTITION);
}

void main()
{
    uint partition_count = (counters.ready_lines + TILE_LINES_PARTITION - 1u) / TILE_LINES_PARTITION;
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    uint tile_line_count = load_lines(partition_index * TILE_LINES_PARTITION);
    uint base = look_back(partition_index, value_of(tile_line_count)).part[0];
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(min(base + tile_line_count, LOOK_BACK_MAX));
    if (base + tile_line_count > config.tile_line_capacity)
        return;
    for (uint first = 0u; first < tile_line_count; first += STAGE_INVOCATIONS) {
        uint piece = first + gl_LocalInvocationIndex;
        if (piece < tile_line_count)
            write_tile_line(partition_index * TILE_LINES_PARTITION, base, piece);
    }
}
