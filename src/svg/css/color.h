/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CSS colours: names, hexadecimal forms and functions of CSS Color 4, and what CSS Color 5 makes of other colours. */
#ifndef PIETRA_SVG_CSS_COLOR_H
#define PIETRA_SVG_CSS_COLOR_H

#include "base/text.h"
#include "pietra/pietra.h"

/* Reads a colour at the beginning of *rest and moves *rest behind it. Returns false, and writes nothing, if there is
 * none. currentColor alone does not count as a colour here, but other colours may be made of it: `current` is its
 * value, or NULL if that is not known. *dark becomes the colour in a dark colour scheme. It differs only for
 * light-dark(). */
bool svg_color_parse(text *rest, const pietra_color *current, pietra_color *color, pietra_color *dark);

/* Returns whether currentColor stands anywhere in a value. */
bool svg_color_mentions_current(text value);

#endif
