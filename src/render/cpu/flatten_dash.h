/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Flattens dashes into the lines of sink_stroke (shaders/lib/stroke_work.h). The places at which dashes of a curve
 * start and end are found several at a time. Part of flatten.c. */

#define DASHES_AT_ONCE (CPU_PLACES / 2)

/* The dashes of a segment while their places are found. */
typedef struct dash_batch {
    flatten_sink *sink;
    curve local;
    subdivision cut;
    uint count, place_count;
    dash_part parts[DASHES_AT_ONCE];
    uint chords[CPU_PLACES]; /* the places' chords */
    uint chord;              /* the chord whose ends are `from` and `to` */
    float from, to;
    cpu_places places;
} dash_batch;

static void dash_batch_add_place(dash_batch *batch, segment_walk walk, float distance)
{
    cpu_places *places = &batch->places;
    uint i = batch->place_count++;
    if (walk.chord != batch->chord) {
        batch->chord = walk.chord;
        batch->from = piece_start(batch->cut, walk.chord);
        batch->to = piece_start(batch->cut, walk.chord + 1u);
    }
    batch->chords[i] = walk.chord;
    places->from[i] = batch->from;
    places->to[i] = batch->to;
    places->extent[i] = walk.extent;
    places->along[i] = distance - walk.before;
}

static void dash_batch_add(dash_batch *batch, dash_part part)
{
    batch->parts[batch->count++] = part;
    if (!part.from_before)
        dash_batch_add_place(batch, part.first, part.start);
    if (!part.runs_on)
        dash_batch_add_place(batch, part.last, part.end);
}

/* Does walk_place. At an end of its piece the place is the segment's sample. */
static segment_place dash_batch_place(const dash_batch *batch, uint i)
{
    const cpu_places *places = &batch->places;
    uint chord = batch->chords[i];
    if (places->t[i] <= places->from[i])
        return segment_sample(batch->local, chord, batch->cut);
    if (places->t[i] >= places->to[i])
        return segment_sample(batch->local, chord + 1u, batch->cut);
    segment_place place = {.at = {places->x[i], places->y[i]}};
    place.normal = point_of(places->normal_x[i], places->normal_y[i]);
    return place;
}

static void dash_batch_flush(dash_batch *batch, pen p, stroke_segment segment, stroke_stretch whole)
{
    uint next = 0;
    batch->sink->frame->kernels->find_places(&batch->local, batch->place_count, &batch->places);
    for (uint i = 0; i < batch->count; i++) {
        dash_part part = batch->parts[i];
        segment_place start = part.from_before ? whole.from : dash_batch_place(batch, next);
        next += part.from_before ? 0 : 1;
        segment_place end = part.runs_on ? whole.to : dash_batch_place(batch, next);
        next += part.runs_on ? 0 : 1;
        sink_stretch(batch->sink, p, batch->sink->box, segment, batch->cut, dash_stretch(whole, part, start, end));
    }
    batch->count = 0;
    batch->place_count = 0;
}

/* Returns how many lines a dash of a curve takes as much time as. Most lines of its caps are made fast. */
static uint lines_of_dash(pen p)
{
    return 4u + (p.cap == STYLE_CAP_ROUND ? (uint)DIRECTIONS / (2u * (uint)p.direction_step) : 0u);
}

/* Hands on all dashes of a curve. */
static void sink_curve_dashes(flatten_sink *sink, pen p, const stream_style *style, const stroke_work *work)
{
    dash_batch batch = {.sink = sink, .local = work->segment.local, .cut = work->cut, .chord = ~0u};
    segment_walk walk = {.chord = 0, .before = 0.0f, .extent = piece_length(batch.local, work->cut, 0)};
    stroke_segment segment = work->segment;
    segment.ends = segment.ends && !(segment.closes && dash_at_start_of(*sink, *style).leads);
    stroke_stretch whole = stretch_of_pieces(segment, work->first_piece, work->end_piece, work->cut);
    sink->lists->stroke_lines += (uint64_t)(work->end - work->i) * lines_of_dash(p);
    for (uint i = work->i; i < work->end; i++) {
        dash_span span = dash_numbered(*sink, *style, dash_at(work->range, i));
        dash_batch_add(&batch, dash_part_of(&walk, batch.local, work->cut, style->dash_period, span, work->from,
                                            work->to, work->joined && i == 0));
        if (batch.count == DASHES_AT_ONCE || i + 1 == work->end)
            dash_batch_flush(&batch, p, segment, whole);
    }
}

/* Counts tasks. Returns false if the part has too many, and cpu_flatten_check will fail. */
static bool dash_tasks_fit(flatten_sink *sink, uint tasks)
{
    bool fit = tasks < DASH_TASK_LIMIT - sink->lists->dash_tasks;
    sink->lists->dash_tasks = fit ? sink->lists->dash_tasks + tasks : DASH_TASK_LIMIT;
    return fit;
}

/* Flattens the dashes of one segment, which lies at `m` along its subpath. */
static void flatten_dashes(flatten_sink *sink, const path_walk *walk, pen p, const stream_style *style, measure m)
{
    stroke_segment segment = stroke_segment_of(walk, p.matrix, true);
    sink->sample_count = 0;
    subdivision cut = stroke_subdivision(p.matrix, segment.local);
    sink->lists->stroke_lines += 2u * cut.pieces;
    dash_range range = dashes_of_measure(*sink, *style, p, m, segment.local, cut, segment.dot, sink->box);
    if (!dash_tasks_fit(sink, dash_task_count(p, m, range.count)) || range.count == 0 || sink->counts_dashes)
        return;
    stroke_work work = stroke_work_dashes(p, segment, cut, m, range, 0);
    work.end = work.end > 0 ? range.count : 0;
    if (work.dashed && segment.local.order > 1u)
        sink_curve_dashes(sink, p, style, &work);
    else
        sink_stroke(sink, p, sink->box, *style, work);
}

/* Returns how far the walk's segment leads along its subpath. */
static dash_position dash_extent_of(const path_walk *walk, affine matrix, const stream_style *style)
{
    curve local = curve_seen(matrix, curve_of(walk->tag, walk->points));
    return dash_extent(segment_length(matrix, local) * reciprocal(style->dash_period));
}

/* Returns the end of the subpath that the walk stands at the start of if one dash holds all of it, and 0 if not. The
 * walk stops where the dash ends, which is soon in most patterns. */
static uint solid_subpath_end(const flatten_sink *sink, path_walk walk, const stream_style *style)
{
    dash_at_start first = dash_at_start_of(*sink, *style);
    dash_position at = dash_phase(*style);
    for (; first.leads && (walk.tag & TAG_DOT) == 0; path_next(&walk)) {
        at = dash_sum(at, dash_extent_of(&walk, sink->element->matrix, style));
        if (dash_clearly_before(first.end, at))
            return 0;
        if (walk.tag & TAG_LAST)
            return dash_holds_subpath(first, at, (walk.tag & TAG_CLOSED) != 0) ? walk.segment + 1u : 0;
    }
    return 0;
}

/* Flattens a subpath that one dash holds, and leaves the walk at its last segment. Each segment counts as a dash. */
static void flatten_solid_subpath(flatten_sink *sink, path_walk *walk, uint end, pen p, const stream_style *style)
{
    path_walk subpath = *walk;
    subpath.end = end;
    uint seen = 0;
    while (true) {
        curve local = curve_seen_at(p.matrix, walk->tag, walk->points);
        seen += stroke_is_in_cull_rect(p, local, sink->box) ? 1u : 0u;
        if (walk->segment + 1u == end)
            break;
        path_next(walk);
    }
    if (dash_tasks_fit(sink, seen) && !sink->counts_dashes)
        flatten_stroke(sink, subpath, style);
}

/* Flattens a stroke with dashes. */
static void flatten_dashed(flatten_sink *sink, const stream_path *path, const stream_style *style)
{
    affine matrix = sink->element->matrix;
    pen p = pen_of(sink, style);
    dash_position at = {0};
    path_walk first = {0}; /* first segment of a closed subpath; it waits for the end, which may be joined to it */
    measure first_measure = {0};
    for (path_walk walk = path_begin(sink->frame, path); walk.segment < walk.end; path_next(&walk)) {
        if (walk.tag & TAG_FIRST) {
            at = dash_phase(*style);
            uint solid_end = solid_subpath_end(sink, walk, style);
            if (solid_end != 0) {
                flatten_solid_subpath(sink, &walk, solid_end, p, style);
                continue;
            }
        }
        dash_position length = dash_extent_of(&walk, matrix, style);
        measure m = {.start = at.periods,
                     .start_fraction = at.fraction,
                     .start_rest = at.rest,
                     .extent = length.periods,
                     .extent_fraction = length.fraction,
                     .extent_rest = length.rest};
        bool closed = (walk.tag & TAG_CLOSED) != 0 && (walk.tag & TAG_DOT) == 0;
        if (closed && (walk.tag & TAG_FIRST)) {
            first = walk;
            first_measure = m;
        } else {
            flatten_dashes(sink, &walk, p, style, m);
        }
        dash_position end = dash_sum(at, length);
        if (closed && (walk.tag & TAG_LAST)) {
            first_measure.course = dash_course(*sink, *style, at, end, walk.tag);
            flatten_dashes(sink, &first, p, style, first_measure);
        }
        at = end;
    }
}
