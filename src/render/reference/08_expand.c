/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 08 expand: a tile_command for every element in every tile where it shows, in paint order.
 *
 * Reads tile_paths, tile_occluders; writes tile_command_keys, tile_command_values. A span becomes a tile_command only
 * in tiles where nothing hides it. A prefix sum of the counts comes before the tile_commands are stored. */
#include "base/error.h"
#include "render/frame/config.h"
#include "render/reference/reference.h"

static void emit(reference_frame *frame, const tile_path *r, int x, uint value, uint64_t *count)
{
    const uint tile = config_tile_number(&frame->config, x, r->y);
    if (r->visible + 1 < frame->tile_occluders[tile])
        return;
    if (frame->tile_command_keys) {
        frame->tile_command_keys[*count] = tile;
        frame->tile_command_values[*count] = value;
    }
    (*count)++;
}

static uint64_t expand_all(reference_frame *frame)
{
    uint64_t count = 0;
    for (uint i = 0; i < frame->counters.tile_path_count; i++) {
        const tile_path *r = &frame->tile_paths[i];
        if (r->x >= frame->visible[r->visible].box.x0)
            emit(frame, r, r->x, i, &count);
        for (int x = r->x + 1; x < r->span_end; x++)
            emit(frame, r, x, TILE_COMMAND_SOLID | r->visible, &count);
    }
    return count;
}

pietra_result reference_08_expand(reference_frame *frame, pietra_error *error)
{
    uint64_t count = expand_all(frame);
    if (count >= COUNT_LIMIT)
        return error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame has more tile_commands than a pass can number");
    pietra_result result;
    uint *values = reference_allocate(frame, count, sizeof(uint), error, &result);
    if (!values)
        return result;
    frame->tile_command_values = values;
    frame->tile_command_keys = reference_allocate(frame, count, sizeof(uint), error, &result);
    if (!frame->tile_command_keys)
        return result;
    frame->counters.tile_command_count = (uint)expand_all(frame);
    return PIETRA_OK;
}
