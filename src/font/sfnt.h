/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The directory of tables of a font: OpenType and TrueType, alone or one face of a collection (OpenType 1.9, "OpenType
 * Font File").
 *
 * A table that does not lie within the file as a whole counts as missing. Functions that return a `const char *` return
 * NULL, or why they failed. */
#ifndef PIETRA_FONT_SFNT_H
#define PIETRA_FONT_SFNT_H

#include "font/source.h"

#define SFNT_MOST_TABLES 4096u /* a face's most; further ones are ignored */
#define SFNT_MOST_FACES 1024u  /* a collection's most; further ones are ignored */

typedef struct sfnt_table {
    uint32_t tag;
    uint32_t offset, byte_count;
} sfnt_table;

/* A face of a source. The source is not owned. */
typedef struct sfnt {
    const font_source *source;
    sfnt_table *tables; /* owned */
    size_t table_count;
    uint32_t face_count; /* faces in the file */
} sfnt;

/* Reads the directory of the face with the given index. The source must outlive the result. */
const char *sfnt_open(const font_source *source, uint32_t index, sfnt *font);
void sfnt_close(sfnt *font);

/* Returns the table with the tag, the first if there are several. NULL: there is none. */
const sfnt_table *sfnt_find(const sfnt *font, uint32_t tag);
/* Reads a table. A missing one has no bytes. */
const char *sfnt_read(const sfnt *font, uint32_t tag, font_piece *piece);

#endif
