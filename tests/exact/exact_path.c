/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "exact/exact_path.h"

#include <math.h>
#include <string.h>

stream_path exact_stream_path(const exact_stream *stream, uint32_t index)
{
    stream_path path;
    memcpy(&path, stream->words + stream->header.paths + index * (sizeof path / 4), sizeof path);
    return path;
}

stream_transform exact_stream_transform(const exact_stream *stream, uint32_t index)
{
    stream_transform transform;
    memcpy(&transform, stream->words + stream->header.transforms + index * (sizeof transform / 4), sizeof transform);
    return transform;
}

stream_style exact_stream_style(const exact_stream *stream, uint32_t index)
{
    stream_style style;
    memcpy(&style, stream->words + stream->header.styles + index * (sizeof style / 4), sizeof style);
    return style;
}

exact_walk exact_walk_start(const exact_stream *stream, uint32_t path)
{
    stream_path entry = exact_stream_path(stream, path);
    return (exact_walk){
        stream, entry.first_segment, entry.first_segment + entry.segment_count, entry.first_point, {0, 0}};
}

static exact_point next_point(exact_walk *walk)
{
    float xy[2];
    memcpy(xy, walk->stream->words + walk->stream->header.points + 2 * walk->point++, sizeof xy);
    return (exact_point){(double)xy[0], (double)xy[1]};
}

static exact_point between(exact_point a, exact_point b, double t)
{
    return (exact_point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

bool exact_walk_next(exact_walk *walk, exact_segment *segment)
{
    if (walk->segment == walk->end)
        return false;
    uint32_t word = walk->stream->words[walk->stream->header.tags + walk->segment / 4];
    uint32_t tag = word >> 8 * (walk->segment % 4) & 0xff;
    walk->segment++;
    if (tag & TAG_FIRST)
        walk->current = next_point(walk);
    uint32_t count = tag & TAG_POINTS_MASK;
    exact_point from = walk->current, p1 = next_point(walk), p2 = count > 1 ? next_point(walk) : p1,
                p3 = count > 2 ? next_point(walk) : p2;
    *segment = (exact_segment){.line = count == 1,
                               .first = tag & TAG_FIRST,
                               .last = tag & TAG_LAST,
                               .closed = tag & TAG_CLOSED,
                               .dot = tag & TAG_DOT,
                               .corner = tag & TAG_CORNER};
    segment->points[0] = from;
    segment->points[3] = p3;
    segment->points[1] = count == 3 ? p1 : between(from, p1, count == 2 ? 2.0 / 3 : 1.0 / 3);
    segment->points[2] = count == 3 ? p2 : between(p3, count == 2 ? p1 : from, count == 2 ? 2.0 / 3 : 1.0 / 3);
    walk->current = p3;
    return true;
}

exact_point exact_cubic_at(const exact_point *p, double t)
{
    double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return (exact_point){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                         a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

/* Returns Wang's bound: how many pieces of equal parameter keep chords within the tolerance. */
static double piece_count(const exact_point *p)
{
    double first = hypot(p[0].x - 2 * p[1].x + p[2].x, p[0].y - 2 * p[1].y + p[2].y);
    double second = hypot(p[1].x - 2 * p[2].x + p[3].x, p[1].y - 2 * p[2].y + p[3].y);
    return fmin(ceil(sqrt(0.75 * fmax(first, second) / EXACT_TOLERANCE)) + 1, 1e6);
}

void exact_fill(const exact_stream *stream, uint32_t path, exact_matrix matrix, exact_edges *edges)
{
    exact_walk walk = exact_walk_start(stream, path);
    exact_segment segment;
    exact_point start = {0, 0}, current = {0, 0};
    while (exact_walk_next(&walk, &segment)) {
        exact_point device[4];
        for (int i = 0; i < 4; i++)
            device[i] = exact_matrix_apply(matrix, segment.points[i]);
        start = segment.first ? device[0] : start;
        current = device[0];
        double pieces = segment.line ? 1 : piece_count(device);
        for (double i = 1; i <= pieces; i++) {
            exact_point to = i == pieces ? device[3] : exact_cubic_at(device, i / pieces);
            exact_edges_add(edges, current, to);
            current = to;
        }
        if (segment.last)
            exact_edges_add(edges, current, start);
    }
}
