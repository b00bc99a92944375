/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 04 flatten: the snapped lines of every task, in stream order.
 *
 * Reads visible, measures, segments; writes edges. It counts before it stores, so a prefix sum of the counts says where
 * the lines go. */
#include "base/error.h"
#include "render/reference/flatten.h"

affine reference_matrix(const reference_frame *frame, uint element)
{
    const element_info *info = &frame->elements[element];
    return (affine){.a = info->a, .b = info->b, .c = info->c, .d = info->d, .e = info->e, .f = info->f};
}

pen reference_pen(const reference_frame *frame, uint element)
{
    const stream_element *stroked = &frame->stream.elements[element];
    return pen_make(reference_matrix(frame, element), frame->stream.styles[stroked->style], *stroked);
}

/* Returns a segment in path space. */
static curve curve_of(const reference_frame *frame, uint segment)
{
    uint order = frame->stream.tags[segment] & TAG_POINTS_MASK;
    const float *p = frame->stream.points + 2 * (size_t)frame->segments[segment].point;
    curve c = {.order = order, .x0 = p[0], .y0 = p[1], .x3 = p[2 * order], .y3 = p[2 * order + 1]};
    c.x1 = order > 1 ? p[2] : c.x0;
    c.y1 = order > 1 ? p[3] : c.y0;
    c.x2 = order > 2 ? p[4] : c.x3;
    c.y2 = order > 2 ? p[5] : c.y3;
    return c;
}

curve reference_spine(const reference_frame *frame, affine matrix, uint segment)
{
    return curve_seen(matrix, curve_of(frame, segment));
}

/* Returns a segment with what a stroke needs to know about its ends. Dashes do not continue over the start of a closed
 * subpath. */
static stroke_segment stroked_segment(const reference_frame *frame, affine matrix, uint segment, bool dashed)
{
    uint tag = frame->stream.tags[segment];
    bool closed = (tag & TAG_CLOSED) != 0 && !dashed;
    stroke_segment s = {.local = reference_spine(frame, matrix, segment), .dot = (tag & TAG_DOT) != 0};
    s.starts = (tag & TAG_FIRST) && !closed;
    s.ends = (tag & TAG_LAST) && !closed;
    s.closes = dashed && (tag & TAG_LAST) && (tag & TAG_CLOSED);
    if (!s.ends || s.closes) {
        uint next = (tag & TAG_LAST) ? frame->segments[segment].subpath : segment + 1;
        s.next_tangent = curve_start_tangent(reference_spine(frame, matrix, next));
    }
    return s;
}

measure reference_measure(const reference_frame *frame, const measure *m)
{
    measure made = *m;
    made.course = measure_course(m->course, (m - (m->segment - frame->segments[m->segment].subpath))->course);
    return made;
}

dash_range reference_dashes(const reference_frame *frame, const measure *m)
{
    const visible_element *v = &frame->visible[m->visible];
    const stream_style *style = &frame->stream.styles[frame->stream.elements[v->element].style];
    flatten_sink sink = {.frame = frame, .element = v, .visible = m->visible};
    pen p = reference_pen(frame, v->element);
    bool dot = (frame->stream.tags[m->segment] & TAG_DOT) != 0;
    curve local = reference_spine(frame, p.matrix, m->segment);
    return dashes_of_measure(sink, *style, p, reference_measure(frame, m), local, stroke_subdivision(p.matrix, local),
                             dot, tiles_in_sheet(v->box, v->place));
}

static void flatten_fill(flatten_sink *sink, uint segment)
{
    const reference_frame *frame = sink->frame;
    uint tag = frame->stream.tags[segment];
    affine matrix = reference_matrix(frame, sink->element->element);
    curve device = curve_transform(matrix, curve_of(frame, segment));
    bool closes = (tag & TAG_LAST) && !(tag & TAG_CLOSED);
    const float *start = frame->stream.points + 2 * (size_t)frame->segments[frame->segments[segment].subpath].point;
    sink_chords_in_cull_rect(sink, device, closes, affine_apply(matrix, start[0], start[1]), sink->box);
}

/* Flattens a layer without geometry of its own, which has a tile_command in each tile of its box. One line left of the
 * box gives every row a winding. */
static void flatten_layer(flatten_sink *sink)
{
    sink_chords_in_cull_rect(sink, curve_left_of(sink->box), false, point_of(0, 0), sink->box);
}

static void flatten_task(flatten_sink *sink, uint task)
{
    const reference_frame *frame = sink->frame;
    const stream_element *element = &frame->stream.elements[sink->element->element];
    if (element->path == STREAM_NONE) {
        flatten_layer(sink);
        return;
    }
    uint segment = frame->stream.paths[element->path].first_segment + task;
    bool corner = (frame->stream.tags[segment] & TAG_CORNER) != 0;
    if ((element->kind & ELEMENT_KIND_MASK) == ELEMENT_STROKE && !corner) {
        const stream_style *style = &frame->stream.styles[element->style];
        pen p = reference_pen(frame, sink->element->element);
        stroke_segment stroked = stroked_segment(frame, p.matrix, segment, false);
        subdivision cut = stroke_subdivision(p.matrix, stroked.local);
        sink_stroke(sink, p, sink->box, *style, stroke_work_whole(p, stroked, cut, sink->box));
    } else {
        flatten_fill(sink, segment);
    }
}

static void flatten_dashes(flatten_sink *sink, const measure *m)
{
    const reference_frame *frame = sink->frame;
    const stream_style *style = &frame->stream.styles[frame->stream.elements[sink->element->element].style];
    pen p = reference_pen(frame, sink->element->element);
    measure measured = reference_measure(frame, m);
    bool solid = measured.course == COURSE_SOLID;
    stroke_segment segment = stroked_segment(frame, p.matrix, m->segment, !solid);
    subdivision cut = stroke_subdivision(p.matrix, segment.local);
    if (solid) {
        sink_stroke(sink, p, sink->box, *style, stroke_work_whole(p, segment, cut, sink->box));
        return;
    }
    dash_range range = reference_dashes(frame, m);
    for (uint task = 0; task < dash_task_count(p, measured, range.count); task++)
        sink_stroke(sink, p, sink->box, *style, stroke_work_dashes(p, segment, cut, measured, range, task));
}

static void set_element(flatten_sink *sink, uint visible)
{
    sink->visible = visible;
    sink->element = &sink->frame->visible[visible];
    sink->box = tiles_in_sheet(sink->element->box, sink->element->place);
}

static void flatten_all(reference_frame *frame, flatten_sink *sink)
{
    sink->frame = frame;
    for (uint i = 0; i < frame->counters.visible_count; i++) {
        const visible_element *v = &frame->visible[i];
        if (v->kind & ELEMENT_DASHED)
            continue;
        uint end =
            i + 1 < frame->counters.visible_count ? frame->visible[i + 1].first_task : frame->counters.task_count;
        set_element(sink, i);
        for (uint task = v->first_task; task < end; task++)
            flatten_task(sink, task - v->first_task);
    }
    for (uint i = 0; i < frame->counters.measure_count; i++) {
        set_element(sink, frame->measures[i].visible);
        flatten_dashes(sink, &frame->measures[i]);
    }
}

pietra_result reference_04_flatten(reference_frame *frame, pietra_error *error)
{
    flatten_sink counted = {.edges = NULL};
    flatten_all(frame, &counted);
    if (counted.line_count >= COUNT_LIMIT)
        return error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame has more lines than a pass can number");
    pietra_result result;
    frame->edges = reference_allocate(frame, counted.line_count, sizeof *frame->edges, error, &result);
    if (!frame->edges)
        return result;
    flatten_sink stored = {.edges = frame->edges};
    flatten_all(frame, &stored);
    frame->counters.line_count = (uint)stored.line_count;
    return PIETRA_OK;
}
