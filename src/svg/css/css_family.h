/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names of font families (CSS Fonts 4, 2.1.1). */
#ifndef PIETRA_SVG_CSS_CSS_FAMILY_H
#define PIETRA_SVG_CSS_CSS_FAMILY_H

#include "base/arena.h"
#include "base/text.h"

/* Gives the name that a value is: a string, or words, which single blanks join. The name is the arena's, and ended by a
 * NUL. It is empty if the value is something else. NULL: out of memory. */
const char *css_family_read(text value, arena *arena);

#endif
