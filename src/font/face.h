/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A face that HarfBuzz reads: what all fonts of it have in common, at whatever variations.
 *
 * HarfBuzz takes tables from the source one by one, when it first needs them, and the face keeps them. */
#ifndef PIETRA_FONT_FACE_H
#define PIETRA_FONT_FACE_H

#include <pthread.h>

#include "base/array.h"
#include "font/components.h"
#include "font/harfbuzz.h"
#include "font/living.h"
#include "font/lookups.h"
#include "font/sfnt.h"

#define FONT_MOST_AXES 256u /* each font of a face has a number for each of its axes; those that people make have 30 */

/* A table that was read. */
typedef struct font_table {
    uint32_t tag;
    hb_blob_t *blob;
} font_table;

typedef struct font_face {
    living living;
    uint32_t number; /* that of the database which opened it */
    font_source *source;
    sfnt sfnt;
    const harfbuzz_functions *harfbuzz;
    pthread_mutex_t lock; /* guards the tables */
    ARRAY(font_table) tables;
    const char *_Atomic wrong; /* why a table could not be read; NULL: all could */
    hb_face_t *shared;         /* HarfBuzz's face */
    hb_draw_funcs_t *drawing;
    hb_font_funcs_t *guards; /* they check glyphs before they are measured; NULL: measuring does not draw them */
    unsigned axis_count;
    bool is_spoiled; /* HarfBuzz lacked memory for a part of it; fonts that are made from now on take another one */
    font_lookups lookups; /* what they may do */
    bool has_glyphs;      /* TrueType outlines */
    font_glyphs glyphs;
    bool has_documents, has_bitmaps; /* glyphs that are SVG documents, or bitmaps */
} font_face;

/* Opens a face of an unpacked source, of which it keeps a share. NULL, or why that failed. */
const char *font_face_open(font_source *source, uint32_t index, font_face **face);
font_face *font_face_retain(font_face *face);
/* Does nothing for NULL. */
void font_face_release(font_face *face);

/* Gives the bytes of a table, which the face keeps. A missing table has none. *wrong says if it cannot be read. One
 * thread at a time. */
font_bytes font_face_borrow(font_face *face, uint32_t tag, const char **wrong);

#endif
