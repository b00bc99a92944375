/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns edges and curves, in pixels, into snapped lines. The includer defines the type flatten_sink and
 * sink_line(INOUT(flatten_sink) sink, int ax, int ay, int bx, int by), which counts or stores a snapped line. */
#ifndef PIETRA_LIB_SINK_H
#define PIETRA_LIB_SINK_H

#include "cull_rect.h"
#include "snap.h"
#include "subdivision.h"

/* An edge that leaves the range of snapped coordinates, in subpixels, as up to three lines. What lies above or below
 * the range is cut off. What lies to the side is moved onto the limit, so that windings stay right. Line 0 leads from
 * (x0, y0) to (x0, y1), line 1 on to (x1, y2), and line 2 on to (x1, y3). Lines first to end - 1 exist. The lines are
 * computed from top to bottom in whichever direction the edge runs. `turned` says that each line runs from its lower
 * end to its upper one. */
STRUCT(snapped_edge)
{
    int x0, x1;
    int y0, y1, y2, y3;
    uint first, end;
    bool turned;
};

#define EDGE_LIMIT 1.0e15f /* pixels; vertices beyond it are moved there first */

SHARED_FUNCTION snapped_edge edge_beyond_limit(point from, point to)
{
    bool turned = from.y > to.y;
    PRECISE float x0 = hold(turned ? to.x : from.x, -EDGE_LIMIT, EDGE_LIMIT);
    PRECISE float y0 = hold(turned ? to.y : from.y, -EDGE_LIMIT, EDGE_LIMIT);
    PRECISE float x1 = hold(turned ? from.x : to.x, -EDGE_LIMIT, EDGE_LIMIT);
    PRECISE float y1 = hold(turned ? from.y : to.y, -EDGE_LIMIT, EDGE_LIMIT);
    float limit = COORDINATE_LIMIT;
    snapped_edge edge;
    edge.x0 = 0;
    edge.x1 = 0;
    edge.y0 = 0;
    edge.y1 = 0;
    edge.y2 = 0;
    edge.y3 = 0;
    edge.first = 0u;
    edge.end = 0u;
    edge.turned = turned;
    if (y1 < -limit || y0 > limit) {
        return edge;
    }
    PRECISE float dx = x1 - x0;
    PRECISE float dy = y1 - y0;
    if (y0 < -limit) {
        x0 = x0 + (-limit - y0) * (dx * reciprocal(dy));
        y0 = -limit;
    }
    if (y1 > limit) {
        x1 = x1 + (limit - y1) * (dx * reciprocal(dy));
        y1 = limit;
    }
    /* The heights where the line passes the limits on the left and on the right, in the order in which it meets
     * them. */
    float first_limit = dx >= 0.0f ? -limit : limit;
    PRECISE float y_first = y0;
    PRECISE float y_second = y1;
    if (dx != 0.0f) {
        PRECISE float slope = dy * reciprocal(dx);
        y_first = hold(y0 + (first_limit - x0) * slope, y0, y1);
        y_second = hold(y0 + (-first_limit - x0) * slope, y_first, y1);
    }
    float held_x0 = hold(x0, -limit, limit);
    float held_x1 = hold(x1, -limit, limit);
    bool starts_outside = float_abs(x0) > limit;
    bool ends_outside = float_abs(x1) > limit;
    bool beside = starts_outside && ends_outside && held_x0 == held_x1;
    edge.x0 = snap(held_x0);
    edge.x1 = snap(held_x1);
    edge.y0 = snap(y0);
    edge.y1 = snap(starts_outside && !beside ? y_first : y0);
    edge.y2 = snap(ends_outside && !beside ? y_second : y1);
    edge.y3 = snap(y1);
    edge.first = starts_outside && !beside ? 0u : 1u;
    edge.end = ends_outside && !beside ? 3u : 2u;
    return edge;
}

/* Hands on line i of an edge, if it exists. */
SHARED_FUNCTION void sink_edge_line(INOUT(flatten_sink) sink, snapped_edge edge, uint i)
{
    if (i < edge.first || i >= edge.end) {
        return;
    }
    int ax = i == 2u ? edge.x1 : edge.x0;
    int ay = i == 0u ? edge.y0 : (i == 1u ? edge.y1 : edge.y2);
    int bx = i == 0u ? edge.x0 : edge.x1;
    int by = i == 0u ? edge.y1 : (i == 1u ? edge.y2 : edge.y3);
    sink_line(sink, edge.turned ? bx : ax, edge.turned ? by : ay, edge.turned ? ax : bx, edge.turned ? ay : by);
}

/* Each function that follows calls sink_edge in one place, since a GPU's compiler copies a function to each of its
 * calls. There is no loop: some devices bound the loops of an invocation, and round caps a thousand pixels wide take
 * many edges. */
SHARED_FUNCTION void sink_edge(INOUT(flatten_sink) sink, point from, point to)
{
    if (within_limit(from) && within_limit(to)) {
        sink_line(sink, snap(from.x), snap(from.y), snap(to.x), snap(to.y));
        return;
    }
    snapped_edge edge = edge_beyond_limit(from, to);
    sink_edge_line(sink, edge, 0u);
    sink_edge_line(sink, edge, 1u);
    sink_edge_line(sink, edge, 2u);
}

/* Returns the subdivision into chords of a curve, given in pixels, in a box. A curve above, below or right of the box
 * gets none, since nothing counts there. A curve left of it gets one, since only its ends count. */
SHARED_FUNCTION subdivision subdivision_in_cull_rect(curve device, tile_box box)
{
    float x_least = float_min(float_min(device.x0, device.x1), float_min(device.x2, device.x3));
    float x_most = float_max(float_max(device.x0, device.x1), float_max(device.x2, device.x3));
    float y_least = float_min(float_min(device.y0, device.y1), float_min(device.y2, device.y3));
    float y_most = float_max(float_max(device.y0, device.y1), float_max(device.y2, device.y3));
    float x_farthest = float_max(float_abs(x_least), float_abs(x_most));
    float y_farthest = float_max(float_abs(y_least), float_abs(y_most));
    PRECISE float reach = 1.0f + rounding_of(float_max(x_farthest, y_farthest));
    cull_rect cull = cull_rect_of(box, reach);
    if (x_least > cull.right || y_most < cull.top || y_least > cull.bottom) {
        return subdivision_even(0u);
    }
    if (x_most < cull.left) {
        return subdivision_even(1u);
    }
    return subdivision_of(device);
}

/* Returns a line just left of a box, from its top to its bottom. */
SHARED_FUNCTION curve curve_left_of(tile_box box)
{
    PRECISE float x = TO_FLOAT(box.x0 * TILE_SIDE) - 1.0f / 256.0f;
    curve made;
    made.order = 1u;
    made.x0 = x;
    made.y0 = TO_FLOAT(box.y0 * TILE_SIDE);
    made.x3 = x;
    made.y3 = TO_FLOAT(box.y1 * TILE_SIDE);
    made.x1 = made.x0;
    made.y1 = made.y0;
    made.x2 = made.x3;
    made.y2 = made.y3;
    return made;
}

/* A curve that is drawn in that many chords. Its inner vertices are computed in its canonical direction, so a path and
 * its reverse give the same lines. */
STRUCT(chord_curve)
{
    curve canonical;
    bool turned;
    subdivision cut;
};

SHARED_FUNCTION chord_curve chord_curve_of(curve device, tile_box box)
{
    chord_curve made;
    made.turned = curve_is_turned(device);
    made.canonical = device;
    if (made.turned) {
        made.canonical = curve_reversed(device);
    }
    made.cut = subdivision_in_cull_rect(made.canonical, box);
    return made;
}

/* Returns vertex i, 0 < i < pieces. */
SHARED_FUNCTION point chord_vertex(chord_curve chords, uint i)
{
    float t = subdivision_at(chords.cut, chords.turned ? chords.cut.pieces - i : i);
    return curve_point(chords.canonical, t);
}

/* With fewer chords, the search for those outside the cull rectangle costs more than it saves. */
#define CHORDS_WORTH_A_LOOK 256u
/* Chords that are passed over together. */
#define CHORD_BLOCK 16u
/* Of larger coordinates the search cannot tell anything. */
#define CHORD_LOOK_LIMIT 1.0e12f

/* Returns t of vertex i in the canonical direction. i may be 0 or the number of pieces. */
SHARED_FUNCTION float chord_start(subdivision cut, uint i)
{
    float t = subdivision_at(cut, i);
    return i == cut.pieces ? 1.0f : t;
}

/* Returns the blossom of a curve at (u, v, w), or at (u, w) if it is a quadratic. For all pairs of two parameters these
 * are the control points of the curve between the two (L. Ramshaw, "Blossoming: a connect-the-dots approach to
 * splines", 1987). */
SHARED_FUNCTION point curve_blossom(curve c, float u, float v, float w)
{
    PRECISE float x0 = c.x0 + (c.x1 - c.x0) * u;
    PRECISE float y0 = c.y0 + (c.y1 - c.y0) * u;
    PRECISE float x1 = c.x1 + (c.x2 - c.x1) * u;
    PRECISE float y1 = c.y1 + (c.y2 - c.y1) * u;
    PRECISE float x2 = c.x2 + (c.x3 - c.x2) * u;
    PRECISE float y2 = c.y2 + (c.y3 - c.y2) * u;
    if (c.order == 3u) {
        x0 = x0 + (x1 - x0) * v;
        y0 = y0 + (y1 - y0) * v;
        x1 = x1 + (x2 - x1) * v;
        y1 = y1 + (y2 - y1) * v;
    } else {
        x1 = c.x1 + (c.x3 - c.x1) * u;
        y1 = c.y1 + (c.y3 - c.y1) * u;
    }
    PRECISE float x = x0 + (x1 - x0) * w;
    PRECISE float y = y0 + (y1 - y0) * w;
    return point_of(x, y);
}

#define BLOCK_IN_SIGHT 0u
#define BLOCK_HIDDEN 1u /* it draws nothing */
#define BLOCK_LEFT 2u   /* only the heights of its ends count */

/* Returns how the chords from vertex i to vertex i + CHORD_BLOCK are seen in a box. The control points of that part of
 * the curve hold all of its vertices, but for what floats round away. */
SHARED_FUNCTION uint chord_block_seen(chord_curve chords, uint i, tile_box box)
{
    curve c = chords.canonical;
    float x_most = float_max(float_max(float_abs(c.x0), float_abs(c.x1)), float_max(float_abs(c.x2), float_abs(c.x3)));
    float y_most = float_max(float_max(float_abs(c.y0), float_abs(c.y1)), float_max(float_abs(c.y2), float_abs(c.y3)));
    float most = float_max(x_most, y_most);
    if (!(most < CHORD_LOOK_LIMIT)) {
        return BLOCK_IN_SIGHT;
    }
    uint first = chords.turned ? chords.cut.pieces - i - CHORD_BLOCK : i;
    float t0 = chord_start(chords.cut, first);
    float t1 = chord_start(chords.cut, first + CHORD_BLOCK);
    point p0 = curve_blossom(c, t0, t0, t0);
    point p1 = curve_blossom(c, t0, t0, t1);
    point p2 = curve_blossom(c, t0, t1, t1);
    point p3 = curve_blossom(c, t1, t1, t1);
    PRECISE float margin = 1.0f + rounding_of(most);
    cull_rect cull = cull_rect_of(box, margin);
    float x_least = float_min(float_min(p0.x, p1.x), float_min(p2.x, p3.x));
    float y_least = float_min(float_min(p0.y, p1.y), float_min(p2.y, p3.y));
    x_most = float_max(float_max(p0.x, p1.x), float_max(p2.x, p3.x));
    y_most = float_max(float_max(p0.y, p1.y), float_max(p2.y, p3.y));
    if (x_least > cull.right || y_most < cull.top || y_least > cull.bottom) {
        return BLOCK_HIDDEN;
    }
    return x_most < cull.left ? BLOCK_LEFT : BLOCK_IN_SIGHT;
}

/* Hands on a curve as lines, with one more to `start` if it closes a subpath, but only lines first to stop - 1. The
 * ends are the curve's own points, so that neighbours meet. Blocks of chords outside the cull rectangle are passed
 * over; `first` and `stop` are multiples of CHORD_BLOCK if there may be such blocks. */
SHARED_FUNCTION void sink_chord_range(INOUT(flatten_sink) sink, chord_curve chords, bool closes, point start,
                                      uint first, uint stop, tile_box box)
{
    bool looks = chords.cut.pieces >= CHORDS_WORTH_A_LOOK;
    uint count = uint_min(stop, chords.cut.pieces + (closes ? 1u : 0u));
    point from = point_of(chords.canonical.x0, chords.canonical.y0);
    point end = point_of(chords.canonical.x3, chords.canonical.y3);
    if (chords.turned) {
        point swapped = from;
        from = end;
        end = swapped;
    }
    if (first >= chords.cut.pieces) {
        from = end;
    } else if (first != 0u) {
        from = chord_vertex(chords, first);
    }
    uint i = first;
    while (i < count) {
        uint seen = BLOCK_IN_SIGHT;
        if (looks && i % CHORD_BLOCK == 0u && i + CHORD_BLOCK <= chords.cut.pieces) {
            seen = chord_block_seen(chords, i, box);
        }
        i += seen == BLOCK_IN_SIGHT ? 1u : CHORD_BLOCK;
        point to = end;
        if (i < chords.cut.pieces) {
            to = chord_vertex(chords, i);
        } else if (i > chords.cut.pieces) {
            to = start;
        }
        if (seen != BLOCK_HIDDEN) {
            sink_edge(sink, from, to);
        }
        from = to;
    }
}

SHARED_FUNCTION void sink_chords_in_cull_rect(INOUT(flatten_sink) sink, curve device, bool closes, point start,
                                              tile_box box)
{
    sink_chord_range(sink, chord_curve_of(device, box), closes, start, 0u, NONE, box);
}

#endif
