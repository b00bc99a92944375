/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The exact box of a path under a transform. A curve leaves the box of its end points only where the derivative of a
 * coordinate is 0. */
#include <math.h>

#include "scene/build/path.h"

static void bounds_add(pietra_box *box, double x, double y)
{
    box->x0 = fmin(box->x0, x);
    box->y0 = fmin(box->y0, y);
    box->x1 = fmax(box->x1, x);
    box->y1 = fmax(box->y1, y);
}

static void bounds_add_value(double *low, double *high, double value)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

static void bounds_add_quad(double *low, double *high, double p0, double p1, double p2)
{
    double t = (p0 - p1) / (p0 - 2.0 * p1 + p2);
    if (t > 0.0 && t < 1.0) {
        double s = 1.0 - t;
        bounds_add_value(low, high, s * s * p0 + 2.0 * s * t * p1 + t * t * p2);
    }
}

static void bounds_add_cubic_at(double *low, double *high, const double p[4], double t)
{
    if (t > 0.0 && t < 1.0) {
        double s = 1.0 - t;
        bounds_add_value(low, high,
                         s * s * s * p[0] + 3.0 * s * s * t * p[1] + 3.0 * s * t * t * p[2] + t * t * t * p[3]);
    }
}

static void bounds_add_cubic(double *low, double *high, double p0, double p1, double p2, double p3)
{
    /* a t^2 + 2 b t + c is a third of the derivative. Its roots are computed without cancellation, which works for a =
     * 0 too. */
    double a = p3 - 3.0 * p2 + 3.0 * p1 - p0;
    double b = p2 - 2.0 * p1 + p0;
    double c = p1 - p0;
    double discriminant = b * b - a * c;
    if (discriminant < 0.0)
        return;
    double q = -(b + copysign(sqrt(discriminant), b));
    double p[4] = {p0, p1, p2, p3};
    bounds_add_cubic_at(low, high, p, q / a);
    bounds_add_cubic_at(low, high, p, c / q);
}

bool path_bounds(path_view path, pietra_transform m, pietra_box *box)
{
    pietra_box found = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    path_point last = {0.0, 0.0};
    const path_point *next = path.points;
    for (size_t i = 0; i < path.verb_count; i++) {
        path_point p[3];
        size_t count = path_verb_points(path.verbs[i]);
        for (size_t k = 0; k < count; k++)
            p[k] = (path_point){m.a * next[k].x + m.c * next[k].y + m.e, m.b * next[k].x + m.d * next[k].y + m.f};
        next += count;
        if (path.verbs[i] == PATH_MOVE) {
            last = p[0];
            continue;
        }
        bounds_add(&found, last.x, last.y);
        if (count == 0)
            continue;
        bounds_add(&found, p[count - 1].x, p[count - 1].y);
        if (path.verbs[i] == PATH_QUAD) {
            bounds_add_quad(&found.x0, &found.x1, last.x, p[0].x, p[1].x);
            bounds_add_quad(&found.y0, &found.y1, last.y, p[0].y, p[1].y);
        } else if (path.verbs[i] == PATH_CUBIC) {
            bounds_add_cubic(&found.x0, &found.x1, last.x, p[0].x, p[1].x, p[2].x);
            bounds_add_cubic(&found.y0, &found.y1, last.y, p[0].y, p[1].y, p[2].y);
        }
        last = p[count - 1];
    }
    if (!(found.x0 <= found.x1))
        return false;
    *box = found;
    return true;
}
