/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Dashes. A dash is cut where a segment ends. Each segment paints its own part of the dashes that touch it, with a join
 * where a dash continues in the next segment. The includer defines float sink_dash_end(flatten_sink sink, uint dash),
 * which gives where a dash or gap ends in its pattern. */
#ifndef PIETRA_LIB_DASH_H
#define PIETRA_LIB_DASH_H

#include "stroke.h"

#include "dash_position.h"

/* Round caps with more directions make a dash count as several. A dash without them counts as one. */
#define DASH_DIRECTIONS 32

/* Stands in place of a count if the dashes cannot be numbered. */
#define DASHES_BEYOND_COUNT 0xffffffffu

/* Returns |B'| of a segment. */
SHARED_FUNCTION float segment_pace(curve local, float t)
{
    point tangent = curve_tangent(local, t); /* B' divided by the order */
    PRECISE float pace = vector_length(tangent.x, tangent.y) * TO_FLOAT(local.order);
    return pace;
}

/* Returns the length of a segment from t0 to t1, in path units, by the two-point rule of Gauss and Legendre. */
SHARED_FUNCTION float span_length(curve local, float t0, float t1)
{
    PRECISE float half_step = (t1 - t0) * 0.5f;
    PRECISE float middle = t0 + half_step;
    PRECISE float offset = half_step * 0.57735026f;
    PRECISE float before = middle - offset;
    PRECISE float after = middle + offset;
    PRECISE float length = (segment_pace(local, before) + segment_pace(local, after)) * half_step;
    return length;
}

/* Returns where piece i of a segment starts. i may be the number of pieces. */
SHARED_FUNCTION float piece_start(subdivision cut, uint i)
{
    if (i == 0u) {
        return 0.0f;
    }
    return i == cut.pieces ? 1.0f : subdivision_at(cut, i);
}

/* Returns the length of piece i along the curve. The piece's chord is up to 0.01 pixel shorter, which a hundred dashes
 * would show. */
SHARED_FUNCTION float piece_length(curve local, subdivision cut, uint i)
{
    if (local.order == 1u) {
        return segment_pace(local, 0.0f);
    }
    return span_length(local, piece_start(cut, i), piece_start(cut, i + 1u));
}

/* Returns the length of a segment in path units, at this scale. */
SHARED_FUNCTION float segment_length(affine matrix, curve local)
{
    subdivision cut = stroke_subdivision(matrix, local);
    PRECISE float length = 0.0f;
    for (uint i = 0u; i < cut.pieces; i++) {
        length = length + piece_length(local, cut, i);
    }
    return length;
}

/* Returns how far a segment of this length leads along its subpath. Every segment leads somewhere. */
SHARED_FUNCTION dash_position dash_extent(float periods)
{
    dash_position extent = dash_position_of(periods);
    if ((extent.periods | extent.fraction | extent.rest) == 0u) {
        extent.rest = 1u;
    }
    return extent;
}

/* Returns where a subpath starts in the pattern. */
SHARED_FUNCTION dash_position dash_phase(stream_style style)
{
    PRECISE float phase = style.dash_phase * reciprocal(style.dash_period);
    return dash_position_of(phase);
}

SHARED_FUNCTION dash_position measure_start(measure m)
{
    dash_position start;
    start.periods = m.start;
    start.fraction = m.start_fraction;
    start.rest = m.start_rest;
    return start;
}

SHARED_FUNCTION dash_position measure_extent(measure m)
{
    dash_position extent;
    extent.periods = m.extent;
    extent.fraction = m.extent_fraction;
    extent.rest = m.extent_rest;
    return extent;
}

STRUCT(dash_span)
{
    dash_position start, end;
};

/* Returns the dash that lies at [start, end) of the pattern, in path units, in the period with this number. */
SHARED_FUNCTION dash_span dash_in_period(uint period, float start, float end, float inverse)
{
    dash_position base;
    base.periods = period;
    base.fraction = 0u;
    base.rest = 0u;
    PRECISE float start_part = start * inverse;
    PRECISE float end_part = end * inverse;
    dash_span span;
    span.start = dash_sum(base, dash_position_of(float_min(start_part, 1.0f)));
    span.end = dash_sum(base, dash_position_of(float_min(end_part, 1.0f)));
    return span;
}

/* Returns where dash j of a period lies. */
SHARED_FUNCTION dash_span dash_of_period(flatten_sink sink, stream_style style, uint period, uint j)
{
    uint dash = style.first_dash + 2u * j;
    PRECISE float start = 0.0f;
    if (j != 0u) {
        start = sink_dash_end(sink, dash - 1u);
    }
    return dash_in_period(period, start, sink_dash_end(sink, dash), reciprocal(style.dash_period));
}

/* Returns where the dash with this number lies: dash j of period p has the number p * (dash_count / 2) + j. */
SHARED_FUNCTION dash_span dash_numbered(flatten_sink sink, stream_style style, uint number)
{
    uint dashes = style.dash_count >> 1;
    uint period = number / dashes;
    return dash_of_period(sink, style, period, number - period * dashes);
}

/* Returns how many dashes of the period that holds `at` start before it. If asked, it leaves out those that reach
 * beyond `at`. Positions in a pattern never decrease, so bisection finds the answer. */
SHARED_FUNCTION uint dashes_before(flatten_sink sink, stream_style style, dash_position at, bool ended)
{
    uint low = 0u;
    uint high = style.dash_count >> 1;
    while (low < high) {
        uint middle = (low + high) >> 1;
        dash_span span = dash_of_period(sink, style, at.periods, middle);
        bool before = dash_clearly_before(span.start, at) && !(ended && dash_clearly_before(at, span.end));
        low = before ? middle + 1u : low;
        high = before ? high : middle;
    }
    return low;
}

/* The dashes [first, last] that touch [from, to) of a subpath, or none if first > last. The count leaves out the dashes
 * in between that a straight segment need not paint because they lie outside the cull rectangle. */
STRUCT(dash_range)
{
    uint first, last;
    uint seen_first, seen_end; /* first < seen < last; the first and the last are always painted, for the joins */
    uint count;                /* the dashes that are painted */
};

SHARED_FUNCTION dash_range dash_range_of(flatten_sink sink, stream_style style, dash_position from, dash_position to)
{
    uint dashes = style.dash_count >> 1;
    dash_range range;
    range.first = 0u;
    range.last = 0u;
    for (int i = 0; i < 2; i++) {
        dash_position at = to;
        if (i == 0) {
            at = from;
        }
        range.first = i == 0 ? range.first : range.last;
        range.last = at.periods * dashes + dashes_before(sink, style, at, i == 0);
    }
    range.last = range.last > range.first ? range.last - 1u : range.first;
    range.count = range.last - range.first + 1u;
    if (!dash_clearly_before(dash_numbered(sink, style, range.first).start, to)) {
        range.count = 0u;
    }
    if (to.periods >= COUNT_LIMIT / dashes) {
        range.count = DASHES_BEYOND_COUNT;
    }
    range.seen_first = range.first + 1u;
    range.seen_end = uint_max(range.last, range.first + 1u);
    return range;
}

/* The part [low, high] of a chord, from 0 to 1, that lies within reach of a box (in pixels). It is empty if low
 * > high. */
STRUCT(chord_part)
{
    float low, high;
};

SHARED_FUNCTION chord_part chord_in_cull_rect(point start, point end, tile_box box, float reach)
{
    PRECISE float low = 0.0f;
    PRECISE float high = 1.0f;
    for (int axis = 0; axis < 2; axis++) {
        float from = axis == 0 ? start.x : start.y;
        float to = axis == 0 ? end.x : end.y;
        PRECISE float near = TO_FLOAT((axis == 0 ? box.x0 : box.y0) * TILE_SIDE) - reach;
        PRECISE float far = TO_FLOAT((axis == 0 ? box.x1 : box.y1) * TILE_SIDE) + reach;
        PRECISE float delta = to - from;
        if (float_abs(delta) < 1.0e-3f) {
            high = from < near || from > far ? -1.0f : high;
            continue;
        }
        PRECISE float inverse = reciprocal(delta);
        PRECISE float t0 = (near - from) * inverse;
        PRECISE float t1 = (far - from) * inverse;
        low = float_max(low, float_min(t0, t1));
        high = float_min(high, float_max(t0, t1));
    }
    chord_part part;
    part.low = low;
    part.high = high;
    return part;
}

/* With fewer dashes on a curve, the search for the visible ones costs more than it saves. */
#define DASHES_WORTH_A_LOOK 256u

/* With more dashes in a pattern, visible dashes are selected within a period, not by whole periods. */
#define LONG_PATTERN 16u

/* Leaves out the dashes before the first chord, and those after the last chord, in the cull rectangle of a box (in
 * pixels). `from` is where the segment starts, and `periods` is its length in periods. */
SHARED_FUNCTION dash_range dash_range_in_cull_rect(flatten_sink sink, dash_range range, stream_style style, pen p,
                                                   curve local, subdivision cut, dash_position from, float periods,
                                                   tile_box box)
{
    bool is_long = style.dash_count > 2u * LONG_PATTERN;
    if (range.count < (local.order == 1u ? 4u : DASHES_WORTH_A_LOOK) || range.count == DASHES_BEYOND_COUNT ||
        (periods < 4.0f && !is_long)) {
        return range;
    }
    PRECISE float reach = p.radius * 2.0f + 2.0f + p.rounding;
    PRECISE float inverse = reciprocal(style.dash_period);
    PRECISE float before = 0.0f; /* periods up to the chord */
    PRECISE float first = periods + 1.0f;
    PRECISE float last = -1.0f;
    point from_device = affine_apply(p.matrix, local.x0, local.y0);
    for (uint i = 1u; i <= cut.pieces; i++) {
        point to = segment_point(local, i, cut);
        point to_device = affine_apply(p.matrix, to.x, to.y);
        PRECISE float length = piece_length(local, cut, i - 1u) * inverse;
        chord_part part = chord_in_cull_rect(from_device, to_device, box, reach);
        if (part.low <= part.high) {
            first = float_min(first, before + part.low * length);
            last = float_max(last, before + part.high * length);
        }
        before = before + length;
        from_device = to_device;
    }
    uint dashes = style.dash_count >> 1;
    if (last < first) {
        range.seen_end = range.seen_first;
    } else {
        /* A float holds 24 bits. The margin covers the error that this makes over all the periods. */
        PRECISE float margin = (is_long ? 0.001f : 2.0f) + periods * 4.0e-6f;
        PRECISE float seen_from = float_max(first - margin, 0.0f);
        PRECISE float seen_to = float_min(last + margin, periods + 1.0f);
        uint seen_first = range.first + TO_UINT(seen_from) * dashes;
        uint seen_end = range.first + (TO_UINT(seen_to) + 1u) * dashes;
        if (is_long) {
            for (int i = 0; i < 2; i++) {
                dash_position at = dash_sum(from, dash_position_of(i == 0 ? seen_from : seen_to));
                seen_first = i == 0 ? seen_first : seen_end;
                seen_end = at.periods * dashes + dashes_before(sink, style, at, i == 0);
            }
        }
        range.seen_first = uint_min(uint_max(range.seen_first, seen_first), range.seen_end);
        range.seen_end = uint_max(range.seen_first, uint_min(range.seen_end, seen_end));
    }
    range.count = 2u + (range.seen_end - range.seen_first);
    return range;
}

/* Returns the number of the i-th painted dash. */
SHARED_FUNCTION uint dash_at(dash_range range, uint i)
{
    if (i == 0u) {
        return range.first;
    }
    return i + 1u == range.count ? range.last : range.seen_first + i - 1u;
}

/* A place along a segment, given by the chord it lies on. */
STRUCT(segment_walk)
{
    uint chord;   /* joins samples chord and chord + 1 */
    float before; /* length up to this chord */
    float extent; /* length of the chord's piece of the segment */
};

SHARED_FUNCTION segment_walk walk_to(segment_walk from, curve local, subdivision cut, float distance)
{
    segment_walk at = from;
    while (at.chord + 1u < cut.pieces) {
        PRECISE float end = at.before + at.extent;
        if (distance <= end) {
            break;
        }
        at.before = end;
        at.chord = at.chord + 1u;
        at.extent = piece_length(local, cut, at.chord);
    }
    return at;
}

/* Returns the t that lies this far along the walk's piece, which goes from t0 to t1. Two Newton steps start from where
 * t would be at an even pace. */
SHARED_FUNCTION float walk_parameter(segment_walk walk, curve local, float t0, float t1, float distance)
{
    PRECISE float along = distance - walk.before;
    PRECISE float t = t0;
    if (walk.extent > 1.0e-30f) {
        t = hold(t0 + (t1 - t0) * (along * reciprocal(walk.extent)), t0, t1);
    }
    if (local.order == 1u) {
        return t;
    }
    for (int i = 0; i < 2; i++) {
        float pace = segment_pace(local, t);
        if (pace > 1.0e-30f) {
            t = hold(t + (along - span_length(local, t0, t)) * reciprocal(pace), t0, t1);
        }
    }
    return t;
}

/* Returns the walk's place. It lies on the curve itself, and its normal is at right angles to the curve: an error here
 * would grow at the rim of a wide stroke. */
SHARED_FUNCTION segment_place walk_place(segment_walk walk, curve local, subdivision cut, float distance)
{
    float t0 = piece_start(cut, walk.chord);
    float t1 = piece_start(cut, walk.chord + 1u);
    float t = walk_parameter(walk, local, t0, t1, distance);
    uint where = SEGMENT_MIDDLE;
    if (t <= t0 && walk.chord == 0u) {
        where = SEGMENT_START;
    } else if (t > t0 && t >= t1 && walk.chord + 1u == cut.pieces) {
        where = SEGMENT_END;
    }
    return segment_place_at(local, where, t);
}

/* A dash as it lies in a segment, without the places on the curve. */
STRUCT(dash_part)
{
    segment_walk first, last; /* where it starts and ends */
    float start, end;         /* distances from the segment's start */
    bool from_before;         /* it does not start in this segment */
    bool runs_on;             /* it does not end in this segment */
};

/* Returns the part of a dash that lies in a segment at [from, to) of its subpath. The walk must not have passed the
 * dash's start, and it is left there. `joined` says whether the segment is joined to what comes before it. */
SHARED_FUNCTION dash_part dash_part_of(INOUT(segment_walk) walk, curve local, subdivision cut, float period,
                                       dash_span span, dash_position from, dash_position to, bool joined)
{
    dash_part part;
    part.from_before = joined || dash_clearly_before(span.start, from);
    /* If a dash starts less than the slack before the next segment, that segment starts it anew. */
    part.runs_on = dash_clearly_before(to, span.end) && (joined || dash_clearly_before(span.start, to));
    PRECISE float start = !joined && dash_before(from, span.start) ? dash_distance(from, span.start) * period : 0.0f;
    PRECISE float end = dash_before(from, span.end) ? dash_distance(from, part.runs_on ? to : span.end) * period : 0.0f;
    part.start = start;
    part.end = end;
    REF(walk) = walk_to(REF(walk), local, cut, start);
    part.first = REF(walk);
    part.last = walk_to(part.first, local, cut, end);
    return part;
}

/* Cuts a stretch of the whole segment down to a dash. If the dash starts or ends in this segment, the caller gives the
 * place. */
SHARED_FUNCTION stroke_stretch dash_stretch(stroke_stretch whole, dash_part part, segment_place start,
                                            segment_place end)
{
    stroke_stretch stretch = whole;
    stretch.knot = part.first.chord + 1u;
    if (!part.from_before) {
        stretch.from = start;
        stretch.capped = true;
    }
    if (!part.runs_on) {
        stretch.to = end;
        stretch.knot_end = part.last.chord + 1u;
        stretch.joined = false;
    }
    return stretch;
}

/* Returns a range of one dash, or of none. */
SHARED_FUNCTION dash_range dash_range_of_one(uint dash, bool there)
{
    dash_range range;
    range.first = dash;
    range.last = dash;
    range.seen_first = dash + 1u;
    range.seen_end = dash + 1u;
    range.count = there ? 1u : 0u;
    return range;
}

/* The dash that a subpath starts in. */
STRUCT(dash_at_start)
{
    uint number;
    bool on;           /* there is one, and a dot there is painted */
    bool leads;        /* it does not end at the start */
    dash_position end; /* the dash's */
};

SHARED_FUNCTION dash_at_start dash_at_start_of(flatten_sink sink, stream_style style)
{
    dash_position start = dash_phase(style);
    uint dashes = style.dash_count >> 1;
    dash_at_start at;
    at.number = start.periods * dashes + dashes_before(sink, style, start, true);
    dash_span span = dash_numbered(sink, style, at.number);
    at.on = !dash_clearly_before(start, span.start);
    at.leads = at.on && dash_clearly_before(start, span.end);
    at.end = span.end;
    return at;
}

/* Returns whether a subpath that ends at `to` lies within the dash that it starts in. It is then painted as if there
 * were no dashes, so no segment is too short to be seen. A closed subpath is so only if the dash would run on, because
 * a dash that ends at the start has caps. */
SHARED_FUNCTION bool dash_holds_subpath(dash_at_start first, dash_position to, bool closed)
{
    return first.leads && (closed ? dash_clearly_before(to, first.end) : !dash_clearly_before(first.end, to));
}

/* Returns measure.course of a subpath whose last segment lies at [from, to). */
SHARED_FUNCTION uint dash_course(flatten_sink sink, stream_style style, dash_position from, dash_position to, uint tag)
{
    dash_at_start first = dash_at_start_of(sink, style);
    bool closed = (tag & TAG_CLOSED) != 0u;
    if (!first.leads || (tag & TAG_DOT) != 0u) {
        return COURSE_CUT;
    }
    if (dash_holds_subpath(first, to, closed)) {
        return COURSE_SOLID;
    }
    dash_range range = dash_range_of(sink, style, from, to);
    bool joins = closed && range.count != 0u && dash_clearly_before(to, dash_numbered(sink, style, range.last).end);
    return joins ? COURSE_JOINED : COURSE_CUT;
}

/* Returns what a segment needs to know of its subpath's course: only the first segment learns of a join. `own` is
 * measure.course of the segment, `first` that of the subpath's first segment. */
SHARED_FUNCTION uint measure_course(uint own, uint first)
{
    return first == COURSE_SOLID ? first : own;
}

/* Returns the visible dashes of a measured segment, whose cut is its stroke_subdivision. A segment without length has
 * none, unless its subpath is a dot. The measure has the course of measure_course. */
SHARED_FUNCTION dash_range dashes_of_measure(flatten_sink sink, stream_style style, pen p, measure m, curve local,
                                             subdivision cut, bool dot, tile_box box)
{
    if (m.course == COURSE_SOLID) {
        return dash_range_of_one(0u, stroke_is_in_cull_rect(p, local, box));
    }
    if (dot) {
        dash_at_start first = dash_at_start_of(sink, style);
        return dash_range_of_one(first.number, first.on);
    }
    dash_position from = measure_start(m);
    dash_position length = measure_extent(m);
    dash_range range = dash_range_of(sink, style, from, dash_sum(from, length));
    /* The end of the subpath joins the dash that starts here, however short this segment is. */
    if (m.course == COURSE_JOINED && range.count == 0u) {
        range.count = 1u;
    }
    dash_position nowhere = dash_position_of(0.0f);
    return dash_range_in_cull_rect(sink, range, style, p, local, cut, from, dash_distance(nowhere, length), box);
}

/* Returns as how many dashes one dash of a pen counts, because of its caps: a power of two. */
SHARED_FUNCTION uint dash_weight(pen p)
{
    return p.cap == STYLE_CAP_ROUND ? uint_max(TO_UINT(DIRECTIONS / p.direction_step) / DASH_DIRECTIONS, 1u) : 1u;
}

/* Returns how many tasks the visible dashes of a measure are. */
SHARED_FUNCTION uint dash_task_count(pen p, measure m, uint dashes)
{
    uint weight = dash_weight(p);
    if (m.course == COURSE_SOLID) {
        return dashes;
    }
    if (dashes >= DASH_TASK_LIMIT * DASHES_PER_TASK / weight) {
        return DASH_TASK_LIMIT;
    }
    return (dashes * weight + DASHES_PER_TASK - 1u) / DASHES_PER_TASK;
}

/* Returns the first dash of a task. A task of heavy dashes may have none. */
SHARED_FUNCTION uint dash_of_task(pen p, uint task)
{
    uint weight = dash_weight(p);
    return (task * DASHES_PER_TASK + weight - 1u) / weight;
}

#endif
