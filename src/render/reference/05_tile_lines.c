/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 05 tile_lines: each line with its slopes, and one tile_line for each tile that it touches in its element's box.
 *
 * Reads edges, visible; writes lines, tile_line_keys, tile_line_values. Tile_lines stand in the order of lines, rows
 * and columns. A prefix sum of the lines' counts says where they go. */
#include "base/error.h"
#include "lib/sheet.h"
#include "lib/tile_lines.h"
#include "render/reference/reference.h"

static uint winding_step_of(const line *l)
{
    return line_sign(*l) > 0 ? TILE_LINE_WINDING_UP : TILE_LINE_WINDING_DOWN;
}

/* Returns where the next line's tile_lines begin. */
static uint store_tile_lines(reference_frame *frame, uint index, uint at)
{
    const line *l = &frame->lines[index];
    const visible_element *v = &frame->visible[l->visible_sign >> 1];
    row_range rows = line_rows(*l, v->box);
    for (int row = rows.first; row < rows.end; row++) {
        line_row part = line_in_row(*l, row);
        column_range columns = line_columns(part, v->box);
        uint row_key = (v->first_row + (uint)(row - v->box.y0)) << frame->config.column_bits;
        int top_column = part.crosses_top ? part.x_upper >> TILE_SHIFT_SUBPIXELS : columns.end;
        if (columns.left) {
            frame->tile_line_keys[at] = row_key | (uint)(v->box.x0 - frame->config.part.x0);
            frame->tile_line_values[at++] = index << TILE_LINE_SHIFT | winding_step_of(l);
        }
        for (int column = columns.first; column < columns.end; column++) {
            frame->tile_line_keys[at] = row_key | (uint)(column - frame->config.part.x0 + 1);
            frame->tile_line_values[at++] = index << TILE_LINE_SHIFT | (column == top_column ? winding_step_of(l) : 0u);
        }
    }
    return at;
}

pietra_result reference_05_tile_lines(reference_frame *frame, pietra_error *error)
{
    pietra_result result;
    frame->lines = reference_allocate(frame, frame->counters.line_count, sizeof *frame->lines, error, &result);
    if (!frame->lines)
        return result;
    uint64_t count = 0;
    for (uint i = 0; i < frame->counters.line_count; i++) {
        edge e = frame->edges[i];
        const visible_element *v = &frame->visible[e.visible];
        int x = place_x(v->place) * TILE_SUBPIXELS, y = place_y(v->place) * TILE_SUBPIXELS;
        frame->lines[i] = line_make(e.ax + x, e.ay + y, e.bx + x, e.by + y, e.visible);
        count += tile_line_count(frame->lines[i], v->box);
    }
    if (count >= COUNT_LIMIT)
        return error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame has more lines in tiles than a pass can number");
    frame->counters.tile_line_count = (uint)count;
    if (!(frame->tile_line_keys = reference_allocate(frame, count, sizeof(uint), error, &result)) ||
        !(frame->tile_line_values = reference_allocate(frame, count, sizeof(uint), error, &result))) {
        return result;
    }
    uint at = 0;
    for (uint i = 0; i < frame->counters.line_count; i++)
        at = store_tile_lines(frame, i, at);
    return PIETRA_OK;
}
