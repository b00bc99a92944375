/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Glyphs that are pictures: layers and paints of COLR, documents of SVG, and bitmaps of sbix and CBDT. */
#ifndef PIETRA_FONT_PICTURE_H
#define PIETRA_FONT_PICTURE_H

#include "font/font.h"

#define PICTURE_MOST_DEPTH 64u     /* how deep paints may nest */
#define PICTURE_MOST_PAINTS 10000u /* a glyph's most; each counts as often as it is shown */

typedef enum picture_kind {
    PICTURE_NONE,
    PICTURE_PAINTS,
    PICTURE_SVG,
    PICTURE_BITMAP,
    PICTURE_UNKNOWN, /* out of memory */
} picture_kind;

/* Finds what a glyph is besides its outline. A font may have several kinds: paints go before documents, these before
 * bitmaps. */
picture_kind picture_find(const pietra_font *font, uint32_t glyph);
/* Returns whether any glyph may be a picture. */
static inline bool picture_may_be(const pietra_font *font)
{
    return font->colr.table.count > 0 || font->face->has_documents || font->face->has_bitmaps;
}

/* Draws a glyph of paints, in units of the font, y down. */
typedef struct picture_request {
    pietra_scene *scene;
    uint32_t palette;               /* its number */
    const pietra_paint *foreground; /* the paint of what has the colour of the text, in the scene's space */
    /* Spends the cost of drawing `segments`, or of as many stops. False: it is too much, and drawing ends. */
    bool (*spend)(void *user, uint64_t segments);
    /* Gives a colour that stands in place of one of the palette. False: none does. NULL: it never does. */
    bool (*replace)(void *user, uint32_t index, pietra_color *color);
    void *user;
    pietra_error *error;
    bool has_foreground;  /* set if the foreground was used */
    const char *left_out; /* set to what could not be drawn; NULL: nothing */
} picture_request;

/* After a failure the scene is not balanced. */
pietra_result picture_paint(const pietra_font *font, uint32_t glyph, picture_request *request);

/* Gives the box beyond which nothing of a glyph of paints is shown, in units, y down. False: it has none. */
bool picture_find_box(const pietra_font *font, uint32_t glyph, pietra_box *box);

/* Gives the document of a glyph, gzipped or not, in which the element "glyphN" is the glyph. The bytes live as long as
 * the font. False: there is none, or memory ran out. */
bool picture_document(const pietra_font *font, uint32_t glyph, font_bytes *document);
/* Gives the PNG file of a glyph, and the box that it fills, in units, y down. The caller destroys the blob. NULL:
 * out of memory. */
hb_blob_t *picture_bitmap(const pietra_font *font, uint32_t glyph, pietra_box *box);

#endif
