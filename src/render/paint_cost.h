/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What painting costs at the size of a frame: pixels by their paints, layers, and the bands of rows that elements and
 * their lines pass. The estimate is made on the host from the stream alone, so all devices refuse the same frames,
 * whatever their budgets and parts are. */
#ifndef PIETRA_RENDER_PAINT_COST_H
#define PIETRA_RENDER_PAINT_COST_H

#include "layout/frame.h"
#include "pietra/pietra.h"
#include "render/bounds/bounds.h"
#include "scene/stream.h"

/* What painting all of a stream costs at most, wherever it lies, under frames of one size whose transforms have about
 * the same numbers. */
typedef struct paint_cost_cache {
    uint64_t stream_id; /* 0: nothing is known */
    double a, b, c, d;  /* classes of those of the transform */
    double width, height;
    double cost; /* thousandths of a step */
} paint_cost_cache;

/* Finds what painting a stream costs in a picture, in thousandths of a step. `frame` leads from the scene to pixels. It
 * may be too much by far, unless it is more than `most` or is_fine. A cost beyond `most` may be too small, and *last is
 * the element with which it is more; NULL: that is not wanted. PIETRA_ERROR_MEMORY. */
pietra_result paint_cost(const stream_view *view, pietra_transform frame, int width, int height, double most,
                         bool is_fine, uint32_t *last, pietra_error *error, double *cost);

/* Returns what painting a frame costs at most: what all elements cost wherever they lie, which holds for frames that
 * are much the same. It is looked for more closely where it is more than `most`. */
double paint_cost_known(paint_cost_cache *cache, const pietra_stream *stream, const frame_config *config, double most);
/* Does the same for a frame whose counts are bounded. That is more by far, and takes no look at the elements. */
double paint_cost_bounded(const stream_view *view, const frame_bounds *bounds);

#endif
