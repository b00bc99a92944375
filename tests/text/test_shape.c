/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Text to glyphs: runs, fonts of clusters, directions, features. The fonts are those of tests/font. */
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
#include "font/fonts.h"
#include "text/shape_units.h"

#define UNIT FONT_SUBUNITS

static pietra_fonts *fonts;

static void add_built(const char *family, uint32_t first, uint32_t count, bool colored)
{
    font_builder builder = {0};
    const byte_array none = {0};
    const uint32_t ends[256] = {0};
    const uint32_t glyph_count = count > 2 ? count + 1 : 3;
    add_basics(&builder, glyph_count);
    add_family(&builder, family);
    add_characters(&builder, first, count);
    add_glyphs(&builder, &none, ends, glyph_count);
    if (colored)
        begin_table(&builder, FONT_TAG('C', 'O', 'L', 'R'));
    font_source *source = finish_font(&builder);
    assert_int_equal(pietra_fonts_add_bytes(fonts, source->bytes, source->byte_count, NULL), PIETRA_OK);
    font_source_release(source);
}

/* Writes a font of U+2605 that makes of each glyph several, up to three times. */
static void write_explosive(const char *path, uint32_t times, uint16_t glyphs)
{
    const uint16_t lookups[] = {3, 8, 8, 8, 2, 0, 1, 8, 1, 8, 1, 14, 1, 1, 1, glyphs};
    const byte_array none = {0};
    const uint32_t ends[2] = {0};
    font_builder builder = {0};
    add_basics(&builder, 2);
    add_family(&builder, "Explosive");
    add_characters(&builder, 0x2605, 1);
    add_glyphs(&builder, &none, ends, 2);
    byte_array *table = begin_substitutions(&builder, times);
    for (size_t i = 0; i < sizeof lookups / sizeof lookups[0]; i++)
        put_u16(table, lookups[i]);
    for (size_t i = 0; i < glyphs; i++)
        put_u16(table, 1);
    font_source *source = finish_font(&builder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(source->bytes, 1, source->byte_count, file), source->byte_count);
    assert_int_equal(fclose(file), 0);
    font_source_release(source);
}

static int make_fonts(void **state)
{
    (void)state;
    fonts = pietra_fonts_create();
    if (!fonts || pietra_fonts_add_file(fonts, PIETRA_SOURCE_DIR "/tests/font/fonts/shaping.ttf", NULL) != PIETRA_OK)
        return -1;
    add_built("Han", 0x4e00, 2, false);
    add_built("Sun", 0x2600, 1, false);
    add_built("Color", 0x2600, 1, true);
    add_built("Marks", 0x300, 3, false);
    add_built("Letter", 0x950, 1, false);
    add_built("Letter and mark", 0x950, 2, false);
    add_built("Latin", 'A', 0xff - 'A' + 1, false);
    return pietra_fonts_add_file(fonts, PIETRA_SOURCE_DIR "/tests/font/fonts/capitals.ttf", NULL) != PIETRA_OK;
}

static int destroy_fonts(void **state)
{
    (void)state;
    pietra_fonts_destroy(fonts);
    return 0;
}

static shaped_text shape_styled(const text_style *style, const uint16_t *units, size_t count)
{
    shaped_text shaped = {0};
    const char *wrong = shape_units(fonts, style, units, count, &shaped);
    if (wrong)
        fail_msg("%s", wrong);
    return shaped;
}

/* Writes runs from left to right: level, units, then each glyph with its unit and its advance in font units. */
static const char *describe(const text_style *style, const uint16_t *units, size_t count)
{
    static char text[1000];
    size_t at = 0;
    shaped_text shaped = shape_styled(style, units, count);
    text[0] = '\0';
    for (size_t i = 0; i < shaped.runs.count; i++) {
        const text_run *run = &shaped.runs.items[shaped.order.items[i]];
        at += (size_t)snprintf(text + at, sizeof text - at, "%u[%u-%u%s", run->level, run->begin, run->end,
                               run->font ? "" : " missing");
        if (run->size != style->size)
            at += (size_t)snprintf(text + at, sizeof text - at, " *%g", run->size / style->size);
        for (uint32_t k = 0; k < run->glyph_count; k++) {
            const text_glyph *glyph = &shaped.glyphs.items[run->first_glyph + k];
            at += (size_t)snprintf(text + at, sizeof text - at, " %u:%u+%d", glyph->id, glyph->unit,
                                   glyph->x_advance / UNIT);
        }
        at += (size_t)snprintf(text + at, sizeof text - at, "]");
    }
    shaped_text_free(&shaped);
    return text;
}

#define ASSERT_SHAPED(style, expected, ...) \
    do { \
        const uint16_t units[] = {__VA_ARGS__}; \
        assert_string_equal(describe(style, units, sizeof units / sizeof units[0]), expected); \
    } while (0)

static const text_style plain = {.direction = BIDI_AUTO};

static void test_ligature_and_kerning(void **state)
{
    const hb_feature_t no_ligatures = {HB_TAG('l', 'i', 'g', 'a'), 0, 0, UINT32_MAX};
    const text_style apart = {.features = &no_ligatures, .feature_count = 1};
    (void)state;
    ASSERT_SHAPED(&plain, "0[0-2 5:0+600]", 'A', 'B');
    ASSERT_SHAPED(&apart, "0[0-2 2:0+600 3:1+620]", 'A', 'B');
    ASSERT_SHAPED(&plain, "0[0-4 2:0+550 2:1+600 1:2+250 3:3+620]", 'A', 'A', ' ', 'B');
}

static void test_directions(void **state)
{
    const text_style right = {.direction = BIDI_RIGHT_TO_LEFT};
    (void)state;
    ASSERT_SHAPED(&plain, "1[0-2 2:1+600 3:0+620]", 0x5d1, 0x5d0);
    ASSERT_SHAPED(&plain, "0[0-1 2:0+600]1[1-3 2:2+600 3:1+620]0[3-4 3:3+620]", 'A', 0x5d1, 0x5d0, 'B');
    ASSERT_SHAPED(&right, "2[3-4 3:3+620]1[1-3 2:2+600 3:1+620]2[0-1 2:0+600]", 'A', 0x5d1, 0x5d0, 'B');
}

/* A font has a letter with its mark if it has both, or the two as one. */
static void test_normal_forms(void **state)
{
    (void)state;
    ASSERT_SHAPED(&plain, "0[0-2 5:0+600]", 'A', 0x301);
    ASSERT_SHAPED(&plain, "0[0-1 5:0+600]", 0xc1);
    ASSERT_SHAPED(&plain, "0[0-1 1:0+0]", 0x340); /* the font Marks has U+0300, which is the same */
}

/* Only the cluster that needs another font gets it. */
static void test_fallback(void **state)
{
    (void)state;
    ASSERT_SHAPED(&plain, "0[0-1 2:0+600]0[1-3 1:1+500 2:2+500]0[3-4 3:3+620]", 'A', 0x4e00, 0x4e01, 'B');
    ASSERT_SHAPED(&plain, "0[0-1 2:0+600]0[1-2 missing]0[2-3 3:2+620]", 'A', 0x4e77, 'B');
    /* A blank goes with what is before it, whatever the font. */
    ASSERT_SHAPED(&plain, "0[0-4 3:0+620 1:1+250 3:2+620 1:3+250]", 'B', ' ', 'B', ' ');
}

/* A cluster that a font has as a whole is never torn, though another font comes first for its letter. Of one that no
 * font has, only what no font has is missing. */
static void test_torn_clusters(void **state)
{
    (void)state;
    ASSERT_SHAPED(&plain, "0[0-1 1:0+500]", 0x950);
    ASSERT_SHAPED(&plain, "0[0-2 1:0+500 2:0+500]", 0x950, 0x951);
    ASSERT_SHAPED(&plain, "0[0-2 3:0+620 3:1+620]0[2-3 2:2+0]", 'B', 'B', 0x301);
    ASSERT_SHAPED(&plain, "0[0-2 3:0+620 1:0+0]0[2-4 missing]", 'B', 0xfe0f, 0x30a, 0x30b);
    ASSERT_SHAPED(&plain, "0[0-1 27:0+500]0[1-3 missing]", '[', 0xd83c, 0xdffd);
    ASSERT_SHAPED(&plain, "0[0-3 missing]0[3-4 3:3+620]", 0x4e77, 0x30a, 0x30b, 'B');
}

/* Shapes a character between two letters and returns how many glyphs and runs are missing. */
static size_t count_missing(uint32_t character)
{
    const text_style letters = {.font = {.family_count = 0}};
    uint16_t units[4] = {'A'};
    size_t count = 1, missing = 0;
    if (character > 0xffff)
        units[count++] = (uint16_t)(0xd7c0 + (character >> 10));
    units[count++] = (uint16_t)(character > 0xffff ? 0xdc00 | (character & 0x3ff) : character);
    units[count++] = 'B';
    shaped_text shaped = shape_styled(&letters, units, count);
    for (size_t i = 0; i < shaped.runs.count; i++)
        missing += !shaped.runs.items[i].font;
    for (size_t i = 0; i < shaped.glyphs.count; i++)
        missing += shaped.glyphs.items[i].id == 0;
    shaped_text_free(&shaped);
    return missing;
}

/* White space and what is to be ignored is no box, though no font has it. Ends of lines are left to those who break
 * them. */
static void test_what_is_not_seen(void **state)
{
    (void)state;
    size_t count = 0;
    for (uint32_t character = 0x20; character <= 0xe0fff; character++) {
        if (font_needs_glyph(character) || (character >= 0xd800 && character <= 0xdfff))
            continue;
        if (count_missing(character) > 0)
            fail_msg("U+%04X is a box", character);
        count++;
    }
    assert_int_equal(count, 4194);
    assert_int_equal(count_missing(0x4e77), 1);
}

/* A font that has such a character draws it. Without one, a letter that stands with it does not become a box. */
static void test_what_may_be_seen(void **state)
{
    (void)state;
    ASSERT_SHAPED(&plain, "0[0-1 2:0+600]0[1-2 1:1+0]0[2-3 3:2+620]", 'A', 0x3164, 'B');
    ASSERT_SHAPED(&plain, "0[0-1 2:0+600]0[1-2 1:1+250]0[2-3 3:2+620]", 'A', 0x1680, 'B');
    ASSERT_SHAPED(&plain, "0[0-3 1:0+0 1:1+0 1:2+0]", 0x85, 0x2028, 0xffa0);
    add_built("Jamo", 0x1100, 1, false);
    ASSERT_SHAPED(&plain, "0[0-2 1:0+500]", 0x1100, 0x1160);
    ASSERT_SHAPED(&plain, "0[0-2 missing]", 0x1101, 0x1160);
    add_built("Fillers", 0x115f, 2, false);
    add_built("Ogham", 0x1680, 1, false);
    ASSERT_SHAPED(&plain, "0[0-1 2:0+600]0[1-2 1:1+500]0[2-3 3:2+620]", 'A', 0x1680, 'B');
    ASSERT_SHAPED(&plain, "0[0-2 1:0+500 2:0+500]", 0x115f, 0x1160);
}

static void test_emoji(void **state)
{
    const uint16_t asked[] = {0x2600, 0xfe0f}, refused[] = {0x2600, 0xfe0e}, usual[] = {0x2600};
    const struct {
        const uint16_t *units;
        size_t count;
        bool colored;
    } cases[] = {{asked, 2, true}, {refused, 2, false}, {usual, 1, false}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        shaped_text shaped = shape_styled(&plain, cases[i].units, cases[i].count);
        assert_int_equal(shaped.runs.count, 1);
        const bool colored = sfnt_find(&shaped.runs.items[0].font->face->sfnt, FONT_TAG('C', 'O', 'L', 'R')) != NULL;
        assert_int_equal(colored, cases[i].colored);
        shaped_text_free(&shaped);
    }
    /* A letter that asks for colours may be joined to its neighbours. */
    for (size_t i = 0; i < 2; i++) {
        const uint16_t units[] = {i ? 0x2600 : 0x628, 0xfe0f};
        shaped_text shaped = shape_styled(&plain, units, 2);
        assert_int_equal(shaped.runs.items[0].emoji, i);
        shaped_text_free(&shaped);
    }
    /* U+1F600 is a picture by itself, but no font has it in colours. */
    ASSERT_SHAPED(&plain, "0[0-2 3:0+620]", 0xd83d, 0xde00);
}

/* Runs of emoji are shaped cluster by cluster, each different one once, in both directions. */
static void test_many_emoji(void **state)
{
    enum { REPEATS = 30, COUNT = 2 * REPEATS + 1 };
    static const uint16_t beginnings[] = {0x200e, 0x202e}; /* a mark from left to right; all runs from right to left */
    (void)state;
    for (size_t turned = 0; turned < 2; turned++) {
        uint16_t units[COUNT] = {beginnings[turned]};
        for (size_t i = 0; i < REPEATS; i++) {
            units[1 + 2 * i] = 0x2600;
            units[2 + 2 * i] = 0xfe0f;
        }
        shaped_text shaped = shape_styled(&plain, units, COUNT);
        const text_run *run = array_last(&shaped.runs);
        const text_glyph *glyphs = shaped.glyphs.items + run->first_glyph;
        assert_int_equal(run->begin, 1);
        assert_int_equal(run->end, COUNT);
        assert_int_equal(run->level, turned);
        assert_int_equal(run->glyph_count % REPEATS, 0);
        const uint32_t step = run->glyph_count / REPEATS;
        for (uint32_t i = 0; i < run->glyph_count; i++) {
            const uint32_t from_left = i / step;
            assert_int_equal(glyphs[i].id, glyphs[i % step].id);
            assert_int_equal(glyphs[i].x_advance, glyphs[i % step].x_advance);
            assert_int_equal(glyphs[i].unit, 1 + 2 * (turned ? REPEATS - 1 - from_left : from_left));
        }
        shaped_text_free(&shaped);
    }
}

/* Emoji that are joined are one cluster, which is cut where HarfBuzz 6.0 would take too long. */
static void test_many_joined(void **state)
{
    enum { JOINED = 20000 };
    static const uint16_t unit[] = {0x2600, 0xfe0f, 0x200d};
    uint16_t *units = malloc(JOINED * sizeof unit);
    (void)state;
    assert_non_null(units);
    for (size_t i = 0; i < JOINED; i++)
        memcpy(units + 3 * i, unit, sizeof unit);
    shaped_text shaped = shape_styled(&plain, units, 3 * JOINED);
    uint32_t end = 0;
    for (size_t i = 0; i < shaped.runs.count; i++) {
        assert_int_equal(shaped.runs.items[i].begin, end);
        end = shaped.runs.items[i].end;
        assert_true(end - shaped.runs.items[i].begin <= 2 * TEXT_MOST_JOINED);
    }
    assert_int_equal(end, 3 * JOINED);
    shaped_text_free(&shaped);
    free(units);
}

/* Letters that stand on one another are cut where HarfBuzz 6.0 would take too long. */
static void test_many_stacked(void **state)
{
    enum { STACKED = 20000 };
    static const uint16_t unit[] = {0x1780, 0x17d2, 0x200d};
    uint16_t *units = malloc(STACKED * sizeof unit);
    (void)state;
    assert_non_null(units);
    for (size_t i = 0; i < STACKED; i++)
        memcpy(units + 3 * i, unit, sizeof unit);
    shaped_text shaped = shape_styled(&plain, units, 3 * STACKED);
    uint32_t end = 0;
    for (size_t i = 0; i < shaped.runs.count; i++) {
        assert_int_equal(shaped.runs.items[i].begin, end);
        end = shaped.runs.items[i].end;
        assert_int_equal(shaped.runs.items[i].begin % 3, 0);
        assert_true(end - shaped.runs.items[i].begin <= 3 * TEXT_MOST_STACKED);
    }
    assert_int_equal(end, 3 * STACKED);
    shaped_text_free(&shaped);
    free(units);
}

/* The font has a small capital for a, which looks like B, but none for b and for capitals. */
static void test_small_capitals(void **state)
{
    static const char *const families[] = {"Pietra Capitals"};
    text_style style = {.size = 1, .font = {.families = families, .family_count = 1}};
    (void)state;
    style.capitals = TEXT_SMALL_CAPITALS;
    ASSERT_SHAPED(&style, "0[0-2 2:0+600 5:1+600]", 'A', 'a');
    style.capitals = TEXT_PETITE_CAPITALS;
    ASSERT_SHAPED(&style, "0[0-2 2:0+600 5:1+600]", 'A', 'a');
    style.capitals = TEXT_ALL_SMALL_CAPITALS;
    ASSERT_SHAPED(&style, "0[0-3 *0.7 2:0+600 2:1+600 3:2+620]0[3-4 1:3+250]", 'A', 'a', 'b', ' ');
    style.capitals = TEXT_UNICASE;
    ASSERT_SHAPED(&style, "0[0-1 *0.7 2:0+600]0[1-2 3:1+620]", 'A', 'a');
    style.no_imitated_capitals = true;
    ASSERT_SHAPED(&style, "0[0-2 2:0+600 3:1+620]", 'A', 'a');
}

/* Without small capitals of its own a font shows capitals, also several for one letter; a letter whose capital it lacks
 * stays. */
static void test_imitated_capitals(void **state)
{
    static const char *const families[] = {"Latin"};
    const text_style style = {
        .size = 1, .font = {.families = families, .family_count = 1}, .capitals = TEXT_SMALL_CAPITALS};
    (void)state;
    ASSERT_SHAPED(&style, "0[0-1 19:0+500]0[1-3 *0.7 19:1+500 20:2+500]", 'S', 's', 't');
    ASSERT_SHAPED(&style, "0[0-1 *0.7 19:0+500 19:0+500]0[1-2 191:1+500]", 0xdf, 0xff);
}

/* An aspect is as large in all fonts: the advance of 0, which this font has not, is half of the em. */
static void test_aspects(void **state)
{
    const text_style style = {.size = 10, .aspect = FONT_ASPECT_CH_WIDTH, .aspect_size = 0.25};
    text_style other = style;
    (void)state;
    ASSERT_SHAPED(&style, "0[0-1 *0.5 2:0+600]", 'A');
    other.aspect = FONT_ASPECT_IC_WIDTH;
    ASSERT_SHAPED(&other, "0[0-1 *0.25 2:0+600]", 'A');
    other.aspect_size = 0;
    ASSERT_SHAPED(&other, "0[0-1 *0 2:0+600]", 'A');
}

static void test_no_text(void **state)
{
    (void)state;
    assert_string_equal(describe(&plain, NULL, 0), "");
    pietra_fonts *none = pietra_fonts_create();
    shaped_text shaped = {0};
    const uint16_t units[] = {'A', 'B'};
    assert_null(shape_units(none, &plain, units, 2, &shaped));
    assert_int_equal(shaped.runs.count, 1);
    assert_null(shaped.runs.items[0].font);
    shaped_text_free(&shaped);
    pietra_fonts_destroy(none);
}

/* HarfBuzz 6.0 would take minutes for so many marks in one run. */
static void test_many_marks(void **state)
{
    const size_t count = 200000;
    uint16_t *units = malloc(count * sizeof *units);
    (void)state;
    assert_non_null(units);
    for (size_t i = 0; i < count; i++)
        units[i] = 0x301;
    shaped_text shaped = shape_styled(&plain, units, count);
    size_t shaped_units = 0;
    for (size_t i = 0; i < shaped.runs.count; i++) {
        const text_run *run = &shaped.runs.items[i];
        assert_true(run->end - run->begin <= TEXT_MOST_MARKS);
        shaped_units += run->end - run->begin;
    }
    assert_int_equal(shaped_units, count);
    shaped_text_free(&shaped);
    free(units);
}

/* A long text of all kinds, which ends soon because the work is linear. */
static void test_long_text(void **state)
{
    static const uint16_t kinds[] = {'A', ' ', 0x4e00, 0x5d0, '(', 0x301, 0x4e77, 0x202e, 'B', 0x2068, 0xd83d};
    const size_t count = 100000;
    uint16_t *units = malloc(count * sizeof *units);
    uint32_t random = 1;
    (void)state;
    assert_non_null(units);
    for (size_t i = 0; i < count; i++) {
        random = random * 1664525 + 1013904223;
        units[i] = kinds[(random >> 16) % (sizeof kinds / sizeof kinds[0])];
    }
    shaped_text shaped = shape_styled(&plain, units, count);
    uint32_t end = 0;
    for (size_t i = 0; i < shaped.runs.count; i++) {
        assert_int_equal(shaped.runs.items[i].begin, end);
        end = shaped.runs.items[i].end;
    }
    assert_int_equal(end, count);
    shaped_text_free(&shaped);
    free(units);
}

static void take_warning(void *user, unsigned line, const char *message)
{
    char *messages = user;
    (void)line;
    strcat(strcat(messages, message), "\n");
}

/* Adds a font of U+2605 in which a glyph calls lookups, of which each calls the next one 60 times, until `rules` rules
 * do not fit. */
static void add_heavy(uint32_t depth, uint32_t rules)
{
    font_builder builder = {0};
    const byte_array none = {0};
    const uint32_t ends[2] = {0}, caller_bytes = 16 + 4 * 60 + 6;
    add_basics(&builder, 2);
    add_family(&builder, "Heavy");
    add_characters(&builder, 0x2605, 1);
    add_glyphs(&builder, &none, ends, 2);
    byte_array *table = begin_substitutions(&builder, 1);
    put_u16(table, depth + 1);
    for (uint32_t i = 0; i <= depth; i++)
        put_u16(table, 2 + 2 * (depth + 1) + i * caller_bytes);
    for (uint32_t i = 0; i < depth; i++) {
        const uint16_t caller[] = {5, 0, 1, 8, 3, 1, 60, 8 + 4 * 60}, coverage[] = {1, 1, 1};
        for (size_t k = 0; k < sizeof caller / sizeof caller[0]; k++)
            put_u16(table, caller[k]);
        for (uint32_t k = 0; k < 60; k++)
            put_u32(table, i + 1);
        for (size_t k = 0; k < sizeof coverage / sizeof coverage[0]; k++)
            put_u16(table, coverage[k]);
    }
    const uint16_t callee[] = {5, 0, 1, 8, 1, 8, 1, 14, 1, 1, 1, (uint16_t)rules};
    for (size_t i = 0; i < sizeof callee / sizeof callee[0]; i++)
        put_u16(table, callee[i]);
    for (uint32_t i = 0; i < rules; i++)
        put_u16(table, 2 + 2 * rules);
    put_u32(table, 2 << 16);
    put_u16(table, 0);
    font_source *source = finish_font(&builder);
    assert_int_equal(pietra_fonts_add_bytes(fonts, source->bytes, source->byte_count, NULL), PIETRA_OK);
    font_source_release(source);
}

static bool take_comparisons(void *user, double comparisons)
{
    *(double *)user = comparisons;
    return false;
}

/* A font whose lookups may take too long is passed over. Of a lighter one each unit is paid for. */
static void test_heavy_lookups(void **state)
{
    const uint16_t units[] = {0x2605, 0x2605, 0x2605};
    const text_span span = {3, 0};
    char messages[1000] = "";
    double comparisons = 0;
    text_paragraph paragraph = {.units = units,
                                .count = 3,
                                .styles = &plain,
                                .style_count = 1,
                                .spans = &span,
                                .span_count = 1,
                                .spend = take_comparisons,
                                .user = &comparisons};
    pietra_fonts *others = fonts;
    (void)state;
    fonts = pietra_fonts_create();
    assert_non_null(fonts);
    pietra_fonts_set_warning(fonts, take_warning, messages);
    add_heavy(3, 100);
    add_heavy(1, 200);
    shaped_text shaped = {0};
    assert_ptr_equal(text_shape_paragraph(fonts, &paragraph, &shaped), text_refused);
    assert_string_equal(messages, "a font: its rules for glyphs take too long; it is passed over\n");
    /* Two lookups of one subtable, a coverage, 200 rules of two glyphs and a rule that calls them 60 times. */
    assert_true(comparisons == 3 * (4 + 2 + 600 + 60 * 602 - TEXT_FREE_COMPARISONS));
    shaped_text_free(&shaped);
    pietra_fonts_destroy(fonts);
    fonts = others;
}

/* A font that cannot set a text of so many units is passed over by those who met that, once warned. */
static void assert_passed_over(uint32_t times, uint16_t glyphs, uint32_t count)
{
    static const char path[] = PIETRA_BINARY_DIR "/tests/explosive.ttf";
    uint16_t units[1000];
    char messages[1000] = "";
    pietra_fonts *base = fonts;
    for (uint32_t i = 0; i < count; i++)
        units[i] = 0x2605;
    units[count] = 'A';
    write_explosive(path, times, glyphs);
    fonts = pietra_fonts_create();
    assert_non_null(fonts);
    assert_int_equal(pietra_fonts_add_file(fonts, path, NULL), PIETRA_OK);
    add_built("Star", 0x2605, 1, false);
    for (int i = 0; i < 2; i++) {
        pietra_fonts *over = fonts_create_over(fonts, take_warning, messages);
        messages[0] = '\0';
        for (int k = 0; k < 2; k++) {
            shaped_text shaped = {0};
            assert_null(shape_units(over, &plain, units, count + 1, &shaped));
            assert_int_equal(shaped.runs.count, 2);
            assert_int_equal(shaped.runs.items[0].font->face->number, 1);
            assert_int_equal(shaped.glyphs.count, count);
            assert_null(shaped.runs.items[1].font);
            shaped_text_free(&shaped);
        }
        assert_string_equal(messages, PIETRA_BINARY_DIR "/tests/explosive.ttf: it makes too many glyphs of a text; it "
                                                        "is passed over\n");
        pietra_fonts_destroy(over);
    }
    pietra_fonts_destroy(fonts);
    fonts = base;
    remove(path);
}

/* HarfBuzz itself ends at 64 glyphs for each. */
static void test_too_many_glyphs(void **state)
{
    (void)state;
    assert_passed_over(3, 200, 2);
    assert_passed_over(1, 20, 300);
}

/* Letters without a blank among them make runs of this length at most, but for a quarter. */
static void test_long_runs(void **state)
{
    const size_t count = 2 * TEXT_MOST_RUN, at = TEXT_MOST_RUN + 5;
    uint16_t *units = malloc(count * sizeof *units);
    (void)state;
    assert_non_null(units);
    for (size_t i = 0; i < count; i++)
        units[i] = 'A';
    shaped_text shaped = shape_styled(&plain, units, count);
    assert_int_equal(shaped.runs.count, 2);
    assert_int_equal(shaped.runs.items[0].end, TEXT_MOST_RUN + TEXT_MOST_RUN / 4);
    shaped_text_free(&shaped);
    units[at] = ' ';
    shaped = shape_styled(&plain, units, count);
    assert_int_equal(shaped.runs.count, 2);
    assert_int_equal(shaped.runs.items[0].end, at + 1);
    shaped_text_free(&shaped);
    free(units);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ligature_and_kerning),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_fallback),
        cmocka_unit_test(test_torn_clusters),
        cmocka_unit_test(test_what_is_not_seen),
        cmocka_unit_test(test_what_may_be_seen),
        cmocka_unit_test(test_emoji),
        cmocka_unit_test(test_many_emoji),
        cmocka_unit_test(test_many_joined),
        cmocka_unit_test(test_many_stacked),
        cmocka_unit_test(test_normal_forms),
        cmocka_unit_test(test_small_capitals),
        cmocka_unit_test(test_imitated_capitals),
        cmocka_unit_test(test_aspects),
        cmocka_unit_test(test_no_text),
        cmocka_unit_test(test_many_marks),
        cmocka_unit_test(test_long_text),
        cmocka_unit_test(test_too_many_glyphs),
        cmocka_unit_test(test_heavy_lookups),
        cmocka_unit_test(test_long_runs),
    };
    return cmocka_run_group_tests(tests, make_fonts, destroy_fonts);
}
