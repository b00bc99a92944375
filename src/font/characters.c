/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/characters.h"

#include <string.h>

#define PAGE_CHARACTERS 256u

/* ---- Pages ---- */

static font_page *find_last_page(font_pages *pages, uint32_t number)
{
    if (pages->count > 0 && array_last(pages)->number == number)
        return array_last(pages);
    font_page *page = array_push(pages);
    if (page)
        *page = (font_page){.number = number};
    return page;
}

bool font_characters_add(font_pages *pages, uint32_t first, uint32_t last)
{
    for (uint32_t at = first; at <= last;) {
        font_page *page = find_last_page(pages, at / PAGE_CHARACTERS);
        if (!page)
            return false;
        const uint32_t end = at - at % PAGE_CHARACTERS + PAGE_CHARACTERS;
        for (; at < end && at <= last; at++)
            page->bits[at % PAGE_CHARACTERS / 32] |= 1u << at % 32;
    }
    return true;
}

bool font_characters_have(font_characters characters, uint32_t character)
{
    size_t begin = 0, end = characters.page_count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        const font_page *page = &characters.pages[middle];
        if (page->number == character / PAGE_CHARACTERS)
            return (page->bits[character % PAGE_CHARACTERS / 32] >> character % 32 & 1) != 0;
        if (page->number < character / PAGE_CHARACTERS)
            begin = middle + 1;
        else
            end = middle;
    }
    return false;
}

/* ---- Formats of subtables ---- */

/* Adds one character after `next`, the first that may still be added. */
static bool add_one(font_pages *pages, uint32_t character, uint32_t *next)
{
    if (character < *next || character > FONT_LAST_CHARACTER)
        return true;
    *next = character + 1;
    return font_characters_add(pages, character, character);
}

/* Formats 6 and 10: glyphs of characters that follow one another. */
static bool read_trimmed(font_bytes glyphs, uint32_t first, uint32_t count, font_pages *pages)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < count && i <= FONT_LAST_CHARACTER && font_has(glyphs, 2 * (size_t)i, 2); i++)
        if (first <= FONT_LAST_CHARACTER && font_u16(glyphs, 2 * (size_t)i) != 0 && !add_one(pages, first + i, &next))
            return false;
    return true;
}

/* Reads format 0: a byte for each of 256 characters of Macintosh Roman, of which only ASCII are Unicode's. */
static bool read_bytes(font_bytes table, font_pages *pages)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < 128; i++)
        if (font_u8(table, 6 + i) != 0 && !add_one(pages, i, &next))
            return false;
    return true;
}

/* Finds a glyph in a segment of format 4, whose glyphs stand in an array, or are the characters moved by a difference.
 * */
static uint16_t find_segment_glyph(font_bytes table, size_t offset_at, uint32_t index, uint32_t character,
                                   uint16_t difference)
{
    const uint16_t offset = font_u16(table, offset_at);
    if (offset == 0)
        return (uint16_t)(character + difference);
    const uint16_t glyph = font_u16(table, offset_at + offset + 2 * (size_t)index);
    return glyph ? (uint16_t)(glyph + difference) : 0;
}

/* Reads format 4: segments of the basic plane. */
static bool read_segments(font_bytes table, font_pages *pages)
{
    const size_t count = font_u16(table, 6) / 2u;
    const size_t ends = 14, starts = ends + 2 * count + 2, differences = starts + 2 * count;
    const size_t offsets = differences + 2 * count;
    uint32_t next = 0;
    for (size_t i = 0; i < count && font_has(table, offsets + 2 * i, 2); i++) {
        const uint32_t first = font_u16(table, starts + 2 * i), last = font_u16(table, ends + 2 * i);
        const uint16_t difference = font_u16(table, differences + 2 * i);
        for (uint32_t c = first > next ? first : next; c <= last && c < 0xffff; c++)
            if (find_segment_glyph(table, offsets + 2 * i, c - first, c, difference) != 0 && !add_one(pages, c, &next))
                return false;
        next = last + 1 > next ? last + 1 : next;
    }
    return true;
}

/* Formats 12 and 13: groups of all planes, whose glyphs follow one another or are the same. */
static bool read_groups(font_bytes table, bool same, font_pages *pages)
{
    const uint32_t count = font_u32(table, 12);
    uint32_t next = 0;
    for (size_t i = 0; i < count && font_has(table, 16 + 12 * i, 12); i++) {
        uint32_t first = font_u32(table, 16 + 12 * i), last = font_u32(table, 20 + 12 * i);
        const uint32_t glyph = font_u32(table, 24 + 12 * i);
        if (first < next || last < first || first > FONT_LAST_CHARACTER)
            continue;
        if (last > FONT_LAST_CHARACTER)
            last = FONT_LAST_CHARACTER;
        next = last + 1;
        first += glyph == 0 && !same; /* its first character has no glyph */
        if ((glyph != 0 || !same) && first <= last && !font_characters_add(pages, first, last))
            return false;
    }
    return true;
}

static bool read_subtable(font_bytes table, font_pages *pages)
{
    switch (font_u16(table, 0)) {
    case 0:
        return read_bytes(table, pages);
    case 4:
        return read_segments(table, pages);
    case 6:
        return read_trimmed(font_after(table, 10), font_u16(table, 6), font_u16(table, 8), pages);
    case 10:
        return read_trimmed(font_after(table, 20), font_u32(table, 12), font_u32(table, 16), pages);
    case 12:
    case 13:
        return read_groups(table, font_u16(table, 0) == 13, pages);
    default:
        return true;
    }
}

/* ---- The table ---- */

#define ENCODING(platform, encoding) ((uint32_t)(platform) << 16 | (encoding))

/* Encodings from the best to the worst, in HarfBuzz's order. */
static const uint32_t encodings[] = {
    ENCODING(3, 0), ENCODING(3, 10), ENCODING(0, 6), ENCODING(0, 4), ENCODING(3, 1),
    ENCODING(0, 3), ENCODING(0, 2),  ENCODING(0, 1), ENCODING(0, 0), ENCODING(1, 0),
};

/* Returns false if there is no subtable that we know. */
static bool find_subtable(font_bytes cmap, uint32_t *encoding, font_bytes *table)
{
    const size_t count = font_u16(cmap, 2);
    for (size_t k = 0; k < sizeof encodings / sizeof encodings[0]; k++) {
        for (size_t i = 0; i < count && font_has(cmap, 4 + 8 * i, 8); i++) {
            if (font_u32(cmap, 4 + 8 * i) != encodings[k])
                continue;
            *encoding = encodings[k];
            *table = font_after(cmap, font_u32(cmap, 8 + 8 * i));
            return true;
        }
    }
    return false;
}

/* Repeats the characters of symbol fonts, which lie from U+F000 on, where they stand for those from U+0000 on too. */
static bool repeat_symbols(font_pages *pages)
{
    for (size_t i = 0; i < pages->count; i++) {
        if (pages->items[i].number != 0xf0)
            continue;
        font_page symbols = pages->items[i];
        if (pages->items[0].number == 0) {
            for (size_t k = 0; k < 8; k++)
                pages->items[0].bits[k] |= symbols.bits[k];
            return true;
        }
        if (!array_reserve(pages, 1))
            return false;
        memmove(pages->items + 1, pages->items, pages->count++ * sizeof pages->items[0]);
        symbols.number = 0;
        pages->items[0] = symbols;
        return true;
    }
    return true;
}

bool font_characters_read(font_bytes cmap, font_pages *pages)
{
    uint32_t encoding;
    font_bytes table;
    if (!find_subtable(cmap, &encoding, &table))
        return true;
    return read_subtable(table, pages) && (encoding != ENCODING(3, 0) || repeat_symbols(pages));
}
