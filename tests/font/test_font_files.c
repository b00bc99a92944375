/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Directories, facts, characters and packed fonts, as they should be and broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "font/build_font.h"
#include "font/characters.h"
#include "font/facts.h"
#include "font/unpack.h"

static const char *const files[] = {"shapes.ttf",  "cubic.otf",    "variable.ttf",  "variable_cubic.otf",
                                    "shapes.woff", "shapes.woff2", "collection.ttc"};
#define FILES (sizeof files / sizeof files[0])

/* Takes over the source. */
static const char *read_facts(font_source *source, uint32_t index, font_facts *facts, font_pages *pages)
{
    sfnt font = {0};
    font_piece cmap = {0};
    *facts = (font_facts){0};
    const char *wrong = font_unpack(&source, &index);
    if (!wrong)
        wrong = sfnt_open(source, index, &font);
    if (!wrong)
        wrong = font_facts_read(&font, facts);
    if (!wrong)
        wrong = sfnt_read(&font, FONT_TAG('c', 'm', 'a', 'p'), &cmap);
    if (!wrong)
        assert_true(font_characters_read(cmap.bytes, pages));
    font_piece_free(&cmap);
    sfnt_close(&font);
    font_source_release(source);
    return wrong;
}

static void assert_facts(const char *name, uint32_t index, const char *families, font_traits expected)
{
    font_facts facts;
    font_pages pages = {0};
    assert_null(read_facts(open_test_font(name), index, &facts, &pages));
    assert_string_equal(facts.families, families);
    assert_memory_equal(&facts.traits, &expected, sizeof expected);
    const font_characters characters = {pages.items, pages.count};
    const uint32_t there[] = {0x20, 0x41, 0x42, 0xb4, 0xc1, 0x1f600},
                   missing[] = {0, 0x1f, 0x43, 0xc0, 0x1f601, 0x10ffff};
    for (size_t i = 0; i < 6; i++) {
        assert_true(font_characters_have(characters, there[i]));
        assert_false(font_characters_have(characters, missing[i]));
    }
    font_facts_free(&facts);
    array_free(&pages);
}

static void test_facts(void **state)
{
    const font_traits regular = {.weight = {400, 400}, .stretch = {100, 100}};
    font_traits bold = regular, variable = regular, cubic = regular;
    (void)state;
    bold.weight = (font_range){700, 700};
    variable.weight = cubic.weight = (font_range){100, 900};
    variable.stretch = (font_range){75, 125};
    variable.variable = cubic.variable = 1;
    assert_facts("shapes.ttf", 0, "Pietra Shapes", regular);
    assert_facts("cubic.otf", 0, "Pietra Cubic", regular);
    assert_facts("variable.ttf", 0, "Pietra Variable", variable);
    assert_facts("variable_cubic.otf", 0, "Pietra Variable Cubic", cubic);
    assert_facts("shapes.woff", 0, "Pietra Shapes", regular);
    assert_facts("shapes.woff2", 0, "Pietra Shapes", regular);
    assert_facts("collection.ttc", 0, "Pietra First", regular);
    assert_facts("collection.ttc", 1, "Pietra Second", bold);
}

static void test_face_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        font_source *source = open_test_font(files[i]);
        uint32_t count;
        font_facts facts;
        font_pages pages = {0};
        assert_null(font_count_faces(source, &count));
        assert_int_equal(count, strcmp(files[i], "collection.ttc") == 0 ? 2 : 1);
        assert_non_null(read_facts(source, count, &facts, &pages));
    }
}

/* The records of a table differ in nothing but where it lies. */
static void assert_same_record(const font_source *expected, const font_source *found, size_t index)
{
    font_piece a, b;
    assert_null(font_source_read(expected, 12 + 16 * index, 16, &a));
    assert_null(font_source_read(found, 12 + 16 * index, 16, &b));
    assert_memory_equal(a.bytes.at, b.bytes.at, 8);
    assert_memory_equal(a.bytes.at + 12, b.bytes.at + 12, 4);
    font_piece_free(&a);
    font_piece_free(&b);
}

static void assert_same_header(const font_source *expected, const font_source *found)
{
    font_piece a, b;
    assert_null(font_source_read(expected, 0, 12, &a));
    assert_null(font_source_read(found, 0, 12, &b));
    assert_memory_equal(a.bytes.at, b.bytes.at, 12);
    font_piece_free(&a);
    font_piece_free(&b);
}

/* WOFF keeps tables byte for byte, and what the directory says of them. */
static void test_woff_tables(void **state)
{
    font_source *plain = open_test_font("shapes.ttf"), *packed = open_test_font("shapes.woff");
    uint32_t index = 0;
    sfnt expected, found;
    (void)state;
    assert_null(font_unpack(&packed, &index));
    assert_null(sfnt_open(plain, 0, &expected));
    assert_null(sfnt_open(packed, 0, &found));
    assert_int_equal(found.table_count, expected.table_count);
    assert_same_header(plain, packed);
    for (size_t i = 0; i < expected.table_count; i++) {
        font_piece a, b;
        if (expected.tables[i].tag == FONT_TAG('h', 'e', 'a', 'd'))
            continue; /* the checksum of the whole differs */
        assert_same_record(plain, packed, i);
        assert_null(sfnt_read(&expected, expected.tables[i].tag, &a));
        assert_null(sfnt_read(&found, expected.tables[i].tag, &b));
        assert_int_equal(a.bytes.count, b.bytes.count);
        assert_memory_equal(a.bytes.at, b.bytes.at, a.bytes.count);
        font_piece_free(&a);
        font_piece_free(&b);
    }
    sfnt_close(&expected);
    sfnt_close(&found);
    font_source_release(plain);
    font_source_release(packed);
}

/* Whatever is left of a font, it is read or refused. */
static void test_cut_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        size_t count;
        uint8_t *bytes = read_test_font(files[i], &count);
        for (size_t left = 0; left < count; left++) {
            font_facts facts;
            font_pages pages = {0};
            const char *wrong = read_facts(source_of(bytes, left), 0, &facts, &pages);
            if (left < 12)
                assert_non_null(wrong);
            font_facts_free(&facts);
            array_free(&pages);
        }
        free(bytes);
    }
}

static void test_changed_bytes(void **state)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0xff};
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        size_t count;
        uint8_t *bytes = read_test_font(files[i], &count);
        for (size_t at = 0; at < count; at++) {
            const uint8_t before = bytes[at];
            for (size_t k = 0; k < sizeof values; k++) {
                font_facts facts;
                font_pages pages = {0};
                bytes[at] = values[k];
                read_facts(source_of(bytes, count), 0, &facts, &pages);
                font_facts_free(&facts);
                array_free(&pages);
            }
            bytes[at] = before;
        }
        free(bytes);
    }
}

/* A header that announces more than a font may have is refused before anything is unpacked. */
static void test_bombs(void **state)
{
    static const struct {
        const char *name;
        size_t at; /* place of the four bytes that say how much there is */
    } announcements[] = {{"shapes.woff", 44 + 12}, {"shapes.woff2", 16}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        size_t count;
        font_facts facts;
        font_pages pages = {0};
        uint8_t *bytes = read_test_font(announcements[i].name, &count);
        font_put_u32(bytes + announcements[i].at, (64u << 20) + 1);
        assert_ptr_equal(read_facts(source_of(bytes, count), 0, &facts, &pages), font_too_large);
        free(bytes);
    }
}

/* Tables of WOFF2 that say they have 2^31 bytes each. */
static void test_woff2_tables(void **state)
{
    size_t count;
    font_facts facts;
    font_pages pages = {0};
    uint8_t *bytes = read_test_font("shapes.woff2", &count);
    static const uint8_t entry[] = {0, 0x88, 0x80, 0x80, 0x80, 0};
    (void)state;
    memcpy(bytes + 48, entry, sizeof entry);
    assert_ptr_equal(read_facts(source_of(bytes, count), 0, &facts, &pages), font_too_large);
    free(bytes);
}

static void test_no_fonts(void **state)
{
    static const char *const texts[] = {"", "OTTO", "true\0\0", "<svg xmlns='http://www.w3.org/2000/svg'/>"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        font_facts facts;
        font_pages pages = {0};
        assert_string_equal(read_facts(source_of(texts[i], strlen(texts[i])), 0, &facts, &pages), "it is no font");
    }
}

/* A font needs a head, and something to draw. */
static void test_missing_tables(void **state)
{
    font_builder builder = {0};
    font_facts facts;
    font_pages pages = {0};
    (void)state;
    begin_table(&builder, FONT_TAG('g', 'l', 'y', 'f'));
    assert_string_equal(read_facts(finish_font(&builder), 0, &facts, &pages), "its table head is missing or broken");
    add_basics(&builder, 1);
    assert_string_equal(read_facts(finish_font(&builder), 0, &facts, &pages), "it has no outlines");
    begin_table(&builder, FONT_TAG('C', 'O', 'L', 'R'));
    begin_table(&builder, FONT_TAG('s', 'b', 'i', 'x'));
    begin_table(&builder, FONT_TAG('S', 'V', 'G', ' '));
    add_basics(&builder, 1);
    assert_null(read_facts(finish_font(&builder), 0, &facts, &pages));
    assert_int_equal(facts.traits.colors, FONT_COLOR_LAYERS | FONT_COLOR_BITMAPS | FONT_COLOR_SVG);
}

/* A table beyond the end counts as missing. */
static void test_offsets(void **state)
{
    static const uint32_t offsets[] = {0x7fffffff, 0xffffffff, 0xfffffff0};
    font_source *whole = open_test_font("shapes.ttf");
    sfnt font;
    (void)state;
    assert_null(sfnt_open(whole, 0, &font));
    const size_t table_count = font.table_count;
    sfnt_close(&font);
    font_source_release(whole);
    for (size_t i = 0; i < 3; i++) {
        size_t count;
        uint8_t *bytes = read_test_font("shapes.ttf", &count);
        font_put_u32(bytes + 12 + 8, offsets[i]);
        font_source *source = source_of(bytes, count);
        assert_null(sfnt_open(source, 0, &font));
        assert_int_equal(font.table_count, table_count - 1);
        sfnt_close(&font);
        font_source_release(source);
        free(bytes);
    }
}

/* ---- cmap ---- */

/* Reads one subtable. */
static font_pages read_words(uint32_t platform, uint32_t encoding, const uint16_t *words, size_t count)
{
    byte_array table = {0};
    font_pages pages = {0};
    put_u16(&table, 0);
    put_u16(&table, 1);
    put_u16(&table, platform);
    put_u16(&table, encoding);
    put_u32(&table, 12);
    for (size_t i = 0; i < count; i++)
        put_u16(&table, words[i]);
    assert_true(font_characters_read((font_bytes){table.items, table.count}, &pages));
    array_free(&table);
    return pages;
}

static void assert_characters(font_pages pages, const uint32_t *expected, size_t count)
{
    size_t found = 0;
    const font_characters characters = {pages.items, pages.count};
    for (uint32_t c = 0; c <= FONT_LAST_CHARACTER; c++)
        found += font_characters_have(characters, c);
    for (size_t i = 0; i < count; i++)
        assert_true(font_characters_have(characters, expected[i]));
    assert_int_equal(found, count);
    array_free(&pages);
}

#define ASSERT_CMAP(platform, encoding, words, ...) \
    do { \
        const uint32_t expected[] = {__VA_ARGS__}; \
        assert_characters(read_words(platform, encoding, words, sizeof words / sizeof words[0]), expected, \
                          sizeof expected / sizeof expected[0]); \
    } while (0)

static void test_character_maps(void **state)
{
    /* Two segments: by difference, with a glyph 0 in the midst of it; by an array with a hole. */
    static const uint16_t segments[] = {4,    44,     0,      6, 0, 0, 0, 0x22, 0x51, 0xffff, 0, 0x20,
                                        0x4f, 0xffff, 0xffdf, 0, 1, 0, 4, 0,    7,    0,      9};
    /* Segments out of order, and one that ends before it begins. */
    static const uint16_t disordered[] = {4, 40,   0,    6,      0, 0, 0, 0x51, 0x41, 0xffff,
                                          0, 0x50, 0x40, 0xffff, 5, 5, 1, 0,    0,    0};
    static const uint16_t trimmed[] = {6, 16, 0, 0x100, 3, 1, 0, 2};
    static const uint16_t wide[] = {10, 0, 0, 24, 0, 0, 1, 0xf600, 0, 2, 1, 1};
    static const uint16_t groups[] = {12, 0, 0,    52, 0,    0, 0, 3,    0,      0x30,   0,      0x31, 0,
                                      0,  0, 0x20, 0,  0x21, 0, 1, 0x10, 0xfffe, 0x7fff, 0xffff, 0,    3};
    static const uint16_t same[] = {13, 0, 0, 28, 0, 0, 0, 1, 1, 0, 1, 2, 0, 9};
    static const uint16_t symbols[] = {6, 14, 0, 0xf041, 2, 1, 2};
    (void)state;
    ASSERT_CMAP(3, 1, segments, 0x20, 0x22, 0x4f, 0x51);
    ASSERT_CMAP(3, 1, disordered, 0x50, 0x51);
    ASSERT_CMAP(0, 3, trimmed, 0x100, 0x102);
    ASSERT_CMAP(3, 10, wide, 0x1f600, 0x1f601);
    ASSERT_CMAP(3, 10, groups, 0x31, 0x10fffe, 0x10ffff);
    ASSERT_CMAP(3, 10, same, 0x10000, 0x10001, 0x10002);
    ASSERT_CMAP(3, 0, symbols, 0x41, 0x42, 0xf041, 0xf042);
    assert_characters(read_words(1, 5, trimmed, 8), NULL, 0);
}

/* 65,535 groups that each hold all characters are read once. */
static void test_overlapping_groups(void **state)
{
    byte_array table = {0};
    font_pages pages = {0};
    const uint32_t head[] = {1, 3 << 16 | 10, 12, 12 << 16, 0, 0, 65535};
    (void)state;
    for (size_t i = 0; i < 7; i++)
        put_u32(&table, head[i]);
    for (size_t i = 0; i < 65535; i++) {
        put_u32(&table, 0);
        put_u32(&table, 0xffffffff);
        put_u32(&table, 1);
    }
    assert_true(font_characters_read((font_bytes){table.items, table.count}, &pages));
    assert_int_equal(pages.count, 0x1100);
    array_free(&table);
    array_free(&pages);
}

/* ---- Names ---- */

static void test_names(void **state)
{
    /* A family; a typographic one with a character beyond the basic plane; the family again; an ill-formed one; one in
     * another encoding; one in Macintosh Roman. */
    static const uint16_t words[] = {0,  6, 78, 3,    1,    0x409, 1,      4,      0,      3,    1,      0x411,
                                     16, 6, 4,  3,    1,    0x407, 1,      4,      0,      3,    10,     7,
                                     1,  4, 10, 1,    0,    0,     1,      4,      14,     1,    1,      0,
                                     1,  4, 14, 0x41, 0x42, 0x43,  0xd83d, 0xde00, 0xd83d, 0x44, 0x4566, 0x6768};
    font_builder builder = {0};
    font_facts facts;
    font_pages pages = {0};
    (void)state;
    add_basics(&builder, 1);
    begin_table(&builder, FONT_TAG('g', 'l', 'y', 'f'));
    byte_array *name = begin_table(&builder, FONT_TAG('n', 'a', 'm', 'e'));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        put_u16(name, words[i]);
    assert_null(read_facts(finish_font(&builder), 0, &facts, &pages));
    static const char expected[] = "C\xf0\x9f\x98\x80\0AB\0Efgh";
    assert_int_equal(facts.families_bytes, sizeof expected);
    assert_memory_equal(facts.families, expected, sizeof expected);
    font_facts_free(&facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),          cmocka_unit_test(test_face_counts),
        cmocka_unit_test(test_woff_tables),    cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_changed_bytes),  cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_woff2_tables),   cmocka_unit_test(test_no_fonts),
        cmocka_unit_test(test_missing_tables), cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_character_maps), cmocka_unit_test(test_overlapping_groups),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
