/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which face of a family comes closest to what was asked for (CSS Fonts 4, 5.2, "Font Style Matching", step 4). */
#ifndef PIETRA_FONT_MATCH_H
#define PIETRA_FONT_MATCH_H

#include "font/facts.h"

#define FONT_USUAL_ANGLE 14.0f /* degrees of an oblique face that does not state its angle */

typedef struct font_style {
    float weight, stretch; /* 1 to 1000; percent */
    font_slope slope;
    float angle; /* degrees, of FONT_OBLIQUE */
} font_style;

/* How far a face is from a style. Stretch counts first, then slope, then weight. */
typedef struct font_distance {
    struct {
        uint32_t rank;  /* smaller comes first */
        float distance; /* within one rank */
    } parts[3];
} font_distance;

font_distance font_measure_distance(const font_traits *traits, font_style style);
bool font_is_nearer(const font_distance *a, const font_distance *b);

#endif
