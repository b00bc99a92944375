/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/transform.h"

#include <math.h>

pietra_transform transform_of_pointer(const pietra_transform *t)
{
    return t ? *t : TRANSFORM_IDENTITY;
}

pietra_transform transform_of_field(pietra_transform t)
{
    bool zero = t.a == 0 && t.b == 0 && t.c == 0 && t.d == 0 && t.e == 0 && t.f == 0;
    return zero ? TRANSFORM_IDENTITY : t;
}

pietra_transform transform_multiply(pietra_transform outer, pietra_transform inner)
{
    return (pietra_transform){
        outer.a * inner.a + outer.c * inner.b,           outer.b * inner.a + outer.d * inner.b,
        outer.a * inner.c + outer.c * inner.d,           outer.b * inner.c + outer.d * inner.d,
        outer.a * inner.e + outer.c * inner.f + outer.e, outer.b * inner.e + outer.d * inner.f + outer.f,
    };
}

pietra_transform transform_translate(double x, double y)
{
    return (pietra_transform){1, 0, 0, 1, x, y};
}

pietra_transform transform_scale(double x, double y)
{
    return (pietra_transform){x, 0, 0, y, 0, 0};
}

pietra_transform transform_rotate(double degrees)
{
    double turn = fmod(degrees, 360);
    double quarters = turn / 90;
    double sine, cosine;
    if (quarters == floor(quarters)) {
        static const double sines[4] = {0, 1, 0, -1};
        int quarter = (int)quarters & 3;
        sine = sines[quarter];
        cosine = sines[(quarter + 1) & 3];
    } else {
        sine = sin(turn * RADIANS_PER_DEGREE);
        cosine = cos(turn * RADIANS_PER_DEGREE);
    }
    return (pietra_transform){cosine, sine, -sine, cosine, 0, 0};
}

double transform_determinant(pietra_transform t)
{
    return t.a * t.d - t.b * t.c;
}

bool transform_is_singular(pietra_transform t)
{
    double main = t.a * t.d, other = t.b * t.c, size = fabs(main) + fabs(other);
    return size < INFINITY && fabs(main - other) <= 0x1p-51 * size;
}

bool transform_invert(pietra_transform t, pietra_transform *inverse)
{
    double determinant = transform_determinant(t);
    if (determinant == 0 || !isfinite(determinant))
        return false;
    double scale = 1 / determinant;
    pietra_transform result = {
        t.d * scale,
        -t.b * scale,
        -t.c * scale,
        t.a * scale,
        (t.c * t.f - t.d * t.e) * scale,
        (t.b * t.e - t.a * t.f) * scale,
    };
    if (!transform_is_finite(result))
        return false;
    *inverse = result;
    return true;
}

bool transform_is_finite(pietra_transform t)
{
    return isfinite(t.a) && isfinite(t.b) && isfinite(t.c) && isfinite(t.d) && isfinite(t.e) && isfinite(t.f);
}

void transform_point(pietra_transform t, double *x, double *y)
{
    double px = *x, py = *y;
    *x = t.a * px + t.c * py + t.e;
    *y = t.b * px + t.d * py + t.f;
}

pietra_box transform_box(pietra_transform t, pietra_box box)
{
    double x[4] = {box.x0, box.x1, box.x0, box.x1};
    double y[4] = {box.y0, box.y0, box.y1, box.y1};
    for (int i = 0; i < 4; i++)
        transform_point(t, &x[i], &y[i]);
    return (pietra_box){
        fmin(fmin(x[0], x[1]), fmin(x[2], x[3])),
        fmin(fmin(y[0], y[1]), fmin(y[2], y[3])),
        fmax(fmax(x[0], x[1]), fmax(x[2], x[3])),
        fmax(fmax(y[0], y[1]), fmax(y[2], y[3])),
    };
}
