/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Joins and caps. */
#ifndef PIETRA_LIB_STROKE_TURN_H
#define PIETRA_LIB_STROKE_TURN_H

#include "pen.h"

/* The way round a point. Its rim leads from one normal to another, turning backwards (from y towards x). At a join
 * the inside comes first, which passes through the point itself. */
STRUCT(stroke_turn)
{
    point at;
    point start, end; /* normals at the ends of the rim */
    point tip;        /* TURN_TIP: the tip from the point, in units of half_width */
    float reach;      /* TURN_CORNERS: how far the ends continue along the stroke, in units of half_width */
    uint inside;      /* vertices of the inside: 0, 2 or 3 */
    uint rim;         /* TURN_* */
    int direction;    /* TURN_FAN: direction of its first vertex after the start */
    uint count;       /* vertices in all */
};
#define TURN_STRAIGHT 0u
#define TURN_TIP 1u
#define TURN_CORNERS 2u
#define TURN_FAN 3u

SHARED_FUNCTION stroke_turn turn_straight(point at, point start, point end)
{
    stroke_turn turn;
    turn.at = at;
    turn.start = start;
    turn.end = end;
    turn.tip = start;
    turn.reach = 1.0f;
    turn.inside = 0u;
    turn.rim = TURN_STRAIGHT;
    turn.direction = 0;
    turn.count = 2u;
    return turn;
}

/* Returns the cap at the end of an open stroke, from normal round to -normal. For a cap at the start, give -normal. */
SHARED_FUNCTION stroke_turn turn_cap(pen p, point at, point normal)
{
    stroke_turn turn = turn_straight(at, normal, point_of(-normal.x, -normal.y));
    if (p.cap == STYLE_CAP_SQUARE) {
        turn.rim = TURN_CORNERS;
        turn.count = 4u;
    } else if (p.cap == STYLE_CAP_ROUND) {
        turn.rim = TURN_FAN;
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

/* Returns a miter beyond its limit. It is cut off at the limit, at right angles to the line that halves the angle (SVG
 * 2, 13.5.4). */
SHARED_FUNCTION stroke_turn turn_by_clip(pen p, stroke_turn straight)
{
    stroke_turn turn = straight;
    PRECISE float cosine = turn.start.x * turn.end.x + turn.start.y * turn.end.y;
    PRECISE float cosine_square = 0.5f + 0.5f * cosine;
    PRECISE float sine_square = 0.5f - 0.5f * cosine;
    /* The cosine of half the angle between the normals. */
    float half_cosine = square_root(float_max(cosine_square, 0.0f));
    float half_sine = square_root(float_max(sine_square, 1.0e-12f));
    PRECISE float reach = (p.miter_limit - half_cosine) * reciprocal(half_sine);
    turn.rim = TURN_CORNERS;
    /* The tip is at most 1e20 from the point, which is finite under every matrix. */
    PRECISE float most = 1.0e20f * reciprocal(float_max(p.half_width, 1.0e-15f));
    turn.reach = hold(reach, 0.0f, most);
    turn.count = turn.count + 2u;
    return turn;
}

/* Returns the join from the end of one segment, with its normal, to the start of the next. */
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
            turn.rim = TURN_FAN;
        } else if (p.join != STYLE_JOIN_BEVEL) {
            turn = turn_by_miter(p, turn);
            if (turn.rim != TURN_TIP && p.join == STYLE_JOIN_MITER_CLIP) {
                turn = turn_by_clip(p, turn);
            }
        }
        turn.inside = 3u;
    }
    turn.count = turn.count + turn.inside;
    return turn;
}

/* Returns corner 1 or 2 of a square cap or of a clipped miter. */
SHARED_FUNCTION point turn_corner(stroke_turn turn, uint corner)
{
    PRECISE float x0 = turn.start.x + turn.start.y * turn.reach;
    PRECISE float y0 = turn.start.y - turn.start.x * turn.reach;
    PRECISE float x1 = turn.end.x - turn.end.y * turn.reach;
    PRECISE float y1 = turn.end.y + turn.end.x * turn.reach;
    return corner == 1u ? point_of(x0, y0) : point_of(x1, y1);
}

SHARED_FUNCTION bool turn_lifts(stroke_turn turn, uint i)
{
    return i == 0u || i == turn.inside;
}

/* Returns a vertex to which the pen moves without drawing. */
SHARED_FUNCTION point turn_lifted_vertex(pen p, stroke_turn turn, uint i)
{
    point normal = turn.start;
    if (i < turn.inside) {
        normal = point_of(-turn.end.x, -turn.end.y);
    }
    return pen_vertex(p, turn.at, normal.x, normal.y);
}

/* Returns a vertex to which the pen draws. */
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
            normal = turn_corner(turn, along);
        }
    }
    return pen_vertex(p, turn.at, normal.x, normal.y);
}

/* Returns the borders for a place on the spine, which lie half a pen beyond what its fans reach. */
SHARED_FUNCTION cull_rect pen_cull_rect(pen p, tile_box box)
{
    PRECISE float reach = p.radius * 1.5f + 1.0f + p.rounding;
    return cull_rect_of(box, reach);
}

/* Counts the vertices of a fan and finds its first one. */
SHARED_FUNCTION stroke_turn turn_by_fan(pen p, stroke_turn uncounted)
{
    stroke_turn turn = uncounted;
    int k0 = direction_before(turn.start);
    int span = (k0 - direction_before(turn.end)) & (DIRECTIONS - 1);
    if (span > DIRECTIONS / 2 + 64) {
        span = 0; /* no fan turns that far, so the ends differ only by rounding */
    }
    int offset = k0 & (p.direction_step - 1);
    turn.direction = k0 - offset;
    turn.count = turn.count + (offset < span ? TO_UINT((span - offset + p.direction_step - 1) / p.direction_step) : 0u);
    return turn;
}

/* Counts the vertices of a fan, which neither turn_cap nor turn_join does. A fan outside the cull rectangle becomes the
 * line between its ends. */
SHARED_FUNCTION stroke_turn turn_in_cull_rect(pen p, tile_box box, stroke_turn turn)
{
    if (turn.rim != TURN_FAN) {
        return turn;
    }
    point at = affine_apply(p.matrix, turn.at.x, turn.at.y);
    cull_rect cull = pen_cull_rect(p, box);
    if (at.x >= cull.left && at.x <= cull.right && at.y >= cull.top && at.y <= cull.bottom) {
        return turn_by_fan(p, turn);
    }
    stroke_turn straight = turn;
    straight.rim = TURN_STRAIGHT;
    return straight;
}

#endif
