/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A stroke by its definition. The path becomes nodes: points with the directions in which the path arrives and leaves,
 * dense enough that the normal turns little from one node to the next. Between two nodes the normal sweeps a
 * quadrilateral. At a node where the directions differ, it sweeps a sector if the node is inside a curve, and a join
 * stands there if it is a corner of the path. All of this is in the path's own space; the pieces are then transformed
 * and united. */
#include "exact/exact_path.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define MOST_SPLITS 26
/* Splits lie off the middle, so that none hits the cusp of a symmetric curve, and both directions of a cusp
 * are seen. */
#define SPLIT 0.4987

typedef struct node {
    exact_point at, in, out; /* directions are unit vectors */
    double length;           /* length of the path up to here */
    bool corner;
} node;

typedef struct stroker {
    exact_edges *edges;
    exact_matrix matrix;
    stream_style style;
    const float *dash_ends;
    double half, step, tolerance;
    node *nodes;
    size_t count, capacity;
    bool closed;
    exact_point origin; /* first point of the subpath */
} stroker;

static exact_point minus(exact_point a, exact_point b)
{
    return (exact_point){a.x - b.x, a.y - b.y};
}

static exact_point along(exact_point p, exact_point direction, double distance)
{
    return (exact_point){p.x + direction.x * distance, p.y + direction.y * distance};
}

static exact_point left_of(exact_point direction)
{
    return (exact_point){direction.y, -direction.x};
}

static exact_point unit(exact_point v)
{
    double length = hypot(v.x, v.y);
    return length > 0 ? (exact_point){v.x / length, v.y / length} : (exact_point){0, 0};
}

static bool is_zero(exact_point v)
{
    return v.x == 0 && v.y == 0;
}

static double cross(exact_point a, exact_point b)
{
    return a.x * b.y - a.y * b.x;
}

static double dot(exact_point a, exact_point b)
{
    return a.x * b.x + a.y * b.y;
}

static void add_polygon(stroker *s, const exact_point *points, size_t count)
{
    exact_point device[256];
    for (size_t i = 0; i < count; i++)
        device[i] = exact_matrix_apply(s->matrix, points[i]);
    exact_edges_add_convex(s->edges, device, count);
}

/* Adds the sector around a point from one radius to another, the shorter way. If they are opposite it passes
 * `through`. */
static void add_sector(stroker *s, exact_point at, exact_point from, exact_point to, exact_point through)
{
    double angle = atan2(cross(from, to), dot(from, to));
    if (fabs(angle) > PI - 1e-6)
        angle = cross(from, through) > 0 ? fabs(angle) : -fabs(angle);
    size_t steps = (size_t)fmin(fmax(ceil(fabs(angle) / s->step), 1), 250);
    exact_point points[256] = {at};
    for (size_t i = 0; i <= steps; i++) {
        double turn = angle * (double)i / (double)steps, c = cos(turn), t = sin(turn);
        points[i + 1] = along(at, (exact_point){from.x * c - from.y * t, from.x * t + from.y * c}, s->half);
    }
    add_polygon(s, points, steps + 2);
}

static void add_sweep(stroker *s, exact_point p, exact_point p_direction, exact_point q, exact_point q_direction)
{
    exact_point pn = left_of(p_direction), qn = left_of(q_direction);
    exact_point corners[4] = {along(p, pn, s->half), along(q, qn, s->half), along(q, qn, -s->half),
                              along(p, pn, -s->half)};
    bool positive = false, negative = false;
    for (int i = 0; i < 4; i++) {
        double turn = cross(minus(corners[(i + 1) % 4], corners[i]), minus(corners[(i + 2) % 4], corners[(i + 1) % 4]));
        positive |= turn > 0;
        negative |= turn < 0;
    }
    if (!(positive && negative)) {
        add_polygon(s, corners, 4);
        return;
    }
    exact_point halves[4][3] = {
        {p, q, corners[1]}, {p, corners[1], corners[0]}, {p, q, corners[2]}, {p, corners[2], corners[3]}};
    for (int i = 0; i < 4; i++)
        add_polygon(s, halves[i], 3);
}

static void add_join(stroker *s, const node *n)
{
    double turn = cross(n->in, n->out), cosine = dot(n->in, n->out);
    if (turn == 0 && cosine > 0)
        return;
    double side = turn > 0 ? 1 : -1;
    exact_point from = along((exact_point){0, 0}, left_of(n->in), side),
                to = along((exact_point){0, 0}, left_of(n->out), side);
    if (!n->corner || s->style.join == STYLE_JOIN_ROUND) {
        add_sector(s, n->at, from, to, n->in);
        return;
    }
    exact_point points[4] = {n->at, along(n->at, from, s->half), along(n->at, to, s->half)};
    double limit = (double)s->style.miter_limit;
    bool pointed = s->style.join == STYLE_JOIN_MITER || s->style.join == STYLE_JOIN_MITER_CLIP;
    if (pointed && 2 <= limit * limit * (1 + cosine)) {
        points[3] = points[2];
        points[2] = along(n->at, (exact_point){from.x + to.x, from.y + to.y}, s->half / (1 + cosine));
        add_polygon(s, points, 4);
    } else if (s->style.join == STYLE_JOIN_MITER_CLIP) {
        /* The cut crosses the middle of the way from one normal to the other, `limit` half widths from the point. */
        double part = (limit - sqrt(fmax((1 + cosine) / 2, 0))) / sqrt(fmax((1 - cosine) / 2, 1e-12));
        exact_point cut[5] = {n->at, points[1], along(points[1], n->in, part * s->half),
                              along(points[2], n->out, -part * s->half), points[2]};
        add_polygon(s, cut, 5);
    } else {
        add_polygon(s, points, 3);
    }
}

/* Adds the cap at a point, in the direction that leads out of the stroke. */
static void add_cap(stroker *s, exact_point at, exact_point outward)
{
    exact_point left = left_of(outward), right = {-left.x, -left.y};
    if (s->style.cap == STYLE_CAP_ROUND) {
        add_sector(s, at, left, right, outward);
    } else if (s->style.cap == STYLE_CAP_SQUARE) {
        exact_point far = along(at, outward, s->half);
        exact_point corners[4] = {along(at, left, s->half), along(far, left, s->half), along(far, right, s->half),
                                  along(at, right, s->half)};
        add_polygon(s, corners, 4);
    }
}

static void add_caps(stroker *s, exact_point at, exact_point direction)
{
    add_cap(s, at, direction);
    add_cap(s, at, (exact_point){-direction.x, -direction.y});
}

static void add_node(stroker *s, node n)
{
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 256;
        node *nodes = realloc(s->nodes, capacity * sizeof *nodes);
        if (!nodes) {
            s->edges->failed = true;
            return;
        }
        s->nodes = nodes;
        s->capacity = capacity;
    }
    if (s->count) {
        node *last = &s->nodes[s->count - 1];
        n.length = last->length + hypot(n.at.x - last->at.x, n.at.y - last->at.y);
    }
    s->nodes[s->count++] = n;
}

static void split(const exact_point *p, double t, exact_point *left, exact_point *right)
{
    exact_point a = along(p[0], minus(p[1], p[0]), t), b = along(p[1], minus(p[2], p[1]), t),
                c = along(p[2], minus(p[3], p[2]), t);
    exact_point d = along(a, minus(b, a), t), e = along(b, minus(c, b), t), f = along(d, minus(e, d), t);
    exact_point l[4] = {p[0], a, d, f}, r[4] = {f, e, c, p[3]};
    for (int i = 0; i < 4; i++) {
        left[i] = l[i];
        right[i] = r[i];
    }
}

static exact_point start_direction(const exact_point *p)
{
    exact_point v = minus(p[1], p[0]);
    v = is_zero(v) ? minus(p[2], p[0]) : v;
    return unit(is_zero(v) ? minus(p[3], p[0]) : v);
}

static exact_point end_direction(const exact_point *p)
{
    exact_point v = minus(p[3], p[2]);
    v = is_zero(v) ? minus(p[3], p[1]) : v;
    return unit(is_zero(v) ? minus(p[3], p[0]) : v);
}

/* Adds the nodes of a curve after its first one. */
static void add_curve(stroker *s, const exact_point *p, int depth)
{
    exact_point start = start_direction(p), end = end_direction(p), chord = minus(p[3], p[0]);
    double reach = hypot(p[1].x - p[0].x, p[1].y - p[0].y) + hypot(p[2].x - p[1].x, p[2].y - p[1].y) +
                   hypot(p[3].x - p[2].x, p[3].y - p[2].y);
    double bend = fmax(hypot(p[0].x - 2 * p[1].x + p[2].x, p[0].y - 2 * p[1].y + p[2].y),
                       hypot(p[1].x - 2 * p[2].x + p[3].x, p[1].y - 2 * p[2].y + p[3].y));
    exact_point forward = unit(chord);
    bool straight = 0.75 * bend <= s->tolerance && dot(start, end) > 0 && fabs(cross(start, end)) <= s->step &&
                    dot(start, forward) > 0 && fabs(cross(start, forward)) <= s->step;
    if (straight || depth == MOST_SPLITS || reach == 0) {
        if (s->count)
            s->nodes[s->count - 1].out = start;
        /* A piece that cannot be split further and still turns is a cusp: the path arrives in one direction and leaves
         * in another. */
        add_node(s, (node){p[3], straight ? end : start, end, 0, false});
        return;
    }
    exact_point left[4], right[4];
    split(p, SPLIT, left, right);
    add_curve(s, left, depth + 1);
    add_curve(s, right, depth + 1);
}

static void stroke_open(stroker *s, const node *nodes, size_t count, bool joined)
{
    for (size_t i = 0; i + 1 < count; i++) {
        add_sweep(s, nodes[i].at, nodes[i].out, nodes[i + 1].at, nodes[i + 1].in);
        if (i)
            add_join(s, &nodes[i]);
    }
    if (!joined) {
        add_cap(s, nodes[0].at, (exact_point){-nodes[0].out.x, -nodes[0].out.y});
        add_cap(s, nodes[count - 1].at, nodes[count - 1].in);
    }
}

static node node_at(const stroker *s, double length, size_t *index)
{
    while (*index + 2 < s->count && s->nodes[*index + 1].length <= length)
        ++*index;
    const node *p = &s->nodes[*index], *q = p + 1;
    double span = q->length - p->length, t = span > 0 ? (length - p->length) / span : 0;
    exact_point direction = unit(along(p->out, minus(q->in, p->out), t));
    return (node){along(p->at, minus(q->at, p->at), t), direction, direction, length, false};
}

/* Adds one dash from `start` to `end`. If `end` exceeds the length of the closed path, the dash continues over its
 * start. */
static bool stroke_dash(stroker *s, double start, double end, double total)
{
    size_t index = 0, low = 0, high = s->count - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(s->nodes[middle].length <= start ? &low : &high) = middle;
    }
    index = low;
    node first = node_at(s, start, &index);
    if (start == end) {
        if (s->style.cap != STYLE_CAP_BUTT)
            add_caps(s, first.at, first.out);
        return true;
    }
    bool wraps = end > total;
    node *nodes = malloc((2 * s->count + 4) * sizeof *nodes);
    size_t count = 0;
    if (!nodes)
        return false;
    nodes[count++] = first;
    for (index++; index + 1 < s->count && s->nodes[index].length < (wraps ? total : end); index++)
        nodes[count++] = s->nodes[index];
    if (wraps) {
        node seam = s->nodes[0];
        seam.in = s->nodes[s->count - 1].in;
        nodes[count++] = seam;
        end -= total;
        for (index = 1; index + 1 < s->count && s->nodes[index].length < end; index++)
            nodes[count++] = s->nodes[index];
    }
    index--;
    node last = node_at(s, end, &index);
    if (index + 1 < s->count && s->nodes[index].length == end && index)
        last.in = s->nodes[index].in;
    nodes[count++] = last;
    stroke_open(s, nodes, count, false);
    free(nodes);
    return true;
}

static double dash_length(const stroker *s, uint32_t dash)
{
    return (double)s->dash_ends[dash] - (dash > 0 ? (double)s->dash_ends[dash - 1] : 0);
}

static void stroke_dashed(stroker *s)
{
    double total = s->nodes[s->count - 1].length, period = (double)s->style.dash_period, before = 0;
    double phase = (double)s->style.dash_phase;
    uint32_t dash = 0;
    while (dash < s->style.dash_count &&
           (before + dash_length(s, dash) < phase || (before < phase && before + dash_length(s, dash) == phase))) {
        before += dash_length(s, dash++);
    }
    if (dash == s->style.dash_count) {
        dash = 0;
        before = 0;
        phase -= period;
    }
    double base = -phase;
    double start = 0, first_end = -1;
    bool started_on = dash % 2 == 0;
    while (start <= total) {
        double end = base + before + dash_length(s, dash);
        bool on = dash % 2 == 0;
        if (on && s->closed && start == 0 && started_on && first_end < 0) {
            first_end = end;
        } else if (on && end >= total && s->closed && started_on && start < total && end > start) {
            double wrap_end = total + first_end;
            s->edges->failed |= !stroke_dash(s, start, wrap_end, total);
            first_end = -1;
            started_on = false;
        } else if (on && (start < total || start == end)) {
            s->edges->failed |= !stroke_dash(s, start, fmin(end, total), total);
        }
        before += dash_length(s, dash);
        if (++dash == s->style.dash_count) {
            dash = 0;
            before = 0;
            base += period;
        }
        start = end;
    }
    if (started_on && first_end >= total) {
        node seam = s->nodes[0];
        seam.in = s->nodes[s->count - 1].in;
        stroke_open(s, s->nodes, s->count, true);
        add_join(s, &seam);
    } else if (started_on && first_end >= 0) {
        s->edges->failed |= !stroke_dash(s, 0, first_end, total);
    }
}

/* Returns whether the pattern starts inside a dash. */
static bool starts_on(const stroker *s)
{
    double before = 0, phase = (double)s->style.dash_phase;
    for (uint32_t i = 0; i < s->style.dash_count; i++) {
        double end = before + dash_length(s, i);
        if (phase < end || (phase == before && phase == end))
            return i % 2 == 0;
        before = end;
    }
    return true;
}

static void stroke_subpath(stroker *s)
{
    if (s->count < 2) {
        if (s->style.cap != STYLE_CAP_BUTT && starts_on(s))
            add_caps(s, s->origin, (exact_point){1, 0});
    } else if (s->style.dash_count) {
        stroke_dashed(s);
    } else {
        stroke_open(s, s->nodes, s->count, s->closed);
        if (s->closed) {
            node seam = s->nodes[0];
            seam.in = s->nodes[s->count - 1].in;
            add_join(s, &seam);
        }
    }
}

static double seen_length(const stroker *s, exact_point v)
{
    return fmax(fabs(s->matrix.a * v.x + s->matrix.c * v.y), fabs(s->matrix.b * v.x + s->matrix.d * v.y));
}

/* The definition has one exception: control points that can hardly be told from the curve's end give it no direction
 * there. `p` runs away from that end. */
static void hide_short_handles(const stroker *s, exact_point *p[4])
{
    double first = seen_length(s, minus(*p[1], *p[0])), second = seen_length(s, minus(*p[2], *p[0])),
           end = seen_length(s, minus(*p[3], *p[0]));
    if (first < 0.2 && first < fmax(second, end) / 64) {
        *p[1] = *p[0];
        if (second < 0.2 && second < end / 64)
            *p[2] = *p[0];
    }
}

/* Adds a corner of the join `arcs`, which the stream holds as a shape to be filled. Its winding is correct in path
 * space. */
static void add_corner_segment(const stroker *s, const exact_segment *segment)
{
    exact_point device[4];
    bool mirrored = s->matrix.a * s->matrix.d - s->matrix.b * s->matrix.c < 0;
    for (int i = 0; i < 4; i++)
        device[i] = exact_matrix_apply(s->matrix, segment->points[i]);
    exact_point last = device[0];
    int pieces = segment->line ? 1 : 200;
    for (int i = 1; i <= pieces; i++) {
        exact_point to = i == pieces ? device[3] : exact_cubic_at(device, (double)i / pieces);
        exact_edges_add(s->edges, mirrored ? last : to, mirrored ? to : last);
        last = to;
    }
}

static void add_segment(stroker *s, const exact_segment *segment)
{
    exact_point p[4] = {segment->points[0], segment->points[1], segment->points[2], segment->points[3]};
    if (!segment->line) {
        hide_short_handles(s, (exact_point *[4]){&p[0], &p[1], &p[2], &p[3]});
        hide_short_handles(s, (exact_point *[4]){&p[3], &p[2], &p[1], &p[0]});
    }
    bool point = true;
    for (int i = 1; i < 4; i++)
        point &= p[i].x == p[0].x && p[i].y == p[0].y;
    if (point)
        return;
    if (!s->count) {
        exact_point out = segment->line ? unit(minus(p[3], p[0])) : start_direction(p);
        add_node(s, (node){p[0], out, out, 0, true});
    }
    s->nodes[s->count - 1].corner = true;
    if (segment->line) {
        exact_point direction = unit(minus(p[3], p[0]));
        s->nodes[s->count - 1].out = direction;
        add_node(s, (node){p[3], direction, direction, 0, false});
    } else {
        add_curve(s, p, 0);
    }
}

void exact_stroke(const exact_stream *stream, uint32_t path, uint32_t style, exact_matrix matrix, exact_edges *edges)
{
    stroker s = {.edges = edges, .matrix = matrix, .style = exact_stream_style(stream, style)};
    s.dash_ends = (const float *)(const void *)(stream->words + stream->header.dashes + s.style.first_dash);
    s.half = (double)s.style.half_width;
    double scale = sqrt(matrix.a * matrix.a + matrix.b * matrix.b + matrix.c * matrix.c + matrix.d * matrix.d);
    s.tolerance = EXACT_TOLERANCE / scale;
    s.step = fmin(sqrt(8 * s.tolerance / s.half), 0.1);
    exact_walk walk = exact_walk_start(stream, path);
    exact_segment segment;
    while (exact_walk_next(&walk, &segment)) {
        if (segment.corner && s.style.dash_count == 0) {
            add_corner_segment(&s, &segment);
            continue;
        }
        if (segment.first) {
            s.count = 0;
            s.closed = segment.closed;
            s.origin = segment.points[0];
        }
        add_segment(&s, &segment);
        if (segment.last && !edges->failed)
            stroke_subpath(&s);
    }
    free(s.nodes);
}
