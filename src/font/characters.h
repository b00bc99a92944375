/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The characters for which a face has glyphs: a bit for each code point, in pages of 256. */
#ifndef PIETRA_FONT_CHARACTERS_H
#define PIETRA_FONT_CHARACTERS_H

#include "base/array.h"
#include "font/bytes.h"

#define FONT_LAST_CHARACTER 0x10ffffu

typedef struct font_page {
    uint32_t number; /* the code point's bits above the lowest eight */
    uint32_t bits[8];
} font_page;

/* Pages in ascending order of their numbers; a missing page has no characters. Not owned. */
typedef struct font_characters {
    const font_page *pages;
    size_t page_count;
} font_characters;

typedef ARRAY(font_page) font_pages;

/* Adds what the best subtable of a `cmap` maps to glyphs: the one that HarfBuzz takes. What is out of order there is
 * left out, so the work is bounded by the number of code points. False: out of memory. */
bool font_characters_read(font_bytes cmap, font_pages *pages);
/* Adds a range, which must not begin before the last page. False: out of memory. */
bool font_characters_add(font_pages *pages, uint32_t first, uint32_t last);

bool font_characters_have(font_characters characters, uint32_t character);

#endif
