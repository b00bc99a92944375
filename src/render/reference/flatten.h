/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parts that 04_measure and 04_flatten share: a sink for lines, and a segment with its neighbours. */
#ifndef PIETRA_RENDER_REFERENCE_FLATTEN_H
#define PIETRA_RENDER_REFERENCE_FLATTEN_H

#include "lib/line.h"
#include "lib/sheet.h"
#include "render/reference/reference.h"

typedef struct flatten_sink {
    const reference_frame *frame;
    const visible_element *element;
    uint visible;
    tile_box box; /* the element's, in its own sheet */
    edge *edges;  /* NULL: count only */
    uint64_t line_count;
} flatten_sink;

static inline void sink_line(flatten_sink *sink, int ax, int ay, int bx, int by)
{
    if (!line_is_seen(ax, ay, bx, by, sink->box))
        return;
    if (sink->edges)
        sink->edges[sink->line_count] = (edge){.ax = ax, .ay = ay, .bx = bx, .by = by, .visible = sink->visible};
    sink->line_count++;
}

static inline float sink_dash_end(flatten_sink sink, uint dash)
{
    return sink.frame->stream.dashes[dash];
}

#include "lib/stroke_work.h"

/* Returns a segment as strokes of an element with this matrix show it. */
curve reference_spine(const reference_frame *frame, affine matrix, uint segment);
/* Returns a measure with the course of measure_course. */
measure reference_measure(const reference_frame *frame, const measure *m);
/* Returns the dashes of a measured segment. */
dash_range reference_dashes(const reference_frame *frame, const measure *m);
affine reference_matrix(const reference_frame *frame, uint element);
/* Returns the pen of a stroke. */
pen reference_pen(const reference_frame *frame, uint element);

#endif
