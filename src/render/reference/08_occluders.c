/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 08 occluders: the last element in each tile that hides all elements before it.
 *
 * Reads tile_paths, visible; writes tile_occluders. Only spans of opaque paint outside every layer count, and only
 * where no clip cuts the tile. A maximum does not depend on the order. */
#include "lib/element.h"
#include "render/frame/config.h"
#include "render/reference/reference.h"

pietra_result reference_08_occluders(reference_frame *frame, pietra_error *error)
{
    pietra_result result;
    frame->tile_occluders = reference_allocate(frame, frame->config.tile_count, sizeof(uint), error, &result);
    if (!frame->tile_occluders)
        return result;
    for (uint i = 0; i < frame->counters.tile_path_count; i++) {
        const tile_path *r = &frame->tile_paths[i];
        const visible_element *v = &frame->visible[r->visible];
        if (!(v->kind & ELEMENT_OPAQUE) || v->layer != NONE)
            continue;
        for (int x = r->x + 1; x < r->span_end; x++) {
            if (!box_covers_tile(v->clip, x, r->y))
                continue;
            uint *occluder = &frame->tile_occluders[config_tile_number(&frame->config, x, r->y)];
            *occluder = *occluder > r->visible + 1 ? *occluder : r->visible + 1;
        }
    }
    return PIETRA_OK;
}
