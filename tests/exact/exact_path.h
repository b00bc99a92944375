/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns a path of the stream into directed edges, as a fill or, by its definition, as a stroke. */
#ifndef TESTS_EXACT_PATH_H
#define TESTS_EXACT_PATH_H

#include <layout/stream.h>

#include "exact/exact_edges.h"

/* Leads from path space to device pixels, composed in doubles. */
typedef struct exact_matrix {
    double a, b, c, d, e, f;
} exact_matrix;

static inline exact_point exact_matrix_apply(exact_matrix m, exact_point p)
{
    return (exact_point){m.a * p.x + m.c * p.y + m.e, m.b * p.x + m.d * p.y + m.f};
}

/* A view of the stream's words. */
typedef struct exact_stream {
    const uint32_t *words;
    stream_header header;
} exact_stream;

/* One segment, which is a line, a quadratic or a cubic, as a cubic. */
typedef struct exact_segment {
    exact_point points[4];
    bool line, first, last, closed, dot, corner;
} exact_segment;

/* A walk along a path's segments. */
typedef struct exact_walk {
    const exact_stream *stream;
    uint32_t segment, end, point;
    exact_point current;
} exact_walk;

exact_walk exact_walk_start(const exact_stream *stream, uint32_t path);
bool exact_walk_next(exact_walk *walk, exact_segment *segment);

/* Return copies of entries of the stream's arrays. */
stream_path exact_stream_path(const exact_stream *stream, uint32_t index);
stream_transform exact_stream_transform(const exact_stream *stream, uint32_t index);
stream_style exact_stream_style(const exact_stream *stream, uint32_t index);

exact_point exact_cubic_at(const exact_point *points, double t);

/* Distance between curve and edges, in pixels. */
#define EXACT_TOLERANCE 0.0005

void exact_fill(const exact_stream *stream, uint32_t path, exact_matrix matrix, exact_edges *edges);
void exact_stroke(const exact_stream *stream, uint32_t path, uint32_t style, exact_matrix matrix, exact_edges *edges);

#endif
