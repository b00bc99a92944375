/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the ends of its segments, a side of a stroke reaches farthest along an axis where its curve does, since there
 * the pen, a disc, touches the box, or where the side turns back. So ends, extrema and cusps of curves, joins and caps
 * suffice, and nothing is flattened. */
#include "scene/build/stroke_bounds.h"

#include <math.h>

#include "scene/build/stroke_cusps.h"

typedef struct stroke_box {
    pietra_transform transform;
    const stream_style *style;
    double reach;         /* half the width, in path units */
    path_point pen[4];    /* where the transformed disc of radius 1 touches the sides of its box, in path units:
                               * right, left, bottom, top */
    path_point pen_reach; /* how far the transformed pen reaches along each axis, and a little more */
    pietra_box found;
} stroke_box;

/* An open subpath, or a closed one before its end. */
typedef struct subpath {
    path_point start, last;
    path_point first_direction, direction; /* unit vectors */
    bool directed;                         /* it has a segment of nonzero length */
    bool some;                             /* it has a segment */
} subpath;

static void add_point(stroke_box *box, double x, double y)
{
    const pietra_transform m = box->transform;
    double px = m.a * x + m.c * y + m.e, py = m.b * x + m.d * y + m.f;
    box->found = (pietra_box){fmin(box->found.x0, px), fmin(box->found.y0, py), fmax(box->found.x1, px),
                              fmax(box->found.y1, py)};
}

static void add_offset(stroke_box *box, path_point at, path_point unit, double length)
{
    add_point(box, at.x + unit.x * length, at.y + unit.y * length);
}

static double cross(path_point a, path_point b)
{
    return a.x * b.y - a.y * b.x;
}
static double dot(path_point a, path_point b)
{
    return a.x * b.x + a.y * b.y;
}
static path_point left_of(path_point direction)
{
    return (path_point){-direction.y, direction.x};
}

static bool direction_of(path_point from, path_point to, path_point *direction)
{
    double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    if (!(length > 0.0))
        return false;
    *direction = (path_point){x / length, y / length};
    return true;
}

static void add_sides(stroke_box *box, path_point at, path_point direction)
{
    add_offset(box, at, left_of(direction), box->reach);
    add_offset(box, at, left_of(direction), -box->reach);
}

static void add_join(stroke_box *box, path_point at, path_point before, path_point after)
{
    double turn = cross(before, after), along = dot(before, after);
    double side = turn > 0.0 ? -box->reach : box->reach;
    path_point from = left_of(before), to = left_of(after);
    if (box->style->join == STYLE_JOIN_BEVEL)
        return;
    if (box->style->join == STYLE_JOIN_ROUND) {
        for (int i = 0; i < 4; i++) {
            path_point pen = {turn > 0.0 ? -box->pen[i].x : box->pen[i].x, turn > 0.0 ? -box->pen[i].y : box->pen[i].y};
            bool inside = turn > 0.0 ? cross(from, pen) >= 0.0 && cross(pen, to) >= 0.0
                                     : cross(from, pen) <= 0.0 && cross(pen, to) <= 0.0;
            if (inside)
                add_offset(box, at, pen, side);
        }
    } else if (2.0 <= box->style->miter_limit * box->style->miter_limit * (1.0 + along)) {
        add_offset(box, at, (path_point){(from.x + to.x) / (1.0 + along), (from.y + to.y) / (1.0 + along)}, side);
    } else if (box->style->join == STYLE_JOIN_MITER_CLIP) {
        double half_cosine = sqrt(fmax(0.5 + 0.5 * along, 0.0)), half_sine = sqrt(fmax(0.5 - 0.5 * along, 1e-12));
        double further = fmax((box->style->miter_limit - half_cosine) / half_sine, 0.0) * (turn > 0.0 ? -1.0 : 1.0);
        add_offset(box, at, (path_point){from.x + further * before.x, from.y + further * before.y}, side);
        add_offset(box, at, (path_point){to.x - further * after.x, to.y - further * after.y}, side);
    }
}

static void add_cap(stroke_box *box, path_point at, path_point outward)
{
    if (box->style->cap == STYLE_CAP_SQUARE)
        add_sides(box, (path_point){at.x + outward.x * box->reach, at.y + outward.y * box->reach}, outward);
    for (int i = 0; i < 4 && box->style->cap == STYLE_CAP_ROUND; i++)
        if (dot(box->pen[i], outward) >= 0.0)
            add_offset(box, at, box->pen[i], box->reach);
}

/* Adds the pen at the points of a curve where one of its transformed coordinates turns. `p` has degree + 1 points. */
static void add_turns(stroke_box *box, const path_point *p, int degree)
{
    const pietra_transform m = box->transform;
    for (int axis = 0; axis < 2; axis++) {
        double v[4] = {0};
        for (int i = 0; i <= degree; i++)
            v[i] = axis == 0 ? m.a * p[i].x + m.c * p[i].y : m.b * p[i].x + m.d * p[i].y;
        /* a t^2 + 2 b t + c is the derivative, up to a factor. */
        double a = degree == 3 ? v[3] - 3.0 * v[2] + 3.0 * v[1] - v[0] : 0.0;
        double b = degree == 3 ? v[2] - 2.0 * v[1] + v[0] : 0.5 * (v[2] - 2.0 * v[1] + v[0]);
        double c = v[1] - v[0];
        double q = -(b + copysign(sqrt(fmax(b * b - a * c, 0.0)), b));
        double roots[2] = {q / a, c / q};
        for (int i = 0; i < 2; i++) {
            double t = roots[i], s = 1.0 - t;
            if (!(t > 0.0 && t < 1.0) || b * b < a * c)
                continue;
            double w[4] = {s * s, 2.0 * s * t, t * t, 0.0};
            if (degree == 3)
                w[0] = s * s * s, w[1] = 3.0 * s * s * t, w[2] = 3.0 * s * t * t, w[3] = t * t * t;
            path_point at = {0.0, 0.0};
            for (int k = 0; k <= degree; k++)
                at = (path_point){at.x + w[k] * p[k].x, at.y + w[k] * p[k].y};
            add_offset(box, at, box->pen[2 * axis], box->reach);
            add_offset(box, at, box->pen[2 * axis + 1], box->reach);
        }
    }
}

/* Returns whether the pen stays within what was found, wherever on a curve it is. */
static bool is_within(const stroke_box *box, const path_point *p, int degree)
{
    const pietra_transform m = box->transform;
    const double x = box->pen_reach.x, y = box->pen_reach.y;
    for (int i = 0; i <= degree; i++) {
        const double px = m.a * p[i].x + m.c * p[i].y + m.e, py = m.b * p[i].x + m.d * p[i].y + m.f;
        if (!(px - x >= box->found.x0 && px + x <= box->found.x1 && py - y >= box->found.y0 && py + y <= box->found.y1))
            return false;
    }
    return true;
}

/* Adds both sides where one of them turns back. Finding out where takes some 3 us. */
static void add_cusps(stroke_box *box, const path_point *p, int degree)
{
    stroke_cusp cusps[STROKE_CUSPS_MOST];
    const path_point origin = {0.0, 0.0};
    path_point direction;
    if (is_within(box, p, degree))
        return;
    for (int i = stroke_cusps(p, degree, box->reach, cusps); i-- > 0;)
        if (direction_of(origin, cusps[i].way, &direction))
            add_sides(box, cusps[i].at, direction);
}

/* Adds a segment. `p` has degree + 1 points. */
static void add_segment(stroke_box *box, subpath *subpath, const path_point *p, int degree)
{
    path_point begin, end;
    int first = 1, last = degree - 1;
    subpath->some = true;
    subpath->last = p[degree];
    while (first <= degree && !direction_of(p[0], p[first], &begin))
        first++;
    while (last >= 0 && !direction_of(p[last], p[degree], &end))
        last--;
    if (first > degree || last < 0)
        return;
    if (subpath->directed)
        add_join(box, p[0], subpath->direction, begin);
    else
        subpath->first_direction = begin;
    add_sides(box, p[0], begin);
    add_sides(box, p[degree], end);
    if (degree > 1) {
        add_turns(box, p, degree);
        add_cusps(box, p, degree);
    }
    subpath->directed = true;
    subpath->direction = end;
}

static void end_subpath(stroke_box *box, const subpath *subpath)
{
    const path_point right = {1.0, 0.0}, left = {-1.0, 0.0};
    if (subpath->directed) {
        add_cap(box, subpath->start, (path_point){-subpath->first_direction.x, -subpath->first_direction.y});
        add_cap(box, subpath->last, subpath->direction);
    } else if (subpath->some) { /* a dot */
        add_cap(box, subpath->start, right);
        add_cap(box, subpath->start, left);
    }
}

static void close_subpath(stroke_box *box, subpath *subpath)
{
    const path_point back[2] = {subpath->last, subpath->start};
    add_segment(box, subpath, back, 1);
    if (subpath->directed)
        add_join(box, subpath->start, subpath->direction, subpath->first_direction);
    else
        end_subpath(box, subpath);
    *subpath = (struct subpath){.start = subpath->start, .last = subpath->start};
}

/* Finds where the transformed unit disc touches the sides of its box. */
static void find_pen(stroke_box *box)
{
    const pietra_transform m = box->transform;
    path_point across, down;
    const path_point origin = {0.0, 0.0};
    if (!direction_of(origin, (path_point){m.a, m.c}, &across))
        across = origin;
    if (!direction_of(origin, (path_point){m.b, m.d}, &down))
        down = origin;
    const double reach = box->reach * (1.0 + 1e-9);
    box->pen_reach = (path_point){reach * hypot(m.a, m.c), reach * hypot(m.b, m.d)};
    box->pen[0] = across;
    box->pen[1] = (path_point){-across.x, -across.y};
    box->pen[2] = down;
    box->pen[3] = (path_point){-down.x, -down.y};
}

bool stroke_bounds(path_view path, const stream_style *style, pietra_transform transform, pietra_box *found)
{
    stroke_box box = {.transform = transform,
                      .style = style,
                      .reach = style->half_width,
                      .found = {INFINITY, INFINITY, -INFINITY, -INFINITY}};
    subpath subpath = {.some = false};
    const path_point *next = path.points;
    find_pen(&box);
    for (size_t i = 0; i < path.verb_count; i++) {
        size_t count = path_verb_points(path.verbs[i]);
        if (i == path.verb_count - path.corner_verb_count) {
            end_subpath(&box, &subpath);
            subpath = (struct subpath){.some = false};
        }
        if (i >= path.verb_count - path.corner_verb_count) {
            /* For the cubics of a circle the control points are close enough. */
            for (size_t k = 0; k < count; k++)
                add_point(&box, next[k].x, next[k].y);
            next += count;
            continue;
        }
        if (path.verbs[i] == PATH_CLOSE) {
            close_subpath(&box, &subpath);
            continue;
        }
        if (path.verbs[i] == PATH_MOVE) {
            end_subpath(&box, &subpath);
            subpath = (struct subpath){.start = next[0], .last = next[0]};
        } else {
            path_point p[4] = {subpath.last};
            for (size_t k = 0; k < count; k++)
                p[k + 1] = next[k];
            add_segment(&box, &subpath, p, (int)count);
        }
        next += count;
    }
    end_subpath(&box, &subpath);
    if (!(box.found.x0 <= box.found.x1) || !(box.found.y0 <= box.found.y1))
        return false;
    *found = box.found;
    return true;
}
