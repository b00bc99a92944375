/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a frame counts at most, known before it is drawn, so that it can be submitted and never be too small.
 *
 * Nothing of a frame is looked at but its transform and its size: a few products for each block of elements (sums.h),
 * and for each element of the blocks that the frame's borders cut. */
#ifndef PIETRA_RENDER_BOUNDS_BOUNDS_H
#define PIETRA_RENDER_BOUNDS_BOUNDS_H

#include "layout/frame.h"
#include "scene/sums/sums.h"

/* Bounds of the counters of a frame in one part, of all its boxes together: the counts of frame_counters by their
 * names. */
typedef struct frame_bounds {
    double rows, tasks, measures, dash_tasks, lines, tile_lines, tile_commands, spill;
    double fine_work; /* of a tile */
} frame_bounds;

/* Returns what strokes of a frame cost at most, in thousandths of a step (render/stroke_cost.h): whatever costs there
 * is a line or lies in tiles. */
double frame_bounds_cost(const frame_bounds *bounds);

/* Returns the bounds of a frame, which are the sums of those of its boxes, given the sums of its stream, which must be
 * bounded. */
frame_bounds frame_bounds_of(const stream_sums *sums, const frame_config *config);

#endif
