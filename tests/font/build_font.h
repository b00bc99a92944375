/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Builds fonts in memory, whole or broken in one place, table by table. */
#ifndef TESTS_FONT_BUILD_FONT_H
#define TESTS_FONT_BUILD_FONT_H

#include "base/array.h"
#include "font/bytes.h"
#include "font/source.h"

typedef ARRAY(uint8_t) byte_array;

typedef struct built_table {
    uint32_t tag;
    byte_array bytes;
} built_table;

typedef struct font_builder {
    ARRAY(built_table) tables;
} font_builder;

void put_u16(byte_array *bytes, uint32_t value);
void put_u32(byte_array *bytes, uint32_t value);
void put_bytes(byte_array *bytes, const void *from, size_t count);

/* Returns an empty table to be filled. It stays valid until the next one is begun. */
byte_array *begin_table(font_builder *builder, uint32_t tag);
/* Adds head, hhea and maxp, with 1000 units to the em. */
void add_basics(font_builder *builder, uint32_t glyph_count);
/* Adds a table with one name of the family, in UTF-16. */
void add_family(font_builder *builder, const char *family);
/* Adds a cmap that maps the characters from `first` on to the glyphs from 1 on. */
void add_characters(font_builder *builder, uint32_t first, uint32_t count);
/* Adds glyf and loca from glyphs one after another. ends[i]: where glyph i ends. */
void add_glyphs(font_builder *builder, const byte_array *glyphs, const uint32_t *ends, size_t count);
/* Begins a GSUB whose feature ccmp has so many lookups. The list of lookups follows. */
byte_array *begin_substitutions(font_builder *builder, uint32_t lookup_count);
/* Writes the font into a source, and frees the builder. */
font_source *finish_font(font_builder *builder);

/* Adds all tables of the font of that name below tests/font/fonts, except one. */
void take_tables(font_builder *builder, const char *name, uint32_t except);
/* Opens the font of that name below tests/font/fonts. */
font_source *open_test_font(const char *name);
/* Reads the bytes of a file. The caller frees them. */
uint8_t *read_test_font(const char *name, size_t *count);
/* Makes a source of a copy of the bytes. */
font_source *source_of(const void *bytes, size_t count);

#endif
