/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/sfnt.h"

#include <stdlib.h>

#define HEADER_BYTES 12u
#define RECORD_BYTES 16u

static const char no_font[] = "it is no font";

static bool is_version(uint32_t version)
{
    return version == 0x00010000 || version == FONT_TAG('O', 'T', 'T', 'O') || version == FONT_TAG('t', 'r', 'u', 'e');
}

/* Finds where the directory of a face begins. */
static const char *find_directory(const font_source *source, uint32_t index, uint32_t *offset, uint32_t *face_count)
{
    font_piece piece;
    const char *wrong = font_source_read(source, 0, HEADER_BYTES, &piece);
    if (wrong)
        return wrong == font_cut_off ? no_font : wrong;
    const uint32_t version = font_u32(piece.bytes, 0), count = font_u32(piece.bytes, 8);
    font_piece_free(&piece);
    *offset = 0;
    *face_count = 1;
    if (version == FONT_TAG('t', 't', 'c', 'f')) {
        *face_count = count < SFNT_MOST_FACES ? count : SFNT_MOST_FACES;
        if (index < *face_count)
            wrong = font_source_read(source, HEADER_BYTES + 4 * (uint64_t)index, 4, &piece);
        if (index < *face_count && !wrong) {
            *offset = font_u32(piece.bytes, 0);
            font_piece_free(&piece);
        }
    } else if (!is_version(version)) {
        wrong = no_font;
    }
    if (!wrong && index >= *face_count)
        wrong = "it has no face of that number";
    return wrong;
}

/* Tables of a face do not overlap, so together they are no larger than the file. What a forged directory has beyond
 * that would be read into memory again for each table. */
static void take_tables(const font_source *source, font_bytes records, sfnt *font)
{
    uint64_t left = source->byte_count;
    for (size_t i = 0; i < records.count / RECORD_BYTES; i++) {
        const sfnt_table table = {
            .tag = font_u32(records, i * RECORD_BYTES),
            .offset = font_u32(records, i * RECORD_BYTES + 8),
            .byte_count = font_u32(records, i * RECORD_BYTES + 12),
        };
        if (table.offset > source->byte_count || table.byte_count > source->byte_count - table.offset ||
            table.byte_count > left)
            continue;
        font->tables[font->table_count++] = table;
        left -= table.byte_count;
    }
}

const char *sfnt_open(const font_source *source, uint32_t index, sfnt *font)
{
    uint32_t offset, count;
    font_piece piece;
    *font = (sfnt){.source = source};
    const char *wrong = find_directory(source, index, &offset, &font->face_count);
    if (!wrong)
        wrong = font_source_read(source, offset, HEADER_BYTES, &piece);
    if (wrong)
        return wrong;
    count = font_u16(piece.bytes, 4);
    if (!is_version(font_u32(piece.bytes, 0)))
        wrong = no_font;
    font_piece_free(&piece);
    if (count > SFNT_MOST_TABLES)
        count = SFNT_MOST_TABLES;
    if (!wrong)
        wrong = font_source_read(source, (uint64_t)offset + HEADER_BYTES, (uint64_t)count * RECORD_BYTES, &piece);
    if (wrong)
        return wrong;
    font->tables = malloc((count + 1) * sizeof *font->tables);
    if (font->tables)
        take_tables(source, piece.bytes, font);
    font_piece_free(&piece);
    return font->tables ? NULL : font_out_of_memory;
}

void sfnt_close(sfnt *font)
{
    free(font->tables);
    *font = (sfnt){0};
}

const sfnt_table *sfnt_find(const sfnt *font, uint32_t tag)
{
    for (size_t i = 0; i < font->table_count; i++)
        if (font->tables[i].tag == tag)
            return &font->tables[i];
    return NULL;
}

const char *sfnt_read(const sfnt *font, uint32_t tag, font_piece *piece)
{
    const sfnt_table *table = sfnt_find(font, tag);
    *piece = (font_piece){0};
    return table ? font_source_read(font->source, table->offset, table->byte_count, piece) : NULL;
}
