/* 05 record: one record for each tile that a line touches in its element's box.
 *
 * Reads lines, visible; writes record_keys, record_values, in the order of lines, rows and columns. */
#include "lib/line.h"
#include "twin/twin.h"

static uint step_of(const line *l)
{
    return line_sign(*l) > 0 ? RECORD_STEP_UP : RECORD_STEP_DOWN;
}

static void record_line(twin_frame *frame, uint index)
{
    const line *l = &frame->lines[index];
    const visible_element *v = &frame->visible[l->visible_sign >> 1];
    uint at = l->first_record;
    row_range rows = line_rows(*l, v->box);
    for (int row = rows.first; row < rows.end; row++) {
        line_row part = line_in_row(*l, row);
        column_range columns = line_columns(part, v->box);
        uint row_key = (v->first_row + (uint)(row - v->box.y0)) << frame->config.column_bits;
        int top_column = part.crosses_top ? part.x_upper >> TILE_SHIFT_SUBPIXELS : columns.end;
        if (columns.left) {
            frame->record_keys[at] = row_key | (uint)(v->box.x0 - frame->config.part.x0);
            frame->record_values[at++] = index << RECORD_LINE_SHIFT | step_of(l);
        }
        for (int column = columns.first; column < columns.end; column++) {
            frame->record_keys[at] = row_key | (uint)(column - frame->config.part.x0 + 1);
            frame->record_values[at++] = index << RECORD_LINE_SHIFT | (column == top_column ? step_of(l) : 0u);
        }
    }
}

pietra_result twin_05_record(twin_frame *frame, pietra_error *error)
{
    pietra_result result;
    if ((frame->record_keys = twin_allocate(frame, frame->counters.record_count, sizeof(uint), error, &result)) == NULL ||
        (frame->record_values = twin_allocate(frame, frame->counters.record_count, sizeof(uint), error, &result)) == NULL) {
        return result;
    }
    for (uint i = 0; i < frame->counters.line_count; i++) {
        record_line(frame, i);
    }
    return PIETRA_OK;
}
