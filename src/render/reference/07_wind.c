/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 07 wind: the winding of every tile that an element touches, and the tiles between them that it covers in full.
 *
 * Reads sorted_keys, sorted_values, lines, visible; writes tile_paths. It is a scan of winding steps that starts anew
 * with every (element, row), and a compaction of the places where the key changes. */
#include "lib/winding.h"
#include "render/reference/reference.h"

static int winding_step_sum(const reference_frame *frame, uint first, uint end)
{
    int sum = 0;
    for (uint i = first; i < end; i++) {
        uint step = frame->sorted_values[i] & 3u;
        sum += step == TILE_LINE_WINDING_UP ? 1 : step == TILE_LINE_WINDING_DOWN ? -1 : 0;
    }
    return sum;
}

static uint count_tile_paths(const reference_frame *frame)
{
    uint count = 0;
    for (uint i = 0; i < frame->counters.tile_line_count; i++)
        count += i == 0 || frame->sorted_keys[i] != frame->sorted_keys[i - 1];
    return count;
}

pietra_result reference_07_wind(reference_frame *frame, pietra_error *error)
{
    uint tile_line_count = frame->counters.tile_line_count;
    uint column_bits = frame->config.column_bits;
    frame->counters.tile_path_count = count_tile_paths(frame);
    pietra_result result;
    frame->tile_paths =
        reference_allocate(frame, frame->counters.tile_path_count, sizeof *frame->tile_paths, error, &result);
    if (!frame->tile_paths)
        return result;
    int winding = 0;
    tile_path *r = frame->tile_paths;
    for (uint first = 0, end; first < tile_line_count; first = end, r++) {
        uint key = frame->sorted_keys[first];
        for (end = first + 1; end < tile_line_count && frame->sorted_keys[end] == key; end++) {
        }
        if (first == 0 || frame->sorted_keys[first - 1] >> column_bits != key >> column_bits)
            winding = 0;
        r->visible = frame->lines[frame->sorted_values[first] >> TILE_LINE_SHIFT].visible_sign >> 1;
        const visible_element *v = &frame->visible[r->visible];
        r->x = (int)(key & ((1u << column_bits) - 1)) - 1 + frame->config.part.x0;
        r->y = (int)((key >> column_bits) - v->first_row) + v->box.y0;
        r->first_tile_line = first;
        r->tile_line_count = end - first;
        r->backdrop = winding;
        winding += winding_step_sum(frame, first, end);
        bool row_goes_on = end < tile_line_count && frame->sorted_keys[end] >> column_bits == key >> column_bits;
        int next = row_goes_on ? (int)(frame->sorted_keys[end] & ((1u << column_bits) - 1)) - 1 + frame->config.part.x0
                               : v->box.x1;
        r->span_end = is_inside(v->kind, winding) ? next : r->x + 1;
        bool heavy = r->tile_line_count > HEAVY_TILE_LINES && r->x >= v->box.x0;
        r->mask = heavy ? frame->counters.heavy_count++ : NONE;
    }
    return PIETRA_OK;
}
