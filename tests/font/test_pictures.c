/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Glyphs that are pictures: what is found of them, and tables of paints that are broken, endless, or vary. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "font/build_font.h"
#include "font/draw_pictures.h"

#define COLR FONT_TAG('C', 'O', 'L', 'R')
#define MANY 1000000u /* segments */

static pietra_font *open_source(font_source *source)
{
    pietra_font *font = NULL;
    assert_null(font_create(source, 0, NULL, 0, &font));
    font_source_release(source);
    return font;
}

static void test_kinds(void **state)
{
    static const struct {
        const char *name;
        uint32_t character;
        picture_kind kind;
    } cases[] = {{"paints.ttf", 'a', PICTURE_PAINTS},  {"paints.ttf", 0xc0, PICTURE_PAINTS},
                 {"paints.ttf", 'A', PICTURE_NONE},    {"bitmaps.ttf", 'A', PICTURE_BITMAP},
                 {"bitmaps.ttf", 'B', PICTURE_NONE},   {"documents.ttf", 'A', PICTURE_SVG},
                 {"documents.ttf", 0xb4, PICTURE_SVG}, {"documents.ttf", 0xc1, PICTURE_NONE},
                 {"shapes.ttf", 'A', PICTURE_NONE}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pietra_font *font = open_source(open_test_font(cases[i].name));
        const uint32_t glyph = pietra_font_glyph(font, cases[i].character);
        assert_true(glyph > 0);
        assert_int_equal(picture_find(font, glyph), cases[i].kind);
        assert_int_equal(picture_find(font, 70000), PICTURE_NONE);
        assert_int_equal(picture_may_be(font), strcmp(cases[i].name, "shapes.ttf") != 0);
        pietra_font_destroy(font);
    }
}

/* The largest bitmap lies to the right of the outline's left side, and below its lower one. */
static void test_bitmap(void **state)
{
    pietra_font *font = open_source(open_test_font("bitmaps.ttf"));
    pietra_box box;
    (void)state;
    hb_blob_t *blob = picture_bitmap(font, pietra_font_glyph(font, 'A'), &box);
    assert_non_null(blob);
    font->harfbuzz->hb_blob_destroy(blob);
    assert_true(box.x0 == 20 + 100 && box.x1 == 20 + 1100 && box.y1 == 200 && box.y0 == 200 - 1000);
    pietra_font_destroy(font);
}

static void test_paints(void **state)
{
    pietra_font *font = open_source(open_test_font("paints.ttf"));
    (void)state;
    drawn_picture drawn = draw_picture(font, pietra_font_glyph(font, 'a'), MANY);
    assert_int_equal(drawn.result, PIETRA_OK);
    assert_int_equal(drawn.element_count, 1);
    assert_true(drawn.box.x0 == 20 && drawn.box.y0 == -700 && drawn.box.x1 == 580 && drawn.box.y1 == 0);
    assert_false(drawn.has_foreground);
    assert_true(draw_picture(font, pietra_font_glyph(font, 'b'), MANY).has_foreground);
    drawn = draw_picture(font, pietra_font_glyph(font, 'l'), MANY); /* moved by 100, -100 */
    assert_true(drawn.box.x0 == 120 && drawn.box.y1 == 100);
    assert_int_equal(draw_picture(font, pietra_font_glyph(font, 0xc0), MANY).element_count, 2);
    /* It is too much. */
    assert_int_equal(draw_picture(font, pietra_font_glyph(font, 'a'), 3).result, PIETRA_ERROR_INPUT);
    pietra_font_destroy(font);
}

/* Angles and circles of gradients. Radii that would be less than 0 are cut off, or moved by whole periods. */
static void test_gradients(void **state)
{
    static const struct {
        uint32_t character, kind;
        double r0, dr, distance;
    } cases[] = {
        {'i', PAINT_SWEEP, 30.0 / 360, 1.2, 0},    {0xe01c, PAINT_SWEEP, 300.0 / 360, -1.5, 0},
        {0xe01d, PAINT_SWEEP, 75.0 / 360, 4.8, 0}, {0xe020, PAINT_SWEEP, -0.25, 1 / 1.5, 0},
        {'g', PAINT_RADIAL, 60, 210, 0},           {0xe023, PAINT_RADIAL, 200, -200, 0},
        {0xe024, PAINT_RADIAL, 0, 150, 150},       {0xe025, PAINT_RADIAL, 0, 55, 220},
        {0xe026, PAINT_RADIAL, 50, 60, 50},        {0xe027, PAINT_RADIAL, 138, -54, 45},
    };
    pietra_font *font = open_source(open_test_font("paints.ttf"));
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const drawn_picture drawn = draw_picture(font, pietra_font_glyph(font, cases[i].character), MANY);
        assert_int_equal(drawn.result, PIETRA_OK);
        assert_int_equal(drawn.paint.kind, cases[i].kind);
        assert_true(fabs((double)drawn.paint.r0 - cases[i].r0) < 1e-2);
        assert_true(fabs((double)drawn.paint.dr - cases[i].dr) < 1e-2);
        assert_true(fabs((double)drawn.paint.centre_distance - cases[i].distance) < 1e-2);
    }
    pietra_font_destroy(font);
}

/* The modes of composition that need groups have an outer one and one of the mode. */
static void test_composites(void **state)
{
    pietra_font *font = open_source(open_test_font("paints.ttf"));
    (void)state;
    for (uint32_t mode = 0; mode < 28; mode++) {
        const drawn_picture drawn = draw_picture(font, pietra_font_glyph(font, 0xe000 + mode), MANY);
        assert_int_equal(drawn.element_count, mode == 0 ? 0 : mode < 3 ? 1 : mode < 5 ? 2 : 6);
        assert_null(drawn.left_out);
    }
    pietra_font_destroy(font);
}

/* ---- Tables of our own ---- */

static void put_u24(byte_array *bytes, uint32_t value)
{
    const uint8_t three[] = {(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    put_bytes(bytes, three, 3);
}

static void put_u8(byte_array *bytes, uint32_t value)
{
    put_bytes(bytes, &(uint8_t){(uint8_t)value}, 1);
}

/* Begins a table of version 1 in which glyph 2, the letter A, has the paint that follows. `layers` and `store` are
 * offsets from the paint, or 0. */
static void begin_colr(byte_array *table, uint32_t layers, uint32_t store)
{
    put_u16(table, 1);
    put_u16(table, 0);
    put_u32(table, 0);
    put_u32(table, 0);
    put_u16(table, 0);
    put_u32(table, 34);
    put_u32(table, layers ? 44 + layers : 0);
    put_u32(table, 0);
    put_u32(table, 0);
    put_u32(table, store ? 44 + store : 0);
    put_u32(table, 1);
    put_u16(table, 2);
    put_u32(table, 10);
}

static pietra_font *open_colr(const uint8_t *bytes, size_t count)
{
    font_builder builder = {0};
    take_tables(&builder, "paints.ttf", COLR);
    put_bytes(begin_table(&builder, COLR), bytes, count);
    return open_source(finish_font(&builder));
}

/* A paint that shows itself, by its glyph or as a layer, and one of which each level shows the next many times. */
static void test_endless(void **state)
{
    byte_array tables[3] = {0};
    (void)state;
    begin_colr(&tables[0], 0, 0);
    put_u8(&tables[0], 11);
    put_u16(&tables[0], 2);
    begin_colr(&tables[1], 6, 0);
    put_u8(&tables[1], 1);
    put_u8(&tables[1], 255);
    put_u32(&tables[1], 0);
    put_u32(&tables[1], 255);
    for (uint32_t i = 0; i < 255; i++)
        put_u32(&tables[1], UINT32_MAX - 5); /* back to the paint, were it not beyond the end */
    begin_colr(&tables[2], 0, 0);
    for (uint32_t i = 0; i < 70; i++) {
        put_u8(&tables[2], 32); /* composed of two of the next one, one inside the other */
        put_u24(&tables[2], 8);
        put_u8(&tables[2], 5);
        put_u24(&tables[2], 8);
    }
    for (size_t i = 0; i < 3; i++) {
        pietra_font *font = open_colr(tables[i].items, tables[i].count);
        const drawn_picture drawn = draw_picture(font, 2, MANY);
        assert_int_equal(drawn.result, PIETRA_OK);
        assert_true(drawn.element_count < 40000);
        if (i != 1)
            assert_non_null(drawn.left_out);
        pietra_font_destroy(font);
        array_free(&tables[i]);
    }
}

/* A store of one region, which begins at 0 and is at its most at 1, and of two items. */
static const uint8_t variation_bytes[] = {0, 1,    0, 0,    0, 12, 0, 1, 0, 0, 0, 22, 0, 1,    0,    1,    0,
                                          0, 0x40, 0, 0x40, 0, 0,  2, 0, 1, 0, 1, 0,  0, 0x01, 0x2c, 0xff, 0xce};

/* Opens a font of a table that varies with the weight, and frees the table. */
static pietra_font *open_variable(byte_array *table, float weight)
{
    static const uint16_t fvar[] = {1, 0, 16, 2, 1, 20, 0, 8, 0x7767, 0x6874, 100, 0, 100, 0, 900, 0, 0, 256};
    font_builder builder = {0};
    pietra_font *font = NULL;
    take_tables(&builder, "paints.ttf", COLR);
    put_bytes(begin_table(&builder, COLR), table->items, table->count);
    byte_array *axes = begin_table(&builder, FONT_TAG('f', 'v', 'a', 'r'));
    for (size_t i = 0; i < sizeof fvar / sizeof fvar[0]; i++)
        put_u16(axes, fvar[i]);
    array_free(table);
    font_source *source = finish_font(&builder);
    const pietra_font_variation variation = {PIETRA_FONT_TAG('w', 'g', 'h', 't'), weight};
    assert_null(font_create(source, 0, &variation, 1, &font));
    font_source_release(source);
    return font;
}

/* The letter A, moved by 10 and 20, which varies by 300 and -50 at the most. */
static pietra_font *open_moved(float weight)
{
    byte_array table = {0};
    begin_colr(&table, 0, 23);
    put_u8(&table, 15); /* translated, */
    put_u24(&table, 12);
    put_u16(&table, 10);
    put_u16(&table, 20);
    put_u32(&table, 0);
    put_u8(&table, 10); /* the glyph, */
    put_u24(&table, 6);
    put_u16(&table, 2);
    put_u8(&table, 2); /* one colour's */
    put_u16(&table, 0);
    put_u16(&table, 0x4000);
    put_bytes(&table, variation_bytes, sizeof variation_bytes);
    return open_variable(&table, weight);
}

/* The letter A with a sweep gradient around a centre that varies, of two stops of which the second one does. */
static pietra_font *open_swept(float weight)
{
    byte_array table = {0};
    begin_colr(&table, 0, 45);
    put_u8(&table, 10); /* the glyph, */
    put_u24(&table, 6);
    put_u16(&table, 2);
    put_u8(&table, 9); /* swept */
    put_u24(&table, 16);
    put_u16(&table, 100);
    put_u16(&table, 200);
    put_u16(&table, 0xc000); /* -1: 0 degrees */
    put_u16(&table, 0x2000); /* 0.5: 270 degrees */
    put_u32(&table, 0);
    put_u8(&table, 0); /* by a line of two stops */
    put_u16(&table, 2);
    for (uint32_t stop = 0; stop < 2; stop++) {
        put_u16(&table, stop * 0x2000);
        put_u16(&table, stop);
        put_u16(&table, 0x4000);
        put_u32(&table, stop ? 0 : UINT32_MAX);
    }
    put_bytes(&table, variation_bytes, sizeof variation_bytes);
    return open_variable(&table, weight);
}

static void test_variations(void **state)
{
    (void)state;
    for (unsigned i = 0; i <= 4; i++) {
        pietra_font *font = open_moved(100 + 200 * (float)i);
        const drawn_picture drawn = draw_picture(font, 2, MANY);
        assert_int_equal(drawn.result, PIETRA_OK);
        assert_int_equal(drawn.element_count, 1);
        assert_true(drawn.box.x0 == 20 + 10 + 75.0 * i);
        assert_true(drawn.box.y1 == -20 + 12.5 * i);
        pietra_font_destroy(font);
        font = open_swept(100 + 200 * (float)i);
        const drawn_picture swept = draw_picture(font, 2, MANY);
        assert_int_equal(swept.paint.kind, PAINT_SWEEP);
        assert_true(swept.paint_map.e == -100 - 75.0 * i && swept.paint_map.f == -200 + 12.5 * i);
        assert_true(swept.paint.r0 == 0 && fabs(1 / (double)swept.paint.dr - 0.75 * (0.5 + 75.0 * i / 16384)) < 1e-6);
        pietra_font_destroy(font);
    }
    const int coordinates[] = {8192};
    variation_store tried = {
        .store = {variation_bytes, sizeof variation_bytes}, .coordinates = coordinates, .axis_count = 1};
    assert_true(variation_delta(&tried, 0) == 150);
    assert_true(variation_delta(&tried, 1) == -25);
    assert_true(variation_delta(&tried, 2) == 0);
    assert_true(variation_delta(&tried, 0x10000) == 0);
    assert_true(variation_delta(&tried, FONT_NO_VARIATION) == 0);
    static const uint8_t map[] = {0, 0x10, 0, 2, 0, 1, 0, 0};
    tried.map = (font_bytes){map, sizeof map};
    assert_true(variation_delta(&tried, 0) == -25);
    assert_true(variation_delta(&tried, 1) == 150 && variation_delta(&tried, 7) == 150);
    for (size_t count = 0; count < sizeof variation_bytes; count++) {
        tried.store.count = count;
        variation_delta(&tried, 0);
    }
}

/* The table is cut off at every length, and each byte is broken. */
static void test_broken(void **state)
{
    font_source *source = open_test_font("paints.ttf");
    sfnt sfnt;
    font_piece piece;
    (void)state;
    assert_null(sfnt_open(source, 0, &sfnt));
    assert_null(sfnt_read(&sfnt, COLR, &piece));
    const size_t count = piece.bytes.count;
    uint8_t *bytes = malloc(2 * count);
    assert_non_null(bytes);
    for (size_t i = 0; i < 2 * count; i += 3) {
        const size_t length = i < count ? i : count;
        memcpy(bytes, piece.bytes.at, count);
        if (i >= count)
            bytes[i - count] ^= (uint8_t)(1 + i % 255);
        pietra_font *font = open_colr(bytes, length);
        for (uint32_t glyph = 6; glyph < 80; glyph += 3) {
            const drawn_picture drawn = draw_picture(font, glyph, MANY);
            assert_int_equal(drawn.result, PIETRA_OK);
        }
        pietra_font_destroy(font);
    }
    free(bytes);
    font_piece_free(&piece);
    sfnt_close(&sfnt);
    font_source_release(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),      cmocka_unit_test(test_bitmap),     cmocka_unit_test(test_paints),
        cmocka_unit_test(test_gradients),  cmocka_unit_test(test_composites), cmocka_unit_test(test_endless),
        cmocka_unit_test(test_variations), cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
