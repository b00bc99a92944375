/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Matrices of three rows and columns, for conversions between colour spaces. */
#ifndef PIETRA_BASE_MATRIX3_H
#define PIETRA_BASE_MATRIX3_H

typedef double matrix3[3][3];

/* Gives m v. `out` may be v. */
void matrix3_apply(const matrix3 m, const double v[3], double out[3]);
/* Gives the inverse of a matrix that has one. */
void matrix3_invert(const matrix3 m, matrix3 out);

#endif
