/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fonts of bytes, files, folders and the system, and text, while one allocation fails. Whoever does not report that
 * must have the right answers, and no block is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "memory/allocations.h"
#include "font/fontconfig_rules.h"
#include "font/source.h"
#include "pietra/pietra_text.h"
#include "text/shape_units.h"

#define FONTS PIETRA_SOURCE_DIR "/tests/font/fonts/"
#define MOST_BYTES 10000u
#define MOST_ALLOCATIONS 3000

/* What fonts answered. Boxes of outlines, advances and metrics say all. */
typedef struct answers {
    double numbers[40];
    size_t count;
    bool reported; /* it was reported that memory is short */
} answers;

static uint8_t packed[MOST_BYTES];
static size_t packed_bytes;

static void add(answers *answers, double number)
{
    assert_true(answers->count < sizeof answers->numbers / sizeof answers->numbers[0]);
    answers->numbers[answers->count++] = number;
}

/* Returns true if the step was done. */
static bool take(answers *answers, pietra_result result)
{
    answers->reported |= result == PIETRA_ERROR_MEMORY;
    if (result != PIETRA_ERROR_MEMORY)
        assert_int_equal(result, PIETRA_OK);
    return result == PIETRA_OK;
}

static void ask_font(answers *answers, const pietra_font *font)
{
    pietra_font_metrics metrics;
    pietra_path *path = pietra_path_create();
    pietra_box box = {0};
    answers->reported |= !path;
    if (path && take(answers, pietra_font_outline(font, pietra_font_glyph(font, 0xc1), path, NULL))) {
        answers->reported |= pietra_path_check(path) == PIETRA_ERROR_MEMORY;
        pietra_path_bounds(path, &box);
        add(answers, box.x1);
    }
    assert_true(pietra_font_measure(font, &metrics));
    add(answers, metrics.x_height + metrics.vertical_ascent);
    add(answers, pietra_font_advance(font, 2, false) + pietra_font_advance(font, 2, true));
    pietra_path_destroy(path);
}

static void ask_fonts(answers *answers, pietra_fonts *fonts, const char *family, const char *text)
{
    const pietra_font_query query = {.families = &family, .family_count = 1, .weight = 650, .text = text};
    pietra_font *font;
    if (!take(answers, pietra_font_open(fonts, &query, NULL, &font)))
        return;
    ask_font(answers, font);
    pietra_font_destroy(font);
}

static void use_bytes(answers *answers)
{
    const pietra_font_variation variation = {PIETRA_FONT_TAG('w', 'g', 'h', 't'), 600};
    pietra_font *font;
    if (!take(answers, pietra_font_from_bytes(packed, packed_bytes, 0, &variation, 1, NULL, &font)))
        return;
    ask_font(answers, font);
    pietra_font_destroy(font);
}

static void use_files(answers *answers)
{
    pietra_fonts *fonts = pietra_fonts_create();
    answers->reported |= !fonts;
    if (fonts && take(answers, pietra_fonts_add_directory(fonts, PIETRA_SOURCE_DIR "/tests/font", NULL)) &&
        take(answers, pietra_fonts_add_bytes(fonts, packed, packed_bytes, NULL)) &&
        take(answers, pietra_fonts_set_family(fonts, PIETRA_FAMILY_SERIF, "Pietra Cubic", NULL))) {
        ask_fonts(answers, fonts, "Pietra Variable", "A");
        ask_fonts(answers, fonts, "Serif", "B");
        ask_fonts(answers, fonts, "Nowhere", "A\xf0\x9f\x98\x80");
        ask_fonts(answers, fonts, "Arial", NULL);
    }
    pietra_fonts_destroy(fonts);
}

/* fontconfig itself does not survive every failure, so its answers come from an index that was written before. */
static char cache[64];

static void use_system(answers *answers)
{
    pietra_fonts *fonts = pietra_fonts_create();
    answers->reported |= !fonts;
    if (fonts && take(answers, pietra_fonts_add_system(fonts, cache, NULL))) {
        ask_fonts(answers, fonts, "Pietra Variable", "A");
        ask_fonts(answers, fonts, "Nowhere", "A");
    }
    pietra_fonts_destroy(fonts);
}

/* Latin, Hebrew, an emoji, a letter with its mark, and a character that no font has. */
static void use_text(answers *answers)
{
    static const uint16_t units[] = {'A', 'B', ' ', 0x5d1, 0x5d0, '(', 0xd83d, 0xde00, ')', 'A', 0x301, 0x4e77};
    const text_style style = {.direction = BIDI_AUTO, .font.language = "he"};
    shaped_text shaped = {0};
    pietra_fonts *fonts = pietra_fonts_create();
    answers->reported |= !fonts;
    if (fonts && take(answers, pietra_fonts_add_file(fonts, FONTS "shaping.ttf", NULL))) {
        const char *wrong = shape_units(fonts, &style, units, sizeof units / sizeof units[0], &shaped);
        answers->reported |= wrong == font_out_of_memory;
        if (wrong && wrong != font_out_of_memory)
            fail_msg("%s", wrong);
        for (size_t i = 0; !wrong && i < shaped.glyphs.count; i++)
            add(answers, shaped.glyphs.items[i].id + shaped.glyphs.items[i].unit * 100 +
                             shaped.glyphs.items[i].x_advance * 10000.0);
        add(answers, (double)shaped.runs.count);
        shaped_text_free(&shaped);
    }
    pietra_fonts_destroy(fonts);
}

/* Lines with a ligature, an ellipsis, both directions, a soft hyphen, and an imitated weight. */
static void use_lines(answers *answers)
{
    static const char utf8[] = "AB \xd7\x91\xd7\x90 A\xc2\xad"
                               "BA\tB\xe4\xb9\xb7\nB B B";
    static const char *const families[] = {"Pietra Shaping"};
    const pietra_text_span spans[] = {
        {.byte_count = 5, .font = {.families = families, .family_count = 1, .weight = 700}, .size = 10},
        {.font = {.families = families, .family_count = 1}, .size = 20, .letter_spacing = 1}};
    const pietra_text_options options = {
        .width = 40, .align = PIETRA_ALIGN_JUSTIFY, .most_lines = 3, .ellipsis = ".", .wrap = PIETRA_WRAP_ANYWHERE};
    pietra_text *text = NULL;
    pietra_fonts *fonts = pietra_fonts_create();
    pietra_path *path = pietra_path_create();
    answers->reported |= !fonts || !path;
    if (fonts && path && take(answers, pietra_fonts_add_file(fonts, FONTS "shaping.ttf", NULL)) &&
        take(answers, pietra_text_shape(fonts, utf8, sizeof utf8 - 1, spans, 2, &options, NULL, &text))) {
        const pietra_text_run *runs;
        const size_t count = pietra_text_runs(text, &runs);
        for (size_t i = 0; i < count; i++)
            add(answers, runs[i].width + 1000 * (double)runs[i].glyph_count + runs[i].transform.e);
        take(answers, pietra_text_outline(text, 0, sizeof utf8, path, NULL));
    }
    pietra_text_destroy(text);
    pietra_path_destroy(path);
    pietra_fonts_destroy(fonts);
}

/* Glyphs that stand alone, and neighbours that meet. A call that fails leaves the scene as it was. */
static void use_run(answers *answers)
{
    static const pietra_glyph glyphs[] = {{2, 0, 0}, {3, 0.4, 0}, {2, 5, 0}, {3, 9, 0}, {2, 12, 0}};
    const pietra_paint paint = pietra_solid(0, 0, 0, 1);
    pietra_scene *scene = pietra_scene_create();
    pietra_font *font = NULL;
    pietra_box box = {0};
    answers->reported |= !scene;
    if (scene && take(answers, pietra_font_from_bytes(packed, packed_bytes, 0, NULL, 0, NULL, &font))) {
        const bool added = take(answers, pietra_scene_fill_glyphs(scene, font, 1, glyphs, 5, NULL, &paint, NULL));
        assert_int_equal(pietra_scene_position(scene), added ? 4 : 0);
        if (added) {
            pietra_scene_bounds(scene, &box);
            add(answers, box.x0 + 100 * box.x1 + 10000 * box.y0);
        }
    }
    pietra_font_destroy(font);
    pietra_scene_destroy(scene);
}

/* `others_keep`: libraries of others keep blocks from one use to the next. LeakSanitizer alone tells then what is
 * lost. */
static void try_all(void (*use)(answers *), bool others_keep)
{
    answers expected = {0};
    use(&expected); /* opens libraries, and whatever they keep */
    expected = (answers){0};
    use(&expected);
    assert_false(expected.reported);
    for (long i = 1; i < MOST_ALLOCATIONS; i++) {
        answers found = {0};
        const long blocks = atomic_load(&block_count), count = atomic_load(&allocation_count);
        atomic_store(&allocation_failing, count + i);
        use(&found);
        const bool failed = atomic_load(&allocation_count) >= count + i;
        atomic_store(&allocation_failing, 0);
        if (atomic_load(&block_count) != blocks && !others_keep)
            fail_msg("allocation %ld: %ld blocks are left", i, atomic_load(&block_count) - blocks);
        if (!found.reported &&
            (found.count != expected.count || memcmp(found.numbers, expected.numbers, sizeof found.numbers) != 0))
            fail_msg("allocation %ld: other answers", i);
        if (!failed)
            return;
    }
    fail_msg("more than %d allocations", MOST_ALLOCATIONS);
}

static void test_bytes(void **state)
{
    static const char *const names[] = {"shapes.woff", "shapes.woff2", "variable.ttf", "variable_cubic.otf"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1000];
        snprintf(path, sizeof path, FONTS "%s", names[i]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        packed_bytes = fread(packed, 1, sizeof packed, file);
        fclose(file);
        try_all(use_bytes, false);
        try_all(use_run, false);
    }
}

static void test_files(void **state)
{
    (void)state;
    try_all(use_files, false);
}

static void test_text(void **state)
{
    (void)state;
    try_all(use_text, true); /* ICU's break iterators do, where they fail */
}

static void test_lines(void **state)
{
    (void)state;
    try_all(use_lines, true);
}

static void test_system(void **state)
{
    char command[400];
    (void)state;
    strcpy(cache, "/tmp/pietra-memory-XXXXXX");
    assert_non_null(mkdtemp(cache));
    snprintf(command, sizeof command, "mkdir %s/config %s/fonts && cp %svariable.ttf %s/fonts", cache, cache, FONTS,
             cache);
    assert_int_equal(system(command), 0);
    assert_true(lead_fontconfig(cache, ""));
    snprintf(command, sizeof command, "touch -d '1 hour ago' %s/fonts %s/config %s/config/fonts.conf", cache, cache,
             cache);
    assert_int_equal(system(command), 0);
    strcat(cache, "/index");
    try_all(use_system, true); /* fontconfig does, which is asked where the index cannot be read */
    *strrchr(cache, '/') = '\0';
    snprintf(command, sizeof command, "rm -r %s", cache);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_text), cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_system)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
