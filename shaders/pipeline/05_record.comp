// 05 record: one record for each tile that a line touches in its element's box.
//
// Reads lines, visible, counters; writes record_keys, record_values.
// Dispatch: a workgroup for RECORD_TILE lines; its invocations share out the records, which lie side by side.
// Invariant: records stand in the order of lines, rows and columns, each where its line's first_record says.
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#include "pipeline/stage.glsl"
#include "pipeline/owner.glsl"
#include "lib/line_records.h"

layout(scalar, binding = 1) readonly buffer counters_buffer { frame_counters counters; };
layout(scalar, binding = 2) readonly buffer visible_buffer { visible_element visible_elements[]; };
layout(scalar, binding = 3) readonly buffer lines_buffer { line lines[]; };
layout(scalar, binding = 4) writeonly buffer keys_buffer { uint record_keys[]; };
layout(scalar, binding = 5) writeonly buffer values_buffer { uint record_values[]; };

shared line tile_lines[RECORD_TILE];
shared line_records tile_records[RECORD_TILE];
shared uint tile_rows[RECORD_TILE]; // dense row of the frame's row 0

uint first_record(uint index)
{
    return index < counters.ready_lines ? lines[index].first_record : counters.ready_records;
}

void load_lines(uint first_line, uint base)
{
    uint item = gl_LocalInvocationIndex;
    uint index = first_line + item;
    owner_starts[item] = first_record(index) - base;
    if (item == RECORD_TILE - 1u)
        owner_starts[RECORD_TILE] = first_record(index + 1u) - base;
    if (index < counters.ready_lines) {
        line l = lines[index];
        visible_element v = visible_elements[l.visible_sign >> 1];
        tile_lines[item] = l;
        tile_records[item] = line_records_of(l, v.box);
        tile_rows[item] = v.first_row - uint(v.box.y0);
    }
}

void write_record(uint first_line, uint base, uint piece)
{
    uint item = owner_of(piece);
    line l = tile_lines[item];
    line_record made = line_record_at(l, tile_records[item], piece - owner_starts[item]);
    uint row = tile_rows[item] + uint(made.row);
    uint crossing = line_sign(l) > 0 ? RECORD_STEP_UP : RECORD_STEP_DOWN;
    record_keys[base + piece] = row << config.column_bits | uint(made.column - config.part.x0 + 1);
    record_values[base + piece] = (first_line + item) << RECORD_LINE_SHIFT | (made.crosses != 0u ? crossing : 0u);
}

void main()
{
    uint first_line = stage_workgroup() * RECORD_TILE;
    if (counters.ready_records == 0u || first_line >= counters.ready_lines)
        return;
    uint base = first_record(first_line);
    load_lines(first_line, base);
    barrier();
    uint record_count = owner_starts[RECORD_TILE];
    for (uint first = 0u; first < record_count; first += STAGE_INVOCATIONS) {
        uint piece = first + gl_LocalInvocationIndex;
        if (piece < record_count)
            write_record(first_line, base, piece);
    }
}
