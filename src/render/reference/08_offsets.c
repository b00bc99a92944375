/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 08 offsets: where the path_tiles of each tile_path begin among those of all.
 *
 * Reads tile_paths, visible; writes path_tile_offsets, which has one word more than there are tile_paths: the number of
 * all path_tiles. */
#include "base/error.h"
#include "lib/tile.h"
#include "render/reference/reference.h"

pietra_result reference_08_offsets(reference_frame *frame, pietra_error *error)
{
    const uint count = frame->counters.tile_path_count;
    uint64_t sum = 0;
    pietra_result result;
    frame->path_tile_offsets = reference_allocate(frame, (uint64_t)count + 1, sizeof(uint), error, &result);
    if (!frame->path_tile_offsets)
        return result;
    for (uint i = 0; i <= count; i++) {
        frame->path_tile_offsets[i] = (uint)sum;
        if (i < count) {
            const tile_path *path = &frame->tile_paths[i];
            sum += path_tiles_of(path->x, path->span_end, frame->visible[path->visible].box.x0);
        }
        if (sum >= COUNT_LIMIT)
            return error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame has more path_tiles than a pass can number");
    }
    return PIETRA_OK;
}
