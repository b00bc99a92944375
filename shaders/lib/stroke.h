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

/* The includer may have a table of them. */
#ifndef DIRECTION
#define DIRECTION(k) direction_of(k)
#endif

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
        point d = DIRECTION(middle);
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
    made.turn_cosine = DIRECTION(made.direction_step).x;
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

/* A quadrilateral of the stroke between two places. What half of the pen sweeps, spine0 -> rim0 -> rim1 -> spine1, is its rim alone:
 * the other three sides cancel against the neighbours'. Where it is not turned right its outline is drawn in full, and two triangles
 * that are: of the bow tie that the half makes in a bend tighter than the pen, whose ends cross, its two wings. */
STRUCT(stroke_section) {
    point spine, left, right;  /* pixels */
};

SHARED_FUNCTION stroke_section section_at(pen p, point at, point normal)
{
    stroke_section section;
    section.spine = affine_apply(p.matrix, at.x, at.y);
    section.left = pen_vertex(p, at, normal.x, normal.y);
    section.right = pen_vertex(p, at, -normal.x, -normal.y);
    return section;
}

/* The vertices of a half in order, two bits each, the first in the low ones. */
#define HALF_SPINE0 0u
#define HALF_RIM0 1u
#define HALF_RIM1 2u
#define HALF_SPINE1 3u
#define HALF_RIM_ONLY 2u           /* vertices of a half that is turned right */
#define HALF_IN_FULL 11u           /* vertices of one that is not; the pen is lifted before the fifth */
#define HALF_LIFTED 4u
#define HALF_CROSSED 0x80000000u   /* in the vertices: both triangles start where the pen's two places cross, not at HALF_SPINE0 */
#define HALF_VERTICES(a, b, c, d) ((a) | ((b) << 2) | ((c) << 4) | ((d) << 6))

STRUCT(stroke_half) {
    uint count;
    uint vertices;
};

/* b and c of a triangle a, b, c as two vertices, so that a, b, c is turned right. */
SHARED_FUNCTION uint triangle_vertices(float orientation, point a, point b, uint b_vertex, point c, uint c_vertex)
{
    PRECISE float facing = turned_area(a, b, c) * orientation;
    return facing >= 0.0f ? b_vertex | (c_vertex << 2) : c_vertex | (b_vertex << 2);
}

/* Where the pen's places at the two ends of a half cross. */
STRUCT(pen_crossing) {
    bool there;
    point at;
};

SHARED_FUNCTION pen_crossing crossing_of(point spine0, point rim0, point rim1, point spine1)
{
    PRECISE float dx0 = rim0.x - spine0.x;
    PRECISE float dy0 = rim0.y - spine0.y;
    PRECISE float dx1 = rim1.x - spine1.x;
    PRECISE float dy1 = rim1.y - spine1.y;
    PRECISE float dx = spine1.x - spine0.x;
    PRECISE float dy = spine1.y - spine0.y;
    PRECISE float area = dx0 * dy1 - dy0 * dx1;
    PRECISE float along0 = dx * dy1 - dy * dx1;
    PRECISE float along1 = dx * dy0 - dy * dx0;
    float sign = area < 0.0f ? -1.0f : 1.0f;
    area = area * sign;
    along0 = along0 * sign;
    along1 = along1 * sign;
    pen_crossing crossing;
    crossing.there = area > 1.0e-12f && area < 1.0e30f && along0 >= 0.0f && along0 <= area && along1 >= 0.0f && along1 <= area;
    crossing.at = spine0;
    if (crossing.there) {
        PRECISE float part = along0 * reciprocal(area);
        PRECISE float x = spine0.x + dx0 * part;
        PRECISE float y = spine0.y + dy0 * part;
        crossing.at = point_of(x, y);
    }
    return crossing;
}

SHARED_FUNCTION stroke_half half_of(float orientation, point spine0, point rim0, point rim1, point spine1)
{
    PRECISE float along = (rim1.x - rim0.x) * (spine1.x - spine0.x) + (rim1.y - rim0.y) * (spine1.y - spine0.y);
    PRECISE float area = (rim1.x - spine0.x) * (spine1.y - rim0.y) - (rim1.y - spine0.y) * (spine1.x - rim0.x);
    PRECISE float facing = area * orientation;
    stroke_half made;
    if (along >= 0.0f && facing >= 0.0f) {
        made.count = HALF_RIM_ONLY;
        made.vertices = HALF_VERTICES(HALF_RIM0, HALF_RIM1, 0u, 0u);
        return made;
    }
    made.count = HALF_IN_FULL;
    uint outline = HALF_VERTICES(HALF_RIM0, HALF_SPINE0, HALF_SPINE1, HALF_RIM1);
    pen_crossing crossing = crossing_of(spine0, rim0, rim1, spine1);
    if (crossing.there) {
        uint near_wing = triangle_vertices(orientation, crossing.at, spine0, HALF_SPINE0, spine1, HALF_SPINE1);
        uint far_wing = triangle_vertices(orientation, crossing.at, rim1, HALF_RIM1, rim0, HALF_RIM0);
        made.vertices = outline | (near_wing << 10) | (far_wing << 16) | HALF_CROSSED;
        return made;
    }
    uint first = triangle_vertices(orientation, spine0, spine1, HALF_SPINE1, rim1, HALF_RIM1);
    uint second = triangle_vertices(orientation, spine0, rim1, HALF_RIM1, rim0, HALF_RIM0);
    made.vertices = outline | (first << 10) | (second << 16); /* HALF_SPINE0 before, between and after them */
    return made;
}

STRUCT(stroke_quad) {
    stroke_section from, to;
    stroke_half left, right;
};

/* None: it has only been to this section. */
SHARED_FUNCTION stroke_quad quad_at(stroke_section section)
{
    stroke_quad quad;
    quad.from = section;
    quad.to = section;
    quad.left.count = 0u;
    quad.left.vertices = 0u;
    quad.right = quad.left;
    return quad;
}

SHARED_FUNCTION stroke_quad quad_between(pen p, stroke_section from, stroke_section to)
{
    stroke_quad quad;
    quad.from = from;
    quad.to = to;
    quad.left = half_of(p.orientation, from.spine, from.left, to.left, to.spine);
    quad.right = half_of(p.orientation, to.spine, to.right, from.right, from.spine);
    return quad;
}

SHARED_FUNCTION point quad_vertex(stroke_quad quad, uint i)
{
    bool left = i < quad.left.count;
    uint within = left ? i : i - quad.left.count;
    uint vertices = left ? quad.left.vertices : quad.right.vertices;
    if ((vertices & HALF_CROSSED) != 0u && (within == 4u || within == 7u || within == 10u)) {
        if (left) {
            return crossing_of(quad.from.spine, quad.from.left, quad.to.left, quad.to.spine).at;
        }
        return crossing_of(quad.to.spine, quad.to.right, quad.from.right, quad.from.spine).at;
    }
    uint vertex = (vertices >> (2u * within)) & 3u;
    bool at_start = left ? vertex < HALF_RIM1 : vertex >= HALF_RIM1;
    stroke_section section = quad.from;
    if (!at_start) {
        section = quad.to;
    }
    if (vertex == HALF_SPINE0 || vertex == HALF_SPINE1) {
        return section.spine;
    }
    if (left) {
        return section.left;
    }
    return section.right;
}

SHARED_FUNCTION bool quad_lifts(stroke_quad quad, uint i)
{
    uint within = i < quad.left.count ? i : i - quad.left.count;
    return within == 0u || within == HALF_LIFTED;
}

/* The way round a point: the rim from one normal to another, turning backwards (from y towards x), and before it, at a join, the
 * inside, which passes through the point itself. */
STRUCT(stroke_turn) {
    point at;
    point start, end;          /* of the rim */
    point tip;                 /* TURN_TIP: times half_width, from the point */
    uint inside;               /* vertices of the inside: 0, 2 or 3 */
    uint rim;                  /* TURN_* */
    int direction;             /* TURN_FAN: of its first vertex after the start */
    uint count;                /* vertices in all */
};
#define TURN_STRAIGHT 0u
#define TURN_TIP 1u
#define TURN_SQUARE 2u
#define TURN_FAN 3u

SHARED_FUNCTION stroke_turn turn_straight(point at, point start, point end)
{
    stroke_turn turn;
    turn.at = at;
    turn.start = start;
    turn.end = end;
    turn.tip = start;
    turn.inside = 0u;
    turn.rim = TURN_STRAIGHT;
    turn.direction = 0;
    turn.count = 2u;
    return turn;
}

SHARED_FUNCTION stroke_turn turn_by_fan(pen p, stroke_turn straight)
{
    stroke_turn turn = straight;
    int k0 = direction_before(turn.start);
    int span = (k0 - direction_before(turn.end)) & (DIRECTIONS - 1);
    if (span > DIRECTIONS / 2 + 64) {
        span = 0; /* no fan turns that far: the ends are equal but for rounding */
    }
    int offset = k0 % p.direction_step;
    turn.rim = TURN_FAN;
    turn.direction = k0 - offset;
    turn.count = turn.count + (offset < span ? TO_UINT((span - offset + p.direction_step - 1) / p.direction_step) : 0u);
    return turn;
}

/* The end of an open stroke, from normal round to -normal; for its start give -normal. */
SHARED_FUNCTION stroke_turn turn_cap(pen p, point at, point normal)
{
    stroke_turn turn = turn_straight(at, normal, point_of(-normal.x, -normal.y));
    if (p.cap == STYLE_CAP_SQUARE) {
        turn.rim = TURN_SQUARE;
        turn.count = 4u;
    } else if (p.cap == STYLE_CAP_ROUND) {
        turn = turn_by_fan(p, turn);
    }
    return turn;
}

SHARED_FUNCTION stroke_turn turn_by_miter(pen p, stroke_turn straight)
{
    stroke_turn turn = straight;
    PRECISE float one_plus_cosine = 1.0f + (turn.start.x * turn.end.x + turn.start.y * turn.end.y);
    PRECISE float reach = p.miter_limit * p.miter_limit * one_plus_cosine;
    if (reach >= 2.0f && one_plus_cosine > 1.0e-6f) {
        PRECISE float stretch = reciprocal(one_plus_cosine);
        PRECISE float x = (turn.start.x + turn.end.x) * stretch;
        PRECISE float y = (turn.start.y + turn.end.y) * stretch;
        turn.tip = point_of(x, y);
        turn.rim = TURN_TIP;
        turn.count = turn.count + 1u;
    }
    return turn;
}

/* From the end of one segment, with its normal, to the start of the next. */
SHARED_FUNCTION stroke_turn turn_join(pen p, point at, point before, point after)
{
    PRECISE float cosine = before.x * after.x + before.y * after.y;
    PRECISE float sine = before.x * after.y - before.y * after.x;
    PRECISE float opening = float_abs(sine) * p.radius;
    stroke_turn turn = turn_straight(at, point_of(-after.x, -after.y), point_of(-before.x, -before.y));
    if (cosine > 0.0f && opening < 0.04f) {
        turn.inside = 2u;
    } else {
        if (sine < 0.0f) {
            turn.start = before;
            turn.end = after;
        }
        if (p.join == STYLE_JOIN_ROUND) {
            turn = turn_by_fan(p, turn);
        } else if (p.join == STYLE_JOIN_MITER) {
            turn = turn_by_miter(p, turn);
        }
        turn.inside = 3u;
    }
    turn.count = turn.count + turn.inside;
    return turn;
}

/* The corners of a square cap, 1 and 2. */
SHARED_FUNCTION point square_corner(point normal, uint corner)
{
    PRECISE float x0 = normal.x + normal.y;
    PRECISE float y0 = normal.y - normal.x;
    PRECISE float x1 = normal.y - normal.x;
    PRECISE float y1 = -normal.x - normal.y;
    return corner == 1u ? point_of(x0, y0) : point_of(x1, y1);
}

SHARED_FUNCTION bool turn_lifts(stroke_turn turn, uint i) { return i == 0u || i == turn.inside; }

/* One that the pen is lifted for. */
SHARED_FUNCTION point turn_lifted_vertex(pen p, stroke_turn turn, uint i)
{
    point normal = turn.start;
    if (i < turn.inside) {
        normal = point_of(-turn.end.x, -turn.end.y);
    }
    return pen_vertex(p, turn.at, normal.x, normal.y);
}

/* One that the pen draws to. */
SHARED_FUNCTION point turn_vertex(pen p, stroke_turn turn, uint i)
{
    point normal = turn.end;
    if (i < turn.inside) {
        if (i + 1u == turn.inside) {
            normal = point_of(-turn.start.x, -turn.start.y);
        } else {
            normal = point_of(0.0f, 0.0f);
        }
    } else if (i + 1u < turn.count) {
        uint along = i - turn.inside;
        if (turn.rim == TURN_FAN) {
            normal = DIRECTION(turn.direction - TO_INT(along - 1u) * p.direction_step);
        } else if (turn.rim == TURN_TIP) {
            normal = turn.tip;
        } else {
            normal = square_corner(turn.start, along);
        }
    }
    return pen_vertex(p, turn.at, normal.x, normal.y);
}

/* One segment of a path and what it has at its ends. */
STRUCT(stroke_segment) {
    curve local;               /* path space */
    bool dot;                  /* its subpath has no length */
    bool starts;               /* it has no predecessor: a cap */
    bool ends;                 /* it has no successor: a cap */
    bool closes;               /* dashed: it ends where its closed subpath starts */
    point next_tangent;        /* where it has one: direction in which it leaves */
};

SHARED_FUNCTION point segment_normal(curve local, uint i, subdivision cut)
{
    if (i == 0u) {
        return unit_normal(curve_start_tangent(local));
    }
    if (i == cut.pieces) {
        return unit_normal(curve_end_tangent(local));
    }
    return unit_normal(curve_tangent(local, subdivision_at(cut, i)));
}

SHARED_FUNCTION point segment_point(curve local, uint i, subdivision cut)
{
    if (i == 0u) {
        return point_of(local.x0, local.y0);
    }
    if (i == cut.pieces) {
        return point_of(local.x3, local.y3);
    }
    return curve_point(local, subdivision_at(cut, i));
}

STRUCT(segment_place) {
    point at;
    point normal;
};

SHARED_FUNCTION segment_place segment_sample(curve local, uint i, subdivision cut)
{
    segment_place place;
    place.at = segment_point(local, i, cut);
    place.normal = segment_normal(local, i, cut);
    return place;
}

/* The includer may keep samples. */
#ifndef SEGMENT_SAMPLE
#define SEGMENT_SAMPLE(sink, local, i, cut) segment_sample(local, i, cut)
#endif

/* A stretch of a segment to paint, all of it or a dash: from one place over samples, its knots, to another, and what is at its
 * ends. */
STRUCT(stroke_stretch) {
    segment_place from, to;
    uint knot, knot_end;       /* those between the places */
    bool capped;               /* a cap at its start */
    bool turned;               /* a join or a cap at its end */
    bool joined;               /* a join */
};

/* Of a segment in so many pieces, those from first to end - 1. */
SHARED_FUNCTION stroke_stretch stretch_of_pieces(stroke_segment segment, uint first, uint end, subdivision cut)
{
    stroke_stretch stretch;
    stretch.from = segment_sample(segment.local, first, cut);
    stretch.to = segment_sample(segment.local, end, cut);
    stretch.knot = first + 1u;
    stretch.knot_end = end;
    stretch.capped = first == 0u && (segment.starts || segment.dot);
    stretch.turned = end == cut.pieces;
    stretch.joined = !segment.ends && !segment.dot;
    if (segment.dot) {
        stretch.from.normal = point_of(0.0f, -1.0f);
        stretch.to.normal = stretch.from.normal;
    }
    return stretch;
}

/* The way between two places. A sharp bend is turned through the directions in between, while the centre moves along the chord at
 * the same pace: ahead of it, the inside of a bend little wider than the pen would be swept backwards. */
STRUCT(stroke_bend) {
    segment_place from, to;
    int direction, turn;
    int i, steps;              /* places i to steps are between, steps + 1 is the last */
    float lead;                /* of the angle between the ends, what lies between the first and direction */
    float part;                /* of that angle, what one turn is */
};

/* None: it is over, here. */
SHARED_FUNCTION stroke_bend bend_at(segment_place place)
{
    stroke_bend bend;
    bend.from = place;
    bend.to = place;
    bend.direction = 0;
    bend.turn = 0;
    bend.i = 2;
    bend.steps = 0;
    bend.lead = 0.0f;
    bend.part = 1.0f;
    return bend;
}

/* The angle of v beyond direction k, the last before it, in steps from one direction to the next. */
SHARED_FUNCTION float angle_beyond(point v, int k)
{
    point d = DIRECTION(k);
    PRECISE float steps = (d.x * v.y - d.y * v.x) * 162.97466f; /* DIRECTIONS / (2 pi) */
    return steps;
}

SHARED_FUNCTION stroke_bend bend_between(pen p, segment_place from, segment_place to)
{
    PRECISE float cosine = from.normal.x * to.normal.x + from.normal.y * to.normal.y;
    stroke_bend bend = bend_at(from);
    bend.to = to;
    bend.i = 1;
    if (cosine >= p.turn_cosine) {
        return bend;
    }
    PRECISE float sine = from.normal.x * to.normal.y - from.normal.y * to.normal.x;
    int k0 = direction_before(from.normal);
    int k1 = direction_before(to.normal);
    int span = sine >= 0.0f ? (k1 - k0) & (DIRECTIONS - 1) : (k0 - k1) & (DIRECTIONS - 1);
    bend.direction = k0;
    bend.turn = sine >= 0.0f ? p.direction_step : -p.direction_step;
    bend.steps = span / p.direction_step;
    float before = angle_beyond(from.normal, k0);
    float after = angle_beyond(to.normal, k1);
    PRECISE float angle = TO_FLOAT(span) + (sine >= 0.0f ? after - before : before - after);
    PRECISE float inverse = reciprocal(float_max(angle, 0.5f));
    PRECISE float lead = (sine >= 0.0f ? before : -before) * inverse;
    PRECISE float part = TO_FLOAT(p.direction_step) * inverse;
    bend.lead = lead;
    bend.part = part;
    return bend;
}

SHARED_FUNCTION segment_place bend_place(stroke_bend bend)
{
    if (bend.i > bend.steps) {
        return bend.to;
    }
    PRECISE float t = TO_FLOAT(bend.i) * bend.part - bend.lead;
    t = float_max(float_min(t, 1.0f), 0.0f);
    PRECISE float dx = bend.to.at.x - bend.from.at.x;
    PRECISE float dy = bend.to.at.y - bend.from.at.y;
    PRECISE float x = bend.from.at.x + dx * t;
    PRECISE float y = bend.from.at.y + dy * t;
    segment_place place;
    place.at = point_of(x, y);
    place.normal = DIRECTION(bend.direction + bend.turn * bend.i);
    return place;
}

SHARED_FUNCTION stroke_turn stretch_end_turn(pen p, stroke_segment segment, stroke_stretch stretch)
{
    if (stretch.joined) {
        return turn_join(p, stretch.to.at, stretch.to.normal, unit_normal(segment.next_tangent));
    }
    return turn_cap(p, stretch.to.at, stretch.to.normal);
}

/* A fan beyond reach of a box is as good as the line between its ends: what lies above, below or right of it draws nothing, and of what
 * lies left only the heights of its ends count. */
SHARED_FUNCTION stroke_turn turn_in_sight(pen p, tile_box box, stroke_turn turn)
{
    if (turn.rim != TURN_FAN) {
        return turn;
    }
    point at = affine_apply(p.matrix, turn.at.x, turn.at.y);
    PRECISE float reach = p.radius * 1.5f + 1.0f;
    PRECISE float left = TO_FLOAT(box.x0 * TILE_SIDE) - reach;
    PRECISE float right = TO_FLOAT(box.x1 * TILE_SIDE) + reach;
    PRECISE float top = TO_FLOAT(box.y0 * TILE_SIDE) - reach;
    PRECISE float bottom = TO_FLOAT(box.y1 * TILE_SIDE) + reach;
    if (at.x >= left && at.x <= right && at.y >= top && at.y <= bottom) {
        return turn;
    }
    stroke_turn straight = turn;
    straight.rim = TURN_STRAIGHT;
    straight.count = turn.inside + 2u;
    return straight;
}

/* One line in each round of one loop: see sink_edge. */
SHARED_FUNCTION void sink_stretch(INOUT(flatten_sink) sink, pen p, tile_box box, stroke_segment segment, subdivision cut, stroke_stretch stretch)
{
    stroke_quad quad = quad_at(section_at(p, stretch.from.at, stretch.from.normal));
    stroke_turn turn = turn_straight(stretch.from.at, stretch.from.normal, stretch.from.normal);
    stroke_bend bend = bend_at(stretch.from);
    bool turning = stretch.capped;
    bool ending = false;
    uint knot = stretch.knot;
    uint i = 0u;               /* vertex of the quadrilateral or of the turn */
    uint count = 0u;
    if (stretch.capped) {
        turn = turn_in_sight(p, box, turn_cap(p, stretch.from.at, point_of(-stretch.from.normal.x, -stretch.from.normal.y)));
        count = turn.count;
    }
    point from = quad.to.spine;
    while (true) {
        if (i >= count) {
            i = 0u;
            if (ending) {
                break;
            }
            turning = bend.i > bend.steps + 1 && knot > stretch.knot_end;
            if (turning) {
                if (!stretch.turned) {
                    break;
                }
                turn = turn_in_sight(p, box, stretch_end_turn(p, segment, stretch));
                ending = true;
                count = turn.count;
            } else {
                if (bend.i > bend.steps + 1) {
                    segment_place next = stretch.to;
                    if (knot < stretch.knot_end) {
                        next = SEGMENT_SAMPLE(sink, segment.local, knot, cut);
                    }
                    bend = bend_between(p, bend.to, next);
                    knot++;
                }
                segment_place place = bend_place(bend);
                bend.i = bend.i + 1;
                quad = quad_between(p, quad.to, section_at(p, place.at, place.normal));
                count = quad.left.count + quad.right.count;
            }
        }
        point to;
        if (turning) {
            if (turn_lifts(turn, i)) {
                from = turn_lifted_vertex(p, turn, i);
                i++;
            }
            to = turn_vertex(p, turn, i);
        } else {
            if (quad_lifts(quad, i)) {
                from = quad_vertex(quad, i);
                i++;
            }
            to = quad_vertex(quad, i);
        }
        i++;
        sink_edge(sink, from, to);
        from = to;
    }
}

/* Whether a segment, with all it paints, is neither above, below nor right of the box. */
SHARED_FUNCTION bool stroke_is_in_sight(pen p, curve local, tile_box box)
{
    curve device = curve_transform(p.matrix, local);
    PRECISE float reach = p.radius * float_max(p.join == STYLE_JOIN_MITER ? p.miter_limit : 1.0f, 1.5f) + 1.0f;
    PRECISE float right = TO_FLOAT(box.x1 * TILE_SIDE) + reach;
    PRECISE float top = TO_FLOAT(box.y0 * TILE_SIDE) - reach;
    PRECISE float bottom = TO_FLOAT(box.y1 * TILE_SIDE) + reach;
    float x_least = float_min(float_min(device.x0, device.x1), float_min(device.x2, device.x3));
    float y_least = float_min(float_min(device.y0, device.y1), float_min(device.y2, device.y3));
    float y_most = float_max(float_max(device.y0, device.y1), float_max(device.y2, device.y3));
    return !(x_least > right || y_most < top || y_least > bottom);
}

#endif
