/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 04 measure: where each segment of a dashed stroke lies along its subpath, and how many tasks its dashes take.
 *
 * Reads visible, segments; writes measures. Lengths are in fixed point, so that their sum does not depend on the order.
 * There is a prefix sum of lengths, which starts anew with every subpath, and one of tasks. */
#include "render/frame/parts.h"
#include "render/reference/flatten.h"

/* Tells a subpath's first measure about its course, which only the subpath's last segment knows. */
static void end_subpath(reference_frame *frame, const stream_style *style, const measure *last)
{
    measure *first =
        frame->measures + (last - frame->measures) - (last->segment - frame->segments[last->segment].subpath);
    dash_position from = measure_start(*last);
    dash_position to = dash_sum(from, measure_extent(*last));
    flatten_sink sink = {.frame = frame};
    first->course = dash_course(sink, *style, from, to, frame->stream.tags[last->segment]);
}

static void measure_element(reference_frame *frame, uint visible)
{
    const visible_element *v = &frame->visible[visible];
    const stream_element *element = &frame->stream.elements[v->element];
    const stream_style *style = &frame->stream.styles[element->style];
    const stream_path *path = &frame->stream.paths[element->path];
    affine matrix = reference_matrix(frame, v->element);
    float inverse = reciprocal(style->dash_period);
    dash_position at = {0};
    for (uint i = 0; i < path->segment_count; i++) {
        uint segment = path->first_segment + i;
        if (frame->stream.tags[segment] & TAG_FIRST)
            at = dash_phase(*style);
        dash_position length = dash_extent(segment_length(matrix, reference_spine(frame, matrix, segment)) * inverse);
        measure *m = &frame->measures[v->first_measure + i];
        m->visible = visible;
        m->segment = segment;
        m->start = at.periods;
        m->start_fraction = at.fraction;
        m->start_rest = at.rest;
        m->extent = length.periods;
        m->extent_fraction = length.fraction;
        m->extent_rest = length.rest;
        at = dash_sum(at, length);
        if (frame->stream.tags[segment] & TAG_LAST)
            end_subpath(frame, style, m);
    }
}

pietra_result reference_04_measure(reference_frame *frame, pietra_error *error)
{
    pietra_result result;
    frame->measures = reference_allocate(frame, frame->counters.measure_count, sizeof *frame->measures, error, &result);
    if (!frame->measures)
        return result;
    for (uint i = 0; i < frame->counters.visible_count; i++)
        if (frame->visible[i].kind & ELEMENT_DASHED)
            measure_element(frame, i);
    uint64_t tasks = 0;
    for (uint i = 0; i < frame->counters.measure_count; i++) {
        measure *m = &frame->measures[i];
        m->first_task = (uint)tasks;
        const visible_element *v = &frame->visible[m->visible];
        tasks += dash_task_count(reference_pen(frame, v->element), reference_measure(frame, m),
                                 reference_dashes(frame, m).count);
        if (tasks >= DASH_TASK_LIMIT)
            return parts_dash_error(error);
    }
    frame->counters.dash_task_count = (uint)tasks;
    return PIETRA_OK;
}
