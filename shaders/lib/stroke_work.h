/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A task of stage 04 of a stroke, and the lines that it makes. */
#ifndef PIETRA_LIB_STROKE_WORK_H
#define PIETRA_LIB_STROKE_WORK_H

#include "dash.h"

/* A part of a stroke: some pieces of a segment, or some dashes of a range in a dashed segment. */
STRUCT(stroke_work)
{
    stroke_segment segment;
    subdivision cut;             /* subdivision of the whole segment */
    uint first_piece, end_piece; /* if dashed, all pieces */
    bool dashed;
    bool joined;            /* if dashed, COURSE_JOINED */
    dash_position from, to; /* if dashed, where the segment lies */
    dash_range range;
    uint i, end; /* if dashed, dashes of the range; else 0, 1, or 0, 0 if nothing is visible */
};

/* The cut is stroke_subdivision of the segment, which a kernel computes in one place. */
SHARED_FUNCTION stroke_work stroke_work_of(stroke_segment segment, subdivision cut)
{
    stroke_work work;
    work.segment = segment;
    work.cut = cut;
    work.first_piece = 0u;
    work.end_piece = cut.pieces;
    work.dashed = false;
    work.joined = false;
    work.from = dash_position_of(0.0f);
    work.to = work.from;
    work.range = dash_range_of_one(0u, false);
    work.i = 0u;
    work.end = 0u;
    return work;
}

SHARED_FUNCTION bool stroke_is_nothing(pen p, stroke_segment segment)
{
    return segment.dot && p.cap == STYLE_CAP_BUTT;
}

SHARED_FUNCTION stroke_work stroke_work_whole(pen p, stroke_segment segment, subdivision cut, tile_box box)
{
    stroke_work work = stroke_work_of(segment, cut);
    work.end = stroke_is_nothing(p, segment) || !stroke_is_in_cull_rect(p, segment.local, box) ? 0u : 1u;
    return work;
}

/* Returns the work of a measure's task, where the course is not COURSE_SOLID. */
SHARED_FUNCTION stroke_work stroke_work_dashes(pen p, stroke_segment segment, subdivision cut, measure m,
                                               dash_range range, uint task)
{
    stroke_work work = stroke_work_of(segment, cut);
    work.dashed = !segment.dot;
    work.joined = m.course == COURSE_JOINED;
    work.segment.starts = segment.starts && !work.joined;
    work.from = measure_start(m);
    work.to = dash_sum(work.from, measure_extent(m));
    work.range = range;
    work.i = dash_of_task(p, task);
    work.end = stroke_is_nothing(p, segment) ? work.i : uint_min(dash_of_task(p, task + 1u), range.count);
    return work;
}

SHARED_FUNCTION void sink_stroke(INOUT(flatten_sink) sink, pen p, tile_box box, stream_style style, stroke_work work)
{
    if (work.i >= work.end) {
        return;
    }
    curve local = work.segment.local;
    segment_walk walk;
    walk.chord = 0u;
    walk.before = 0.0f;
    walk.extent = work.dashed ? piece_length(local, work.cut, 0u) : 0.0f;
    stroke_segment segment = work.segment;
    bool closes = work.dashed && segment.closes && dash_at_start_of(REF(sink), style).leads;
    segment.ends = segment.ends && !closes;
    stroke_stretch whole = stretch_of_pieces(segment, work.first_piece, work.end_piece, work.cut);
    for (uint i = work.i; i < work.end; i++) {
        stroke_stretch stretch = whole;
        if (work.dashed) {
            dash_span span = dash_numbered(REF(sink), style, dash_at(work.range, i));
            dash_part part = dash_part_of(ADDR(walk), local, work.cut, style.dash_period, span, work.from, work.to,
                                          work.joined && i == 0u);
            segment_place start = whole.from;
            segment_place end = whole.to;
            /* One copy of the code finds both places. */
            for (int k = part.from_before ? 1 : 0; k < (part.runs_on ? 1 : 2); k++) {
                segment_walk at = part.last;
                float distance = part.end;
                if (k == 0) {
                    at = part.first;
                    distance = part.start;
                }
                segment_place place = walk_place(at, local, work.cut, distance);
                if (k == 0) {
                    start = place;
                } else {
                    end = place;
                }
            }
            stretch = dash_stretch(whole, part, start, end);
        }
        sink_stretch(sink, p, box, segment, work.cut, stretch);
    }
}

#endif
