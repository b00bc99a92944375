#include "cpu/flatten.h"

#include "base/error.h"
#include "cpu/hide.h"
#include "lib/line.h"
#include "lib/snap.h"

#include <pthread.h>

/* Takes the lines of one element. */
typedef struct flatten_sink {
    const cpu_frame *frame;
    const cpu_element *element;
    cpu_bins *bins;
    uint index;                /* of the element */
    int top, bottom, right;    /* of its clip, subpixels */
    int first_band;            /* of the part */
    tile_box box;
    bool keeps_horizontals;    /* the element may hide others: where it is sure to cover it has no line at all */
} flatten_sink;

static void sink_horizontal(flatten_sink *sink, int ax, int bx, int y)
{
    if (sink->keeps_horizontals && (y & (TILE_SUBPIXELS - 1)) != 0 && y > sink->top && y < sink->bottom && ax != bx) {
        int band = (y >> TILE_SHIFT_SUBPIXELS) - sink->first_band;
        cpu_bin_add(sink->bins, &sink->bins->bins[band], sink->index, (cpu_line){ax, y, bx, y});
    }
}

/* Lines without height, or above, below and right of the clip, add to no pixel in it. */
static inline void sink_line(flatten_sink *sink, int ax, int ay, int bx, int by)
{
    int upper = int_min(ay, by);
    int lower = int_max(ay, by);
    if (upper >= sink->bottom || lower <= sink->top || int_min(ax, bx) >= sink->right) {
        return;
    }
    if (upper == lower) {
        sink_horizontal(sink, ax, bx, ay);
        return;
    }
    int first = (int_max(upper, sink->top) >> TILE_SHIFT_SUBPIXELS) - sink->first_band;
    int last = ((int_min(lower, sink->bottom) - 1) >> TILE_SHIFT_SUBPIXELS) - sink->first_band;
    sink->bins->line_count++;
    sink->bins->record_count += (uint64_t)(last - first) + 1;
    for (int band = first; band <= last; band++) {
        cpu_bin_add(sink->bins, &sink->bins->bins[band], sink->index, (cpu_line){ax, ay, bx, by});
    }
}

static inline float sink_dash_length(flatten_sink sink, uint dash)
{
    return frame_dashes(sink.frame)[dash];
}

/* Every round join asks for some twenty directions. */
#define TABLE_DIRECTIONS 1024
static point directions[TABLE_DIRECTIONS];
#define DIRECTION(k) directions[(k) & (TABLE_DIRECTIONS - 1)]
#include "lib/dash.h"
#undef DIRECTION
_Static_assert(TABLE_DIRECTIONS == DIRECTIONS, "a table of all directions");

static pthread_once_t directions_once = PTHREAD_ONCE_INIT;

static void fill_directions(void)
{
    for (int k = 0; k < DIRECTIONS; k++) {
        directions[k] = direction_of(k);
    }
}

void cpu_flatten_start(void)
{
    pthread_once(&directions_once, fill_directions);
}

/* A place in a path: what the scan over tags gives to the stages. */
typedef struct path_walk {
    const cpu_frame *frame;
    uint segment, end;
    uint tag;
    const float *points;       /* the segment's start point */
    const float *first_points; /* of its subpath */
    uint first_tag;
} path_walk;

static inline path_walk path_begin(const cpu_frame *frame, const stream_path *path)
{
    path_walk walk = {.frame = frame, .segment = path->first_segment, .end = path->first_segment + path->segment_count};
    walk.points = frame_points(frame) + 2 * (size_t)path->first_point;
    walk.first_points = walk.points;
    walk.tag = walk.segment < walk.end ? frame_tag(frame, walk.segment) : 0;
    walk.first_tag = walk.tag;
    return walk;
}

static inline void path_next(path_walk *walk)
{
    walk->points += 2 * (walk->tag & TAG_POINTS_MASK);
    if (++walk->segment < walk->end) {
        walk->tag = frame_tag(walk->frame, walk->segment);
        if (walk->tag & TAG_FIRST) {
            walk->points += 2;
            walk->first_points = walk->points;
            walk->first_tag = walk->tag;
        }
    }
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

static stroke_segment stroke_segment_of(const path_walk *walk, bool dashed)
{
    uint tag = walk->tag;
    bool closed = (tag & TAG_CLOSED) != 0 && !dashed;
    stroke_segment s = {.local = curve_of(tag, walk->points), .dot = (tag & TAG_DOT) != 0};
    s.starts = (tag & TAG_FIRST) && !closed;
    s.ends = (tag & TAG_LAST) && !closed;
    s.closes = dashed && (tag & TAG_LAST) && (tag & TAG_CLOSED);
    if (!s.ends || s.closes) {
        bool last = (tag & TAG_LAST) != 0;
        const float *next = last ? walk->first_points : walk->points + 2 * (tag & TAG_POINTS_MASK);
        s.next_tangent = curve_start_tangent(curve_of(last ? walk->first_tag : frame_tag(walk->frame, walk->segment + 1), next));
    }
    return s;
}

static void flatten_fill(flatten_sink *sink, const stream_path *path)
{
    affine matrix = sink->element->matrix;
    for (path_walk walk = path_begin(sink->frame, path); walk.segment < walk.end; path_next(&walk)) {
        curve device = curve_transform(matrix, curve_of(walk.tag, walk.points));
        bool closes = (walk.tag & TAG_LAST) && !(walk.tag & TAG_CLOSED);
        sink_chords_in_sight(sink, device, closes, affine_apply(matrix, walk.first_points[0], walk.first_points[1]), sink->box, 0, NONE);
    }
}

static void flatten_stroke(flatten_sink *sink, const stream_path *path, const stream_style *style)
{
    pen p = pen_make(sink->element->matrix, *style);
    for (path_walk walk = path_begin(sink->frame, path); walk.segment < walk.end; path_next(&walk)) {
        sink_stroke(sink, p, *style, stroke_work_whole(p, stroke_segment_of(&walk, false), sink->box));
    }
}

/* The dashes of one segment, at `m` along its subpath. */
static void flatten_dashes(flatten_sink *sink, const path_walk *walk, pen p, const stream_style *style, measure m)
{
    stroke_segment segment = stroke_segment_of(walk, true);
    dash_range range = dashes_of_measure(*sink, *style, p, m, segment.local, segment.dot, sink->box);
    uint items = dash_item_count(range.count);
    if (items >= DASH_ITEM_LIMIT - sink->bins->dash_items) {
        sink->bins->dash_items = DASH_ITEM_LIMIT;
        return;
    }
    sink->bins->dash_items += items;
    for (uint i = 0; i < range.count; i += DASHES_PER_ITEM) {
        sink_stroke(sink, p, *style, stroke_work_dashes(p, segment, m, range, i));
    }
}

static void flatten_dashed(flatten_sink *sink, const stream_path *path, const stream_style *style)
{
    affine matrix = sink->element->matrix;
    pen p = pen_make(matrix, *style);
    float inverse = reciprocal(style->dash_period);
    dash_position at = {0, 0};
    for (path_walk walk = path_begin(sink->frame, path); walk.segment < walk.end; path_next(&walk)) {
        if (walk.tag & TAG_FIRST) {
            at = dash_position_of(style->dash_phase * inverse);
        }
        dash_position length = dash_position_of(segment_length(matrix, curve_of(walk.tag, walk.points)) * inverse);
        measure m = {.start = at.periods, .start_fraction = at.fraction, .extent = length.periods, .extent_fraction = length.fraction};
        flatten_dashes(sink, &walk, p, style, m);
        at = dash_sum(at, length);
    }
}

/* A layer without geometry of its own has a run, of no lines, in each band of its box. */
static void flatten_layer(flatten_sink *sink)
{
    for (int band = sink->box.y0 - sink->first_band; band < sink->box.y1 - sink->first_band; band++) {
        cpu_bin_start(sink->bins, &sink->bins->bins[band], sink->index);
    }
}

void cpu_flatten(const cpu_frame *frame, uint index, cpu_bins *bins)
{
    const cpu_element *element = &frame->elements[index];
    const stream_element *from = frame_element(frame, element->element);
    uint64_t lines_before = bins->line_count;
    flatten_sink sink = {.frame = frame, .element = element, .bins = bins, .index = index, .first_band = frame->config->part.y0};
    sink.top = element->clip.y0 * SUBPIXELS;
    sink.bottom = element->clip.y1 * SUBPIXELS;
    sink.right = element->clip.x1 * SUBPIXELS;
    sink.box = box_tiles(element->clip, frame->config->part);
    sink.keeps_horizontals = hide_may(frame->config, element);
    if (from->path == STREAM_NONE) {
        flatten_layer(&sink);
        return;
    }
    const stream_path *path = frame_path(frame, from->path);
    if ((from->kind & ELEMENT_KIND_MASK) != ELEMENT_STROKE) {
        flatten_fill(&sink, path);
    } else if (from->kind & ELEMENT_DASHED) {
        flatten_dashed(&sink, path, frame_style(frame, from->style));
    } else {
        flatten_stroke(&sink, path, frame_style(frame, from->style));
    }
    bins->heavy = bins->heavy || bins->line_count - lines_before > BACKDROP_LIMIT;
}

pietra_result cpu_flatten_check(uint64_t dash_items, pietra_error *error)
{
    if (dash_items >= DASH_ITEM_LIMIT) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0, "strokes have more than %u dashes in sight", DASH_ITEM_LIMIT * DASHES_PER_ITEM);
    }
    return PIETRA_OK;
}
