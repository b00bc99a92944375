/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Conversions between the colour spaces of CSS Color 4 and sRGB. A colour outside the target space has channels below 0
 * or above 1. */
#ifndef PIETRA_SVG_CSS_COLOR_SPACE_H
#define PIETRA_SVG_CSS_COLOR_SPACE_H

#include "base/text.h"

/* Converts CIE Lab with the white of D50. L goes from 0 to 100. */
void color_space_from_lab(const double lab[3], double rgb[3]);
void color_space_to_lab(const double rgb[3], double lab[3]);
/* Converts Oklab (base/oklab.h). */
void color_space_from_oklab(const double lab[3], double rgb[3]);
void color_space_to_oklab(const double rgb[3], double lab[3]);
/* These convert the spaces that color() knows. They return false if there is no such space. */
bool color_space_from_name(text name, const double values[3], double rgb[3]);
bool color_space_to_name(text name, const double rgb[3], double values[3]);

#endif
