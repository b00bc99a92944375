/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where a side of a stroke turns back though its curve goes on: the curve bends there in a radius of half the width. */
#ifndef PIETRA_SCENE_BUILD_STROKE_CUSPS_H
#define PIETRA_SCENE_BUILD_STROKE_CUSPS_H

#include "scene/build/path.h"

#define STROKE_CUSPS_MOST \
    12 /* the degree of the equation of a cubic: |B'|^6 is as large as (B' x B'')^2 times radius^2 */

typedef struct stroke_cusp {
    path_point at;  /* of the curve */
    path_point way; /* the derivative there, but for a factor */
} stroke_cusp;

/* Finds the cusps of a curve of degree 2 or 3. Returns how many there are. */
int stroke_cusps(const path_point *p, int degree, double radius, stroke_cusp cusps[STROKE_CUSPS_MOST]);

#endif
