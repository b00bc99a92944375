/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which font a query gets: families, CSS's matching of styles, generic names, aliases, characters, bad files. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "font/aliases.h"
#include "font/build_font.h"
#include "font/fonts.h"
#include "font/match.h"
#include "pietra/pietra_text.h"

#define FONTS PIETRA_SOURCE_DIR "/tests/font/fonts/"

/* ---- Styles ---- */

typedef struct styled_face {
    float weight, stretch;
    font_slope slope;
} styled_face;

static size_t find_nearest(const styled_face *faces, size_t count, font_style style)
{
    size_t best = 0;
    font_distance least = {0};
    for (size_t i = 0; i < count; i++) {
        const font_traits traits = {.weight = {faces[i].weight, faces[i].weight},
                                    .stretch = {faces[i].stretch, faces[i].stretch},
                                    .slope = (uint8_t)faces[i].slope};
        const font_distance distance = font_measure_distance(&traits, style);
        if (i == 0 || font_is_nearer(&distance, &least)) {
            best = i;
            least = distance;
        }
    }
    return best;
}

static float nearest_weight(const float *weights, size_t count, float wanted)
{
    styled_face faces[10];
    for (size_t i = 0; i < count; i++)
        faces[i] = (styled_face){weights[i], 100, FONT_UPRIGHT};
    return weights[find_nearest(faces, count, (font_style){wanted, 100, FONT_UPRIGHT, 14})];
}

#define ASSERT_WEIGHT(wanted, expected, ...) \
    do { \
        const float weights[] = {__VA_ARGS__}; \
        assert_true(nearest_weight(weights, sizeof weights / sizeof weights[0], wanted) == (expected)); \
    } while (0)

/* The examples of CSS Fonts 4, 5.2, step 4.3. */
static void test_weights(void **state)
{
    (void)state;
    ASSERT_WEIGHT(400, 400, 300, 400, 500);
    ASSERT_WEIGHT(400, 500, 300, 500, 600);
    ASSERT_WEIGHT(400, 450, 300, 500, 450);
    ASSERT_WEIGHT(400, 300, 100, 300, 600, 510);
    ASSERT_WEIGHT(450, 500, 400, 500);
    ASSERT_WEIGHT(450, 400, 400, 300, 501);
    ASSERT_WEIGHT(500, 510, 510, 900);
    ASSERT_WEIGHT(300, 200, 100, 200, 400);
    ASSERT_WEIGHT(300, 400, 400, 700);
    ASSERT_WEIGHT(600, 700, 500, 700, 900);
    ASSERT_WEIGHT(600, 500, 400, 500);
}

static void test_stretches_and_slopes(void **state)
{
    static const styled_face faces[] = {
        {400, 75, FONT_ITALIC}, {400, 100, FONT_UPRIGHT}, {700, 100, FONT_OBLIQUE}, {400, 125, FONT_ITALIC}};
    (void)state;
    /* Stretch counts first, then slope, then weight. */
    assert_int_equal(find_nearest(faces, 4, (font_style){400, 100, FONT_ITALIC, 14}), 2);
    assert_int_equal(find_nearest(faces, 4, (font_style){700, 100, FONT_UPRIGHT, 14}), 1);
    assert_int_equal(find_nearest(faces, 4, (font_style){400, 90, FONT_UPRIGHT, 14}), 0);
    assert_int_equal(find_nearest(faces, 4, (font_style){400, 60, FONT_UPRIGHT, 14}), 0);
    assert_int_equal(find_nearest(faces, 4, (font_style){400, 110, FONT_UPRIGHT, 14}), 3);
    assert_int_equal(find_nearest(faces, 4, (font_style){400, 200, FONT_UPRIGHT, 14}), 3);
    static const styled_face slopes[] = {{400, 100, FONT_ITALIC}, {400, 100, FONT_OBLIQUE}, {400, 100, FONT_UPRIGHT}};
    assert_int_equal(find_nearest(slopes, 3, (font_style){400, 100, FONT_ITALIC, 14}), 0);
    assert_int_equal(find_nearest(slopes, 3, (font_style){400, 100, FONT_OBLIQUE, 14}), 1);
    assert_int_equal(find_nearest(slopes, 3, (font_style){400, 100, FONT_UPRIGHT, 14}), 2);
    assert_int_equal(find_nearest(slopes, 2, (font_style){400, 100, FONT_UPRIGHT, 14}), 1);
    assert_int_equal(find_nearest(slopes + 1, 2, (font_style){400, 100, FONT_ITALIC, 14}), 0);
    static const styled_face others[] = {{400, 100, FONT_ITALIC}, {400, 100, FONT_UPRIGHT}};
    assert_int_equal(find_nearest(others, 2, (font_style){400, 100, FONT_OBLIQUE, 14}), 0);
}

/* A face with a range is as near as its nearest end, and slants as far as it can. */
static void test_ranges(void **state)
{
    const font_traits variable = {.weight = {200, 900}, .stretch = {100, 100}, .angle = {0, 10}, .variable = 1};
    const font_traits oblique = {.weight = {400, 400}, .stretch = {100, 100}, .slope = FONT_OBLIQUE};
    font_style style = {650, 100, FONT_UPRIGHT, 14};
    font_distance distance = font_measure_distance(&variable, style);
    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(distance.parts[i].rank, 0);
    style.weight = 100;
    distance = font_measure_distance(&variable, style);
    assert_true(distance.parts[2].rank == 2 && distance.parts[2].distance == 100);
    style = (font_style){400, 100, FONT_OBLIQUE, 9};
    const font_distance near = font_measure_distance(&variable, style), far = font_measure_distance(&oblique, style);
    assert_true(font_is_nearer(&near, &far));
    style.angle = 14;
    const font_distance further = font_measure_distance(&variable, style),
                        exact = font_measure_distance(&oblique, style);
    assert_true(font_is_nearer(&exact, &further));
    assert_false(font_is_nearer(&exact, &exact));
}

/* ---- Families ---- */

/* Adds a face of that family with a given style and characters, in memory. The advance of its glyphs says which it is.
 * */
static void add_face(pietra_fonts *fonts, const char *family, uint32_t weight, bool italic, uint32_t first,
                     uint32_t count, uint32_t advance, bool colored)
{
    font_builder builder = {0};
    const byte_array none = {0};
    const uint32_t ends[] = {0, 0, 0};
    add_basics(&builder, 3);
    font_put_u16(builder.tables.items[3].bytes.items, advance);
    add_family(&builder, family);
    add_characters(&builder, first, count);
    add_glyphs(&builder, &none, ends, 3);
    byte_array *os2 = begin_table(&builder, FONT_TAG('O', 'S', '/', '2'));
    for (uint32_t i = 0; i < 39; i++)
        put_u16(os2, i == 2 ? weight : i == 3 ? 5 : i == 31 ? italic : 0);
    if (colored)
        begin_table(&builder, FONT_TAG('C', 'O', 'L', 'R'));
    font_source *source = finish_font(&builder);
    assert_int_equal(pietra_fonts_add_bytes(fonts, source->bytes, source->byte_count, NULL), PIETRA_OK);
    font_source_release(source);
}

/* Returns the advance of the font that the query gets; -1: there is none. */
static int ask_for(pietra_fonts *fonts, const pietra_font_query *query)
{
    pietra_font *font;
    if (pietra_font_open(fonts, query, NULL, &font) != PIETRA_OK)
        return -1;
    const int advance = (int)pietra_font_advance(font, 0, false);
    pietra_font_destroy(font);
    return advance;
}

static int ask(pietra_fonts *fonts, const char *family, const char *text)
{
    return ask_for(fonts, &(pietra_font_query){.families = &family, .family_count = 1, .text = text});
}

static void test_families(void **state)
{
    static const char *const two[] = {"Nowhere", "second"};
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    assert_int_equal(ask(fonts, "First", NULL), -1);
    add_face(fonts, "First", 400, false, 'A', 2, 101, false);
    add_face(fonts, "First", 700, false, 'A', 1, 102, false);
    add_face(fonts, "Second", 400, false, 'a', 2, 103, false);
    add_face(fonts, "Second", 400, true, 'a', 2, 104, false);
    assert_int_equal(ask(fonts, "First", NULL), 101);
    assert_int_equal(ask(fonts, "SECOND", NULL), 103);
    assert_int_equal(ask(fonts, "Nowhere", NULL), 101);
    assert_int_equal(ask_for(fonts, NULL), 101);
    assert_int_equal(ask_for(fonts, &(pietra_font_query){.families = two, .family_count = 2}), 103);
    assert_int_equal(ask_for(fonts, &(pietra_font_query){.families = two, .family_count = 2, .slope = 1}), 104);
    assert_int_equal(ask_for(fonts, &(pietra_font_query){.families = two + 1, .family_count = 1, .text = "AB"}), 101);
    assert_int_equal(ask_for(fonts, &(pietra_font_query){.weight = 900}), 102);
    pietra_fonts_destroy(fonts);
}

/* A cluster goes to the first family that has all its characters, in the nearest face that has them. */
static void test_characters(void **state)
{
    static const char *const families[] = {"Latin", "Greek"};
    pietra_font_query query = {.families = families, .family_count = 2, .weight = 700};
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    add_face(fonts, "Everything", 400, false, 0x21, 0x500, 101, false);
    add_face(fonts, "Latin", 400, false, 'A', 26, 102, false);
    add_face(fonts, "Latin", 700, false, 'A', 3, 103, false);
    add_face(fonts, "Greek", 400, false, 0x391, 25, 104, false);
    static const struct {
        const char *text;
        int advance;
    } cases[] = {
        {"AC", 103},
        {"AD", 102},
        {"\xce\x91", 104},
        {"A\xce\x91", 101},
        {"a", 101},
        {"\xe4\xb8\x80", -1},
        {"", 103},
        {" \t\xc2\xa0\xe2\x80\x8d\xef\xb8\x8f", 103},
        {"A\xe2\x80\x8d", 103},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        query.text = cases[i].text;
        assert_int_equal(ask_for(fonts, &query), cases[i].advance);
    }
    pietra_fonts_destroy(fonts);
}

static void test_emoji(void **state)
{
    pietra_font_query query = {.text = "\xe2\x98\x80"};
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    add_face(fonts, "Text", 400, false, 0x2600, 2, 101, false);
    add_face(fonts, "Color", 400, false, 0x2600, 1, 102, true);
    assert_int_equal(ask_for(fonts, &query), 101);
    query.emoji = true;
    assert_int_equal(ask_for(fonts, &query), 102);
    query.text = "\xe2\x98\x81"; /* it has no such character */
    assert_int_equal(ask_for(fonts, &query), 101);
    pietra_fonts_destroy(fonts);
}

/* All fonts are asked once for what none has, until others are added. */
static void test_lacking(void **state)
{
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        add_face(fonts, "Some", 400, false, 0x10ff00 + i, 1, 101 + i, false);
        assert_false(database_lacks(&fonts->database, 0x10ffff));
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(ask(fonts, "Some", "\xf4\x8f\xbf\xbf"), -1);
            assert_true(database_lacks(&fonts->database, 0x10ffff));
            assert_int_equal(ask(fonts, "Some", "\xf4\x8f\xbc\x80"), 101);
            assert_int_equal(ask(fonts, "Other", "\xf4\x8f\xbc\x82"), i == 2 ? 103 : -1);
        }
    }
    assert_int_equal(ask(fonts, "Some", "\xf4\x8f\xbc\x80\xf4\x8f\xbc\x81"), -1);
    assert_int_equal(pietra_fonts_add_system(fonts, "/nowhere", NULL), PIETRA_OK);
    assert_false(database_lacks(&fonts->database, 0x10ffff)); /* a font of the system may have it */
    pietra_fonts_destroy(fonts);
}

static void test_generics(void **state)
{
    static const char *const names[] = {"serif", "sans-serif", "cursive", "Fantasy", "MONOSPACE"};
    pietra_fonts *fonts = pietra_fonts_create();
    pietra_error error;
    (void)state;
    add_face(fonts, "Other", 400, false, 'A', 2, 100, false);
    for (uint32_t i = 0; i < 5; i++) {
        const char family[] = {(char)('a' + i), 0};
        add_face(fonts, family, 400, false, 'A', 2, 200 + i, false);
        assert_int_equal(ask(fonts, names[i], NULL), 100);
        assert_int_equal(pietra_fonts_set_family(fonts, (pietra_generic_family)i, family, NULL), PIETRA_OK);
    }
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(ask(fonts, names[i], NULL), (int)(200 + i));
    assert_int_equal(pietra_fonts_set_family(fonts, (pietra_generic_family)5, "a", &error), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "generic is 5, which names no generic family");
    pietra_fonts_destroy(fonts);
}

static void test_aliases(void **state)
{
    const char *aliases[FONT_MOST_ALIASES];
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    assert_int_equal(font_find_aliases(TEXT("arial"), aliases), 8);
    assert_string_equal(aliases[0], "liberation sans");
    assert_string_equal(aliases[7], "tex gyre heros");
    assert_int_equal(font_find_aliases(TEXT("tex gyre heros"), aliases), 8);
    assert_string_equal(aliases[0], "helvetica");
    assert_int_equal(font_find_aliases(TEXT("gelasio"), aliases), 1);
    assert_int_equal(font_find_aliases(TEXT("verdana"), aliases), 0);
    add_face(fonts, "Other", 400, false, 'A', 2, 100, false);
    add_face(fonts, "Liberation Sans", 400, false, 'A', 2, 101, false);
    assert_int_equal(ask(fonts, "Helvetica", NULL), 101);
    assert_int_equal(ask(fonts, "Verdana", NULL), 100);
    add_face(fonts, "Nimbus Sans", 400, false, 'A', 2, 102, false);
    assert_int_equal(ask(fonts, "Helvetica", NULL), 102);
    assert_int_equal(ask(fonts, "Arial", NULL), 101);
    add_face(fonts, "Arial", 400, false, 'a', 2, 103, false);
    assert_int_equal(ask(fonts, "Arial", NULL), 103);
    assert_int_equal(ask(fonts, "Arial", "A"), 100); /* a family that is there is not replaced */
    pietra_fonts_destroy(fonts);
}

static void test_kinds(void **state)
{
    (void)state;
    assert_string_equal(font_find_kind(TEXT("Helvetica Neue")), "sans-serif");
    assert_string_equal(font_find_kind(TEXT("verdana")), "sans-serif");
    assert_string_equal(font_find_kind(TEXT("ui-sans-serif")), "sans-serif");
    assert_string_equal(font_find_kind(TEXT("COURIER NEW")), "monospace");
    assert_string_equal(font_find_kind(TEXT("ui-monospace")), "monospace");
    assert_string_equal(font_find_kind(TEXT("Georgia")), "serif");
    assert_string_equal(font_find_kind(TEXT("Comic Sans MS")), "cursive");
    assert_string_equal(font_find_kind(TEXT("Impact")), "fantasy");
    assert_null(font_find_kind(TEXT("Arial Something")));
    assert_null(font_find_kind(TEXT("")));
}

static void test_lacks(void **state)
{
    static const char *const families[] = {"Plain", "Italic"};
    pietra_font_query query = {.families = families, .family_count = 1, .weight = 600, .slope = PIETRA_SLOPE_ITALIC};
    pietra_fonts *fonts = pietra_fonts_create();
    pietra_font *font;
    bool weight, slant;
    (void)state;
    add_face(fonts, "Plain", 400, false, 'A', 2, 101, false);
    add_face(fonts, "Italic", 700, true, 'A', 2, 102, false);
    assert_int_equal(pietra_font_open(fonts, &query, NULL, &font), PIETRA_OK);
    assert_true(pietra_font_lacks(font, &weight, &slant) && weight && slant);
    pietra_font_destroy(font);
    query.weight = 599;
    query.slope = PIETRA_SLOPE_NORMAL;
    assert_int_equal(pietra_font_open(fonts, &query, NULL, &font), PIETRA_OK);
    assert_false(pietra_font_lacks(font, &weight, &slant) || weight || slant);
    pietra_font_destroy(font);
    query =
        (pietra_font_query){.families = families + 1, .family_count = 1, .weight = 900, .slope = PIETRA_SLOPE_OBLIQUE};
    assert_int_equal(pietra_font_open(fonts, &query, NULL, &font), PIETRA_OK);
    assert_false(pietra_font_lacks(font, NULL, NULL));
    pietra_font_destroy(font);
    pietra_fonts_destroy(fonts);
}

/* ---- Names of faces ---- */

static bool is_local(pietra_fonts *fonts, const char *family, const char *style)
{
    char name[60];
    font_source *source;
    uint32_t index;
    snprintf(name, sizeof name, "%s %s", family, style);
    assert_null(fonts_find_local(fonts, text_of_string(name), &source, &index));
    if (!source)
        return false;
    font_source_release(source);
    return true;
}

static void test_local_weights(void **state)
{
    static const struct {
        const char *word;
        uint32_t weight;
    } cases[] = {{"Hairline", 100},  {"Thin", 100},      {"ExtraLight", 200}, {"UltraLight", 200},
                 {"Light", 300},     {"Regular", 400},   {"Book", 400},       {"Roman", 400},
                 {"Medium", 500},    {"SemiBold", 600},  {"DemiBold", 600},   {"Bold", 700},
                 {"ExtraBold", 800}, {"UltraBold", 800}, {"Black", 900},      {"Heavy", 900}};
    (void)state;
    for (uint32_t weight = 100; weight <= 900; weight += 100) {
        pietra_fonts *fonts = pietra_fonts_create();
        add_face(fonts, "Plain", weight, false, 'A', 2, 101, false);
        add_face(fonts, "Slanted", weight, true, 'A', 2, 101, false);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            char style[40];
            snprintf(style, sizeof style, "%s Italic", cases[i].word);
            assert_true(is_local(fonts, "Plain", cases[i].word) == (cases[i].weight == weight));
            assert_true(is_local(fonts, "Slanted", style) == (cases[i].weight == weight));
            assert_false(is_local(fonts, "Plain", style) || is_local(fonts, "Slanted", cases[i].word));
        }
        pietra_fonts_destroy(fonts);
    }
}

/* The font has stretches from 75 to 125. */
static void test_local_stretches(void **state)
{
    static const char *const words[] = {"SemiCondensed", "Condensed", "SemiExpanded", "Expanded"};
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    assert_int_equal(pietra_fonts_add_file(fonts, FONTS "variable.ttf", NULL), PIETRA_OK);
    add_face(fonts, "Plain", 400, false, 'A', 2, 101, false);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_true(is_local(fonts, "Pietra Variable", words[i]));
        assert_false(is_local(fonts, "Plain", words[i]));
    }
    pietra_fonts_destroy(fonts);
}

/* ---- Files ---- */

static void count_face(void *user, const pietra_face *face)
{
    char *list = user;
    snprintf(list + strlen(list), 1000 - strlen(list), "%s|%s|%u|%g-%g|%g-%g\n", face->family,
             face->path ? strrchr(face->path, '/') + 1 : "", face->index, face->weight_least, face->weight_most,
             face->stretch_least, face->stretch_most);
}

static void take_warning(void *user, uint32_t line, const char *message)
{
    char *warnings = user;
    assert_int_equal(line, 0);
    snprintf(warnings + strlen(warnings), 1000 - strlen(warnings), "%s\n", message);
}

static void test_directory(void **state)
{
    char list[1000] = "", warnings[1000] = "";
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    pietra_fonts_set_warning(fonts, take_warning, warnings);
    assert_int_equal(pietra_fonts_add_directory(fonts, PIETRA_SOURCE_DIR "/tests/font", NULL), PIETRA_OK);
    assert_int_equal(pietra_fonts_list(fonts, count_face, list, NULL), PIETRA_OK);
    assert_string_equal(list, "Pietra Bitmaps|bitmaps.ttf|0|400-400|100-100\n"
                              "Pietra Capitals|capitals.ttf|0|400-400|100-100\n"
                              "Pietra First|collection.ttc|0|400-400|100-100\n"
                              "Pietra Second|collection.ttc|1|700-700|100-100\n"
                              "Pietra Cubic|cubic.otf|0|400-400|100-100\n"
                              "Pietra Documents|documents.ttf|0|400-400|100-100\n"
                              "Pietra Endless|endless.otf|0|400-400|100-100\n"
                              "Pietra Paints|paints.ttf|0|400-400|100-100\n"
                              "Pietra Shapes|shapes.ttf|0|400-400|100-100\n"
                              "Pietra Shapes|shapes.woff|0|400-400|100-100\n"
                              "Pietra Shapes|shapes.woff2|0|400-400|100-100\n"
                              "Pietra Shaping|shaping.ttf|0|400-400|100-100\n"
                              "Pietra Variable|variable.ttf|0|100-900|75-125\n"
                              "Pietra Variable Cubic|variable_cubic.otf|0|100-900|100-100\n");
    assert_string_equal(warnings, "");
    pietra_fonts_destroy(fonts);
}

/* Folders that hold themselves, files that are no fonts, and a file that goes away. */
static void test_bad_files(void **state)
{
    char root[] = "/tmp/pietra-fonts-XXXXXX", path[200], command[300], list[1000] = "", warnings[1000] = "",
         expected[400];
    pietra_fonts *fonts = pietra_fonts_create();
    pietra_error error;
    (void)state;
    assert_non_null(mkdtemp(root));
    snprintf(
        command, sizeof command,
        "cd %s && mkdir -p a/b && ln -s .. a/b/up && ln -s nowhere a/lost.ttf && cp %sshapes.ttf a/z.ttf && echo text > "
        "a/bad.TTF && echo text > a/readme && mkfifo a/pipe.otf && mkdir a/folder.ttf",
        root, FONTS);
    assert_int_equal(system(command), 0);
    pietra_fonts_set_warning(fonts, take_warning, warnings);
    assert_int_equal(pietra_fonts_add_directory(fonts, root, NULL), PIETRA_OK);
    pietra_fonts_list(fonts, count_face, list, NULL);
    assert_string_equal(list, "Pietra Shapes|z.ttf|0|400-400|100-100\n");
    snprintf(
        expected, sizeof expected,
        "%s/a/bad.TTF: it is no font; it is passed over\n%s/a/pipe.otf: it is no regular file; it is passed over\n",
        root, root);
    assert_string_equal(warnings, expected);
    add_face(fonts, "Other", 400, false, 'A', 2, 100, false);
    snprintf(path, sizeof path, "%s/a/z.ttf", root);
    assert_int_equal(unlink(path), 0);
    warnings[0] = '\0';
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(ask(fonts, "Pietra Shapes", NULL), 100);
    snprintf(expected, sizeof expected, "%s: there is no such file; it is passed over\n", path);
    assert_string_equal(warnings, expected);

    assert_int_equal(pietra_fonts_add_file(fonts, path, &error), PIETRA_ERROR_IO);
    snprintf(expected, sizeof expected, "%s: there is no such file", path);
    assert_string_equal(error.message, expected);
    snprintf(path, sizeof path, "%s/a/bad.TTF", root);
    assert_int_equal(pietra_fonts_add_file(fonts, path, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_fonts_add_directory(fonts, path, &error), PIETRA_ERROR_INPUT);
    snprintf(path, sizeof path, "%s/none", root);
    assert_int_equal(pietra_fonts_add_directory(fonts, path, &error), PIETRA_ERROR_IO);
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
    pietra_fonts_destroy(fonts);
}

/* All kinds of files give the same font; variable ones are set to the query. */
static void test_opening_files(void **state)
{
    static const char *const files[] = {"shapes.woff", "shapes.woff2", "shapes.ttf"};
    const char *family = "Pietra Variable";
    pietra_font_query query = {.families = &family, .family_count = 1, .weight = 900};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char path[1000];
        pietra_fonts *fonts = pietra_fonts_create();
        snprintf(path, sizeof path, FONTS "%s", files[i]);
        assert_int_equal(pietra_fonts_add_file(fonts, path, NULL), PIETRA_OK);
        assert_int_equal(ask(fonts, "Pietra Shapes", "A\xf0\x9f\x98\x80"), 500);
        assert_int_equal(ask(fonts, "Pietra Shapes", "C"), -1);
        pietra_fonts_destroy(fonts);
    }
    pietra_fonts *fonts = pietra_fonts_create();
    assert_int_equal(pietra_fonts_add_file(fonts, FONTS "variable.ttf", NULL), PIETRA_OK);
    assert_int_equal(ask_for(fonts, &query), 601);
    const pietra_font_variation lighter = {PIETRA_FONT_TAG('w', 'g', 'h', 't'), 400};
    query.variations = &lighter;
    query.variation_count = 1;
    assert_int_equal(ask_for(fonts, &query), 500);
    /* Equal queries share a font, which outlives its fonts. */
    pietra_font *font, *same;
    assert_int_equal(pietra_font_open(fonts, &query, NULL, &font), PIETRA_OK);
    assert_int_equal(pietra_font_open(fonts, &query, NULL, &same), PIETRA_OK);
    assert_ptr_equal(font, same);
    pietra_fonts_destroy(fonts);
    pietra_font_destroy(same);
    assert_true(pietra_font_advance(font, 0, false) == 500);
    pietra_font_destroy(font);
}

/* More fonts than are kept open. */
static void test_many_fonts(void **state)
{
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    assert_int_equal(pietra_fonts_add_file(fonts, FONTS "variable.ttf", NULL), PIETRA_OK);
    for (size_t k = 0; k < 2; k++)
        for (int i = 0; i < 200; i++)
            assert_int_equal(ask_for(fonts, &(pietra_font_query){.weight = 400 + i}), 500 + (i * 101 * 2 + 500) / 1000);
    pietra_fonts_destroy(fonts);
}

/* A font that somebody has is opened no second time, however many others were opened since, and fonts of one face read
 * its tables once. An axis that the face lacks makes no other font. */
static void test_held_fonts(void **state)
{
    enum { COUNT = 200 };
    pietra_font *held[COUNT], *again;
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    assert_int_equal(pietra_fonts_add_file(fonts, FONTS "variable.ttf", NULL), PIETRA_OK);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(pietra_font_open(fonts, &(pietra_font_query){.weight = 400 + i}, NULL, &held[i]), PIETRA_OK);
    for (int i = 0; i < COUNT; i++) {
        const pietra_font_query query = {.weight = 400 + i, .optical_size = i};
        assert_int_equal(pietra_font_open(fonts, &query, NULL, &again), PIETRA_OK);
        assert_ptr_equal(again, held[i]);
        assert_ptr_equal(again->face, held[0]->face);
        pietra_font_destroy(again);
        assert_true(i == 0 || held[i] != held[i - 1]);
    }
    pietra_fonts_destroy(fonts);
    for (int i = 0; i < COUNT; i++)
        pietra_font_destroy(held[i]);
}

typedef struct asking_thread {
    pthread_t thread;
    pietra_fonts *fonts;
    int seed;
    bool right;
} asking_thread;

static void *ask_in_thread(void *user)
{
    asking_thread *thread = user;
    thread->right = true;
    for (int i = 0; i < 300; i++) {
        const int weight = 400 + (i * 7 + thread->seed * 31) % 100;
        const pietra_font_query query = {.weight = weight, .text = "A"};
        pietra_path *path = pietra_path_create();
        pietra_font *font;
        pietra_box box = {0};
        thread->right &= pietra_font_open(thread->fonts, &query, NULL, &font) == PIETRA_OK &&
                         pietra_font_outline(font, pietra_font_glyph(font, 'A'), path, NULL) == PIETRA_OK &&
                         pietra_path_bounds(path, &box) && box.x1 >= 580 && box.x1 <= 601;
        pietra_font_destroy(font);
        pietra_path_destroy(path);
    }
    return NULL;
}

static void test_threads(void **state)
{
    asking_thread threads[4];
    pietra_fonts *fonts = pietra_fonts_create();
    (void)state;
    assert_int_equal(pietra_fonts_add_file(fonts, FONTS "variable.ttf", NULL), PIETRA_OK);
    for (int i = 0; i < 4; i++) {
        threads[i] = (asking_thread){.fonts = fonts, .seed = i};
        assert_int_equal(pthread_create(&threads[i].thread, NULL, ask_in_thread, &threads[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
        assert_true(threads[i].right);
    }
    pietra_fonts_destroy(fonts);
}

static void test_arguments(void **state)
{
    static const char *const hole[] = {NULL};
    static const struct {
        pietra_font_query query;
        const char *message;
    } cases[] = {
        {{.family_count = 1}, "families is NULL"},
        {{.families = hole, .family_count = 1}, "a family is NULL"},
        {{.variation_count = 1}, "variations is NULL"},
        {{.weight = 0.5}, "weight is not between 1 and 1000"},
        {{.weight = 1001}, "weight is not between 1 and 1000"},
        {{.stretch = -1}, "stretch is not between 0 and 10000 percent"},
        {{.slope = (pietra_font_slope)3}, "slope is 3, which is none"},
        {{.angle = 91}, "angle is not between -90 and 90 degrees"},
        {{.optical_size = -1}, "optical_size is not between 0 and 1000000"},
    };
    pietra_fonts *fonts = pietra_fonts_create();
    pietra_error error;
    pietra_font *font;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(pietra_font_open(fonts, &cases[i].query, &error, &font), PIETRA_ERROR_INPUT);
        assert_string_equal(error.message, cases[i].message);
    }
    assert_int_equal(pietra_font_open(fonts, NULL, &error, &font), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "no font has what is asked for");
    assert_int_equal(pietra_font_open(NULL, NULL, &error, &font), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_font_open(fonts, NULL, &error, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_fonts_add_bytes(fonts, "text", 4, &error), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "it is no font");
    pietra_fonts_destroy(fonts);
    pietra_fonts_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),       cmocka_unit_test(test_stretches_and_slopes),
        cmocka_unit_test(test_ranges),        cmocka_unit_test(test_families),
        cmocka_unit_test(test_characters),    cmocka_unit_test(test_emoji),
        cmocka_unit_test(test_generics),      cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_kinds),         cmocka_unit_test(test_lacks),
        cmocka_unit_test(test_local_weights), cmocka_unit_test(test_local_stretches),
        cmocka_unit_test(test_directory),     cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_opening_files), cmocka_unit_test(test_many_fonts),
        cmocka_unit_test(test_held_fonts),    cmocka_unit_test(test_lacking),
        cmocka_unit_test(test_threads),       cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
