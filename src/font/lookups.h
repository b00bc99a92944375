/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Weighs the lookups by which a font changes and moves glyphs (OpenType 1.9, "GSUB", "GPOS"). Some of them try one rule
 * after another, and a rule that fits calls other lookups. HarfBuzz bounds their calls by 1,024 for each glyph, and the
 * work of a call by nothing. */
#ifndef PIETRA_FONT_LOOKUPS_H
#define PIETRA_FONT_LOOKUPS_H

#include "font/bytes.h"

/* A face beyond it is passed over. The heaviest of Noto have 24,000, and half of them less than 310. A comparison
 * takes 4 to 6 nanoseconds (HarfBuzz 6.0 on an AMD EPYC). */
#define FONT_MOST_COMPARISONS 50000.0

typedef struct font_lookups {
    double comparisons; /* at one glyph at most: all lookups apply, and all rules fail at their end */
    bool grow;          /* some make several glyphs of one */
} font_lookups;

/* Adds what HarfBuzz may do for the lookups of a table. Takes time in proportion to it. NULL, or that memory ran
 * out. */
const char *font_lookups_weigh(font_bytes table, bool positions, font_lookups *lookups);

#endif
