/* Affine maps in double precision, on pietra_transform: x' = a x + c y + e, y' = b x + d y + f.
 *
 * Inside the library a transform is meant as it stands; only at the public border does one of all zeros mean the identity:
 * transform_of_argument turns what a caller gave (NULL too) into what it means. */
#ifndef PIETRA_BASE_TRANSFORM_H
#define PIETRA_BASE_TRANSFORM_H

#include "pietra/pietra.h"

#define TRANSFORM_IDENTITY ((pietra_transform){ 1, 0, 0, 1, 0, 0 })

pietra_transform transform_of_argument(const pietra_transform *transform);
/* First `inner`, then `outer`. */
pietra_transform transform_multiply(pietra_transform outer, pietra_transform inner);
pietra_transform transform_translate(double x, double y);
pietra_transform transform_scale(double x, double y);
double transform_determinant(pietra_transform transform);
/* False, and nothing written, when there is no finite inverse. */
bool transform_invert(pietra_transform transform, pietra_transform *inverse);
bool transform_is_finite(pietra_transform transform);
bool transform_is_identity(pietra_transform transform);
void transform_point(pietra_transform transform, double *x, double *y);
/* The smallest box around the image of a box. */
pietra_box transform_box(pietra_transform transform, pietra_box box);

#endif
