/* Edges and curves, in pixels, as snapped lines. The includer has defined the type flatten_sink and
 * sink_line(INOUT(flatten_sink) sink, int ax, int ay, int bx, int by), which counts or stores a snapped line. */
#ifndef PIETRA_LIB_SINK_H
#define PIETRA_LIB_SINK_H

#include "snap.h"

SHARED_FUNCTION void sink_directed(INOUT(flatten_sink) sink, bool turned, float ax, float ay, float bx, float by)
{
    if (turned) {
        sink_line(sink, snap(bx), snap(by), snap(ax), snap(ay));
    } else {
        sink_line(sink, snap(ax), snap(ay), snap(bx), snap(by));
    }
}

SHARED_FUNCTION float hold(float value, float low, float high) { return float_min(float_max(value, low), high); }

/* A line that leaves the range of snapped coordinates. What lies above or below is cut away, what lies to the side is laid on the
 * limit, so that windings stay right. It is worked out from top to bottom whichever way it runs. */
SHARED_FUNCTION void sink_beyond_limit(INOUT(flatten_sink) sink, point from, point to)
{
    float huge = 1.0e15f;
    bool turned = from.y > to.y;
    PRECISE float x0 = hold(turned ? to.x : from.x, -huge, huge);
    PRECISE float y0 = hold(turned ? to.y : from.y, -huge, huge);
    PRECISE float x1 = hold(turned ? from.x : to.x, -huge, huge);
    PRECISE float y1 = hold(turned ? from.y : to.y, -huge, huge);
    float limit = COORDINATE_LIMIT;
    if (y1 < -limit || y0 > limit) {
        return;
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
    /* The heights where the line passes the limits on the left and on the right, in the order in which it meets them. */
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
    if (starts_outside && ends_outside && held_x0 == held_x1) {
        sink_directed(sink, turned, held_x0, y0, held_x1, y1);
        return;
    }
    float middle_y0 = starts_outside ? y_first : y0;
    float middle_y1 = ends_outside ? y_second : y1;
    if (starts_outside) {
        sink_directed(sink, turned, held_x0, y0, held_x0, middle_y0);
    }
    sink_directed(sink, turned, held_x0, middle_y0, held_x1, middle_y1);
    if (ends_outside) {
        sink_directed(sink, turned, held_x1, middle_y1, held_x1, y1);
    }
}

SHARED_FUNCTION void sink_edge(INOUT(flatten_sink) sink, point from, point to)
{
    if (within_limit(from) && within_limit(to)) {
        sink_line(sink, snap(from.x), snap(from.y), snap(to.x), snap(to.y));
    } else {
        sink_beyond_limit(sink, from, to);
    }
}

/* A curve, given in pixels, as lines. The ends are the curve's own points, so that neighbours meet. */
SHARED_FUNCTION void sink_curve(INOUT(flatten_sink) sink, curve device)
{
    uint pieces = curve_pieces(device);
    PRECISE float step = reciprocal(TO_FLOAT(pieces));
    point from = point_of(device.x0, device.y0);
    for (uint i = 1u; i < pieces; i++) {
        PRECISE float t = TO_FLOAT(i) * step;
        point to = curve_point(device, t);
        sink_edge(sink, from, to);
        from = to;
    }
    sink_edge(sink, from, point_of(device.x3, device.y3));
}

/* The same, without work for what the box does not see: above, below and right of it nothing counts, and left of it only where the
 * curve leads. */
SHARED_FUNCTION void sink_curve_in_sight(INOUT(flatten_sink) sink, curve device, tile_box box)
{
    float left = TO_FLOAT(box.x0 * TILE_SIDE);
    float right = TO_FLOAT(box.x1 * TILE_SIDE);
    float top = TO_FLOAT(box.y0 * TILE_SIDE);
    float bottom = TO_FLOAT(box.y1 * TILE_SIDE);
    float x_least = float_min(float_min(device.x0, device.x1), float_min(device.x2, device.x3));
    float x_most = float_max(float_max(device.x0, device.x1), float_max(device.x2, device.x3));
    float y_least = float_min(float_min(device.y0, device.y1), float_min(device.y2, device.y3));
    float y_most = float_max(float_max(device.y0, device.y1), float_max(device.y2, device.y3));
    if (x_least > right + 1.0f || y_most < top - 1.0f || y_least > bottom + 1.0f) {
        return;
    }
    if (x_most < left - 1.0f) {
        sink_edge(sink, point_of(device.x0, device.y0), point_of(device.x3, device.y3));
        return;
    }
    sink_curve(sink, device);
}

#endif
