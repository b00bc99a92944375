/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/build_font.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "font/sfnt.h"

void put_bytes(byte_array *bytes, const void *from, size_t count)
{
    if (count == 0)
        return;
    uint8_t *to = array_push_many(bytes, count);
    assert(to);
    memcpy(to, from, count);
}

void put_u16(byte_array *bytes, uint32_t value)
{
    uint8_t number[2];
    font_put_u16(number, value);
    put_bytes(bytes, number, sizeof number);
}

void put_u32(byte_array *bytes, uint32_t value)
{
    put_u16(bytes, value >> 16);
    put_u16(bytes, value & 0xffff);
}

byte_array *begin_table(font_builder *builder, uint32_t tag)
{
    built_table *table = array_push(&builder->tables);
    assert(table);
    *table = (built_table){.tag = tag};
    return &table->bytes;
}

void add_basics(font_builder *builder, uint32_t glyph_count)
{
    static const uint16_t head[] = {1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000, 0, 0, 0, 0,
                                    0, 0, 0, 0, 0, 0, 0,      0,      0, 8,    2, 1, 0};
    static const uint16_t hhea[] = {1, 0, 900, 0xfed4, 50, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 1};
    byte_array *table = begin_table(builder, FONT_TAG('h', 'e', 'a', 'd'));
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        put_u16(table, head[i]);
    table = begin_table(builder, FONT_TAG('h', 'h', 'e', 'a'));
    for (size_t i = 0; i < sizeof hhea / sizeof hhea[0]; i++)
        put_u16(table, hhea[i]);
    table = begin_table(builder, FONT_TAG('m', 'a', 'x', 'p'));
    put_u32(table, 0x00010000);
    put_u16(table, glyph_count);
    for (size_t i = 0; i < 13; i++)
        put_u16(table, 0);
    table = begin_table(builder, FONT_TAG('h', 'm', 't', 'x'));
    put_u16(table, 500);
    for (size_t i = 0; i < glyph_count; i++)
        put_u16(table, 0);
}

void add_family(font_builder *builder, const char *family)
{
    byte_array *table = begin_table(builder, FONT_TAG('n', 'a', 'm', 'e'));
    const uint16_t words[] = {0, 1, 18, 3, 1, 0x409, 1, (uint16_t)(2 * strlen(family)), 0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        put_u16(table, words[i]);
    for (; *family; family++)
        put_u16(table, (uint8_t)*family);
}

void add_characters(font_builder *builder, uint32_t first, uint32_t count)
{
    byte_array *table = begin_table(builder, FONT_TAG('c', 'm', 'a', 'p'));
    const uint32_t words[] = {1, 3 << 16 | 10, 12, 12 << 16, 28, 0, 1, first, first + count - 1, 1};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        put_u32(table, words[i]);
}

void add_glyphs(font_builder *builder, const byte_array *glyphs, const uint32_t *ends, size_t count)
{
    put_bytes(begin_table(builder, FONT_TAG('g', 'l', 'y', 'f')), glyphs->items, glyphs->count);
    byte_array *table = begin_table(builder, FONT_TAG('l', 'o', 'c', 'a'));
    put_u32(table, 0);
    for (size_t i = 0; i < count; i++)
        put_u32(table, ends[i]);
}

byte_array *begin_substitutions(font_builder *builder, uint32_t lookup_count)
{
    const uint32_t words[] = {
        1, 0,      10, 30, 42 + 2 * lookup_count, /* scripts: */ 1, 0x4446, 0x4c54, 8, 4,           0,
        0, 0xffff, 1,  0,  /* features: */ 1,     0x6363,           0x6d70, 8,      0, lookup_count};
    byte_array *table = begin_table(builder, FONT_TAG('G', 'S', 'U', 'B'));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        put_u16(table, words[i]);
    for (uint32_t i = 0; i < lookup_count; i++)
        put_u16(table, i);
    return table;
}

font_source *finish_font(font_builder *builder)
{
    byte_array font = {0};
    uint32_t at = 12 + 16 * (uint32_t)builder->tables.count;
    put_u32(&font, 0x00010000);
    put_u16(&font, (uint32_t)builder->tables.count);
    for (size_t i = 0; i < 3; i++)
        put_u16(&font, 0);
    for (size_t i = 0; i < builder->tables.count; i++) {
        const built_table *table = &builder->tables.items[i];
        const uint32_t record[] = {table->tag, 0, at, (uint32_t)table->bytes.count};
        for (size_t k = 0; k < 4; k++)
            put_u32(&font, record[k]);
        at += (uint32_t)table->bytes.count;
    }
    for (size_t i = 0; i < builder->tables.count; i++) {
        put_bytes(&font, builder->tables.items[i].bytes.items, builder->tables.items[i].bytes.count);
        array_free(&builder->tables.items[i].bytes);
    }
    array_free(&builder->tables);
    font_source *source;
    const char *wrong = font_source_take(font.items, font.count, &source);
    assert(!wrong);
    return source;
}

font_source *open_test_font(const char *name)
{
    char path[1000];
    font_source *source;
    snprintf(path, sizeof path, "%s/tests/font/fonts/%s", PIETRA_SOURCE_DIR, name);
    const char *wrong = font_source_open(path, &source);
    assert(!wrong);
    return source;
}

uint8_t *read_test_font(const char *name, size_t *count)
{
    font_source *source = open_test_font(name);
    font_piece piece;
    const char *wrong = font_source_read(source, 0, source->byte_count, &piece);
    assert(!wrong && piece.owned);
    font_source_release(source);
    *count = piece.bytes.count;
    return piece.owned;
}

font_source *source_of(const void *bytes, size_t count)
{
    uint8_t *copy = malloc(count + 1);
    font_source *source;
    assert(copy);
    memcpy(copy, bytes, count);
    const char *wrong = font_source_take(copy, count, &source);
    assert(!wrong);
    return source;
}

void take_tables(font_builder *builder, const char *name, uint32_t except)
{
    font_source *source = open_test_font(name);
    sfnt font;
    font_piece piece;
    if (sfnt_open(source, 0, &font))
        abort();
    for (size_t i = 0; i < font.table_count; i++) {
        if (font.tables[i].tag == except)
            continue;
        if (sfnt_read(&font, font.tables[i].tag, &piece))
            abort();
        put_bytes(begin_table(builder, font.tables[i].tag), piece.bytes.at, piece.bytes.count);
        font_piece_free(&piece);
    }
    sfnt_close(&font);
    font_source_release(source);
}
