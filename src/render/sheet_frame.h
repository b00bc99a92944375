/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws frames that have effects: as a whole if their sheets fit the budget, else in bands of rows of tiles, each with
 * the sheets that it needs. */
#ifndef PIETRA_RENDER_SHEET_FRAME_H
#define PIETRA_RENDER_SHEET_FRAME_H

#include "layout/frame.h"
#include "render/frame/parts.h"
#include "scene/stream.h"

struct pietra_device;

/* The stream with images in place of its effects that was made last. Zero bytes are an empty cache. A device has one
 * for streams with all their texels, and a GPU another for streams whose results lie there. */
typedef struct sheet_cache {
    uint64_t stream_id; /* of the stream with effects; 0: none */
    frame_config config;
    pietra_stream *made;
} sheet_cache;

void sheet_cache_free(sheet_cache *cache);

/* Gives the stream with images in place of its effects, as config->part of the frame shows them, with all texels. If
 * the stream has no effects, it is the stream itself; else the cache owns it, until the next call. The errors are those
 * of sheets_draw. */
pietra_result sheet_frame_make(struct pietra_device *device, const pietra_stream *stream, const frame_config *config,
                               part_budget *budget, pietra_error *error, const pietra_stream **made);

/* Draws config->part of a frame without effects into the target, whose pixels lie where the frame's do. */
typedef pietra_result sheet_frame_function(struct pietra_device *device, const pietra_stream *stream,
                                           const frame_config *config, part_budget *budget, const pietra_target *target,
                                           pietra_error *error, pietra_stats *stats);

/* Draws a frame whose stream may have effects. The target's pixels lie where the frame's do (config_target). */
pietra_result sheet_frame_draw(struct pietra_device *device, const pietra_stream *stream, const frame_config *config,
                               part_budget *budget, const pietra_target *target, sheet_frame_function *draw,
                               pietra_error *error, pietra_stats *stats);

#endif
