/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fonts that were made to keep HarfBuzz busy for hours, or that lead outside themselves. Each is drawn, or refused in
 * one line. Without the checks of components.c some of these tests would not end. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "font/build_font.h"
#include "font/components.h"
#include "font/font.h"
#include "font/sfnt.h"
#include "scene/build/path.h"

#define MOST_GLYPHS 70u

typedef struct glyph_builder {
    byte_array glyphs;
    uint32_t ends[MOST_GLYPHS];
    uint32_t count;
} glyph_builder;

static void end_glyph(glyph_builder *builder)
{
    if (builder->glyphs.count % 2)
        put_bytes(&builder->glyphs, "", 1);
    builder->ends[builder->count++] = (uint32_t)builder->glyphs.count;
}

static void put_header(glyph_builder *builder, uint32_t contour_count)
{
    put_u16(&builder->glyphs, contour_count);
    for (size_t i = 0; i < 4; i++)
        put_u16(&builder->glyphs, 0);
}

/* Adds a glyph of one contour with as many points, which lie on a line. */
static void add_contour(glyph_builder *builder, uint32_t point_count)
{
    put_header(builder, 1);
    put_u16(&builder->glyphs, point_count - 1);
    put_u16(&builder->glyphs, 0);
    for (uint32_t left = point_count; left > 0;) {
        const uint8_t repeats = (uint8_t)(left > 256 ? 255 : left - 1),
                      run[] = {0x01 | 0x02 | 0x10 | 0x20 | 0x08, repeats};
        put_bytes(&builder->glyphs, run, sizeof run);
        left -= repeats + 1u;
    }
    for (uint32_t i = 0; i < point_count; i++)
        put_bytes(&builder->glyphs, "\1", 1);
    end_glyph(builder);
}

static void add_composite(glyph_builder *builder, uint32_t component, uint32_t component_count)
{
    put_header(builder, 0xffff);
    for (uint32_t i = 0; i < component_count; i++) {
        put_u16(&builder->glyphs, i + 1 < component_count ? 0x22 : 0x02);
        put_u16(&builder->glyphs, component);
        put_u16(&builder->glyphs, 0);
    }
    end_glyph(builder);
}

static font_source *finish(glyph_builder *glyphs, bool variable)
{
    static const uint16_t fvar[] = {1, 0, 16, 2, 1, 20, 0, 8, 0x7767, 0x6874, 0, 0, 0, 0, 1, 0, 0, 256};
    font_builder builder = {0};
    add_basics(&builder, glyphs->count);
    add_characters(&builder, 'A', glyphs->count - 1);
    add_glyphs(&builder, &glyphs->glyphs, glyphs->ends, glyphs->count);
    byte_array *table = variable ? begin_table(&builder, FONT_TAG('f', 'v', 'a', 'r')) : NULL;
    for (size_t i = 0; variable && i < sizeof fvar / sizeof fvar[0]; i++)
        put_u16(table, fvar[i]);
    array_free(&glyphs->glyphs);
    return finish_font(&builder);
}

/* Opens a font, heavier than its default if it is variable. Takes over the source. */
static pietra_font *open_source(font_source *source)
{
    const pietra_font_variation bold = {PIETRA_FONT_TAG('w', 'g', 'h', 't'), 1};
    pietra_font *font = NULL;
    assert_null(font_create(source, 0, &bold, 1, &font));
    font_source_release(source);
    return font;
}

static void assert_refused(const pietra_font *font, uint32_t glyph, const char *reason)
{
    pietra_path *path = pietra_path_create();
    pietra_error error;
    assert_int_equal(pietra_font_outline(font, glyph, path, &error), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, reason);
    assert_false(pietra_path_bounds(path, &(pietra_box){0}));
    pietra_path_destroy(path);
}

static void assert_drawn(const pietra_font *font, uint32_t glyph)
{
    pietra_path *path = pietra_path_create();
    assert_int_equal(pietra_font_outline(font, glyph, path, NULL), PIETRA_OK);
    assert_true(pietra_path_bounds(path, &(pietra_box){0}));
    pietra_path_destroy(path);
}

/* Each glyph names the one before twice: 2^60 components. */
static void test_doubling(void **state)
{
    (void)state;
    for (int variable = 0; variable < 2; variable++) {
        glyph_builder glyphs = {0};
        add_contour(&glyphs, 3);
        for (uint32_t i = 0; i < 60; i++)
            add_composite(&glyphs, i, 2);
        pietra_font *font = open_source(finish(&glyphs, variable));
        assert_drawn(font, 9); /* 1,022 components */
        assert_refused(font, 10, "glyph 10 has more than 1,024 components");
        assert_refused(font, 60, "glyph 60 has more than 1,024 components");
        assert_true(pietra_font_advance(font, 60, false) == (variable ? 0 : 500));
        pietra_font_advance(font, 60, true);
        pietra_font_destroy(font);
    }
}

/* Glyphs without points double, too. */
static void test_doubling_of_nothing(void **state)
{
    glyph_builder glyphs = {0};
    (void)state;
    end_glyph(&glyphs);
    for (uint32_t i = 0; i < 60; i++)
        add_composite(&glyphs, i, 2);
    pietra_font *font = open_source(finish(&glyphs, true));
    assert_refused(font, 60, "glyph 60 has more than 1,024 components");
    pietra_font_destroy(font);
}

static void test_cycles(void **state)
{
    glyph_builder glyphs = {0};
    (void)state;
    add_contour(&glyphs, 3);
    add_composite(&glyphs, 1, 1);
    add_composite(&glyphs, 3, 1);
    add_composite(&glyphs, 2, 2);
    pietra_font *font = open_source(finish(&glyphs, true));
    assert_drawn(font, 0);
    for (uint32_t i = 1; i < 4; i++) {
        char reason[100];
        snprintf(reason, sizeof reason, "glyph %u has more than 1,024 components", i);
        assert_refused(font, i, reason);
        assert_true(pietra_font_advance(font, i, false) == 0);
    }
    pietra_font_destroy(font);
}

static void test_many_components(void **state)
{
    glyph_builder glyphs = {0};
    (void)state;
    add_contour(&glyphs, 3);
    add_composite(&glyphs, 0, 1024);
    add_composite(&glyphs, 0, 1025);
    add_composite(&glyphs, 0, 65535);
    pietra_font *font = open_source(finish(&glyphs, false));
    assert_drawn(font, 1);
    assert_refused(font, 2, "glyph 2 has more than 1,024 components");
    assert_refused(font, 3, "glyph 3 has more than 1,024 components");
    pietra_font_destroy(font);
}

static void test_many_points(void **state)
{
    glyph_builder glyphs = {0};
    (void)state;
    add_contour(&glyphs, 10000);
    add_contour(&glyphs, 10001);
    add_contour(&glyphs, 65535);
    add_contour(&glyphs, 100);
    add_composite(&glyphs, 3, 100);
    add_composite(&glyphs, 3, 101);
    pietra_font *font = open_source(finish(&glyphs, false));
    assert_drawn(font, 0);
    assert_refused(font, 1, "glyph 1 has more than 10,000 points");
    assert_refused(font, 2, "glyph 2 has more than 10,000 points");
    assert_drawn(font, 4);
    assert_refused(font, 5, "glyph 5 has more than 10,000 points");
    pietra_font_destroy(font);
}

/* Glyphs that lie outside of glyf, or end before they begin, are empty. */
static void test_offsets(void **state)
{
    static const uint32_t ends[] = {40, 20, 0x7fffffff, 0xffffffff, 0};
    glyph_builder glyphs = {0};
    font_builder builder = {0};
    (void)state;
    add_contour(&glyphs, 3);
    add_basics(&builder, 5);
    add_glyphs(&builder, &glyphs.glyphs, ends, 5);
    array_free(&glyphs.glyphs);
    pietra_font *font = open_source(finish_font(&builder));
    pietra_path *path = pietra_path_create();
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(pietra_font_outline(font, i, path, NULL), PIETRA_OK);
    assert_false(pietra_path_bounds(path, &(pietra_box){0}));
    pietra_path_destroy(path);
    pietra_font_destroy(font);
}

/* What no standard describes is refused, since HarfBuzz and this code might read it differently. */
static void test_unknown_kinds(void **state)
{
    glyph_builder glyphs = {0};
    (void)state;
    put_header(&glyphs, 0xfffe);
    end_glyph(&glyphs);
    put_header(&glyphs, 0xffff);
    put_u16(&glyphs.glyphs, 0x2002);
    put_u32(&glyphs.glyphs, 0);
    put_u32(&glyphs.glyphs, 0);
    end_glyph(&glyphs);
    pietra_font *font = open_source(finish(&glyphs, false));
    assert_refused(font, 0, "glyph 0 is broken");
    assert_refused(font, 1, "glyph 1 is broken");
    pietra_font_destroy(font);
}

static double weigh(bool positions, const uint16_t *words, size_t count)
{
    byte_array table = {0};
    font_lookups lookups = {.grow = false};
    put_u32(&table, 0x00010000);
    for (size_t i = 0; i < 3; i++)
        put_u16(&table, i == 2 ? 10 : 0);
    for (size_t i = 0; i < count; i++)
        put_u16(&table, words[i]);
    assert_null(font_lookups_weigh((font_bytes){table.items, table.count}, positions, &lookups));
    array_free(&table);
    assert_int_equal(lookups.grow, !positions && count > 2 && words[2] == 2);
    return lookups.comparisons;
}

#define ASSERT_WEIGHS(expected, positions, ...) \
    do { \
        const uint16_t words[] = {__VA_ARGS__}; \
        assert_true(weigh(positions, words, sizeof words / sizeof words[0]) == (expected)); \
    } while (0)

/* A lookup counts as one comparison, and so does each of its subtables; the rules of all subtables are compared, and
 * the heaviest rule calls others. */
static void test_weights_of_lookups(void **state)
{
    (void)state;
    ASSERT_WEIGHS(0, false, 0);
    ASSERT_WEIGHS(3, false, 1, 4, 1, 0, 2, 10, 10, 0);
    ASSERT_WEIGHS(3, false, 1, 4, 2, 0, 2, 10, 10, 0);
    /* Two ligatures of three glyphs each, and for another glyph one of four. */
    ASSERT_WEIGHS(2 + 8, false, 1, 4, 4, 0, 1, 8, 1, 0, 2, 10, 20, 2, 6, 6, 9, 3, 1, 4, 9, 4);
    /* A context that calls what finds a glyph, twice; one that calls itself has as many calls as HarfBuzz allows. */
    ASSERT_WEIGHS(4 + 2 + 2 * 2, false, 2, 6, 30, 5, 0, 1, 8, 3, 1, 2, 0, 0, 1, 0, 1, 1, 0, 1, 8, 1);
    ASSERT_WEIGHS(4 + 1024 * 4, false, 1, 4, 5, 0, 1, 8, 3, 1, 1, 0, 0, 0);
    /* A chain of classes: one set, whose rule has two before, three, and one behind. As an extension it is the same. */
    ASSERT_WEIGHS(2 + 7, true, 1, 4, 8, 0, 1, 8, 2, 0, 0, 0, 0, 1, 14, 1, 4, 2, 9, 9, 3, 9, 9, 1, 9, 0);
    ASSERT_WEIGHS(2 + 7, true, 1, 4, 9, 0, 1, 8, 1, 8, 0, 8, 2, 0, 0, 0, 0, 1, 14, 1, 4, 2, 9, 9, 3, 9, 9, 1, 9, 0);
    ASSERT_WEIGHS(2 + 2 * 5, false, 1, 4, 8, 0, 1, 8, 1, 0, 2, 9, 9, 3, 9, 9, 9);
}

/* Sets and rules that all lie in one place are more than can be looked at. */
static void test_overlapping_rules(void **state)
{
    const uint16_t begin[] = {1, 0, 0, 0, 10, 1, 4, 5, 0, 1, 8, 1, 0, 3000};
    byte_array table = {0};
    font_lookups lookups = {.grow = false};
    (void)state;
    for (size_t i = 0; i < sizeof begin / sizeof begin[0]; i++)
        put_u16(&table, begin[i]);
    for (size_t i = 0; i < 3000; i++)
        put_u16(&table, 6006);
    put_u16(&table, 3000);
    for (size_t i = 0; i < 3000; i++)
        put_u16(&table, 6002);
    put_u32(&table, 0);
    assert_null(font_lookups_weigh((font_bytes){table.items, table.count}, false, &lookups));
    assert_true(isinf(lookups.comparisons));
    array_free(&table);
}

/* So are the calls of one rule that stands at many places. */
static void test_overlapping_calls(void **state)
{
    const uint16_t begin[] = {1, 0, 0, 0, 10, 1, 4, 5, 0, 1, 8, 1, 0, 1, 8, 1000};
    byte_array table = {0};
    font_lookups lookups = {.grow = false};
    (void)state;
    for (size_t i = 0; i < sizeof begin / sizeof begin[0]; i++)
        put_u16(&table, begin[i]);
    for (size_t i = 0; i < 1000; i++)
        put_u16(&table, 2002);
    put_u16(&table, 1);
    put_u16(&table, 6000);
    for (size_t i = 0; i < 6000; i++)
        put_u32(&table, 1);
    assert_null(font_lookups_weigh((font_bytes){table.items, table.count}, false, &lookups));
    assert_true(isinf(lookups.comparisons));
    array_free(&table);
}

static const char *const files[] = {"shapes.ttf",  "cubic.otf",    "variable.ttf",  "variable_cubic.otf",
                                    "shapes.woff", "shapes.woff2", "collection.ttc"};

/* Asks a font for everything. */
static void use(const uint8_t *bytes, size_t count)
{
    const pietra_font_variation bold = {PIETRA_FONT_TAG('w', 'g', 'h', 't'), 700};
    pietra_font *font;
    pietra_font_metrics metrics;
    pietra_error error = {0};
    if (pietra_font_from_bytes(bytes, count, 0, &bold, 1, &error, &font) != PIETRA_OK) {
        assert_int_not_equal(error.message[0], 0);
        return;
    }
    pietra_path *path = pietra_path_create();
    assert_true(pietra_font_measure(font, &metrics));
    for (uint32_t i = 0; i < 8; i++) {
        pietra_font_outline(font, i, path, NULL);
        pietra_font_advance(font, i, false);
        pietra_font_advance(font, i, true);
        pietra_font_glyph(font, 'A' + i);
    }
    pietra_path_destroy(path);
    pietra_font_destroy(font);
}

static void test_cut_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        size_t count;
        uint8_t *bytes = read_test_font(files[i], &count);
        for (size_t left = 0; left < count; left++)
            use(bytes, left);
        free(bytes);
    }
}

static void test_changed_bytes(void **state)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0xff};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        size_t count;
        uint8_t *bytes = read_test_font(files[i], &count);
        for (size_t at = 0; at < count; at++) {
            const uint8_t before = bytes[at];
            bytes[at] = values[at % sizeof values];
            use(bytes, count);
            bytes[at] = before;
        }
        free(bytes);
    }
}

static uint8_t *find_record(uint8_t *bytes, const char *tag)
{
    uint8_t *record = bytes + 12;
    for (unsigned left = bytes[5]; left > 0; left--, record += 16)
        if (memcmp(record, tag, 4) == 0)
            return record;
    fail_msg("the font has no table %s", tag);
    return NULL;
}

/* Each font of a face would have numbers for all of its axes. */
static void test_axes(void **state)
{
    (void)state;
    for (uint32_t count = FONT_MOST_AXES; count <= FONT_MOST_AXES + 1; count++) {
        const byte_array none = {0};
        font_builder builder = {0};
        font_face *face = NULL;
        add_basics(&builder, 1);
        add_characters(&builder, 'A', 0);
        add_glyphs(&builder, &none, &(uint32_t){0}, 1);
        byte_array *table = begin_table(&builder, FONT_TAG('f', 'v', 'a', 'r'));
        const uint16_t header[] = {1, 0, 16, 2, (uint16_t)count, 20, 0, (uint16_t)(4 * count + 4)};
        for (size_t i = 0; i < sizeof header / sizeof header[0]; i++)
            put_u16(table, header[i]);
        for (uint32_t i = 0; i < 10 * count; i++)
            put_u16(table, 0);
        font_source *source = finish_font(&builder);
        const char *wrong = font_face_open(source, 0, &face);
        if (count <= FONT_MOST_AXES)
            assert_null(wrong);
        else
            assert_string_equal(wrong, "it has more than 256 axes");
        font_face_release(face);
        font_source_release(source);
    }
}

/* A file whose table has no bytes is read as if it had no such table. The sanitizers see what is left behind. */
static void test_empty_table(void **state)
{
    static const char path[] = PIETRA_BINARY_DIR "/tests/empty_table.ttf";
    pietra_font_metrics expected, found;
    pietra_font *font;
    font_source *source;
    size_t count;
    uint8_t *bytes = read_test_font("shapes.ttf", &count);
    (void)state;
    uint8_t *record = find_record(bytes, "OS/2");
    memset(record + 12, 0, 4);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    assert_null(font_source_open(path, &source));
    assert_null(font_create(source, 0, NULL, 0, &font));
    font_source_release(source);
    assert_true(pietra_font_measure(font, &found));
    pietra_font_destroy(font);
    memcpy(record, "none", 4);
    assert_int_equal(pietra_font_from_bytes(bytes, count, 0, NULL, 0, NULL, &font), PIETRA_OK);
    assert_true(pietra_font_measure(font, &expected));
    assert_memory_equal(&found, &expected, sizeof found);
    pietra_font_destroy(font);
    free(bytes);
    remove(path);
}

/* A directory whose tables all reach to the end of the file asks for more memory than the file has bytes. */
static void test_overlapping_tables(void **state)
{
    sfnt font;
    size_t count;
    uint64_t sum = 0;
    uint8_t *bytes = read_test_font("shapes.ttf", &count);
    (void)state;
    for (size_t i = 0; i < bytes[5]; i++) {
        uint8_t *record = bytes + 12 + 16 * i;
        const uint32_t offset = font_u32((font_bytes){record, 16}, 8), reach = (uint32_t)count - offset;
        for (size_t k = 0; k < 4; k++)
            record[12 + k] = (uint8_t)(reach >> (24 - 8 * k));
    }
    font_source *source = source_of(bytes, count);
    free(bytes);
    assert_null(sfnt_open(source, 0, &font));
    assert_true(font.table_count > 0);
    for (size_t i = 0; i < font.table_count; i++)
        sum += font.tables[i].byte_count;
    assert_true(sum <= count);
    sfnt_close(&font);
    font_source_release(source);
}

/* HarfBuzz ends programs of glyphs after some steps. Without that this test would not end. */
static void test_endless_programs(void **state)
{
    pietra_font *font = open_source(open_test_font("endless.otf"));
    (void)state;
    for (uint32_t glyph = pietra_font_glyph(font, 'A'); glyph <= pietra_font_glyph(font, 'B'); glyph++) {
        pietra_path *path = pietra_path_create();
        assert_true(glyph > 0);
        assert_int_equal(pietra_font_outline(font, glyph, path, NULL), PIETRA_OK);
        assert_true(path_view_of(path).verb_count < 20000);
        pietra_path_destroy(path);
    }
    pietra_font_destroy(font);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_empty_table),
        cmocka_unit_test(test_doubling),
        cmocka_unit_test(test_doubling_of_nothing),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_many_components),
        cmocka_unit_test(test_many_points),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_unknown_kinds),
        cmocka_unit_test(test_overlapping_tables),
        cmocka_unit_test(test_weights_of_lookups),
        cmocka_unit_test(test_overlapping_rules),
        cmocka_unit_test(test_overlapping_calls),
        cmocka_unit_test(test_endless_programs),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_changed_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
