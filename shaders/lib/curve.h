/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Points and tangents of lines, quadratics and cubics, all treated alike. */
#ifndef PIETRA_LIB_CURVE_H
#define PIETRA_LIB_CURVE_H

#include "arithmetic.h"

STRUCT(point)
{
    float x, y;
};

SHARED_FUNCTION point point_of(float x, float y)
{
    point made;
    made.x = x;
    made.y = y;
    return made;
}

/* order 1, 2 or 3: line, quadratic, cubic; the last point is always (x3, y3). */
STRUCT(curve)
{
    uint order;
    float x0, y0, x1, y1, x2, y2, x3, y3;
};

STRUCT(affine)
{
    float a, b, c, d, e, f;
};

SHARED_FUNCTION point affine_apply(affine m, float x, float y)
{
    PRECISE float device_x = m.a * x + m.c * y + m.e;
    PRECISE float device_y = m.b * x + m.d * y + m.f;
    return point_of(device_x, device_y);
}

SHARED_FUNCTION curve curve_transform(affine m, curve from)
{
    point p0 = affine_apply(m, from.x0, from.y0);
    point p1 = affine_apply(m, from.x1, from.y1);
    point p2 = affine_apply(m, from.x2, from.y2);
    point p3 = affine_apply(m, from.x3, from.y3);
    curve to;
    to.order = from.order;
    to.x0 = p0.x;
    to.y0 = p0.y;
    to.x1 = p1.x;
    to.y1 = p1.y;
    to.x2 = p2.x;
    to.y2 = p2.y;
    to.x3 = p3.x;
    to.y3 = p3.y;
    return to;
}

SHARED_FUNCTION curve curve_reversed(curve from)
{
    curve to;
    to.order = from.order;
    to.x0 = from.x3;
    to.y0 = from.y3;
    to.x1 = from.order == 3u ? from.x2 : from.x1;
    to.y1 = from.order == 3u ? from.y2 : from.y1;
    to.x2 = from.order == 3u ? from.x1 : from.x0;
    to.y2 = from.order == 3u ? from.y1 : from.y0;
    to.x3 = from.x0;
    to.y3 = from.y0;
    return to;
}

/* Returns whether a curve runs against its canonical direction. That direction leads from the upper end, or from the
 * left one of two at the same height. If the ends are the same, it leads from the upper control point. */
SHARED_FUNCTION bool curve_is_turned(curve c)
{
    if (c.y0 != c.y3) {
        return c.y0 > c.y3;
    }
    if (c.x0 != c.x3) {
        return c.x0 > c.x3;
    }
    if (c.order != 3u) {
        return false;
    }
    return c.y1 != c.y2 ? c.y1 > c.y2 : c.x1 > c.x2;
}

/* Returns whether a step in path space is shorter than a fifth of a pixel and shorter than a 64th of `far`, the way
 * that the curve continues from there. */
SHARED_FUNCTION bool step_is_hidden(affine m, float x, float y, float far_x, float far_y)
{
    PRECISE float device_x = m.a * x + m.c * y;
    PRECISE float device_y = m.b * x + m.d * y;
    float step = float_max(float_abs(device_x), float_abs(device_y));
    if (!(step < 0.2f)) {
        return false;
    }
    device_x = m.a * far_x + m.c * far_y;
    device_y = m.b * far_x + m.d * far_y;
    PRECISE float seen = float_max(float_abs(device_x), float_abs(device_y)) * (1.0f / 64.0f);
    return step < seen;
}

/* Returns the curve with each first control point moved to the start, if it is too close to the start to be told from
 * it. */
SHARED_FUNCTION curve curve_with_seen_start(affine m, curve from)
{
    curve to = from;
    PRECISE float x = from.x1 - from.x0;
    PRECISE float y = from.y1 - from.y0;
    PRECISE float far_x = from.x2 - from.x0;
    PRECISE float far_y = from.y2 - from.y0;
    PRECISE float end_x = from.x3 - from.x0;
    PRECISE float end_y = from.y3 - from.y0;
    if (step_is_hidden(m, x, y, end_x, end_y) || (from.order == 3u && step_is_hidden(m, x, y, far_x, far_y))) {
        to.x1 = from.x0;
        to.y1 = from.y0;
        if (from.order == 3u && step_is_hidden(m, far_x, far_y, end_x, end_y)) {
            to.x2 = from.x0;
            to.y2 = from.y0;
        }
    }
    return to;
}

/* Returns a curve as a stroke shows it: a control point that is too close to its end to be told from it is moved to
 * that end. Such a point changes the shape of the curve by less than one can see. But it gives the curve a direction of
 * its own there, which a wide pen would show. Editors leave such points behind where a straight end was meant.
 * Tangents, pieces and length are all taken from the returned curve. */
SHARED_FUNCTION curve curve_seen(affine m, curve from)
{
    if (from.order == 1u) {
        return from;
    }
    return curve_reversed(curve_with_seen_start(m, curve_reversed(curve_with_seen_start(m, from))));
}

SHARED_FUNCTION point curve_point(curve c, float t)
{
    PRECISE float s = 1.0f - t;
    PRECISE float x;
    PRECISE float y;
    if (c.order == 1u) {
        x = c.x0 * s + c.x3 * t;
        y = c.y0 * s + c.y3 * t;
    } else if (c.order == 2u) {
        PRECISE float middle = 2.0f * s * t;
        x = c.x0 * s * s + c.x1 * middle + c.x3 * t * t;
        y = c.y0 * s * s + c.y1 * middle + c.y3 * t * t;
    } else {
        PRECISE float w0 = s * s * s;
        PRECISE float w1 = 3.0f * s * s * t;
        PRECISE float w2 = 3.0f * s * t * t;
        PRECISE float w3 = t * t * t;
        x = c.x0 * w0 + c.x1 * w1 + c.x2 * w2 + c.x3 * w3;
        y = c.y0 * w0 + c.y1 * w1 + c.y2 * w2 + c.y3 * w3;
    }
    return point_of(x, y);
}

SHARED_FUNCTION point curve_start_tangent(curve c)
{
    PRECISE float x = c.x3 - c.x0;
    PRECISE float y = c.y3 - c.y0;
    if (c.order != 1u && (c.x1 != c.x0 || c.y1 != c.y0)) {
        x = c.x1 - c.x0;
        y = c.y1 - c.y0;
    } else if (c.order == 3u && (c.x2 != c.x0 || c.y2 != c.y0)) {
        x = c.x2 - c.x0;
        y = c.y2 - c.y0;
    }
    return point_of(x, y);
}

SHARED_FUNCTION point curve_end_tangent(curve c)
{
    PRECISE float x = c.x3 - c.x0;
    PRECISE float y = c.y3 - c.y0;
    if (c.order == 2u && (c.x1 != c.x3 || c.y1 != c.y3)) {
        x = c.x3 - c.x1;
        y = c.y3 - c.y1;
    } else if (c.order == 3u && (c.x2 != c.x3 || c.y2 != c.y3)) {
        x = c.x3 - c.x2;
        y = c.y3 - c.y2;
    } else if (c.order == 3u && (c.x1 != c.x3 || c.y1 != c.y3)) {
        x = c.x3 - c.x1;
        y = c.y3 - c.y1;
    }
    return point_of(x, y);
}

/* Returns the direction of the curve at 0 < t < 1, of any length. If the derivative vanishes, it is the chord's
 * direction. */
SHARED_FUNCTION point curve_tangent(curve c, float t)
{
    PRECISE float s = 1.0f - t;
    PRECISE float x = c.x3 - c.x0;
    PRECISE float y = c.y3 - c.y0;
    if (c.order == 2u) {
        x = (c.x1 - c.x0) * s + (c.x3 - c.x1) * t;
        y = (c.y1 - c.y0) * s + (c.y3 - c.y1) * t;
    } else if (c.order == 3u) {
        PRECISE float w0 = s * s;
        PRECISE float w1 = 2.0f * s * t;
        PRECISE float w2 = t * t;
        x = (c.x1 - c.x0) * w0 + (c.x2 - c.x1) * w1 + (c.x3 - c.x2) * w2;
        y = (c.y1 - c.y0) * w0 + (c.y2 - c.y1) * w1 + (c.y3 - c.y2) * w2;
    }
    if (x == 0.0f && y == 0.0f) {
        x = c.x3 - c.x0;
        y = c.y3 - c.y0;
    }
    return point_of(x, y);
}

/* Returns the unit vector a quarter turn from a direction: (-y, x). A direction of no length gives (0, 1). */
SHARED_FUNCTION point unit_normal(point direction)
{
    float longest = float_max(float_abs(direction.x), float_abs(direction.y));
    if (!(longest > 1.0e-30f)) {
        return point_of(0.0f, 1.0f);
    }
    float scale = scale_to_one(longest);
    PRECISE float x = direction.x * scale;
    PRECISE float y = direction.y * scale;
    PRECISE float length = x * x + y * y;
    PRECISE float inverse = reciprocal_sqrt(length);
    PRECISE float normal_x = -y * inverse;
    PRECISE float normal_y = x * inverse;
    return point_of(normal_x, normal_y);
}

SHARED_FUNCTION float vector_length(float x, float y)
{
    float longest = float_max(float_abs(x), float_abs(y));
    if (!(longest > 1.0e-30f)) {
        return 0.0f;
    }
    float scale = scale_to_one(longest);
    PRECISE float scaled_x = x * scale;
    PRECISE float scaled_y = y * scale;
    PRECISE float square = scaled_x * scaled_x + scaled_y * scaled_y;
    PRECISE float length = square * reciprocal_sqrt(square);
    length = length * reciprocal(scale);
    return length;
}

#endif
