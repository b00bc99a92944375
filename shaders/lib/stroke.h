/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Strokes as closed outlines whose every part winds the same way, so that the non-zero rule paints their union.
 *
 * The definition is that of D. Nehab, "Converting stroked primitives to filled primitives", 2020: a stroke is what
 * the pen, a segment along the normal, sweeps. A segment of a path is sampled. Between two samples each half of the
 * pen sweeps a quadrilateral from the spine to the offset curve. All quadrilaterals turn the same way, except those
 * on the inside of a bend tighter than the pen. Two triangles that turn the right way replace each of these. Joins
 * add the wedge on the outside and pass through the vertex on the inside. Every vertex is one function of (point,
 * normal, side), so neighbours that compute it separately agree to the last bit.
 *
 * Lengths and normals are in the path's own space, vertices in pixels. The includer defines flatten_sink and
 * sink_line. */
#ifndef PIETRA_LIB_STROKE_H
#define PIETRA_LIB_STROKE_H

#include "stroke_quad.h"
#include "stroke_turn.h"

/* One segment of a path and what is at its ends. */
STRUCT(stroke_segment)
{
    curve local;        /* path space */
    bool dot;           /* its subpath has no length */
    bool starts;        /* it has no predecessor, so it has a cap there */
    bool ends;          /* it has no successor, so it has a cap there */
    bool closes;        /* if dashed, it ends where its closed subpath starts */
    point next_tangent; /* direction in which the successor leaves, if there is one */
};

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

STRUCT(segment_place)
{
    point at;
    point normal;
};

#define SEGMENT_START 0u
#define SEGMENT_MIDDLE 1u
#define SEGMENT_END 2u

/* Returns the place at t of a segment. Its ends have tangents of their own. */
SHARED_FUNCTION segment_place segment_place_at(curve local, uint where, float t)
{
    segment_place place;
    point tangent;
    if (where == SEGMENT_START) {
        place.at = point_of(local.x0, local.y0);
        tangent = curve_start_tangent(local);
    } else if (where == SEGMENT_END) {
        place.at = point_of(local.x3, local.y3);
        tangent = curve_end_tangent(local);
    } else {
        place.at = curve_point(local, t);
        tangent = curve_tangent(local, t);
    }
    place.normal = unit_normal(tangent);
    return place;
}

SHARED_FUNCTION segment_place segment_sample(curve local, uint i, subdivision cut)
{
    uint where = i == 0u ? SEGMENT_START : (i == cut.pieces ? SEGMENT_END : SEGMENT_MIDDLE);
    float t = 0.0f;
    if (where == SEGMENT_MIDDLE) {
        t = subdivision_at(cut, i);
    }
    return segment_place_at(local, where, t);
}

/* The most pieces of a segment. One invocation paints them all, and a piece takes some ten rounds of its loop if the
 * pen is wider than the bend. Up to a million pixels of a curve are cut as finely as a fill's; longer curves are cut
 * more coarsely. */
#define STROKE_PIECES_MAX 2048u

SHARED_FUNCTION subdivision stroke_subdivision(affine matrix, curve local)
{
    subdivision cut = subdivision_of(curve_transform(matrix, local));
    if (cut.pieces > STROKE_PIECES_MAX) {
        PRECISE float part = cut.part * (TO_FLOAT(cut.pieces) * (1.0f / 2048.0f));
        cut.part = part;
        cut.pieces = STROKE_PIECES_MAX;
    }
    return cut;
}

/* The includer may define this to keep samples. */
#ifndef SEGMENT_SAMPLE
#define SEGMENT_SAMPLE(sink, local, i, cut) segment_sample(local, i, cut)
#endif

/* A stretch of a segment to paint, the whole segment or a dash. It leads from one place over samples, its knots, to
 * another. Its ends may have caps and joins. */
STRUCT(stroke_stretch)
{
    segment_place from, to;
    uint knot, knot_end; /* knots between the places */
    bool capped;         /* it has a cap at its start */
    bool turned;         /* it has a join or a cap at its end */
    bool joined;         /* it has a join there */
    bool leaps;          /* it goes straight to its end, past knots */
};

/* Returns the stretch of pieces first to end - 1 of a segment. */
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
    stretch.leaps = false;
    if (segment.dot) {
        stretch.from.normal = point_of(0.0f, -1.0f);
        stretch.to.normal = stretch.from.normal;
    }
    return stretch;
}

/* The way between two places. The pen turns a sharp bend through the directions in between, while its centre moves
 * along the chord at the same pace. Turning ahead of the centre would sweep the inside of a bend little wider than
 * the pen backwards. */
STRUCT(stroke_bend)
{
    segment_place from, to;
    int direction, turn;
    int i, steps; /* places i to steps lie between the two; place steps + 1 is the last */
    float lead;   /* the fraction of the angle between the ends that lies before direction */
    float part;   /* the fraction of that angle that one turn makes */
};

/* Returns a bend without turns: the pen is at its end already. */
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

/* Returns the angle from direction k, the last before v, to v, in steps from one direction to the next. */
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

/* Returns the cap at the start of a stretch, or what is at its end. */
SHARED_FUNCTION stroke_turn stretch_turn(pen p, stroke_segment segment, stroke_stretch stretch, bool starting)
{
    if (!starting && stretch.joined) {
        return turn_join(p, stretch.to.at, stretch.to.normal, unit_normal(segment.next_tangent));
    }
    segment_place place = stretch.to;
    if (starting) {
        place.at = stretch.from.at;
        place.normal = point_of(-stretch.from.normal.x, -stretch.from.normal.y);
    }
    return turn_cap(p, place.at, place.normal);
}

#define SIDE_NONE 0u

/* Returns the side of a box that a place lies on, beyond reach of the pen. */
SHARED_FUNCTION uint side_beyond(pen p, tile_box box, point at)
{
    point device = affine_apply(p.matrix, at.x, at.y);
    cull_rect cull = pen_cull_rect(p, box);
    if (device.x < cull.left) {
        return 1u;
    }
    if (device.x > cull.right) {
        return 2u;
    }
    if (device.y < cull.top) {
        return 3u;
    }
    return device.y > cull.bottom ? 4u : SIDE_NONE;
}

/* With fewer pieces in a segment, the search for pieces outside the cull rectangle costs more than it saves. */
#define PIECES_WORTH_A_LOOK 256u

/* Under a larger matrix a pen's radius says nothing, and lengths leave the range of floats. */
#define STRETCH_WORTH_A_LOOK 1.0e9f

/* Returns whether the pen may pass by a knot. It may if three places lie beyond one side of the box: the knot, the
 * place that the pen comes from, and what follows the knot, which is another knot or the end. Nothing is drawn above,
 * below or right of the box, and left of it only the heights of the ends count. So a segment a million pixels long is
 * not painted where nobody sees it. */
SHARED_FUNCTION bool knot_is_passed(pen p, tile_box box, curve local, subdivision cut, point from, uint knot,
                                    uint knot_end, point end)
{
    if (cut.pieces < PIECES_WORTH_A_LOOK || knot >= knot_end) {
        return false;
    }
    PRECISE float stretch =
        float_abs(p.matrix.a) + float_abs(p.matrix.b) + float_abs(p.matrix.c) + float_abs(p.matrix.d);
    if (!(stretch < STRETCH_WORTH_A_LOOK)) {
        return false;
    }
    uint side = side_beyond(p, box, from);
    if (side == SIDE_NONE || side_beyond(p, box, segment_point(local, knot, cut)) != side) {
        return false;
    }
    point after = end;
    if (knot + 1u < knot_end) {
        after = segment_point(local, knot + 1u, cut);
    }
    return side_beyond(p, box, after) == side;
}

/* Returns the end of the pieces that are painted as one from this piece on. That is the next piece, unless knots are
 * passed by. It is this piece if this piece is painted as a part of another. */
SHARED_FUNCTION uint end_of_piece(pen p, tile_box box, curve local, subdivision cut, uint piece)
{
    point end = point_of(local.x3, local.y3);
    point from = segment_point(local, piece - (piece != 0u ? 1u : 0u), cut);
    uint found = piece;
    while (true) {
        bool passed = found != 0u && knot_is_passed(p, box, local, cut, from, found, cut.pieces, end);
        if (passed == (found == piece)) {
            break;
        }
        if (found == piece) {
            from = segment_point(local, piece, cut);
        }
        found++;
    }
    return found;
}

/* Paints a run. Each round of its single loop hands on one line, for the reason that sink_edge gives. */
SHARED_FUNCTION void sink_run(INOUT(flatten_sink) sink, pen p, tile_box box, stroke_segment segment, subdivision cut,
                              stroke_stretch stretch)
{
    stroke_quad quad = quad_at(section_at(p, stretch.from.at, stretch.from.normal));
    stroke_turn turn = turn_straight(stretch.from.at, stretch.from.normal, stretch.from.normal);
    stroke_bend bend = bend_at(stretch.from);
    bool starting = stretch.capped;
    bool turning = false;
    bool ending = false;
    uint knot = stretch.knot;
    uint i = 0u; /* vertex of the quadrilateral or of the turn */
    uint count = 0u;
    point from = quad.to.spine;
    while (true) {
        if (i >= count) {
            i = 0u;
            if (ending) {
                break;
            }
            turning = starting || (bend.i > bend.steps + 1 && knot > stretch.knot_end);
            if (turning) {
                ending = !starting;
                if (ending && !stretch.turned) {
                    break;
                }
                turn = turn_in_cull_rect(p, box, stretch_turn(p, segment, stretch, starting));
                starting = false;
                count = turn.count;
            } else {
                if (bend.i > bend.steps + 1) {
                    segment_place next = stretch.to;
                    if (knot < stretch.knot_end) {
                        next = SEGMENT_SAMPLE(sink, segment.local, knot, cut);
                    }
                    bend = bend_between(p, bend.to, next);
                    bend.steps = stretch.leaps ? 0 : bend.steps;
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

/* Ends a run before the knots that are passed by, or after them. The run has its first place and its first knot
 * already. */
SHARED_FUNCTION stroke_stretch run_ended(pen p, tile_box box, stroke_segment segment, subdivision cut,
                                         stroke_stretch run, stroke_stretch stretch)
{
    uint end = stretch.knot_end;
    bool leaps = false;
    if (cut.pieces >= PIECES_WORTH_A_LOOK && run.knot < stretch.knot_end) {
        end = run.knot;
        point from = run.from.at;
        bool decided = false; /* whether the run leaps, which its first knot decides */
        while (end < stretch.knot_end) {
            bool paints = decided && !leaps; /* such a run ends at the last knot before one that is passed by */
            if (paints) {
                from = segment_point(segment.local, end, cut);
            }
            bool passed = knot_is_passed(p, box, segment.local, cut, from, paints ? end + 1u : end, stretch.knot_end,
                                         stretch.to.at);
            if (decided && passed != leaps) {
                break;
            }
            end += decided || passed ? 1u : 0u;
            leaps = passed;
            decided = true;
        }
    }
    stroke_stretch ended = run;
    ended.leaps = leaps;
    ended.to = stretch.to;
    if (end < stretch.knot_end) {
        ended.to = segment_sample(segment.local, end, cut);
    }
    ended.knot = leaps ? end : run.knot;
    ended.knot_end = end;
    ended.turned = stretch.turned && end == stretch.knot_end;
    return ended;
}

/* Paints a stretch in runs, between which knots are passed by. */
SHARED_FUNCTION void sink_stretch(INOUT(flatten_sink) sink, pen p, tile_box box, stroke_segment segment,
                                  subdivision cut, stroke_stretch stretch)
{
    stroke_stretch run = stretch;
    while (true) {
        run = run_ended(p, box, segment, cut, run, stretch);
        sink_run(sink, p, box, segment, cut, run);
        if (run.knot_end == stretch.knot_end) {
            break;
        }
        run.from = run.to;
        run.knot = run.knot_end + 1u;
        run.capped = false;
    }
}

/* Returns the borders around a box within which a segment can be seen, with all that it paints. */
SHARED_FUNCTION cull_rect stroke_cull_rect(pen p, tile_box box)
{
    PRECISE float far_corner = p.miter_limit + (p.join == STYLE_JOIN_MITER_CLIP ? 1.0f : 0.0f);
    PRECISE float reach =
        p.radius * float_max(p.join == STYLE_JOIN_MITER || p.join == STYLE_JOIN_MITER_CLIP ? far_corner : 1.0f, 1.5f) +
        1.0f + p.rounding;
    return cull_rect_of(box, reach);
}

/* Returns whether a segment, with all it paints, is neither above, below nor right of the box. */
SHARED_FUNCTION bool stroke_is_in_cull_rect(pen p, curve local, tile_box box)
{
    curve device = curve_transform(p.matrix, local);
    cull_rect cull = stroke_cull_rect(p, box);
    float x_least = float_min(float_min(device.x0, device.x1), float_min(device.x2, device.x3));
    float y_least = float_min(float_min(device.y0, device.y1), float_min(device.y2, device.y3));
    float y_most = float_max(float_max(device.y0, device.y1), float_max(device.y2, device.y3));
    return !(x_least > cull.right || y_most < cull.top || y_least > cull.bottom);
}

#endif
