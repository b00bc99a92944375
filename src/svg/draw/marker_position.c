/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The direction of a path at a vertex lies between those of the segments before and behind it. A segment of no length
 * has the direction of the one before it, or else of the one behind it (SVG 2, 13.7.4 and 9.5.5). */
#include "svg/draw/marker_position.h"

#include <math.h>

#include "base/transform.h"
#include "svg/draw/shape.h"

typedef struct point {
    double x, y;
} point;

/* A segment, with the vertex in which it ends. The beginning of a subpath is a step without a segment. */
typedef struct step {
    point end;
    point leaving, arriving; /* directions of any length; 0 0: there is none */
    bool begins;
    bool closes;
} step;

typedef struct tracer {
    ARRAY(step) steps;
    point start, current;
    bool failed;
} tracer;

static bool is_zero(point p)
{
    return p.x == 0 && p.y == 0;
}

static point subtract(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y};
}

static void add_step(tracer *tracer, step added)
{
    step *place = array_push(&tracer->steps);
    if (!place) {
        tracer->failed = true;
        return;
    }
    *place = added;
    tracer->current = added.end;
}

static void trace_move(tracer *tracer, point to)
{
    add_step(tracer, (step){.end = to, .begins = true});
    tracer->start = to;
}

static void trace_line(tracer *tracer, point to)
{
    point along = subtract(to, tracer->current);
    add_step(tracer, (step){.end = to, .leaving = along, .arriving = along});
}

/* Control points that coincide with an end give it no direction, so the next ones do. */
static void trace_curve(tracer *tracer, const point *controls, int count, point to)
{
    step curve = {.end = to};
    for (int i = 0; i <= count && is_zero(curve.leaving); i++)
        curve.leaving = subtract(i < count ? controls[i] : to, tracer->current);
    for (int i = count; i >= 0 && is_zero(curve.arriving); i--)
        curve.arriving = subtract(to, i > 0 ? controls[i - 1] : tracer->current);
    add_step(tracer, curve);
}

/* An ellipse is the image of a circle, in which directions are perpendicular to radii (SVG 2, appendix B.2). */
static void trace_arc(tracer *tracer, double rx, double ry, double rotation, bool large, bool sweep, point to)
{
    point from = tracer->current;
    rx = fabs(rx);
    ry = fabs(ry);
    if (rx == 0 || ry == 0 || (from.x == to.x && from.y == to.y)) {
        trace_line(tracer, to);
        return;
    }
    double cosine = cos(rotation * RADIANS_PER_DEGREE), sine = sin(rotation * RADIANS_PER_DEGREE);
    double dx = (from.x - to.x) / 2, dy = (from.y - to.y) / 2;
    /* This is half of the chord, from its middle to `from`. */
    double x = (cosine * dx + sine * dy) / rx, y = (cosine * dy - sine * dx) / ry;
    double square = x * x + y * y;
    double height = square < 1 ? sqrt(1 / square - 1) : 0; /* distance of the centre from the chord, in half chords */
    if (large == sweep)
        height = -height;
    double centre_x = height * y, centre_y = -height * x;
    double turn = sweep ? 1 : -1;
    point first = {-(y - centre_y) * turn * rx, (x - centre_x) * turn * ry};
    point last = {-(-y - centre_y) * turn * rx, (-x - centre_x) * turn * ry};
    add_step(tracer, (step){
                         .end = to,
                         .leaving = {cosine * first.x - sine * first.y, sine * first.x + cosine * first.y},
                         .arriving = {cosine * last.x - sine * last.y, sine * last.x + cosine * last.y},
                     });
}

static void trace_close(tracer *tracer)
{
    if (tracer->steps.count && array_last(&tracer->steps)->closes)
        return;
    point along = subtract(tracer->start, tracer->current);
    add_step(tracer, (step){.end = tracer->start, .leaving = along, .arriving = along, .closes = true});
}

static void trace_path(tracer *tracer, const svg_path_pool *pool, uint32_t index)
{
    const svg_path *path = &pool->paths.items[index];
    const double *n = path->numbers;
    for (size_t i = 0; i < path->verb_count; i++) {
        switch (path->verbs[i]) {
        case PIETRA_VERB_MOVE:
            trace_move(tracer, (point){n[0], n[1]});
            n += 2;
            break;
        case PIETRA_VERB_LINE:
            trace_line(tracer, (point){n[0], n[1]});
            n += 2;
            break;
        case PIETRA_VERB_QUAD:
            trace_curve(tracer, (const point[]){{n[0], n[1]}}, 1, (point){n[2], n[3]});
            n += 4;
            break;
        case PIETRA_VERB_CUBIC:
            trace_curve(tracer, (const point[]){{n[0], n[1]}, {n[2], n[3]}}, 2, (point){n[4], n[5]});
            n += 6;
            break;
        case SVG_VERB_ARC:
            trace_arc(tracer, n[0], n[1], n[2], n[3] != 0, n[4] != 0, (point){n[5], n[6]});
            n += 7;
            break;
        default:
            trace_close(tracer);
            break;
        }
    }
}

static void trace_rect(tracer *tracer, const svg_geometry *g)
{
    double right = g->x + g->width, bottom = g->y + g->height;
    bool round = g->rx > 0 && g->ry > 0;
    trace_move(tracer, (point){g->x + g->rx, g->y});
    trace_line(tracer, (point){right - g->rx, g->y});
    if (round)
        trace_arc(tracer, g->rx, g->ry, 0, false, true, (point){right, g->y + g->ry});
    trace_line(tracer, (point){right, bottom - g->ry});
    if (round)
        trace_arc(tracer, g->rx, g->ry, 0, false, true, (point){right - g->rx, bottom});
    trace_line(tracer, (point){g->x + g->rx, bottom});
    if (round)
        trace_arc(tracer, g->rx, g->ry, 0, false, true, (point){g->x, bottom - g->ry});
    if (round) {
        trace_line(tracer, (point){g->x, g->y + g->ry});
        trace_arc(tracer, g->rx, g->ry, 0, false, true, (point){g->x + g->rx, g->y});
    }
    trace_close(tracer);
}

static void trace_ellipse(tracer *tracer, const svg_geometry *g)
{
    double x = g->x, y = g->y;
    trace_move(tracer, (point){x + g->rx, y});
    trace_arc(tracer, g->rx, g->ry, 0, false, true, (point){x, y + g->ry});
    trace_arc(tracer, g->rx, g->ry, 0, false, true, (point){x - g->rx, y});
    trace_arc(tracer, g->rx, g->ry, 0, false, true, (point){x, y - g->ry});
    trace_arc(tracer, g->rx, g->ry, 0, false, true, (point){x + g->rx, y});
    trace_close(tracer);
}

/* Gives each segment without a direction that of a neighbour in the same subpath. */
static void fill_directions(step *steps, size_t count)
{
    point last = {0, 0};
    for (size_t i = 0; i < count; i++) {
        if (steps[i].begins)
            last = (point){0, 0};
        if (is_zero(steps[i].leaving))
            steps[i].leaving = steps[i].arriving = last;
        last = steps[i].arriving;
    }
    last = (point){0, 0};
    for (size_t i = count; i-- > 0;) {
        if (!steps[i].begins && is_zero(steps[i].leaving))
            steps[i].leaving = steps[i].arriving = last;
        last = steps[i].begins ? (point){0, 0} : steps[i].leaving;
    }
}

static double angle_between(point in, point out)
{
    if (is_zero(in))
        in = out;
    if (is_zero(out))
        out = in;
    if (is_zero(in))
        return 0;
    double first = atan2(in.y, in.x) / RADIANS_PER_DEGREE,
           half = (atan2(out.y, out.x) / RADIANS_PER_DEGREE - first) / 2;
    if (fabs(half) == 90) /* the path turns back; browsers agree on this side */
        return first - 90;
    return fabs(half) > 90 ? first + half - 180 : first + half;
}

static bool add_vertices(const step *steps, size_t count, svg_marker_positions *positions)
{
    const point none = {0, 0};
    svg_marker_position *position = array_push_many(positions, count);
    if (!position)
        return false;
    for (size_t i = 0, begin = 0; i < count; i++, position++) {
        begin = steps[i].begins ? i : begin;
        point in = steps[i].begins ? none : steps[i].arriving;
        point out = i + 1 < count && !steps[i + 1].begins ? steps[i + 1].leaving : none;
        if (steps[i].begins) { /* a closed subpath comes back from its last segment */
            size_t end = i + 1;
            while (end < count && !steps[end].begins && !steps[end].closes)
                end++;
            if (end < count && steps[end].closes)
                in = steps[end].arriving;
        } else if (steps[i].closes && begin + 1 < count) {
            out = steps[begin + 1].leaving;
        }
        begin = steps[i].closes ? i : begin;
        *position = (svg_marker_position){steps[i].end.x, steps[i].end.y, angle_between(in, out)};
    }
    return true;
}

bool svg_marker_positions_add(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                              svg_marker_positions *positions)
{
    tracer tracer = {.failed = false};
    svg_geometry geometry;
    switch ((svg_name)document->nodes.items[node].element) {
    case SVG_LINE:
        svg_shape_line(document, node, metrics, &geometry);
        trace_move(&tracer, (point){geometry.x, geometry.y});
        trace_line(&tracer, (point){geometry.x2, geometry.y2});
        break;
    case SVG_RECT:
        if (svg_shape_rect(document, node, metrics, &geometry))
            trace_rect(&tracer, &geometry);
        break;
    case SVG_CIRCLE:
    case SVG_ELLIPSE:
        if (svg_shape_ellipse(document, node, metrics, &geometry))
            trace_ellipse(&tracer, &geometry);
        break;
    default:
        if (document->nodes.items[node].path != SVG_NO_PATH)
            trace_path(&tracer, &document->paths, document->nodes.items[node].path);
        break;
    }
    if (tracer.steps.count)
        fill_directions(tracer.steps.items, tracer.steps.count);
    bool good =
        !tracer.failed && (tracer.steps.count == 0 || add_vertices(tracer.steps.items, tracer.steps.count, positions));
    array_free(&tracer.steps);
    return good;
}
