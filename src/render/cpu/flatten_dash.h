/* Flattens dashes into the lines of sink_stroke (shaders/lib/dash.h). The places at which dashes of a curve start and
 * end are found several at a time. Part of flatten.c. */

#define DASHES_AT_ONCE (CPU_PLACES / 2)

/* The dashes of a segment while their places are found. */
typedef struct dash_batch {
    flatten_sink *sink;
    curve local;
    subdivision cut;
    uint count, place_count;
    dash_part parts[DASHES_AT_ONCE];
    uint chords[CPU_PLACES]; /* of the places */
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

/* Hands on all dashes of a curve. */
static void sink_curve_dashes(flatten_sink *sink, pen p, const stream_style *style, const stroke_work *work)
{
    dash_batch batch = {.sink = sink, .local = work->segment.local, .cut = work->cut, .chord = ~0u};
    segment_walk walk = {.chord = 0, .before = 0.0f, .extent = piece_length(batch.local, work->cut, 0)};
    stroke_segment segment = work->segment;
    segment.ends = segment.ends && !(segment.closes && dash_is_on_at_start(*sink, *style));
    stroke_stretch whole = stretch_of_pieces(segment, work->first_piece, work->end_piece, work->cut);
    for (uint i = work->i; i < work->end; i++) {
        dash_span span = dash_numbered(*sink, *style, dash_at(work->range, i));
        dash_batch_add(&batch, dash_part_of(&walk, batch.local, work->cut, style->dash_period, span, work->from,
                                            work->to, work->seam && i == 0));
        if (batch.count == DASHES_AT_ONCE || i + 1 == work->end)
            dash_batch_flush(&batch, p, segment, whole);
    }
}

/* Flattens the dashes of one segment, which lies at `m` along its subpath. */
static void flatten_dashes(flatten_sink *sink, const path_walk *walk, pen p, const stream_style *style, measure m)
{
    stroke_segment segment = stroke_segment_of(walk, p.matrix, true);
    sink->sample_count = 0;
    dash_range range = dashes_of_measure(*sink, *style, p, m, segment.local, segment.dot, sink->box);
    uint tasks = dash_task_count(range.count);
    if (tasks >= DASH_TASK_LIMIT - sink->lists->dash_tasks) {
        sink->lists->dash_tasks = DASH_TASK_LIMIT;
        return;
    }
    sink->lists->dash_tasks += tasks;
    if (range.count == 0)
        return;
    stroke_work work = stroke_work_dashes(p, segment, m, range, 0);
    work.end = work.end > 0 ? range.count : 0;
    if (work.dashed && segment.local.order > 1u)
        sink_curve_dashes(sink, p, style, &work);
    else
        sink_stroke(sink, p, sink->box, *style, work);
}
