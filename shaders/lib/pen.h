/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The pen that strokes, and the directions in which it draws round joins and caps. Lengths and normals are in the
 * path's own space, vertices in pixels. */
#ifndef PIETRA_LIB_PEN_H
#define PIETRA_LIB_PEN_H

#include "../layout/stream.h"
#include "sink.h"

#define DIRECTIONS 1024 /* directions of the circle from which round joins and caps take their vertices */
#define DIRECTIONS_QUARTER 256

STRUCT(pen)
{
    affine matrix;
    float half_width;
    float radius;       /* at most this many pixels: half_width times the matrix' largest stretch, or a little more */
    float rounding;     /* how far rounding moves the vertices of the stroke, in pixels */
    float turn_cosine;  /* a bend sharper than this, between two samples, is rounded */
    int direction_step; /* round joins and caps use every direction_step-th direction */
    float orientation;  /* sign of the area of a quadrilateral that turns the right way */
    uint cap;
    uint join;
    float miter_limit;
};

/* Returns sin(pi / 2 x) for 0 <= x <= 1 by its power series, with an error below 1e-7. */
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

/* Returns direction k of DIRECTIONS, turning from x towards y. */
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

/* The includer may define a table of directions. */
#ifndef DIRECTION
#define DIRECTION(k) direction_of(k)
#endif

/* Returns whether direction k, in the first quarter, is not beyond (u, w). */
SHARED_FUNCTION bool direction_is_before(int k, float u, float w)
{
    point d = DIRECTION(k);
    PRECISE float cross_product = d.x * w - d.y * u;
    return cross_product >= 0.0f;
}

/* Returns the direction of (u, w) in the first quarter, to within one. */
SHARED_FUNCTION int direction_guess(float u, float w)
{
    PRECISE float balance = (w - u) * reciprocal(float_max(u + w, 1.0e-30f));
    PRECISE float square = balance * balance;
    PRECISE float quarters = 0.5f + balance * (0.63366663f + square * (0.05052009f * square - 0.18379717f));
    PRECISE float steps = quarters * 256.0f;
    return TO_INT(float_max(float_min(steps, 255.0f), 0.0f));
}

/* The includer may define a faster guess. */
#ifndef DIRECTION_GUESS
#define DIRECTION_GUESS(u, w) direction_guess(u, w)
#endif

/* Returns the last direction that is not beyond v. The angle is guessed to a tenth of the step from one direction to
 * the next, and corrected by a look at its neighbours. There is no loop, since the loops of an invocation
 * are bounded. */
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
    int guess = DIRECTION_GUESS(u, w);
    int found = guess;
    if (!direction_is_before(guess, u, w)) {
        found = guess - 1;
    } else if (guess < DIRECTIONS_QUARTER - 1 && direction_is_before(guess + 1, u, w)) {
        found = guess + 1;
    }
    return quarter * DIRECTIONS_QUARTER + (found > 0 ? found : 0);
}

/* Returns a bound of the numbers, in pixels, that the vertices of an element are made of. */
SHARED_FUNCTION float farthest_of_element(affine m, stream_element element)
{
    float x = float_max(float_abs(element.box_x0), float_abs(element.box_x1));
    float y = float_max(float_abs(element.box_y0), float_abs(element.box_y1));
    PRECISE float far_x = float_abs(m.a) * x + float_abs(m.c) * y + float_abs(m.e);
    PRECISE float far_y = float_abs(m.b) * x + float_abs(m.d) * y + float_abs(m.f);
    return float_max(far_x, far_y);
}

SHARED_FUNCTION pen pen_make(affine matrix, stream_style style, stream_element element)
{
    pen made;
    made.matrix = matrix;
    made.rounding = rounding_of(farthest_of_element(matrix, element));
    made.half_width = style.half_width;
    PRECISE float stretch = matrix.a * matrix.a + matrix.b * matrix.b + matrix.c * matrix.c + matrix.d * matrix.d;
    PRECISE float radius = style.half_width * square_root(stretch);
    made.radius = radius;
    /* A chord over an n-th of a circle of radius r strays by r pi^2 / (2 n^2), which may be at most 0.1 pixel. */
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

/* Returns the vertex at reach * half_width along a normal. */
SHARED_FUNCTION point pen_vertex(pen p, point at, float normal_x, float normal_y)
{
    PRECISE float x = at.x + normal_x * p.half_width;
    PRECISE float y = at.y + normal_y * p.half_width;
    return affine_apply(p.matrix, x, y);
}

#endif
