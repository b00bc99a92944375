/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/flatten.h"

/* shaders/lib leaves the number of pieces of a curve to a kernel. */
typedef struct curve_bend curve_bend;
typedef struct subdivision subdivision;
static subdivision sink_subdivision(const curve_bend *bend, float bound);
#define SUBDIVISION_BY_BEND(bend, bound) sink_subdivision(&(bend), bound)

#include <pthread.h>

#include "render/cpu/band_occlusion.h"
#include "render/frame/parts.h"
#include "lib/line.h"
#include "lib/snap.h"

/* The most chords of a curve that are kept on the stack. Few curves have more. */
#define CHORDS_MAX 512u

/* Lines that are put into a list together. */
#define LINES_AT_ONCE 32u
/* The most lines of several curves that are put into a list together. A chunk has room for them. */
#define LINES_OF_CURVES (CHUNK_SLOTS - 4u)

/* Takes the lines of one element. */
typedef struct flatten_sink {
    const cpu_frame *frame;
    const cpu_element *element;
    cpu_edge_lists *lists;
    uint index;             /* the element's */
    int top, bottom, right; /* edges of its clip, in subpixels */
    int merged_left;        /* lines left of this are merged; INT32_MIN: none is */
    int first_band;         /* first band of the part */
    tile_box box;
    uint first_sample, sample_count; /* samples of the current segment; sample_count is 0 if it has none */
    cpu_samples samples;
    bool keeps_horizontals; /* the element may hide others: horizontal_matters */
    bool counts_dashes;     /* counts dashes, and draws nothing */
} flatten_sink;

/* Returns whether a line left of the clip continues the last line of a list, which then stands for both: there, only
 * heights count. */
static bool continues_left(const flatten_sink *sink, int band, cpu_edge edge)
{
    const cpu_edge_list *list = &sink->lists->bands[band];
    const cpu_left_part part = {sink->merged_left, (sink->first_band + band) * TILE_SUBPIXELS};
    return list->head && list->head->head.element == sink->index && list->at != list->head + 1 &&
           cpu_edge_continues_left(part, &list->at[-1].edge, edge);
}

/* Adds a line left of the clip to bands. */
static void sink_left(flatten_sink *sink, int first, int last, cpu_edge edge)
{
    for (int band = first; band <= last; band++) {
        if (continues_left(sink, band, edge))
            continue;
        cpu_edge_list_add(sink->lists, &sink->lists->bands[band], sink->index, edge);
        sink->lists->band_line_count++;
    }
}

static void sink_horizontal(flatten_sink *sink, int ax, int bx, int y)
{
    if (horizontal_matters(y, sink->keeps_horizontals) && y > sink->top && y < sink->bottom && ax != bx &&
        int_max(ax, bx) >= sink->merged_left) {
        int band = (y >> TILE_SHIFT_SUBPIXELS) - sink->first_band;
        cpu_edge_list_add(sink->lists, &sink->lists->bands[band], sink->index, (cpu_edge){ax, y, bx, y});
    }
}

/* Adds a line. Lines without height, and lines above, below or right of the clip, add nothing to any pixel in it. */
static inline void sink_line(flatten_sink *sink, int ax, int ay, int bx, int by)
{
    int upper = int_min(ay, by);
    int lower = int_max(ay, by);
    if (upper >= sink->bottom || lower <= sink->top || int_min(ax, bx) >= sink->right)
        return;
    if (upper == lower) {
        sink_horizontal(sink, ax, bx, ay);
        return;
    }
    int first = (int_max(upper, sink->top) >> TILE_SHIFT_SUBPIXELS) - sink->first_band;
    int last = ((int_min(lower, sink->bottom) - 1) >> TILE_SHIFT_SUBPIXELS) - sink->first_band;
    const cpu_edge edge = {ax, ay, bx, by};
    sink->lists->line_count++;
    if (int_max(ax, bx) < sink->merged_left) {
        sink_left(sink, first, last, edge);
        return;
    }
    sink->lists->band_line_count += (uint64_t)(last - first) + 1;
    for (int band = first; band <= last; band++)
        cpu_edge_list_add(sink->lists, &sink->lists->bands[band], sink->index, edge);
}

static inline float sink_dash_end(flatten_sink sink, uint dash)
{
    return sink.frame->stream.dashes[dash];
}

/* What shaders/lib leaves to its includer: a table of directions, since every round join takes some twenty of them, and
 * kernels for the places of a curve. */
#define TABLE_DIRECTIONS 1024
static point directions[TABLE_DIRECTIONS];
/* A table of direction_guess for the vectors (1 - i / GUESSES, i / GUESSES). At most a third of a direction lies
 * between two entries, so a guess stays within one direction of the right one. */
#define GUESSES 1024
static uint8_t direction_guesses[GUESSES + 1];
static inline int guessed_direction(float u, float w)
{
    float part = w / (u + w);
    return part >= 0.0f && part <= 1.0f ? direction_guesses[(int)(part * (float)GUESSES)] : 0;
}
#define DIRECTION_GUESS(u, w) guessed_direction(u, w)
typedef struct segment_place segment_place;
static segment_place sink_sample(flatten_sink *sink, curve local, uint i, subdivision cut);
#define DIRECTION(k) directions[(k) & (TABLE_DIRECTIONS - 1)]
#define SEGMENT_SAMPLE(sink, local, i, cut) sink_sample(sink, local, i, cut)
#include "lib/stroke_work.h"
_Static_assert(TABLE_DIRECTIONS == DIRECTIONS, "a table of all directions");

static pen pen_of(const flatten_sink *sink, const stream_style *style)
{
    return pen_make(sink->element->matrix, *style, sink->frame->stream.elements[sink->element->element]);
}

static pthread_once_t kernels_once = PTHREAD_ONCE_INIT, tables_once = PTHREAD_ONCE_INIT;
static const cpu_kernels *start_kernels;

static void find_kernels(void)
{
    start_kernels = cpu_kernels_best();
}

static void make_tables(void)
{
    for (int k = 0; k < DIRECTIONS; k++)
        directions[k] = direction_of(k);
    for (int i = 0; i <= GUESSES; i++) {
        float part = (float)i / (float)GUESSES;
        direction_guesses[i] = (uint8_t)direction_guess(1.0f - part, part);
    }
}

void cpu_flatten_start(bool has_strokes)
{
    pthread_once(&kernels_once, find_kernels);
    if (has_strokes)
        pthread_once(&tables_once, make_tables);
}

static subdivision sink_subdivision(const curve_bend *bend, float bound)
{
    return start_kernels->subdivide(bend, bound);
}

/* Returns sample i of the current segment. It lies between the segment's ends. */
static segment_place sink_sample(flatten_sink *sink, curve local, uint i, subdivision cut)
{
    if (i - sink->first_sample >= sink->sample_count) {
        sink->first_sample = i;
        sink->sample_count = uint_min(cut.pieces - i, CPU_SAMPLES);
        sink->frame->kernels->find_samples(&local, &cut, i, sink->sample_count, &sink->samples);
    }
    uint at = i - sink->first_sample;
    segment_place place = {.at = {sink->samples.x[at], sink->samples.y[at]}};
    place.normal = point_of(sink->samples.normal_x[at], sink->samples.normal_y[at]);
    return place;
}

static inline curve curve_of(uint tag, const float *p)
{
    uint order = tag & TAG_POINTS_MASK;
    curve c = {.order = order, .x0 = p[0], .y0 = p[1], .x3 = p[2 * order], .y3 = p[2 * order + 1]};
    c.x1 = order > 1 ? p[2] : c.x0;
    c.y1 = order > 1 ? p[3] : c.y0;
    c.x2 = order > 2 ? p[4] : c.x3;
    c.y2 = order > 2 ? p[5] : c.y3;
    return c;
}

/* Does curve_seen for a segment. Lines are returned as they are: no part of one is left out, and most segments of
 * strokes are lines. */
static inline curve curve_seen_at(affine matrix, uint tag, const float *points)
{
    curve c = curve_of(tag, points);
    return c.order == 1u ? c : curve_seen(matrix, c);
}

static inline point tangent_seen_at(affine matrix, uint tag, const float *points)
{
    if ((tag & TAG_POINTS_MASK) == 1u)
        return point_of(points[2] - points[0], points[3] - points[1]);
    return curve_start_tangent(curve_seen_at(matrix, tag, points));
}

static inline stroke_segment stroke_segment_of(const path_walk *walk, affine matrix, bool dashed)
{
    uint tag = walk->tag;
    bool closed = (tag & TAG_CLOSED) != 0 && !dashed;
    stroke_segment s = {.local = curve_seen_at(matrix, tag, walk->points), .dot = (tag & TAG_DOT) != 0};
    s.starts = (tag & TAG_FIRST) && !closed;
    s.ends = (tag & TAG_LAST) && !closed;
    s.closes = dashed && (tag & TAG_LAST) && (tag & TAG_CLOSED);
    if (!s.ends || s.closes) {
        bool last = (tag & TAG_LAST) != 0;
        const float *next = last ? walk->first_points : walk->points + 2 * (tag & TAG_POINTS_MASK);
        s.next_tangent =
            tangent_seen_at(matrix, last ? walk->first_tag : walk->frame->stream.tags[walk->segment + 1], next);
    }
    return s;
}

/* Makes room for that many lines of the element in a band. Returns NULL if there is no memory; the lines are
 * then lost. */
static inline cpu_slot *sink_room(flatten_sink *sink, int band, uint line_count)
{
    cpu_edge_list *list = &sink->lists->bands[band];
    if ((list->end - list->at < (ptrdiff_t)line_count || list->head->head.element != sink->index) &&
        !cpu_edge_list_start_many(sink->lists, list, sink->index, line_count)) {
        return NULL;
    }
    return list->at;
}

/* Merges those of some new lines behind a list that lie left of the clip. Returns how many are left. */
static uint merge_lines(const flatten_sink *sink, int band, uint line_count)
{
    cpu_edge_list *list = &sink->lists->bands[band];
    const cpu_slot *from = list->at;
    for (uint i = 0; i < line_count; i++) {
        const cpu_edge edge = from[i].edge;
        if (!continues_left(sink, band, edge))
            (list->at++)->edge = edge;
    }
    return (uint)(list->at - from);
}

/* Counts lines that were put into the room of sink_room. */
static inline void sink_took(flatten_sink *sink, int band, uint line_count)
{
    sink->lists->line_count += line_count;
    if (sink->merged_left == INT32_MIN)
        sink->lists->bands[band].at += line_count;
    else
        line_count = merge_lines(sink, band, line_count);
    sink->lists->band_line_count += line_count;
}

/* Adds all lines between the vertices if they lie in one band and between the clip's edges, where they need no test.
 * Returns false if they do not, and adds nothing. */
static bool sink_in_band(flatten_sink *sink, const int *xs, const int *ys, uint line_count)
{
    int least = ys[0];
    int most = ys[0];
    for (uint i = 1; i <= line_count; i++) {
        least = int_min(least, ys[i]);
        most = int_max(most, ys[i]);
    }
    if (least < sink->top || most > sink->bottom || least >> TILE_SHIFT_SUBPIXELS != (most - 1) >> TILE_SHIFT_SUBPIXELS)
        return false;
    int band = (least >> TILE_SHIFT_SUBPIXELS) - sink->first_band;
    cpu_slot *first = sink_room(sink, band, line_count);
    if (!first)
        return true;
    cpu_slot *at = first;
    int x = xs[0];
    int y = ys[0];
    for (uint i = 1; i <= line_count; i++) {
        at->edge = (cpu_edge){x, y, xs[i], ys[i]};
        at += y != ys[i] || (x != xs[i] && horizontal_matters(y, sink->keeps_horizontals)) ? 1 : 0;
        x = xs[i];
        y = ys[i];
    }
    sink_took(sink, band, (uint)(at - first));
    return true;
}

static inline void sink_polyline(flatten_sink *sink, const int *xs, const int *ys, uint line_count)
{
    if (line_count > LINES_AT_ONCE || !sink_in_band(sink, xs, ys, line_count))
        for (uint i = 0; i < line_count; i++)
            sink_line(sink, xs[i], ys[i], xs[i + 1u], ys[i + 1u]);
}

/* Adds a curve's chords. Returns false if the curve leaves the range of snapped coordinates. */
static bool sink_chords(flatten_sink *sink, curve device)
{
    point start = point_of(device.x0, device.y0);
    point end = point_of(device.x3, device.y3);
    if (!within_limit(start) || !within_limit(end))
        return false;
    if (device.order == 1u) {
        sink_line(sink, snap(start.x), snap(start.y), snap(end.x), snap(end.y));
        return true;
    }
    chord_curve chords = chord_curve_of(device, sink->box);
    sink->lists->chords += chords.cut.pieces;
    if (chords.cut.pieces == 0u)
        return true;
    if (chords.cut.pieces > CHORDS_MAX)
        return false;
    int xs[CHORDS_MAX + 16]; /* the start, the vertices between, the end */
    int ys[CHORDS_MAX + 16];
    uint inner = chords.cut.pieces - 1u;
    if (inner == 1u) {
        bool halves =
            chords.cut.weights == SUBDIVISION_EVEN_WEIGHTS && chords.cut.later_weights == SUBDIVISION_EVEN_WEIGHTS;
        point middle = halves ? curve_point(chords.canonical, 0.5f) : chord_vertex(chords, 1u);
        if (!within_limit(middle))
            return false;
        xs[1] = snap(middle.x);
        ys[1] = snap(middle.y);
    } else if (inner > 1u && !sink->frame->kernels->find_vertices(&chords.canonical, &chords.cut, chords.turned, 1,
                                                                  inner, xs + 1, ys + 1)) {
        return false;
    }
    xs[0] = snap(start.x);
    ys[0] = snap(start.y);
    xs[inner + 1u] = snap(end.x);
    ys[inner + 1u] = snap(end.y);
    sink_polyline(sink, xs, ys, inner + 1u);
    return true;
}

/* Does curve_transform of curve_of for a segment whose start point has already been transformed. */
static inline curve device_curve_of(affine matrix, point start, uint tag, const float *p)
{
    uint order = tag & TAG_POINTS_MASK;
    point end = affine_apply(matrix, p[2 * order], p[2 * order + 1]);
    curve c = {.order = order,
               .x0 = start.x,
               .y0 = start.y,
               .x1 = start.x,
               .y1 = start.y,
               .x2 = end.x,
               .y2 = end.y,
               .x3 = end.x,
               .y3 = end.y};
    if (order > 1u) {
        point control = affine_apply(matrix, p[2], p[3]);
        c.x1 = control.x;
        c.y1 = control.y;
    }
    if (order > 2u) {
        point control = affine_apply(matrix, p[4], p[5]);
        c.x2 = control.x;
        c.y2 = control.y;
    }
    return c;
}

/* Adds one curve by itself. */
static void sink_curve(flatten_sink *sink, curve device)
{
    if (!sink_chords(sink, device))
        sink_chords_in_cull_rect(sink, device, false, point_of(0, 0), sink->box);
}

/* Curves of a fill that wait to be cut side by side. */
typedef struct fill_curves {
    flatten_sink *sink;
    affine matrix;
    cull_rect cull;
    cpu_curves curves;
} fill_curves;

static curve fill_curve_at(const fill_curves *fill, uint lane)
{
    float points[8];
    for (uint k = 0; k <= fill->curves.order; k++) {
        points[2 * k] = fill->curves.x[k][lane];
        points[2 * k + 1] = fill->curves.y[k][lane];
    }
    return device_curve_of(fill->matrix, affine_apply(fill->matrix, points[0], points[1]), fill->curves.order, points);
}

/* Adds the chords of a curve that does not lie in one band. */
static void sink_lane(flatten_sink *sink, cpu_chords *chords, uint lane)
{
    int pieces = chords->pieces[lane];
    sink->lists->chords += (uint)pieces;
    bool turned = chords->turned[lane] != 0;
    chords->x[pieces][lane] = chords->end_x[lane];
    chords->y[pieces][lane] = chords->end_y[lane];
    for (int i = 0; i < pieces; i++) {
        int from = turned ? pieces - i : i;
        int to = turned ? pieces - i - 1 : i + 1;
        sink_line(sink, chords->x[from][lane], chords->y[from][lane], chords->x[to][lane], chords->y[to][lane]);
    }
}

/* Adds the chords of the next curves, from this one on, that lie in the same band and need no test. Returns these
 * curves as bits. There are none if this curve does not lie in one band. */
static uint sink_lanes_of_band(flatten_sink *sink, const cpu_chords *chords, uint curves)
{
    uint lane = (uint)__builtin_ctz(curves);
    cpu_chords_band band = {.band = chords->least_y[lane] >> TILE_SHIFT_SUBPIXELS,
                            .top = sink->top,
                            .bottom = sink->bottom,
                            .curves = curves};
    if ((chords->most_y[lane] - 1) >> TILE_SHIFT_SUBPIXELS != band.band)
        return 0;
    sink->frame->kernels->select_chords(chords, &band);
    if ((band.curves >> lane & 1u) == 0 || band.line_count > LINES_OF_CURVES)
        return 0;
    cpu_slot *at = sink_room(sink, band.band - sink->first_band, band.line_count + 1u);
    if (at) {
        sink_took(sink, band.band - sink->first_band,
                  sink->frame->kernels->put_chords(chords, band.curves, sink->keeps_horizontals, &at->edge));
    }
    return band.curves;
}

static void fill_curves_flush(fill_curves *fill)
{
    flatten_sink *sink = fill->sink;
    cpu_chords chords;
    sink->frame->kernels->cut_curves(&fill->curves, &fill->matrix, &fill->cull, &chords);
    fill->curves.count = 0;
    for (uint left = chords.cut; left != 0;) {
        uint lane = (uint)__builtin_ctz(left);
        uint taken = sink_lanes_of_band(sink, &chords, left);
        if (taken == 0) {
            taken = 1u << lane;
            if (chords.pieces[lane] == CPU_CHORDS_MORE)
                sink_curve(sink, fill_curve_at(fill, lane));
            else
                sink_lane(sink, &chords, lane);
        }
        left &= ~taken;
    }
}

static inline void fill_curves_add(fill_curves *fill, uint order, const float *p)
{
    cpu_curves *curves = &fill->curves;
    if (curves->count > 0 && curves->order != order)
        fill_curves_flush(fill);
    uint lane = curves->count++;
    curves->order = order;
    for (uint k = 0; k <= order; k++) {
        curves->x[k][lane] = p[2 * k];
        curves->y[k][lane] = p[2 * k + 1];
    }
    if (curves->count == CPU_CURVES)
        fill_curves_flush(fill);
}

/* A vertex that lines share. */
typedef struct sink_vertex {
    point at;
    int x, y;    /* snapped; only if inside */
    bool inside; /* within the range of snapped coordinates */
} sink_vertex;

static inline sink_vertex sink_vertex_at(point at)
{
    sink_vertex vertex = {.at = at, .inside = within_limit(at)};
    if (vertex.inside) {
        vertex.x = snap(at.x);
        vertex.y = snap(at.y);
    }
    return vertex;
}

static inline sink_vertex fill_vertex_at(affine matrix, const float *p)
{
    return sink_vertex_at(affine_apply(matrix, p[0], p[1]));
}

static inline void fill_line(flatten_sink *sink, sink_vertex from, sink_vertex to)
{
    if (from.inside && to.inside)
        sink_line(sink, from.x, from.y, to.x, to.y);
    else
        sink_edge(sink, from.at, to.at);
}

static void flatten_fill(flatten_sink *sink, path_walk walk)
{
    fill_curves fill = {.sink = sink, .matrix = sink->element->matrix, .cull = cull_rect_of(sink->box, 1.0f)};
    sink_vertex last = {0};
    const float *last_points = NULL;
    for (; walk.segment < walk.end; path_next(&walk)) {
        const float *p = walk.points;
        uint order = walk.tag & TAG_POINTS_MASK;
        if (order == 1u) {
            sink_vertex from = p == last_points ? last : fill_vertex_at(fill.matrix, p);
            last_points = p + 2;
            last = fill_vertex_at(fill.matrix, last_points);
            fill_line(sink, from, last);
        } else {
            fill_curves_add(&fill, order, p);
        }
        if ((walk.tag & TAG_LAST) && !(walk.tag & TAG_CLOSED))
            fill_line(sink, fill_vertex_at(fill.matrix, p + 2 * order), fill_vertex_at(fill.matrix, walk.first_points));
    }
    if (fill.curves.count > 0)
        fill_curves_flush(&fill);
}

#include "render/cpu/flatten_stroke.h"
#include "render/cpu/flatten_straight.h"
#include "render/cpu/flatten_dash.h"

/* Starts a run without lines in each band of the box of a layer that has no geometry of its own. */
static void flatten_layer(flatten_sink *sink)
{
    for (int band = sink->box.y0 - sink->first_band; band < sink->box.y1 - sink->first_band; band++)
        cpu_edge_list_start(sink->lists, &sink->lists->bands[band], sink->index);
}

/* Flattens a fill, or a stroke without dashes. */
static void flatten_walk(flatten_sink *sink, const stream_element *from, path_walk walk)
{
    if ((from->kind & ELEMENT_KIND_MASK) != ELEMENT_STROKE)
        flatten_fill(sink, walk);
    else
        flatten_stroke(sink, walk, &sink->frame->stream.styles[from->style]);
}

static flatten_sink sink_of(const cpu_frame *frame, uint index, cpu_edge_lists *lists)
{
    const cpu_element *element = &frame->elements[index];
    flatten_sink sink;
    sink.frame = frame;
    sink.element = element;
    sink.lists = lists;
    sink.index = index;
    sink.first_band = frame->config->part.y0;
    sink.top = element->clip.y0 * SUBPIXELS;
    sink.bottom = element->clip.y1 * SUBPIXELS;
    sink.right = element->clip.x1 * SUBPIXELS;
    sink.merged_left = frame->elements_most != 0 ? element->clip.x0 * SUBPIXELS : INT32_MIN;
    sink.box = box_tiles(element->clip, frame->config->part);
    sink.keeps_horizontals = may_occlude_tile(frame->config, element);
    sink.counts_dashes = false;
    return sink;
}

void cpu_flatten(const cpu_frame *frame, uint index, cpu_edge_lists *lists)
{
    const stream_element *from = &frame->stream.elements[frame->elements[index].element];
    flatten_sink sink = sink_of(frame, index, lists);
    uint64_t lines_before = lists->line_count;
    if (from->path == STREAM_NONE)
        flatten_layer(&sink);
    else if (from->kind & ELEMENT_DASHED)
        flatten_dashed(&sink, &frame->stream.paths[from->path], &frame->stream.styles[from->style]);
    else
        flatten_walk(&sink, from, path_begin(frame, &frame->stream.paths[from->path]));
    lists->heavy = lists->heavy || lists->line_count - lines_before > BACKDROP_LIMIT;
}

uint cpu_flatten_count_dashes(const cpu_frame *frame, uint index)
{
    const stream_element *from = &frame->stream.elements[frame->elements[index].element];
    cpu_edge_lists counted = {.dash_tasks = 0};
    flatten_sink sink = sink_of(frame, index, &counted);
    sink.counts_dashes = true;
    flatten_dashed(&sink, &frame->stream.paths[from->path], &frame->stream.styles[from->style]);
    return counted.dash_tasks;
}

bool cpu_flatten_may_go_on(uint64_t dash_tasks)
{
    return dash_tasks < DASH_TASK_LIMIT;
}

void cpu_flatten_part(const cpu_frame *frame, uint index, path_walk part, cpu_edge_lists *lists)
{
    flatten_sink sink = sink_of(frame, index, lists);
    flatten_walk(&sink, &frame->stream.elements[frame->elements[index].element], part);
    lists->heavy = true; /* all parts together may have too many lines */
}

pietra_result cpu_flatten_check(uint64_t dash_tasks, pietra_error *error)
{
    if (!cpu_flatten_may_go_on(dash_tasks))
        return parts_dash_error(error);
    return PIETRA_OK;
}
