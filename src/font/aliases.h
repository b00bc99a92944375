/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Families that stand in for missing ones. First those whose glyphs have the same advances, so that no line changes:
 * fontconfig's 30-metric-aliases.conf says which these are, but this list needs no fontconfig. */
#ifndef PIETRA_FONT_ALIASES_H
#define PIETRA_FONT_ALIASES_H

#include "base/text.h"

#define FONT_MOST_ALIASES 12u /* for one family */

/* Gives the families that may stand in for one, all in lower case, in the order in which to try them: similar designs
 * come first. Returns how many there are. */
size_t font_find_aliases(text family, const char *aliases[FONT_MOST_ALIASES]);

/* Returns the generic family to which a family known everywhere belongs, so that one of its kind may stand in for it
 * where it is missing, or NULL: it is not known. */
const char *font_find_kind(text family);

#endif
