/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Families whose glyphs have the same advances, so that one may stand in for another and no line changes. Which these
 * are, is said by fontconfig's 30-metric-aliases.conf; this list needs no fontconfig. */
#ifndef PIETRA_FONT_ALIASES_H
#define PIETRA_FONT_ALIASES_H

#include "base/text.h"

#define FONT_MOST_ALIASES 12u /* for one family */

/* Gives the families that may stand in for one, all in lower case, in the order in which to try them: similar designs
 * come first. Returns how many there are. */
size_t font_find_aliases(text family, const char *aliases[FONT_MOST_ALIASES]);

#endif
