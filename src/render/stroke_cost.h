/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What wide and dashed strokes cost at the size of a frame. Their lines, and the rows of pixels that these pass, grow
 * with the frame as no others do. The estimate is made on the host from the stream alone, so all devices refuse the
 * same frames, whatever their budgets and parts are. */
#ifndef PIETRA_RENDER_STROKE_COST_H
#define PIETRA_RENDER_STROKE_COST_H

#include "layout/frame.h"
#include "pietra/pietra.h"
#include "scene/stream.h"

/* What strokes cost in all of a stream, wherever they lie, under frames of nearly one size and one scale. */
typedef struct stroke_cost_cache {
    uint64_t stream_id; /* 0: nothing is known */
    int scale, height;
    double cost; /* INFINITY: too much for a frame before */
} stroke_cost_cache;

/* Returns what the strokes of a stream cost in a picture, in thousandths of a step. `frame` leads from the scene to
 * pixels. Elements in effects cost the same wherever they lie. So do all if the picture has no width. A result beyond
 * `most` may be too small, and *last is the element with which it is more; NULL: that is not wanted. */
double stroke_cost(const stream_view *view, pietra_transform frame, pixel_box picture, double most, uint32_t *last);

/* Returns what the strokes of a frame cost at most: what they do wherever they lie, under a transform that stretches at
 * least as much. INFINITY: more than `most`, perhaps. */
double stroke_cost_known(stroke_cost_cache *cache, const pietra_stream *stream, const frame_config *config,
                         double most);

#endif
