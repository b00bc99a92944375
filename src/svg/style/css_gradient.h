/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Gradients of CSS: linear-gradient() and radial-gradient() (CSS Images 3, section 3), and conic-gradient() (CSS Images
 * 4, section 3). */
#ifndef PIETRA_SVG_STYLE_CSS_GRADIENT_H
#define PIETRA_SVG_STYLE_CSS_GRADIENT_H

#include "svg/css/length.h"
#include "svg/tree/viewport.h"

typedef struct css_gradient_space {
    svg_metrics metrics;
    double dpi;
    svg_rectangle area; /* the box of the gradient; both sides are greater than 0 */
    pietra_color current;
} css_gradient_space;

/* Returns whether a value is a gradient that is drawn. Hints between stops, other colour spaces and positions of more
 * than two words are not. */
bool css_gradient_is_known(text value);
/* Returns the most stops that a gradient of this text has. */
size_t css_gradient_most_stops(text value);
/* Makes the paint of a gradient. `stops` has room for its most stops. Returns false if the gradient is not known. */
bool css_gradient_read(text value, const css_gradient_space *space, pietra_stop *stops, pietra_paint *paint);

#endif
