/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counts what a glyph of TrueType outlines consists of, before HarfBuzz draws it. A composite glyph that names another
 * composite twice, and so on, doubles the work each time, and HarfBuzz allows a depth of 64. */
#ifndef PIETRA_FONT_COMPONENTS_H
#define PIETRA_FONT_COMPONENTS_H

#include "font/bytes.h"

#define FONT_MOST_COMPONENTS 1024u
#define FONT_MOST_POINTS 10000u /* a glyph's most, with those of its components */

/* The tables of a face. */
typedef struct font_glyphs {
    font_bytes glyf, loca;
    uint32_t count;
    bool long_offsets; /* those of loca have 32 bits */
} font_glyphs;

font_glyphs font_glyphs_of(font_bytes glyf, font_bytes loca, font_bytes head, font_bytes maxp);

/* Looks at most at FONT_MOST_COMPONENTS glyphs. NULL, or what is wrong with the glyph: it has too many components (as
 * one that contains itself) or points, or is broken. */
const char *font_glyphs_check(const font_glyphs *glyphs, uint32_t glyph);

#endif
