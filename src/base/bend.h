/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How sharply a Bezier curve bends, and how finely a pen turns. A leg leads from one control point to the next. */
#ifndef PIETRA_BASE_BEND_H
#define PIETRA_BASE_BEND_H

#include <stdbool.h>

#include "pietra/pietra.h"

typedef struct bend_point {
    double x, y;
} bend_point;

typedef struct bend_leg {
    double x, y;
} bend_leg;

static inline bend_leg bend_leg_between(bend_point a, bend_point b)
{
    return (bend_leg){b.x - a.x, b.y - a.y};
}

/* Returns whether all control points of a line or a curve lie beyond one side of a box. */
bool bend_is_beyond(const bend_point *points, int degree, pietra_box box);
/* Cuts a line or a curve at the middle of its parameter. */
void bend_halve(const bend_point *points, int degree, bend_point halves[2][4]);

/* Returns a norm that needs no root. Its unit circle is an octagon inside the round one. It is never less than the
 * length, and at most a twelfth more. */
double bend_length(bend_leg leg);

/* Returns the largest second difference of a curve: the largest difference of two of its legs. */
double bend_second(const bend_leg *legs, int degree);

/* Returns whether a curve of degree 2 or 3 may turn in less than a pen's radius, given its largest second
 * difference. */
bool bend_is_tight(const bend_leg *legs, int degree, double second, double radius);

/* Returns how many directions the circle of a pen has (shaders/lib/pen.h), given its radius in pixels. */
double bend_directions(double radius);

#endif
