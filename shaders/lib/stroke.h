/* Strokes as closed outlines whose every part winds the same way, so that the non-zero rule paints their union.
 *
 * The definition is D. Nehab, "Converting stroked primitives to filled primitives", 2020: what the pen, a segment along the
 * normal, sweeps. A segment of a path is sampled; between two samples each half of the pen sweeps a quadrilateral from the spine
 * to the offset curve. All quadrilaterals turn the same way but those on the inside of a bend tighter than the pen: these are
 * replaced by two triangles that are turned right. Joins add the wedge on the outside and pass through the vertex on the inside.
 * Every vertex is one function of (point, normal, side), so neighbours that compute it apart agree to the last bit.
 *
 * Lengths and normals live in the path's own space, vertices in pixels. The includer has defined flatten_sink and sink_line. */
#ifndef PIETRA_LIB_STROKE_H
#define PIETRA_LIB_STROKE_H

#include "../layout/stream.h"
#include "sink.h"

#define DIRECTIONS 1024            /* of the circle that round joins and caps take their vertices from */
#define DIRECTIONS_QUARTER 256

STRUCT(pen) {
    affine matrix;
    float half_width;
    float radius;              /* pixels, at most: half_width times the matrix' largest stretch, or a little more */
    float turn_cosine;         /* a bend sharper than this, between two samples, is rounded */
    int direction_step;        /* round joins and caps use every direction_step-th direction */
    float orientation;         /* sign of the area of a quadrilateral that is turned right */
    uint cap;
    uint join;
    float miter_limit;
};

/* sin(pi / 2 x), 0 <= x <= 1, by its power series: an error below 1e-7. */
SHARED_FUNCTION float quarter_sine(float x)
{
    PRECISE float x2 = x * x;
    PRECISE float sum = -3.5988432e-6f;
    sum = sum * x2 + 1.6044118e-4f;
    sum = sum * x2 - 4.6817541e-3f;
    sum = sum * x2 + 7.9692626e-2f;
    sum = sum * x2 - 6.4596409e-1f;
    sum = sum * x2 + 1.5707963f;
    sum = sum * x;
    return sum;
}

/* Direction k of DIRECTIONS, turning from x towards y. */
SHARED_FUNCTION point direction_of(int k)
{
    int quarter = (k >> 8) & 3;
    int rest = k & (DIRECTIONS_QUARTER - 1);
    PRECISE float fraction = TO_FLOAT(rest) * (1.0f / 256.0f);
    PRECISE float opposite = 1.0f - fraction;
    float sine = quarter_sine(fraction);
    float cosine = quarter_sine(opposite);
    if (quarter == 0) {
        return point_of(cosine, sine);
    }
    if (quarter == 1) {
        return point_of(-sine, cosine);
    }
    if (quarter == 2) {
        return point_of(-cosine, -sine);
    }
    return point_of(sine, -cosine);
}

/* The last direction that is not beyond v. */
SHARED_FUNCTION int direction_before(point v)
{
    int quarter = 3;
    float u = -v.y;
    float w = v.x;
    if (v.x > 0.0f && v.y >= 0.0f) {
        quarter = 0;
        u = v.x;
        w = v.y;
    } else if (v.x <= 0.0f && v.y > 0.0f) {
        quarter = 1;
        u = v.y;
        w = -v.x;
    } else if (v.x < 0.0f && v.y <= 0.0f) {
        quarter = 2;
        u = -v.x;
        w = -v.y;
    }
    int low = 0;
    int high = DIRECTIONS_QUARTER;
    while (high - low > 1) {
        int middle = (low + high) >> 1;
        point d = direction_of(middle);
        PRECISE float cross_product = d.x * w - d.y * u;
        if (cross_product >= 0.0f) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return quarter * DIRECTIONS_QUARTER + low;
}

SHARED_FUNCTION pen pen_make(affine matrix, stream_style style)
{
    pen made;
    made.matrix = matrix;
    made.half_width = style.half_width;
    PRECISE float stretch = matrix.a * matrix.a + matrix.b * matrix.b + matrix.c * matrix.c + matrix.d * matrix.d;
    PRECISE float radius = style.half_width * square_root(float_min(stretch, 1.0e30f));
    made.radius = radius;
    /* A chord over an n-th of a circle of radius r strays by r pi^2 / (2 n^2): at most 0.1 pixel. */
    PRECISE float least = 49.35f * radius;
    int count = 8;
    while (count < DIRECTIONS && TO_FLOAT(count * count) < least) {
        count = count * 2;
    }
    made.direction_step = DIRECTIONS / count;
    made.turn_cosine = direction_of(made.direction_step).x;
    PRECISE float determinant = matrix.a * matrix.d - matrix.b * matrix.c;
    made.orientation = determinant < 0.0f ? 1.0f : -1.0f;
    made.cap = style.cap;
    made.join = style.join;
    made.miter_limit = style.miter_limit;
    return made;
}

/* The vertex at reach * half_width along a normal. */
SHARED_FUNCTION point pen_vertex(pen p, point at, float normal_x, float normal_y)
{
    PRECISE float x = at.x + normal_x * p.half_width;
    PRECISE float y = at.y + normal_y * p.half_width;
    return affine_apply(p.matrix, x, y);
}

SHARED_FUNCTION float turned_area(point a, point b, point c)
{
    PRECISE float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    return area;
}

SHARED_FUNCTION void sink_triangle(INOUT(flatten_sink) sink, float orientation, point a, point b, point c)
{
    PRECISE float facing = turned_area(a, b, c) * orientation;
    if (facing >= 0.0f) {
        sink_edge(sink, a, b);
        sink_edge(sink, b, c);
        sink_edge(sink, c, a);
    } else {
        sink_edge(sink, a, c);
        sink_edge(sink, c, b);
        sink_edge(sink, b, a);
    }
}

/* What half of the pen sweeps, spine0 -> rim0 -> rim1 -> spine1: its rim. The other three sides cancel against the neighbours'. */
SHARED_FUNCTION void stroke_half(INOUT(flatten_sink) sink, pen p, point spine0, point rim0, point rim1, point spine1)
{
    PRECISE float along = (rim1.x - rim0.x) * (spine1.x - spine0.x) + (rim1.y - rim0.y) * (spine1.y - spine0.y);
    PRECISE float area = (rim1.x - spine0.x) * (spine1.y - rim0.y) - (rim1.y - spine0.y) * (spine1.x - rim0.x);
    PRECISE float facing = area * p.orientation;
    if (along >= 0.0f && facing >= 0.0f) {
        sink_edge(sink, rim0, rim1);
        return;
    }
    sink_edge(sink, rim0, spine0);
    sink_edge(sink, spine0, spine1);
    sink_edge(sink, spine1, rim1);
    sink_triangle(sink, p.orientation, spine0, spine1, rim1);
    sink_triangle(sink, p.orientation, spine0, rim1, rim0);
}

SHARED_FUNCTION void stroke_quad(INOUT(flatten_sink) sink, pen p, point from, point from_normal, point to, point to_normal)
{
    point spine0 = affine_apply(p.matrix, from.x, from.y);
    point spine1 = affine_apply(p.matrix, to.x, to.y);
    stroke_half(sink, p, spine0, pen_vertex(p, from, from_normal.x, from_normal.y), pen_vertex(p, to, to_normal.x, to_normal.y), spine1);
    stroke_half(sink, p, spine1, pen_vertex(p, to, -to_normal.x, -to_normal.y), pen_vertex(p, from, -from_normal.x, -from_normal.y), spine0);
}

/* Between two samples; a sharp bend is turned through the directions in between, while the centre moves along the chord. */
SHARED_FUNCTION void stroke_piece(INOUT(flatten_sink) sink, pen p, point from, point from_normal, point to, point to_normal)
{
    PRECISE float cosine = from_normal.x * to_normal.x + from_normal.y * to_normal.y;
    if (cosine >= p.turn_cosine) {
        stroke_quad(sink, p, from, from_normal, to, to_normal);
        return;
    }
    PRECISE float sine = from_normal.x * to_normal.y - from_normal.y * to_normal.x;
    int k0 = direction_before(from_normal);
    int k1 = direction_before(to_normal);
    int span = sine >= 0.0f ? (k1 - k0) & (DIRECTIONS - 1) : (k0 - k1) & (DIRECTIONS - 1);
    int turn = sine >= 0.0f ? 1 : -1;
    int steps = span / p.direction_step;
    PRECISE float part = reciprocal(TO_FLOAT(steps + 1));
    PRECISE float dx = to.x - from.x;
    PRECISE float dy = to.y - from.y;
    point at = from;
    point normal = from_normal;
    for (int i = 1; i <= steps; i++) {
        PRECISE float t = TO_FLOAT(i) * part;
        PRECISE float x = from.x + dx * t;
        PRECISE float y = from.y + dy * t;
        point next = point_of(x, y);
        point next_normal = direction_of(k0 + turn * i * p.direction_step);
        stroke_quad(sink, p, at, normal, next, next_normal);
        at = next;
        normal = next_normal;
    }
    stroke_quad(sink, p, at, normal, to, to_normal);
}

/* The rim from direction start to direction end, turning backwards (from y towards x), about a centre. */
SHARED_FUNCTION void stroke_fan(INOUT(flatten_sink) sink, pen p, point centre, point start, point end)
{
    int k0 = direction_before(start);
    int span = (k0 - direction_before(end)) & (DIRECTIONS - 1);
    if (span > DIRECTIONS / 2 + 64) {
        span = 0; /* no fan turns that far: the ends are equal but for rounding */
    }
    point from = pen_vertex(p, centre, start.x, start.y);
    for (int offset = k0 % p.direction_step; offset < span; offset += p.direction_step) {
        point direction = direction_of(k0 - offset);
        point to = pen_vertex(p, centre, direction.x, direction.y);
        sink_edge(sink, from, to);
        from = to;
    }
    sink_edge(sink, from, pen_vertex(p, centre, end.x, end.y));
}

/* The end of an open stroke, from normal round to -normal; for its start give -normal. */
SHARED_FUNCTION void stroke_cap(INOUT(flatten_sink) sink, pen p, point at, point normal)
{
    if (p.cap == STYLE_CAP_ROUND) {
        stroke_fan(sink, p, at, normal, point_of(-normal.x, -normal.y));
        return;
    }
    point from = pen_vertex(p, at, normal.x, normal.y);
    point to = pen_vertex(p, at, -normal.x, -normal.y);
    if (p.cap == STYLE_CAP_BUTT) {
        sink_edge(sink, from, to);
        return;
    }
    PRECISE float x0 = normal.x + normal.y;
    PRECISE float y0 = normal.y - normal.x;
    PRECISE float x1 = normal.y - normal.x;
    PRECISE float y1 = -normal.x - normal.y;
    point corner0 = pen_vertex(p, at, x0, y0);
    point corner1 = pen_vertex(p, at, x1, y1);
    sink_edge(sink, from, corner0);
    sink_edge(sink, corner0, corner1);
    sink_edge(sink, corner1, to);
}

SHARED_FUNCTION void stroke_dot(INOUT(flatten_sink) sink, pen p, point at)
{
    if (p.cap != STYLE_CAP_BUTT) {
        stroke_cap(sink, p, at, point_of(0.0f, 1.0f));
        stroke_cap(sink, p, at, point_of(0.0f, -1.0f));
    }
}

/* The outside of a join, from normal start to normal end, turning backwards. */
SHARED_FUNCTION void stroke_wedge(INOUT(flatten_sink) sink, pen p, point at, point start, point end)
{
    if (p.join == STYLE_JOIN_ROUND) {
        stroke_fan(sink, p, at, start, end);
        return;
    }
    point from = pen_vertex(p, at, start.x, start.y);
    point to = pen_vertex(p, at, end.x, end.y);
    PRECISE float one_plus_cosine = 1.0f + (start.x * end.x + start.y * end.y);
    PRECISE float reach = p.miter_limit * p.miter_limit * one_plus_cosine;
    if (p.join == STYLE_JOIN_MITER && reach >= 2.0f && one_plus_cosine > 1.0e-6f) {
        PRECISE float stretch = reciprocal(one_plus_cosine);
        PRECISE float x = (start.x + end.x) * stretch;
        PRECISE float y = (start.y + end.y) * stretch;
        point tip = pen_vertex(p, at, x, y);
        sink_edge(sink, from, tip);
        sink_edge(sink, tip, to);
        return;
    }
    sink_edge(sink, from, to);
}

/* From the end of one segment, with its normal, to the start of the next. */
SHARED_FUNCTION void stroke_join(INOUT(flatten_sink) sink, pen p, point at, point before, point after)
{
    point left_before = pen_vertex(p, at, before.x, before.y);
    point left_after = pen_vertex(p, at, after.x, after.y);
    point right_before = pen_vertex(p, at, -before.x, -before.y);
    point right_after = pen_vertex(p, at, -after.x, -after.y);
    PRECISE float cosine = before.x * after.x + before.y * after.y;
    PRECISE float sine = before.x * after.y - before.y * after.x;
    PRECISE float opening = float_abs(sine) * p.radius;
    if (cosine > 0.0f && opening < 0.04f) {
        sink_edge(sink, left_before, left_after);
        sink_edge(sink, right_after, right_before);
        return;
    }
    point pivot = affine_apply(p.matrix, at.x, at.y);
    if (sine >= 0.0f) {
        sink_edge(sink, left_before, pivot);
        sink_edge(sink, pivot, left_after);
        stroke_wedge(sink, p, at, point_of(-after.x, -after.y), point_of(-before.x, -before.y));
    } else {
        sink_edge(sink, right_after, pivot);
        sink_edge(sink, pivot, right_before);
        stroke_wedge(sink, p, at, before, after);
    }
}

/* One segment of a path and what it has at its ends. */
STRUCT(stroke_segment) {
    curve local;               /* path space */
    bool dot;                  /* its subpath has no length */
    bool starts;               /* it has no predecessor: a cap */
    bool ends;                 /* it has no successor: a cap */
    point next_tangent;        /* where it has one: direction in which it leaves */
};

SHARED_FUNCTION point segment_normal(curve local, uint i, uint pieces, float step)
{
    if (i == 0u) {
        return unit_normal(curve_start_tangent(local));
    }
    if (i == pieces) {
        return unit_normal(curve_end_tangent(local));
    }
    PRECISE float t = TO_FLOAT(i) * step;
    return unit_normal(curve_tangent(local, t));
}

SHARED_FUNCTION point segment_point(curve local, uint i, uint pieces, float step)
{
    if (i == 0u) {
        return point_of(local.x0, local.y0);
    }
    if (i == pieces) {
        return point_of(local.x3, local.y3);
    }
    PRECISE float t = TO_FLOAT(i) * step;
    return curve_point(local, t);
}

SHARED_FUNCTION void sink_stroke(INOUT(flatten_sink) sink, pen p, stroke_segment segment)
{
    curve local = segment.local;
    point from = point_of(local.x0, local.y0);
    if (segment.dot) {
        stroke_dot(sink, p, from);
        return;
    }
    uint pieces = curve_pieces(curve_transform(p.matrix, local));
    PRECISE float step = reciprocal(TO_FLOAT(pieces));
    point normal = segment_normal(local, 0u, pieces, step);
    if (segment.starts) {
        stroke_cap(sink, p, from, point_of(-normal.x, -normal.y));
    }
    for (uint i = 1u; i <= pieces; i++) {
        point to = segment_point(local, i, pieces, step);
        point to_normal = segment_normal(local, i, pieces, step);
        stroke_piece(sink, p, from, normal, to, to_normal);
        from = to;
        normal = to_normal;
    }
    if (segment.ends) {
        stroke_cap(sink, p, from, normal);
    } else {
        stroke_join(sink, p, from, normal, unit_normal(segment.next_tangent));
    }
}

/* Without work for a segment that lies, with all it paints, above, below or right of the box. */
SHARED_FUNCTION void sink_stroke_in_sight(INOUT(flatten_sink) sink, pen p, stroke_segment segment, tile_box box)
{
    curve device = curve_transform(p.matrix, segment.local);
    PRECISE float reach = p.radius * float_max(p.join == STYLE_JOIN_MITER ? p.miter_limit : 1.0f, 1.5f) + 1.0f;
    float right = TO_FLOAT(box.x1 * TILE_SIDE) + reach;
    float top = TO_FLOAT(box.y0 * TILE_SIDE) - reach;
    float bottom = TO_FLOAT(box.y1 * TILE_SIDE) + reach;
    float x_least = float_min(float_min(device.x0, device.x1), float_min(device.x2, device.x3));
    float y_least = float_min(float_min(device.y0, device.y1), float_min(device.y2, device.y3));
    float y_most = float_max(float_max(device.y0, device.y1), float_max(device.y2, device.y3));
    if (x_least > right || y_most < top || y_least > bottom) {
        return;
    }
    sink_stroke(sink, p, segment);
}

#endif
