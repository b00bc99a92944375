/* 04 measure: where each segment of a dashed stroke lies along its subpath, and how many pieces of work its dashes are.
 *
 * Reads visible, segments; writes measures. Lengths in fixed point, so that their sum has no order; a prefix sum that
 * starts anew with every subpath, and one over the pieces of work. */
#include "base/error.h"
#include "render/reference/flatten.h"

/* Gives a subpath's first measure the seam, which only its last segment knows. */
static void close_subpath(reference_frame *frame, const stream_style *style, const measure *last)
{
    uint tag = frame->stream.tags[last->segment];
    measure *first =
        frame->measures + (last - frame->measures) - (last->segment - frame->segments[last->segment].subpath);
    dash_position from = {last->start, last->start_fraction};
    dash_position to = dash_sum(from, (dash_position){last->extent, last->extent_fraction});
    flatten_sink sink = {.frame = frame};
    first->seam = (tag & TAG_CLOSED) != 0 && (tag & TAG_DOT) == 0 && dash_joins_start(sink, *style, from, to);
}

static void measure_element(reference_frame *frame, uint visible)
{
    const visible_element *v = &frame->visible[visible];
    const stream_element *element = &frame->stream.elements[v->element];
    const stream_style *style = &frame->stream.styles[element->style];
    const stream_path *path = &frame->stream.paths[element->path];
    affine matrix = reference_matrix(frame, v->element);
    float inverse = reciprocal(style->dash_period);
    dash_position at = {0, 0};
    for (uint i = 0; i < path->segment_count; i++) {
        uint segment = path->first_segment + i;
        if (frame->stream.tags[segment] & TAG_FIRST)
            at = dash_position_of(style->dash_phase * inverse);
        dash_position length =
            dash_position_of(segment_length(matrix, reference_spine(frame, matrix, segment)) * inverse);
        measure *m = &frame->measures[v->first_measure + i];
        m->visible = visible;
        m->segment = segment;
        m->start = at.periods;
        m->start_fraction = at.fraction;
        m->extent = length.periods;
        m->extent_fraction = length.fraction;
        at = dash_sum(at, length);
        if (frame->stream.tags[segment] & TAG_LAST)
            close_subpath(frame, style, m);
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
        tasks += dash_task_count(reference_dashes(frame, m).count);
        if (tasks >= DASH_TASK_LIMIT) {
            return error_set(error, PIETRA_ERROR_BUDGET, 0, "strokes have more than %u visible dashes",
                             DASH_TASK_LIMIT * DASHES_PER_TASK);
        }
    }
    frame->counters.dash_task_count = (uint)tasks;
    return PIETRA_OK;
}
