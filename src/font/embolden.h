/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A weight and a slant that a font lacks, imitated. */
#ifndef PIETRA_FONT_EMBOLDEN_H
#define PIETRA_FONT_EMBOLDEN_H

#include "font/font.h"

#define FONT_IMITATED_SLANT 0.25 /* tangent of 14 degrees, what browsers take */

/* Returns by how much every edge of an imitated bold letter moves outwards, in parts of the em. Small letters get more
 * of it, as in browsers. `size` is the em in pixels. */
double font_imitated_weight(double size);

/* Moves the edges of an outline outwards by a distance, those of its holes inwards. The contours stay as they are
 * otherwise: each point moves along the line that halves its corner. Where a corner is sharp it moves no farther than
 * four times the distance, and at a concave corner no farther than the shorter of its edges. */
void font_embolden(font_outline *outline, double distance);

#endif
