/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A pietra_font inside the library: a face that HarfBuzz reads, at its variations.
 *
 * HarfBuzz measures in 1/64 of the font's units, in which all static outlines and metrics are whole numbers. */
#ifndef PIETRA_FONT_FONT_H
#define PIETRA_FONT_FONT_H

#include "font/colr.h"
#include "font/face.h"
#include "font/font_outline.h"
#include "font/kept_outlines.h"
#include "pietra/pietra_text.h"

#define FONT_SUBUNITS 64 /* HarfBuzz's positions in a unit of the font */

struct pietra_font {
    living living;
    font_face *face; /* a share of it */
    const harfbuzz_functions *harfbuzz;
    hb_font_t *plain;   /* HarfBuzz's own functions */
    hb_font_t *guarded; /* checks glyphs before they are measured, where that draws them; else the plain one again */
    kept_outlines outlines;
    bool lacks_weight, lacks_slant; /* the query asked for it, and the face has none */
    colr colr;                      /* glyphs of layers and paints; no bytes: there are none */
};

/* Makes a font of a face, of which it keeps a share. NULL, or why that failed. */
const char *font_of_face(font_face *face, const pietra_font_variation *variations, size_t variation_count,
                         pietra_font **font);
/* Does the same for a face of an unpacked source, of which it keeps a share. */
const char *font_create(font_source *source, uint32_t index, const pietra_font_variation *variations,
                        size_t variation_count, pietra_font **font);
pietra_font *font_retain(pietra_font *font);

/* Returns the units of the em. */
static inline double font_em(const pietra_font *font)
{
    return font->harfbuzz->hb_face_get_upem(font->face->shared);
}

bool font_are_finite(const pietra_font_variation *variations, size_t count);

/* Appends the outline of a glyph. NULL, or why that failed; then a part of it may have been appended. */
const char *font_find_outline(const pietra_font *font, uint32_t glyph, font_outline *outline);

/* What may be made equal in text of several fonts (CSS Fonts 5, 4.2.1). */
typedef enum font_aspect {
    FONT_ASPECT_NONE,
    FONT_ASPECT_EX_HEIGHT,
    FONT_ASPECT_CAP_HEIGHT,
    FONT_ASPECT_CH_WIDTH,  /* the advance of 0; half of the em if the font has none */
    FONT_ASPECT_IC_WIDTH,  /* the advance of U+6C34; the em if the font has none */
    FONT_ASPECT_IC_HEIGHT, /* the vertical advance of U+6C34 */
} font_aspect;

/* Returns an aspect as a part of the em. */
double font_find_aspect(const pietra_font *font, font_aspect aspect);
/* Returns how far subscripts lie below the baseline, or superscripts above it, in units. */
double font_script_offset(const pietra_font *font, bool superscript);

/* Returns the result that says why: memory, a library, a file, or the font itself. `what` names the font, or is "". */
pietra_result font_error(pietra_error *error, const char *what, const char *wrong);

/* Makes the functions by which outlines are drawn to a path. NULL: out of memory. */
hb_draw_funcs_t *font_drawing_create(const harfbuzz_functions *harfbuzz);

#endif
