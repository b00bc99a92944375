/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How sharply a Bezier curve bends, and how finely a pen turns. A leg leads from one control point to the next. */
#ifndef PIETRA_BASE_BEND_H
#define PIETRA_BASE_BEND_H

#include <stdbool.h>

typedef struct bend_leg {
    double x, y;
} bend_leg;

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
