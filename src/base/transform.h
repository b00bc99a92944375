/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Affine maps in double precision, on pietra_transform: x' = a x + c y + e, y' = b x + d y + f.
 *
 * A caller's NULL means the identity, and so do all zeros in a field of a caller's struct. Inside the library a
 * transform means what it says. */
#ifndef PIETRA_BASE_TRANSFORM_H
#define PIETRA_BASE_TRANSFORM_H

#include <math.h>

#include "pietra/pietra.h"

#define TRANSFORM_IDENTITY ((pietra_transform){1, 0, 0, 1, 0, 0})
#define RADIANS_PER_DEGREE 0.017453292519943295

/* Return the transform that a caller's pointer or field means. */
pietra_transform transform_of_pointer(const pietra_transform *transform);
pietra_transform transform_of_field(pietra_transform transform);
/* Returns the map that applies `inner` first and then `outer`. */
pietra_transform transform_multiply(pietra_transform outer, pietra_transform inner);
pietra_transform transform_translate(double x, double y);
pietra_transform transform_scale(double x, double y);
/* The result is exact at multiples of a quarter turn. */
pietra_transform transform_rotate(double degrees);
double transform_determinant(pietra_transform transform);
/* Returns whether the map takes the plane to a line or a point. Numbers that were each rounded once count as exact. */
bool transform_is_singular(pietra_transform transform);
/* Returns false if there is no finite inverse; then nothing is written. */
bool transform_invert(pietra_transform transform, pietra_transform *inverse);
bool transform_is_finite(pietra_transform transform);
void transform_point(pietra_transform transform, double *x, double *y);
/* Returns the smallest box around the image of a box. */
pietra_box transform_box(pietra_transform transform, pietra_box box);

/* Returns whether nothing lies inside of a box. */
static inline bool box_is_empty(pietra_box box)
{
    return !(box.x0 < box.x1 && box.y0 < box.y1);
}

/* A box that adds nothing to others. */
#define BOX_OF_NOTHING ((pietra_box){INFINITY, INFINITY, -INFINITY, -INFINITY})

/* Returns whether a box is that of something, which may be as thin as a line. */
static inline bool box_is_something(pietra_box box)
{
    return box.x0 <= box.x1 && box.y0 <= box.y1;
}

/* Returns the smallest box around two. */
static inline pietra_box box_join(pietra_box a, pietra_box b)
{
    return (pietra_box){fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1)};
}

/* Returns what lies in both, which may be nothing. */
static inline pietra_box box_overlap(pietra_box a, pietra_box b)
{
    return (pietra_box){fmax(a.x0, b.x0), fmax(a.y0, b.y0), fmin(a.x1, b.x1), fmin(a.y1, b.y1)};
}

#endif
