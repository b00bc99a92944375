/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Source: SVG 2, 13.5.8, "Computing the circles for the arcs stroke-linejoin", and what follows it there. */
#include "scene/build/arcs_join.h"

#include <math.h>

#define PI 3.14159265358979323846
/* Directions that differ by less count as equal. */
#define TURN_LEAST 1e-4
/* The farthest that an edge runs around its circle. A point farther on lies behind the corner. */
#define TURN_MOST (1.75 * PI)
/* Pieces of an edge. An edge never runs all the way around. */
#define PIECES_MOST 4.0

/* One end of a segment, in the direction of the path. */
typedef struct path_end {
    path_point direction; /* its length is 1 */
    double curvature;     /* positive: it turns from x towards y */
} path_end;

/* An edge of the stroke from the corner on: a circle, or a line if its curvature is 0. */
typedef struct arcs_edge {
    path_point start, direction;
    double curvature; /* positive: it turns from x towards y, away from the corner */
} arcs_edge;

typedef struct arcs_corner {
    path_point at;
    double half_width, miter_limit;
    double side;         /* the outside, as +1 or -1 times the normal */
    path_point bisector; /* outward, of unit length */
    arcs_edge edges[2];
    double lengths[2]; /* along the edges, up to where the shape leaves them */
} arcs_corner;

static const path_point nowhere = {0.0, 0.0};

static path_point plus(path_point a, path_point b, double times)
{
    return (path_point){a.x + b.x * times, a.y + b.y * times};
}
static path_point minus(path_point a, path_point b)
{
    return (path_point){a.x - b.x, a.y - b.y};
}
static double dot(path_point a, path_point b)
{
    return a.x * b.x + a.y * b.y;
}
static double cross(path_point a, path_point b)
{
    return a.x * b.y - a.y * b.x;
}
static path_point normal_of(path_point direction)
{
    return (path_point){-direction.y, direction.x};
}
static double distance(path_point a, path_point b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

/* Finds the end of a segment at its first point. `p` has degree + 1 points. False: the segment has no length. */
static bool find_end(const path_point *p, int degree, path_end *end)
{
    int next = 1;
    while (next <= degree && !(distance(p[0], p[next]) > 0.0))
        next++;
    if (next > degree)
        return false;
    double length = distance(p[0], p[next]);
    path_point way = minus(p[next], p[0]);
    end->direction = (path_point){way.x / length, way.y / length};
    /* If a control point coincides with the end, the curvature is infinite, and a line stands for the edge. */
    double factor = next > 1 || degree == 1 ? 0.0 : degree == 2 ? 0.5 : 2.0 / 3.0;
    end->curvature = factor > 0.0 ? factor * cross(end->direction, minus(p[2], p[1])) / (length * length) : 0.0;
    return true;
}

/* Finds the end of a segment at its last point. */
static bool find_last_end(const path_point *p, int degree, path_end *end)
{
    path_point back[4];
    for (int i = 0; i <= degree; i++)
        back[i] = p[degree - i];
    bool found = find_end(back, degree, end);
    end->direction = (path_point){-end->direction.x, -end->direction.y};
    end->curvature = -end->curvature;
    return found;
}

static path_point turned(path_point direction, double angle)
{
    return plus(plus(nowhere, direction, cos(angle)), normal_of(direction), sin(angle));
}

static path_point edge_center(const arcs_edge *edge)
{
    return plus(edge->start, normal_of(edge->direction), 1.0 / edge->curvature);
}

static path_point edge_point(const arcs_edge *edge, double length)
{
    if (edge->curvature == 0.0)
        return plus(edge->start, edge->direction, length);
    double turn = edge->curvature * length;
    path_point ahead = plus(edge->start, edge->direction, sin(turn) / edge->curvature);
    return plus(ahead, normal_of(edge->direction), 2.0 * sin(0.5 * turn) * sin(0.5 * turn) / edge->curvature);
}

/* Returns how far along its edge a point of the edge lies. Below 0: the point lies behind the corner. */
static double edge_length_to(const arcs_edge *edge, path_point point)
{
    path_point way = minus(point, edge->start);
    if (edge->curvature == 0.0)
        return dot(way, edge->direction);
    /* This is the angle at the centre, from the edge's start. */
    double turn = atan2(edge->curvature * dot(way, edge->direction),
                        1.0 - edge->curvature * dot(way, normal_of(edge->direction)));
    turn = edge->curvature < 0.0 ? -turn : turn;
    turn += turn < 0.0 ? 2.0 * PI : 0.0;
    return turn > TURN_MOST ? -1.0 : turn / fabs(edge->curvature);
}

/* Finds the points, 0 to 2, in which a line crosses a circle. */
static int cross_line(path_point on_line, path_point direction, path_point center, double radius, path_point found[2])
{
    path_point way = minus(center, on_line);
    double along = dot(way, direction), off = cross(direction, way), square = radius * radius - off * off;
    if (!(square >= 0.0))
        return 0;
    found[0] = plus(on_line, direction, along - sqrt(square));
    found[1] = plus(on_line, direction, along + sqrt(square));
    return 2;
}

static int cross_edges(const arcs_edge *a, const arcs_edge *b, path_point found[2])
{
    if (a->curvature == 0.0 && b->curvature == 0.0) {
        double turn = cross(a->direction, b->direction);
        found[0] = plus(a->start, a->direction, cross(minus(b->start, a->start), b->direction) / turn);
        return fabs(turn) > TURN_LEAST ? 1 : 0;
    }
    if (a->curvature == 0.0)
        return cross_line(a->start, a->direction, edge_center(b), 1.0 / fabs(b->curvature), found);
    if (b->curvature == 0.0)
        return cross_edges(b, a, found);
    /* Both circles cross each other on the line where their powers are equal. */
    path_point center = edge_center(a), between = minus(edge_center(b), center);
    double square = dot(between, between), radius_a = 1.0 / fabs(a->curvature), radius_b = 1.0 / fabs(b->curvature);
    if (!(square > 0.0))
        return 0;
    double part = 0.5 + 0.5 * (radius_a * radius_a - radius_b * radius_b) / square, length = sqrt(square);
    path_point across = normal_of((path_point){between.x / length, between.y / length});
    return cross_line(plus(center, between, part), across, center, radius_a, found);
}

/* Sets the lengths to the crossing that is closest to the corner. False: there is none ahead. */
static bool corner_meets(arcs_corner *corner)
{
    path_point found[2];
    int count = cross_edges(&corner->edges[0], &corner->edges[1], found);
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        double lengths[2] = {edge_length_to(&corner->edges[0], found[i]), edge_length_to(&corner->edges[1], found[i])};
        double away = distance(corner->at, found[i]);
        if (lengths[0] >= 0.0 && lengths[1] >= 0.0 && away < least) {
            least = away;
            corner->lengths[0] = lengths[0];
            corner->lengths[1] = lengths[1];
        }
    }
    return least < INFINITY;
}

static void edge_set_radius(arcs_edge *edge, double radius)
{
    edge->curvature = copysign(1.0 / radius, edge->curvature);
}

/* Enlarges the circle until it touches the line. False: it never does. */
static bool touch_line(arcs_edge *circle, const arcs_edge *line)
{
    double radius = 1.0 / fabs(circle->curvature);
    double off = cross(line->direction, minus(edge_center(circle), line->start));
    double nearer = 1.0 - copysign(1.0, off) * copysign(1.0, circle->curvature) *
                              cross(line->direction, normal_of(circle->direction));
    double more = (fabs(off) - radius) / nearer;
    if (!(nearer > TURN_LEAST) || !(more > 0.0))
        return false;
    edge_set_radius(circle, radius + more);
    return true;
}

/* Changes both radii by the same amount until the circles touch. If one lies within the other, it grows and the other
 * shrinks. If they lie apart, both grow. False: they never touch. */
static bool touch_circle(arcs_edge *a, arcs_edge *b)
{
    path_point between = minus(edge_center(a), edge_center(b));
    double radius_a = 1.0 / fabs(a->curvature), radius_b = 1.0 / fabs(b->curvature);
    bool within = sqrt(dot(between, between)) < fabs(radius_a - radius_b);
    double grow_a = within && radius_a > radius_b ? -1.0 : 1.0, grow_b = within && radius_a <= radius_b ? -1.0 : 1.0;
    path_point apart = plus(nowhere, normal_of(a->direction), grow_a * copysign(1.0, a->curvature));
    apart = plus(apart, normal_of(b->direction), -grow_b * copysign(1.0, b->curvature));
    /* |between + d apart| = |sum + d change|, a quadratic in d. */
    double sum = within ? fabs(radius_a - radius_b) : radius_a + radius_b, change = within ? -2.0 : 2.0;
    double square = dot(apart, apart) - change * change, half = dot(between, apart) - sum * change,
           rest = dot(between, between) - sum * sum;
    double root = half * half - square * rest;
    if (!(root >= 0.0))
        return false;
    double q = -(half + copysign(sqrt(root), half)), first = q / square, second = rest / q, more = INFINITY;
    for (int i = 0; i < 2; i++) {
        double d = i == 0 ? first : second;
        bool shrinks_away = radius_a + grow_a * d <= 0.0 || radius_b + grow_b * d <= 0.0 || sum + change * d < 0.0;
        more = d > 0.0 && d < more && !shrinks_away ? d : more;
    }
    if (!(more < 1e6 * (radius_a + radius_b)))
        return false;
    edge_set_radius(a, radius_a + grow_a * more);
    edge_set_radius(b, radius_b + grow_b * more);
    return true;
}

/* Makes the edges touch. Rounding may leave touching circles slightly apart, so the point between them is taken. */
static bool corner_touches(arcs_corner *corner)
{
    arcs_edge *a = &corner->edges[0], *b = &corner->edges[1];
    path_point at;
    if (a->curvature == 0.0 || b->curvature == 0.0) {
        arcs_edge *circle = a->curvature == 0.0 ? b : a, *line = a->curvature == 0.0 ? a : b;
        if (!touch_line(circle, line))
            return false;
        at = plus(line->start, line->direction, dot(minus(edge_center(circle), line->start), line->direction));
    } else {
        if (!touch_circle(a, b))
            return false;
        path_point from = edge_center(a), to = edge_center(b);
        double apart = distance(from, to), radius_a = 1.0 / fabs(a->curvature), radius_b = 1.0 / fabs(b->curvature);
        bool within = apart < fmax(radius_a, radius_b);
        double way = within && radius_a < radius_b ? -radius_a : radius_a;
        if (!(apart > 0.0))
            return false;
        at = plus(from, minus(to, from), way / apart);
    }
    corner->lengths[0] = edge_length_to(a, at);
    corner->lengths[1] = edge_length_to(b, at);
    return corner->lengths[0] >= 0.0 && corner->lengths[1] >= 0.0;
}

/* Returns where along an edge, within `length`, the edge reaches a line that lies ahead of the corner. */
static double edge_length_to_line(const arcs_edge *edge, double length, path_point on_line, path_point ahead)
{
    if (dot(minus(edge->start, on_line), ahead) >= 0.0)
        return 0.0;
    if (edge->curvature == 0.0) {
        double pace = dot(edge->direction, ahead), reached = dot(minus(on_line, edge->start), ahead) / pace;
        return pace > 0.0 ? fmin(reached, length) : length;
    }
    path_point found[2];
    int count = cross_line(on_line, normal_of(ahead), edge_center(edge), 1.0 / fabs(edge->curvature), found);
    for (int i = 0; i < count; i++) {
        double reached = edge_length_to(edge, found[i]);
        length = reached >= 0.0 && reached < length ? reached : length;
    }
    return length;
}

/* Cuts off the corner at the miter limit. The limit is measured from the corner along the circle that bisects its angle
 * and passes through its tip. */
static void corner_clip(arcs_corner *corner)
{
    double limit = corner->miter_limit * corner->half_width;
    path_point tip = edge_point(&corner->edges[0], corner->lengths[0]), way = minus(tip, corner->at);
    double chord = distance(corner->at, tip), angle = atan2(cross(corner->bisector, way), dot(corner->bisector, way));
    double length = fabs(angle) > TURN_LEAST ? chord * angle / sin(angle) : chord;
    if (!(fabs(angle) < PI - TURN_LEAST) || length <= limit)
        return;
    arcs_edge middle = {corner->at, corner->bisector, fabs(angle) > TURN_LEAST ? 2.0 * sin(angle) / chord : 0.0};
    double turn = middle.curvature * limit;
    path_point cut = edge_point(&middle, limit);
    path_point ahead = turned(corner->bisector, turn);
    for (int i = 0; i < 2; i++)
        corner->lengths[i] = edge_length_to_line(&corner->edges[i], corner->lengths[i], cut, ahead);
}

/* Adds an edge from one length to another, by cubics over at most a quarter turn each. */
static void add_edge(pietra_path *to, const arcs_edge *edge, double from, double end)
{
    double turn = edge->curvature * (end - from);
    int pieces = (int)ceil(fmin(fabs(turn) / (0.5 * PI), PIECES_MOST));
    if (pieces < 1) {
        path_point at = edge_point(edge, end);
        pietra_path_line_to(to, at.x, at.y);
        return;
    }
    double step = (end - from) / pieces, handle = 4.0 / 3.0 * tan(0.25 * turn / pieces) / edge->curvature;
    for (int i = 0; i < pieces; i++) {
        double t0 = from + step * i, t1 = from + step * (i + 1);
        path_point p0 = edge_point(edge, t0), p3 = edge_point(edge, t1);
        path_point p1 = plus(p0, turned(edge->direction, edge->curvature * t0), handle);
        path_point p2 = plus(p3, turned(edge->direction, edge->curvature * t1), -handle);
        pietra_path_cubic_to(to, p1.x, p1.y, p2.x, p2.y, p3.x, p3.y);
    }
}

/* Returns a point slightly behind the bevel. The bevel must not be covered twice, because pixels on the stroke's edge
 * would show it; a sliver of overlap keeps rounding from opening a gap. */
static path_point behind_bevel(const arcs_corner *corner)
{
    path_point start = corner->edges[0].start, end = corner->edges[1].start;
    path_point middle = {0.5 * (start.x + end.x), 0.5 * (start.y + end.y)};
    return plus(middle, minus(corner->at, middle), 1.0 / 64.0);
}

/* Adds the shape from the bevel out along one edge and back along the other. It turns as the pen does, from y towards
 * x. */
static void add_shape(pietra_path *to, const arcs_corner *corner)
{
    int first = corner->side > 0.0 ? 0 : 1;
    const arcs_edge *out = &corner->edges[first], *back = &corner->edges[1 - first];
    path_point origin = behind_bevel(corner);
    pietra_path_move_to(to, origin.x, origin.y);
    pietra_path_line_to(to, out->start.x, out->start.y);
    add_edge(to, out, 0.0, corner->lengths[first]);
    path_point turn = edge_point(back, corner->lengths[1 - first]);
    pietra_path_line_to(to, turn.x, turn.y);
    add_edge(to, back, corner->lengths[1 - first], 0.0);
    pietra_path_close(to);
}

/* Adds the shape of a round join. */
static void add_round(pietra_path *to, const arcs_corner *corner)
{
    int first = corner->side > 0.0 ? 0 : 1;
    path_point start = corner->edges[first].start, end = corner->edges[1 - first].start;
    path_point from = minus(start, corner->at), until = minus(end, corner->at);
    double turn = fabs(atan2(cross(from, until), dot(from, until)));
    arcs_edge rim = {start, plus(nowhere, normal_of(from), -1.0 / corner->half_width), -1.0 / corner->half_width};
    path_point origin = behind_bevel(corner);
    pietra_path_move_to(to, origin.x, origin.y);
    pietra_path_line_to(to, start.x, start.y);
    add_edge(to, &rim, 0.0, turn * corner->half_width);
    pietra_path_close(to);
}

static void draw_corner(pietra_path *to, path_point at, path_end before, path_end after, double half_width,
                        double miter_limit)
{
    double turn = cross(before.direction, after.direction), along = dot(before.direction, after.direction);
    if (along > 0.0 && fabs(turn) < TURN_LEAST)
        return;
    arcs_corner corner = {
        .at = at, .half_width = half_width, .miter_limit = miter_limit, .side = turn > 0.0 ? -1.0 : 1.0};
    double offset = corner.side * half_width;
    corner.edges[0] = (arcs_edge){plus(at, normal_of(before.direction), offset), before.direction, 0.0};
    corner.edges[1] =
        (arcs_edge){plus(at, normal_of(after.direction), offset), {-after.direction.x, -after.direction.y}, 0.0};
    path_point middle = minus(before.direction, after.direction);
    double length = hypot(middle.x, middle.y);
    corner.bisector = (path_point){middle.x / length, middle.y / length};
    if (fmax(fabs(before.curvature), fabs(after.curvature)) * half_width >= 1.0) { /* at 1 the edge has no radius */
        add_round(to, &corner);
        return;
    }
    corner.edges[0].curvature = before.curvature / (1.0 - offset * before.curvature);
    corner.edges[1].curvature = -after.curvature / (1.0 - offset * after.curvature);
    if (!corner_meets(&corner) && !corner_touches(&corner)) {
        /* Edges that never meet continue straight, as far as the limit lets them. */
        corner.edges[0].curvature = 0.0;
        corner.edges[1].curvature = 0.0;
        if (!corner_meets(&corner)) {
            corner.lengths[0] = corner.lengths[1] = miter_limit * half_width;
            add_shape(to, &corner);
            return;
        }
    }
    corner_clip(&corner);
    add_shape(to, &corner);
}

/* Adds the shape of a corner. If numbers overflow, for paths far beyond any picture, the bevel remains. */
static void add_corner(pietra_path *to, path_point at, path_end before, path_end after, double half_width,
                       double miter_limit)
{
    size_t verb_count = to->verbs.count, point_count = to->points.count;
    if (to->result != PIETRA_OK)
        return;
    draw_corner(to, at, before, after, half_width, miter_limit);
    if (to->result == PIETRA_ERROR_INPUT) {
        to->verbs.count = verb_count;
        to->points.count = point_count;
        to->open = false;
        to->result = PIETRA_OK;
    }
}

/* A walk along one subpath. */
typedef struct corner_walk {
    path_point start, last;
    path_end first_end, last_end; /* the end where it leaves its start, and the one where it arrives at its last
                                   * point */
    bool some;                    /* it has a segment of nonzero length */
} corner_walk;

static void walk_segment(corner_walk *walk, const path_point *p, int degree, double half_width, double miter_limit,
                         pietra_path *to)
{
    path_end begin, end;
    walk->last = p[degree];
    if (!find_end(p, degree, &begin) || !find_last_end(p, degree, &end))
        return;
    if (walk->some)
        add_corner(to, p[0], walk->last_end, begin, half_width, miter_limit);
    else
        walk->first_end = begin;
    walk->some = true;
    walk->last_end = end;
}

void arcs_join_add(path_view path, double half_width, double miter_limit, pietra_path *to)
{
    corner_walk walk = {.some = false};
    const path_point *next = path.points;
    for (size_t i = 0; i < path.verb_count; i++) {
        size_t count = path_verb_points(path.verbs[i]);
        if (path.verbs[i] == PATH_MOVE) {
            walk = (corner_walk){.start = next[0], .last = next[0]};
        } else if (path.verbs[i] == PATH_CLOSE) {
            const path_point back[2] = {walk.last, walk.start};
            walk_segment(&walk, back, 1, half_width, miter_limit, to);
            if (walk.some)
                add_corner(to, walk.start, walk.last_end, walk.first_end, half_width, miter_limit);
            walk = (corner_walk){.start = walk.start, .last = walk.start};
        } else {
            path_point p[4] = {walk.last};
            for (size_t k = 0; k < count; k++)
                p[k + 1] = next[k];
            walk_segment(&walk, p, (int)count, half_width, miter_limit, to);
        }
        next += count;
    }
}
