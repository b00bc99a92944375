/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Spends what a stream costs in a picture, as far as the stream alone tells: its strokes and its painting. */
#ifndef PIETRA_RENDER_STREAM_WORK_H
#define PIETRA_RENDER_STREAM_WORK_H

#include "render/bounds/bounds.h"
#include "render/frame/work.h"
#include "render/paint_cost.h"
#include "render/stroke_cost.h"

/* What is known of a stream. */
typedef struct known_work {
    uint64_t stream_id; /* 0: none */
    stroke_cost_cache strokes;
    paint_cost_cache paints;
    /* A frame of which all was looked at: the next one is often the same. */
    bool has_frame;
    frame_config config;
    frame_work before, after;
} known_work;

#define WORK_STREAMS 4u /* a window shows few at a time: a caret takes turns with none */

typedef struct stream_work_cache {
    known_work known[WORK_STREAMS];
    uint32_t next; /* that is forgotten when another stream comes */
} stream_work_cache;

/* `frame` leads from the scene to pixels. Without is_fine, so much may be spent on painting that nothing is left for
 * other work. PIETRA_ERROR_INPUT: the work is too much, with the element *last, unless that
 * is NULL. PIETRA_ERROR_MEMORY. */
pietra_result stream_work_spend(const stream_view *view, pietra_transform frame, int width, int height,
                                frame_work *work, bool is_fine, pietra_error *error, uint32_t *last);
/* Does the same for a frame. What is known of such frames, and bounds, which may be NULL, often suffices. The error has
 * the element's label. */
pietra_result stream_work_spend_frame(stream_work_cache *cache, const pietra_stream *stream, const frame_config *config,
                                      const frame_bounds *bounds, frame_work *work, pietra_error *error);

#endif
