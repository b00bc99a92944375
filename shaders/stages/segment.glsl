/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A segment of the stream as a curve in path space, with what a stroke needs to know about its ends. The includer has
 * declared the stream, segment_info segments[] and element_info elements[], and has included lib/element.h and
 * lib/dash.h. */
#ifndef SEGMENT_GLSL
#define SEGMENT_GLSL

curve segment_curve(uint segment)
{
    curve c;
    c.order = stream_tag_at(segment) & TAG_POINTS_MASK;
    uint first = segments[segment].point;
    vec2 start = stream_point_at(first);
    vec2 end = stream_point_at(first + c.order);
    vec2 second = c.order > 1u ? stream_point_at(first + 1u) : start;
    vec2 third = c.order > 2u ? stream_point_at(first + 2u) : end;
    c.x0 = start.x;
    c.y0 = start.y;
    c.x1 = second.x;
    c.y1 = second.y;
    c.x2 = third.x;
    c.y2 = third.y;
    c.x3 = end.x;
    c.y3 = end.y;
    return c;
}

/* Returns the segment as strokes of an element with this matrix show it. */
curve segment_spine(affine matrix, uint segment)
{
    return curve_seen(matrix, segment_curve(segment));
}

/* Returns a segment with what a stroke needs to know about its ends. Dashes do not continue over the start of a closed
 * subpath. */
stroke_segment segment_stroked(affine matrix, uint segment, bool dashed)
{
    uint tag = stream_tag_at(segment);
    bool closed = (tag & TAG_CLOSED) != 0u && !dashed;
    bool is_last = (tag & TAG_LAST) != 0u;
    stroke_segment stroked;
    stroked.local = segment_spine(matrix, segment);
    stroked.dot = (tag & TAG_DOT) != 0u;
    stroked.starts = (tag & TAG_FIRST) != 0u && !closed;
    stroked.ends = is_last && !closed;
    stroked.closes = dashed && is_last && (tag & TAG_CLOSED) != 0u;
    stroked.next_tangent = point_of(0.0, 0.0);
    if (!stroked.ends || stroked.closes) {
        uint next = segment + 1u;
        if (is_last)
            next = segments[segment].subpath;
        stroked.next_tangent = curve_start_tangent(segment_spine(matrix, next));
    }
    return stroked;
}

affine element_matrix_at(uint element)
{
    return element_info_matrix(elements[element]);
}

#endif
