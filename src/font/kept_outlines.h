/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Outlines of a font that were found before. Text has few glyphs and shows them often, and HarfBuzz takes about a
 * microsecond to find one. */
#ifndef PIETRA_FONT_KEPT_OUTLINES_H
#define PIETRA_FONT_KEPT_OUTLINES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "font/font_outline.h"

/* A glyph has one place, by its lowest bits. The first outline that comes stays there for the font's life: any number
 * of threads may read it without a lock. */
#define KEPT_OUTLINES 256u
/* A document may have fonts by the hundred thousand, for a glyph each. So the first outlines of a font are not kept. */
#define KEPT_OUTLINES_BEGIN 16u

typedef struct kept_outline kept_outline;

/* Zero bytes keep nothing so far. */
typedef struct kept_outlines {
    kept_outline *_Atomic *_Atomic places; /* NULL: none was kept so far */
    atomic_uint passed;                    /* outlines that were not kept, to KEPT_OUTLINES_BEGIN */
} kept_outlines;

/* Appends the outline of a glyph if it was kept. False in *kept: it was not. Returns false if there is no memory. */
bool kept_outlines_find(const kept_outlines *outlines, uint32_t glyph, font_outline *outline, bool *kept);
/* Keeps what an outline has from these numbers of verbs and coordinates on, unless the place is taken or the outline is
 * large. Returns false if there is no memory. */
bool kept_outlines_add(kept_outlines *outlines, uint32_t glyph, const font_outline *outline, size_t verb,
                       size_t coordinate);
/* Frees what it keeps. */
void kept_outlines_free(kept_outlines *outlines);

#endif
