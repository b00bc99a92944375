/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Outlines, metrics and glyphs of fonts through the public interface. The shapes are those of make_fonts.py. */
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
#include "font/font.h"
#include "font/kept_outlines.h"
#include "pietra/pietra_text.h"
#include "scene/build/path.h"

#define WEIGHT PIETRA_FONT_TAG('w', 'g', 'h', 't')
#define WIDTH PIETRA_FONT_TAG('w', 'd', 't', 'h')

static pietra_font *open_varied(const char *name, uint32_t index, const pietra_font_variation *variations, size_t count)
{
    size_t byte_count;
    pietra_error error;
    pietra_font *font = NULL;
    uint8_t *bytes = read_test_font(name, &byte_count);
    if (pietra_font_from_bytes(bytes, byte_count, index, variations, count, &error, &font) != PIETRA_OK)
        fail_msg("%s: %s", name, error.message);
    free(bytes);
    return font;
}

static pietra_font *open_font(const char *name)
{
    return open_varied(name, 0, NULL, 0);
}

/* Writes a path as SVG does. */
static const char *describe(const pietra_path *path)
{
    static char text[2000];
    const path_view view = path_view_of(path);
    const path_point *point = view.points;
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < view.verb_count; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%c", "ZLQCM"[view.verbs[i]]);
        for (size_t k = 0; k < path_verb_points(view.verbs[i]); k++, point++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%g,%g", k ? " " : "", point->x, point->y);
    }
    return text;
}

static void assert_outline(const pietra_font *font, uint32_t character, const char *expected)
{
    pietra_path *path = pietra_path_create();
    assert_non_null(path);
    assert_int_equal(pietra_font_outline(font, pietra_font_glyph(font, character), path, NULL), PIETRA_OK);
    assert_string_equal(describe(path), expected);
    pietra_path_destroy(path);
}

static void test_outlines(void **state)
{
    static const char *const quadratic[] = {"shapes.ttf", "shapes.woff", "shapes.woff2", "variable.ttf",
                                            "collection.ttc"};
    (void)state;
    for (size_t i = 0; i < sizeof quadratic / sizeof quadratic[0]; i++) {
        pietra_font *font = open_font(quadratic[i]);
        assert_outline(font, ' ', "");
        assert_outline(font, 'A', "M20,0L300,-700L580,0L20,0Z");
        assert_outline(font, 'B', "M40,0L40,-700L400,-700Q600,-600 600,-350.5Q600,-101 400,0L40,0Z");
        assert_outline(font, 0xc1, "M20,0L300,-700L580,0L20,0ZM240,-730L300,-870L360,-870L240,-730Z");
        pietra_font_destroy(font);
    }
    pietra_font *font = open_font("cubic.otf");
    assert_outline(font, 'B', "M40,0L40,-700L400,-700C600,-600 600,-100 400,0L40,0Z");
    pietra_font_destroy(font);
}

/* An outline is appended, and a glyph that is not there adds nothing. */
static void test_appending(void **state)
{
    pietra_font *font = open_font("shapes.ttf");
    pietra_path *path = pietra_path_create();
    (void)state;
    pietra_path_move_to(path, 1, 2);
    pietra_path_line_to(path, 3, 4);
    assert_int_equal(pietra_font_outline(font, pietra_font_glyph(font, 'A'), path, NULL), PIETRA_OK);
    assert_int_equal(pietra_font_outline(font, 100000, path, NULL), PIETRA_OK);
    assert_string_equal(describe(path), "M1,2L3,4M20,0L300,-700L580,0L20,0Z");
    pietra_path_destroy(path);
    pietra_font_destroy(font);
}

/* Outlines that the font keeps are those that it draws anew, also where glyphs take the same place of the kept ones. */
static void test_kept_outlines(void **state)
{
    static const char file[] = PIETRA_SOURCE_DIR "/tests/golden/fonts/DejaVuSans.ttf";
    const uint32_t last = 3 * KEPT_OUTLINES / 2; /* the font has more glyphs */
    font_source *source;
    pietra_font *font, *fresh;
    (void)state;
    assert_null(font_source_open(file, &source));
    assert_null(font_create(source, 0, NULL, 0, &font));
    for (uint32_t round = 0; round < 2; round++) {
        assert_null(font_create(source, 0, NULL, 0, &fresh));
        for (uint32_t i = 0; i <= last; i++) {
            font_outline drawn = {0}, kept = {0}, other = {0};
            assert_null(font_find_outline(fresh, last - i, &drawn));
            assert_null(font_find_outline(font, last - i, &kept));
            assert_null(font_find_outline(font, i, &other));
            assert_int_equal(drawn.verbs.count, kept.verbs.count);
            assert_int_equal(drawn.coordinates.count, kept.coordinates.count);
            assert_memory_equal(drawn.verbs.items, kept.verbs.items, drawn.verbs.count);
            assert_memory_equal(drawn.coordinates.items, kept.coordinates.items,
                                drawn.coordinates.count * sizeof *drawn.coordinates.items);
            font_outline_free(&drawn);
            font_outline_free(&kept);
            font_outline_free(&other);
        }
        pietra_font_destroy(fresh);
    }
    pietra_font_destroy(font);
    font_source_release(source);
}

/* Halfway between 400 and 900 all points on the right have moved by 50.5. Advances are whole units. */
static void test_variations(void **state)
{
    static const struct {
        const char *name;
        pietra_font_variation variations[2];
        const char *outline;
        double advance;
    } cases[] = {
        {"variable.ttf", {{WEIGHT, 900}, {WIDTH, 75}}, "M20,0L401,-700L681,0L20,0Z", 701},
        {"variable.ttf", {{WEIGHT, 650}, {0, 1}}, "M20,0L350.5,-700L630.5,0L20,0Z", 651},
        {"variable.ttf", {{WEIGHT, 425}, {0, 1}}, "M20,0L305.047,-700L585.047,0L20,0Z", 605},
        {"variable.ttf", {{WIDTH, 75}, {WEIGHT, 5000}}, "M20,0L401,-700L681,0L20,0Z", 701},
        {"variable.ttf", {{WEIGHT, -5000}, {0, 1}}, "M20,0L300,-700L580,0L20,0Z", 600},
        {"variable_cubic.otf", {{WEIGHT, 500}, {0, 1}}, "M20,0L350.5,-700L630.5,0L20,0Z", 600},
        {"shapes.ttf", {{WEIGHT, 900}, {WIDTH, 75}}, "M20,0L300,-700L580,0L20,0Z", 600},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pietra_font *font = open_varied(cases[i].name, 0, cases[i].variations, 2);
        assert_outline(font, 'A', cases[i].outline);
        assert_true(pietra_font_advance(font, pietra_font_glyph(font, 'A'), false) == cases[i].advance);
        pietra_font_destroy(font);
    }
}

/* Without HVAR, advances come from the points of the outline. */
static void test_advances_of_points(void **state)
{
    const pietra_font_variation variation = {WEIGHT, 650};
    size_t count;
    uint8_t *bytes = read_test_font("variable.ttf", &count);
    pietra_font *font;
    (void)state;
    for (size_t i = 0; i + 4 <= count; i++)
        if (memcmp(bytes + i, "HVAR", 4) == 0)
            bytes[i] = 'x';
    assert_int_equal(pietra_font_from_bytes(bytes, count, 0, &variation, 1, NULL, &font), PIETRA_OK);
    assert_true(pietra_font_advance(font, pietra_font_glyph(font, 'A'), false) == 651);
    pietra_font_destroy(font);
    free(bytes);
}

static void test_glyphs(void **state)
{
    pietra_font *font = open_font("shapes.ttf");
    (void)state;
    assert_int_equal(pietra_font_glyph(font, 'A'), 2);
    assert_int_equal(pietra_font_glyph(font, 0x1f600), 3);
    assert_int_equal(pietra_font_glyph(font, 'C'), 0);
    assert_int_equal(pietra_font_glyph(font, UINT32_MAX), 0);
    assert_int_equal(pietra_font_glyph(NULL, 'A'), 0);
    assert_true(pietra_font_advance(font, 1, false) == 250);
    assert_true(pietra_font_advance(font, 2, true) == 1000);
    assert_true(pietra_font_advance(font, 6, false) == 0);
    assert_true(pietra_font_advance(NULL, 2, false) == 0);
    pietra_font_destroy(font);
}

static void test_metrics(void **state)
{
    const pietra_font_metrics expected = {
        .units_per_em = 1000,
        .ascent = 900,
        .descent = 300,
        .line_gap = 50,
        .x_height = 480,
        .cap_height = 700,
        .underline_offset = 75,
        .underline_thickness = 52,
        .strikeout_offset = 260,
        .strikeout_thickness = 51,
        .vertical_ascent = 500,
        .vertical_descent = 500,
        .vertical_line_gap = 0,
    };
    const pietra_font_variation variation = {WEIGHT, 650};
    pietra_font_metrics varied = expected, found;
    (void)state;
    pietra_font *font = open_font("shapes.ttf");
    assert_true(pietra_font_measure(font, &found));
    assert_memory_equal(&found, &expected, sizeof found);
    assert_false(pietra_font_measure(font, NULL));
    assert_false(pietra_font_measure(NULL, &found));
    pietra_font_destroy(font);
    varied.underline_offset -= 15; /* MVAR: 30 at 900 */
    varied.x_height += 20;
    font = open_varied("variable.ttf", 0, &variation, 1);
    assert_true(pietra_font_measure(font, &found));
    assert_memory_equal(&found, &varied, sizeof found);
    pietra_font_destroy(font);
}

static void test_arguments(void **state)
{
    size_t count;
    uint8_t *bytes = read_test_font("shapes.ttf", &count);
    pietra_font *font = NULL;
    pietra_path *path = pietra_path_create();
    pietra_error error;
    const pietra_font_variation infinite = {WEIGHT, INFINITY};
    (void)state;
    assert_int_equal(pietra_font_from_bytes(NULL, count, 0, NULL, 0, &error, &font), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "bytes is NULL");
    assert_int_equal(pietra_font_from_bytes(bytes, count, 0, NULL, 1, &error, &font), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "variations is NULL");
    assert_int_equal(pietra_font_from_bytes(bytes, count, 0, NULL, 0, &error, NULL), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "font is NULL");
    assert_int_equal(pietra_font_from_bytes(bytes, count, 0, &infinite, 1, &error, &font), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "a variation is not finite");
    assert_int_equal(pietra_font_from_bytes(bytes, count, 1, NULL, 0, &error, &font), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "it has no face of that number");
    assert_int_equal(pietra_font_from_bytes("text", 4, 0, NULL, 0, &error, &font), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "it is no font");
    assert_null(font);
    assert_int_equal(pietra_font_outline(NULL, 0, path, &error), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "font is NULL");
    font = open_font("shapes.ttf");
    assert_int_equal(pietra_font_outline(font, 0, NULL, &error), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "path is NULL");
    pietra_font_destroy(font);
    pietra_font_destroy(NULL);
    pietra_path_destroy(path);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlines),   cmocka_unit_test(test_appending),
        cmocka_unit_test(test_variations), cmocka_unit_test(test_advances_of_points),
        cmocka_unit_test(test_glyphs),     cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_arguments),  cmocka_unit_test(test_kept_outlines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
