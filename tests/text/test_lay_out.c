/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Texts that programs lay out: lines, runs, carets, boxes, the character at a point. In the fonts every character is
 * half of the em wide, and texts have a size of 2 unless they say otherwise, so a character is 1 wide; lines are 2.5
 * high, of which 1.85 are above the baseline. */
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
#include "pietra/pietra_text.h"

#define ASCENT 1.85
#define DESCENT 0.65

static pietra_fonts *fonts;

static void add_built(const char *family, uint32_t first, uint32_t count)
{
    font_builder builder = {0};
    const byte_array none = {0};
    static const uint32_t ends[1000];
    add_basics(&builder, count + 1);
    add_family(&builder, family);
    add_characters(&builder, first, count);
    add_glyphs(&builder, &none, ends, count + 1);
    font_source *source = finish_font(&builder);
    assert_int_equal(pietra_fonts_add_bytes(fonts, source->bytes, source->byte_count, NULL), PIETRA_OK);
    font_source_release(source);
}

static int make_fonts(void **state)
{
    (void)state;
    fonts = pietra_fonts_create();
    if (!fonts)
        return -1;
    add_built("Latin", ' ', 0x100 - ' ');
    add_built("Hebrew", 0x5d0, 27);
    add_built("Han", 0x4e00, 10);
    add_built("Hyphen", 0x2010, 1);
    return 0;
}

static int destroy_fonts(void **state)
{
    (void)state;
    pietra_fonts_destroy(fonts);
    return 0;
}

static pietra_text *shape(const char *utf8, const pietra_text_options *options)
{
    static const char *const families[] = {"Latin"};
    const pietra_text_span span = {.size = 2, .font = {.families = families, .family_count = 1}};
    pietra_text *text = NULL;
    pietra_error error;
    if (pietra_text_shape(fonts, utf8, strlen(utf8), &span, 1, options, &error, &text) != PIETRA_OK)
        fail_msg("%s", error.message);
    return text;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* Writes for each line its bytes, where it begins and how wide it is. */
static const char *describe_lines(const char *utf8, pietra_text_options options)
{
    static char described[1000];
    pietra_text *text = shape(utf8, &options);
    const pietra_text_line *lines;
    const size_t count = pietra_text_lines(text, &lines);
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(described + at, sizeof described - at, "[%zu-%zu %g+%g%s%s]", lines[i].begin,
                               lines[i].end, options.vertical ? lines[i].y : lines[i].x, lines[i].width,
                               lines[i].right_to_left ? " left" : "", lines[i].elided ? " ..." : "");
    pietra_text_destroy(text);
    return described;
}

#define ASSERT_LINES(utf8, expected, ...) \
    assert_string_equal(describe_lines(utf8, (pietra_text_options){__VA_ARGS__}), expected)

static void test_lines(void **state)
{
    (void)state;
    ASSERT_LINES("", "[0-0 0+0]", 0);
    ASSERT_LINES("ab cd", "[0-5 0+5]", 0);
    ASSERT_LINES("ab\ncd\n", "[0-3 0+2][3-6 0+2][6-6 0+0]", 0);
    ASSERT_LINES("ab\r\ncd", "[0-4 0+2][4-6 0+2]", 0);
    ASSERT_LINES("ab cd ef", "[0-6 0+5][6-8 0+2]", .width = 5);
    ASSERT_LINES("ab cd  ", "[0-3 0+2][3-7 0+2]", .width = 4);
    ASSERT_LINES("abcdef", "[0-6 0+6]", .width = 4);
    ASSERT_LINES("abcdef", "[0-4 0+4][4-6 0+2]", .width = 4, .wrap = PIETRA_WRAP_ANYWHERE);
    ASSERT_LINES("ab cd", "[0-5 0+5]", .width = 4, .wrap = PIETRA_WRAP_NEVER);
    ASSERT_LINES("ab\xc2\xad"
                 "cd",
                 "[0-4 0+3][4-6 0+2]", .width = 3);
}

static void test_alignment(void **state)
{
    (void)state;
    ASSERT_LINES("abcd\nef", "[0-5 0+4][5-7 2+2]", .align = PIETRA_ALIGN_END);
    ASSERT_LINES("abcd\nef", "[0-5 0+4][5-7 1+2]", .align = PIETRA_ALIGN_CENTER);
    ASSERT_LINES("ab", "[0-2 4+2]", .width = 6, .align = PIETRA_ALIGN_RIGHT);
    ASSERT_LINES("\xd7\x90\xd7\x91\nab", "[0-5 4+2 left][5-7 0+2]", .width = 6);
    ASSERT_LINES("\xd7\x90\xd7\x91\nab", "[0-5 0+2 left][5-7 4+2]", .width = 6, .align = PIETRA_ALIGN_END);
    ASSERT_LINES("ab", "[0-2 4+2 left]", .width = 6, .direction = PIETRA_DIRECTION_RIGHT_TO_LEFT);
    ASSERT_LINES("\xd7\x90", "[0-2 0+1]", .width = 6, .direction = PIETRA_DIRECTION_LEFT_TO_RIGHT);
    ASSERT_LINES("a b c d e\nf", "[0-8 0+8][8-10 0+1][10-11 0+1]", .width = 8, .align = PIETRA_ALIGN_JUSTIFY,
                 .tab_width = 0);
}

static void test_justification(void **state)
{
    const pietra_text_options options = {.width = 6.5, .align = PIETRA_ALIGN_JUSTIFY};
    const pietra_text_run *runs;
    (void)state;
    /* The 1.5 that are missing go to the blank, the hanging one apart. */
    pietra_text *text = shape("ab cd efg", &options);
    assert_int_equal(pietra_text_runs(text, &runs), 2);
    assert_true(is_near(runs[0].glyphs[2].x, 2) && is_near(runs[0].glyphs[3].x, 4.5));
    assert_true(is_near(runs[1].glyphs[1].x, 1));
    pietra_text_destroy(text);
    /* Chinese letters stand apart. */
    text = shape("\xe4\xb8\x80\xe4\xb8\x81\xe4\xb8\x82\xe4\xb8\x83\xe4\xb8\x84\xe4\xb8\x85\xe4\xb8\x86", &options);
    assert_int_equal(pietra_text_runs(text, &runs), 2);
    assert_true(is_near(runs[0].glyphs[1].x, 1.1) && is_near(runs[0].glyphs[5].x, 5.5));
    pietra_text_destroy(text);
}

static void test_ellipsis(void **state)
{
    (void)state;
    ASSERT_LINES("ab cd ef gh", "[0-6 0+5][6-11 0+5]", .width = 5, .most_lines = 2, .ellipsis = "...");
    ASSERT_LINES("ab cd ef gh", "[0-6 0+5][6-11 0+5]", .width = 5, .most_lines = 3, .ellipsis = "...");
    ASSERT_LINES("ab cd ef gh ij", "[0-6 0+5][6-14 0+5 ...]", .width = 5, .most_lines = 2, .ellipsis = "...");
    ASSERT_LINES("ab cd ef gh ij", "[0-6 0+5][6-14 0+5 ...]", .width = 5, .most_lines = 2);
    ASSERT_LINES("abcdef\ngh", "[0-7 0+4 ...][7-9 0+2]", .width = 4, .wrap = PIETRA_WRAP_NEVER, .ellipsis = "..");
    ASSERT_LINES("abcdef\ngh", "[0-7 0+6][7-9 0+2]", .width = 4, .wrap = PIETRA_WRAP_NEVER);
    ASSERT_LINES("a bcdef", "[0-7 0+2 ...]", .width = 3, .wrap = PIETRA_WRAP_NEVER, .ellipsis = ".");
    ASSERT_LINES("abcdef", "[0-6 0+2 ...]", .width = 1, .wrap = PIETRA_WRAP_NEVER, .ellipsis = "..");
    ASSERT_LINES("a\nb\nc", "[0-2 0+1][2-5 0+2 ...]", .most_lines = 2, .ellipsis = ".");
    /* The ellipsis of a text from right to left is at the left. */
    const pietra_text_options options = {.width = 3, .wrap = PIETRA_WRAP_NEVER, .ellipsis = "."};
    const pietra_text_run *runs;
    pietra_text *text = shape("\xd7\x90\xd7\x91\xd7\x92\xd7\x93\xd7\x94", &options);
    const size_t count = pietra_text_runs(text, &runs);
    assert_true(count >= 2 && runs[0].glyph_bytes[0] == 4 && runs[count - 1].begin == 0);
    pietra_text_caret caret;
    assert_true(pietra_text_find_caret(text, 7, false, &caret) && is_near(caret.x0, 1));
    assert_int_equal(pietra_text_next(text, 4, false), 10);
    pietra_text_destroy(text);
}

static void test_tabs(void **state)
{
    const pietra_text_options options = {.tab_width = 4}, usual = {0};
    const pietra_text_run *runs;
    (void)state;
    pietra_text *text = shape("a\tb\tcdef\tg", &options);
    assert_int_equal(pietra_text_runs(text, &runs), 1);
    static const double places[] = {0, 4, 8, 9, 10, 11, 16};
    assert_int_equal(runs[0].glyph_count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_true(is_near(runs[0].glyphs[i].x, places[i]));
    pietra_text_destroy(text);
    text = shape("a\tb", &usual);
    pietra_text_runs(text, &runs);
    assert_true(is_near(runs[0].glyphs[1].x, 8));
    pietra_text_destroy(text);
    ASSERT_LINES("a\tb", "[0-2 0+1][2-3 0+1]", .width = 4, .tab_width = 4);
}

static void test_spans(void **state)
{
    static const char *const families[] = {"Latin"};
    const pietra_font_query query = {.families = families, .family_count = 1};
    const pietra_text_span spans[] = {
        {.byte_count = 2, .font = query, .size = 2, .letter_spacing = 0.5},
        {.byte_count = 1, .font = query, .size = 4, .rise = 1, .word_spacing = 3},
        {.byte_count = 1, .font = query, .size = 2, .line_height = 3},
    };
    pietra_text *text = NULL;
    const pietra_text_run *runs;
    const pietra_text_line *lines;
    (void)state;
    assert_int_equal(pietra_text_shape(fonts, "ab cdef", 7, spans, 3, NULL, NULL, &text), PIETRA_OK);
    assert_int_equal(pietra_text_runs(text, &runs), 3);
    assert_int_equal(pietra_text_lines(text, &lines), 1);
    assert_true(is_near(lines[0].width, 2 * 1.5 + 2 + 3 + 4));
    assert_true(is_near(lines[0].ascent, 2 * ASCENT + 1));
    /* Of the third span: a height of 6 around ascent and descent. */
    assert_true(is_near(lines[0].descent, 0.6 + (6 - 2.4) / 2));
    assert_true(runs[1].begin == 2 && runs[1].end == 3 && runs[1].span == 1 && runs[1].size == 4);
    assert_true(is_near(runs[1].transform.e, 3) && is_near(runs[1].transform.f, lines[0].y - 1));
    assert_true(runs[2].end == 7 && is_near(runs[2].transform.e, 8));
    pietra_box box;
    assert_true(pietra_text_bounds(text, &box) && is_near(box.x1, 12) &&
                is_near(box.y1, lines[0].ascent + lines[0].descent));
    pietra_text_destroy(text);
}

static void test_baselines(void **state)
{
    const pietra_text_options snapped = {.snap_baselines = true}, usual = {0};
    const pietra_text_line *lines;
    (void)state;
    pietra_text *text = shape("a\nb\nc", &usual);
    pietra_text_lines(text, &lines);
    assert_true(is_near(lines[0].y, ASCENT) && is_near(lines[2].y, ASCENT + 5));
    pietra_text_destroy(text);
    text = shape("a\nb\nc", &snapped);
    pietra_text_lines(text, &lines);
    assert_true(lines[0].y == 2 && lines[1].y == 5 && lines[2].y == 8);
    pietra_text_destroy(text);
}

/* ---- Carets ---- */

static void assert_caret(const pietra_text *text, size_t byte, bool behind, size_t line, double along, bool left)
{
    pietra_text_caret caret;
    assert_true(pietra_text_find_caret(text, byte, behind, &caret));
    if (caret.line != line || !is_near(caret.x0, along) || !is_near(caret.x1, along) || caret.right_to_left != left ||
        !is_near(caret.y1 - caret.y0, ASCENT + DESCENT) || !is_near(caret.y0, 2.5 * (double)line))
        fail_msg("the caret at %zu stands at %g in line %zu", byte, caret.x0, caret.line);
}

static void test_carets(void **state)
{
    const pietra_text_options options = {.width = 3};
    (void)state;
    /* Before and behind where lines meet; a line feed keeps carets apart. */
    pietra_text *text = shape("ab cd\ne", &options);
    assert_caret(text, 0, false, 0, 0, false);
    assert_caret(text, 0, true, 0, 0, false);
    assert_caret(text, 2, false, 0, 2, false);
    assert_caret(text, 3, false, 1, 0, false);
    assert_caret(text, 3, true, 0, 3, false);
    assert_caret(text, 5, false, 1, 2, false);
    assert_caret(text, 6, true, 2, 0, false);
    assert_caret(text, 7, false, 2, 1, false);
    assert_caret(text, 100, false, 2, 1, false);
    pietra_text_destroy(text);
    /* "a", Hebrew of two letters, "b": places 0 to 4, the letters backward. */
    text = shape("a\xd7\x90\xd7\x91"
                 "b",
                 NULL);
    assert_caret(text, 1, true, 0, 1, false);
    assert_caret(text, 1, false, 0, 3, true);
    assert_caret(text, 2, false, 0, 3, true);
    assert_caret(text, 3, false, 0, 2, true);
    assert_caret(text, 5, true, 0, 1, true);
    assert_caret(text, 5, false, 0, 3, false);
    assert_int_equal(pietra_text_next(text, 1, false), 3);
    assert_int_equal(pietra_text_next(text, 2, false), 3);
    assert_int_equal(pietra_text_next(text, 5, false), 6);
    assert_int_equal(pietra_text_next(text, 6, false), 6);
    assert_int_equal(pietra_text_next(text, 6, true), 5);
    assert_int_equal(pietra_text_next(text, 3, true), 1);
    assert_int_equal(pietra_text_next(text, 0, true), 0);
    pietra_text_destroy(text);
    text = shape("a\nb", &(pietra_text_options){.most_lines = 1});
    assert_int_equal(pietra_text_next(text, 1, false), 3);
    pietra_text_destroy(text);
    text = shape("", NULL);
    assert_caret(text, 0, false, 0, 0, false);
    pietra_text_destroy(text);
}

/* A line without characters is aligned as others are, and so is the caret in it. */
static void test_carets_of_empty_lines(void **state)
{
    (void)state;
    pietra_text *text = shape("", &(pietra_text_options){.width = 8, .align = PIETRA_ALIGN_CENTER});
    assert_caret(text, 0, false, 0, 4, false);
    pietra_text_destroy(text);
    text = shape("ab\n\nab", &(pietra_text_options){.width = 8, .align = PIETRA_ALIGN_CENTER});
    assert_caret(text, 2, false, 0, 5, false);
    assert_caret(text, 3, false, 1, 4, false);
    assert_caret(text, 4, false, 2, 3, false);
    pietra_text_destroy(text);
    text = shape("\n", &(pietra_text_options){.width = 8, .align = PIETRA_ALIGN_END});
    assert_caret(text, 0, false, 0, 8, false);
    assert_caret(text, 1, false, 1, 8, false);
    pietra_text_destroy(text);
}

/* A ligature has places for both letters. */
static void test_ligature(void **state)
{
    static const char *const families[] = {"Pietra Shaping"};
    pietra_text_span span = {.size = 1000, .font = {.families = families, .family_count = 1}};
    pietra_text *text = NULL;
    pietra_text_caret caret;
    const pietra_text_run *runs;
    (void)state;
    assert_int_equal(pietra_fonts_add_file(fonts, PIETRA_SOURCE_DIR "/tests/font/fonts/shaping.ttf", NULL), PIETRA_OK);
    assert_int_equal(pietra_text_shape(fonts, "AB", 2, &span, 1, NULL, NULL, &text), PIETRA_OK);
    pietra_text_runs(text, &runs);
    assert_int_equal(runs[0].glyph_count, 1);
    assert_true(pietra_text_find_caret(text, 1, false, &caret) && is_near(caret.x0, 300));
    pietra_text_destroy(text);
    span.letter_spacing = 10;
    assert_int_equal(pietra_text_shape(fonts, "AB", 2, &span, 1, NULL, NULL, &text), PIETRA_OK);
    pietra_text_runs(text, &runs);
    assert_true(runs[0].glyph_count == 2 && is_near(runs[0].glyphs[1].x, 610) && is_near(runs[0].width, 1230));
    pietra_text_destroy(text);
    const pietra_font_feature off = {PIETRA_FONT_TAG('l', 'i', 'g', 'a'), 0};
    span.letter_spacing = 0;
    span.features = &off;
    span.feature_count = 1;
    assert_int_equal(pietra_text_shape(fonts, "AB", 2, &span, 1, NULL, NULL, &text), PIETRA_OK);
    pietra_text_runs(text, &runs);
    assert_int_equal(runs[0].glyph_count, 2);
    pietra_text_destroy(text);
}

/* ---- Boxes ---- */

static char boxes[500];

static void add_box(void *user, const pietra_box *box)
{
    (void)user;
    const size_t at = strlen(boxes);
    snprintf(boxes + at, sizeof boxes - at, "[%g,%g %g,%g]", box->x0, box->y0, box->x1, box->y1);
}

static void assert_boxes(const pietra_text *text, size_t begin, size_t end, const char *expected)
{
    boxes[0] = '\0';
    pietra_text_boxes(text, begin, end, add_box, NULL);
    assert_string_equal(boxes, expected);
}

static void test_boxes(void **state)
{
    const pietra_text_options options = {.width = 3};
    (void)state;
    pietra_text *text = shape("ab cd\ne", &options);
    assert_boxes(text, 0, 2, "[0,0 2,2.5]");
    assert_boxes(text, 1, 5, "[1,0 3,2.5][0,2.5 2,5]");
    assert_boxes(text, 0, 100, "[0,0 3,2.5][0,2.5 2,5][0,5 1,7.5]");
    assert_boxes(text, 5, 6, "");
    assert_boxes(text, 3, 3, "");
    pietra_text_destroy(text);
    /* "ab", Hebrew of two letters: from b to the first of these there are two pieces. */
    text = shape("ab\xd7\x90\xd7\x91", NULL);
    assert_boxes(text, 1, 4, "[1,0 2,2.5][3,0 4,2.5]");
    assert_boxes(text, 1, 6, "[1,0 4,2.5]");
    assert_boxes(text, 3, 4, "[3,0 4,2.5]");
    pietra_text_destroy(text);
}

/* ---- The character at a point ---- */

static void assert_hit(const pietra_text *text, double x, double y, pietra_text_hit expected)
{
    pietra_text_hit hit;
    assert_true(pietra_text_find(text, x, y, &hit));
    if (hit.begin != expected.begin || hit.end != expected.end || hit.caret != expected.caret ||
        hit.behind != expected.behind || hit.inside != expected.inside || hit.line != expected.line)
        fail_msg("at %g,%g: %zu-%zu, caret %zu%s%s, line %zu", x, y, hit.begin, hit.end, hit.caret,
                 hit.behind ? " behind" : "", hit.inside ? " inside" : "", hit.line);
}

static void test_hits(void **state)
{
    pietra_text_hit hit;
    (void)state;
    pietra_text *text = shape("ab\n\nc\xd7\x90\xd7\x91", NULL);
    assert_hit(text, 0.2, 1, (pietra_text_hit){0, 1, 0, false, true, 0});
    assert_hit(text, 0.8, 1, (pietra_text_hit){0, 1, 1, true, true, 0});
    assert_hit(text, 1.2, 1, (pietra_text_hit){1, 2, 1, false, true, 0});
    assert_hit(text, 9, 1, (pietra_text_hit){1, 2, 2, true, false, 0});
    assert_hit(text, -9, -9, (pietra_text_hit){0, 1, 0, false, false, 0});
    assert_hit(text, 1, 3, (pietra_text_hit){3, 3, 3, false, false, 1});
    assert_hit(text, 0.5, 6, (pietra_text_hit){4, 5, 4, false, true, 2});
    assert_hit(text, 1.2, 6, (pietra_text_hit){7, 9, 9, true, true, 2});
    assert_hit(text, 1.8, 6, (pietra_text_hit){7, 9, 7, false, true, 2});
    assert_hit(text, 2.8, 99, (pietra_text_hit){5, 7, 5, false, false, 2});
    assert_false(pietra_text_find(text, NAN, 0, &hit));
    pietra_text_destroy(text);
}

/* Every caret is found again at its place. */
static void test_carets_and_hits(void **state)
{
    static const char utf8[] = "ab \xd7\x90\xd7\x91 1 c\xd7\x92\xe4\xb8\x80 d, (\xd7\x93) e\nfg";
    const pietra_text_options options[] = {{.width = 7}, {.width = 7, .vertical = true}, {.width = 30}};
    (void)state;
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        pietra_text *text = shape(utf8, &options[k]);
        for (size_t byte = 0; byte < sizeof utf8 - 1;) {
            const size_t next = pietra_text_next(text, byte, false);
            pietra_text_caret from, to;
            pietra_text_hit hit;
            assert_true(pietra_text_find_caret(text, byte, false, &from));
            assert_true(pietra_text_find_caret(text, next, true, &to));
            if (from.line == to.line && utf8[byte] != '\n') {
                assert_true(pietra_text_find(text, (from.x0 + from.x1 + to.x0 + to.x1) / 4,
                                             (from.y0 + from.y1 + to.y0 + to.y1) / 4, &hit));
                assert_true(hit.begin == byte && hit.end == next && hit.inside && hit.line == from.line);
            }
            assert_int_equal(pietra_text_next(text, next, true), byte);
            byte = next;
        }
        pietra_text_destroy(text);
    }
}

/* ---- Vertical lines ---- */

static void test_vertical(void **state)
{
    const pietra_text_options options = {.vertical = true, .width = 3, .align = PIETRA_ALIGN_END};
    const pietra_text_line *lines;
    const pietra_text_run *runs;
    pietra_text_caret caret;
    pietra_box box;
    (void)state;
    ASSERT_LINES("ab cd", "[0-3 0+2][3-5 0+2]", .vertical = true, .width = 4);
    pietra_text *text = shape("ab \xe4\xb8\x80", &options);
    assert_int_equal(pietra_text_lines(text, &lines), 2);
    assert_true(pietra_text_bounds(text, &box) && is_near(box.x1, 5) && is_near(box.y1, 3));
    assert_true(is_near(lines[0].x, 3.75) && is_near(lines[1].x, 1.25) && is_near(lines[0].y, 1));
    assert_int_equal(pietra_text_runs(text, &runs), 2);
    /* Latin letters lie on their side, with their middle on the line; Chinese ones stand upright. */
    assert_true(runs[0].transform.b == 1 && runs[0].transform.c == -1 && is_near(runs[0].transform.e, 3.75 - 0.6) &&
                is_near(runs[0].transform.f, 1));
    assert_true(runs[1].transform.a == 1 && is_near(runs[1].transform.e, 1.25));
    assert_true(pietra_text_find_caret(text, 1, false, &caret));
    assert_true(is_near(caret.x0, 5) && is_near(caret.x1, 2.5) && is_near(caret.y0, 2) && is_near(caret.y1, 2));
    assert_boxes(text, 0, 1, "[2.5,1 5,2]");
    pietra_text_destroy(text);
}

/* ---- Outlines ---- */

static size_t count_outlines(const pietra_text *text, size_t begin, size_t end, pietra_box *box)
{
    pietra_path *path = pietra_path_create();
    assert_int_equal(pietra_text_outline(text, begin, end, path, NULL), PIETRA_OK);
    const bool some = pietra_path_bounds(path, box);
    pietra_path_destroy(path);
    return some;
}

static void test_outlines(void **state)
{
    static const char *const families[] = {"Pietra Shapes"};
    const pietra_text_span span = {.size = 1000, .font = {.families = families, .family_count = 1}};
    pietra_text *text = NULL;
    const pietra_text_run *runs;
    pietra_box box;
    (void)state;
    assert_int_equal(pietra_fonts_add_file(fonts, PIETRA_SOURCE_DIR "/tests/font/fonts/shapes.ttf", NULL), PIETRA_OK);
    assert_int_equal(pietra_text_shape(fonts, "AB\xee\x80\x80", 5, &span, 1, NULL, NULL, &text), PIETRA_OK);
    const pietra_text_line *lines;
    pietra_text_lines(text, &lines);
    assert_true(count_outlines(text, 0, 1, &box));
    assert_true(is_near(box.x0, 20) && is_near(box.x1, 580) && is_near(box.y0, lines[0].y - 700) &&
                is_near(box.y1, lines[0].y));
    assert_true(count_outlines(text, 1, 2, &box) && is_near(box.x0, 640));
    /* No font has the last character: it is a box with its number. */
    assert_int_equal(pietra_text_runs(text, &runs), 2);
    assert_true(!runs[1].font && runs[1].glyph_count == 1 && runs[1].glyphs[0].id == 0xe000);
    assert_true(count_outlines(text, 2, 5, &box) && box.x0 > 1220 && box.x1 < 1220 + 550);
    assert_false(count_outlines(text, 5, 9, &box));
    pietra_text_destroy(text);
    /* A weight and a slant that the font lacks are imitated. */
    pietra_text_span bold = span;
    bold.font.weight = 700;
    bold.font.slope = PIETRA_SLOPE_ITALIC;
    assert_int_equal(pietra_text_shape(fonts, "A", 1, &bold, 1, NULL, NULL, &text), PIETRA_OK);
    assert_true(count_outlines(text, 0, 1, &box) && box.x0 < 20 && box.x1 > 580);
    pietra_text_runs(text, &runs);
    assert_true(runs[0].transform.c == -0.25);
    pietra_text_destroy(text);
}

/* ---- Arguments ---- */

static void test_errors(void **state)
{
    const pietra_text_span good = {.size = 1}, sizes[] = {{.size = 0}, {.size = NAN}, {.size = INFINITY}, {.size = -1}};
    const pietra_text_span bad[] = {{.size = 1, .letter_spacing = NAN},
                                    {.size = 1, .rise = INFINITY},
                                    {.size = 1, .line_height = -1},
                                    {.size = 1, .feature_count = 1},
                                    {.size = 1, .font = {.weight = -1}}};
    const pietra_text_options wrong[] = {{.width = NAN},
                                         {.tab_width = -1},
                                         {.wrap = (pietra_text_wrap)9},
                                         {.align = (pietra_text_align)9},
                                         {.direction = (pietra_text_direction)9}};
    pietra_text *text = NULL;
    pietra_error error;
    (void)state;
    assert_int_equal(pietra_text_shape(fonts, "a", 1, &good, 0, NULL, &error, &text), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "there is no span");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(pietra_text_shape(fonts, "a", 1, &sizes[i], 1, NULL, &error, &text), PIETRA_ERROR_INPUT);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_true(pietra_text_shape(fonts, "a", 1, &bad[i], 1, NULL, &error, &text) != PIETRA_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(pietra_text_shape(fonts, "a", 1, &good, 1, &wrong[i], &error, &text), PIETRA_ERROR_INPUT);
    assert_true(pietra_text_shape(NULL, "a", 1, &good, 1, NULL, &error, &text) != PIETRA_OK);
    assert_true(pietra_text_shape(fonts, NULL, 1, &good, 1, NULL, &error, &text) != PIETRA_OK);
    assert_true(pietra_text_shape(fonts, "a", 1, NULL, 1, NULL, &error, &text) != PIETRA_OK);
    assert_true(pietra_text_shape(fonts, "a", 1, &good, 1, NULL, &error, NULL) != PIETRA_OK);
    assert_null(text);
    assert_int_equal(pietra_text_lines(NULL, NULL), 0);
    assert_int_equal(pietra_text_runs(NULL, NULL), 0);
    pietra_text_boxes(NULL, 0, 1, add_box, NULL);
    pietra_text_destroy(NULL);
}

/* Any bytes are a text, and a long one takes little time. */
static void test_any_bytes(void **state)
{
    static const char kinds[][5] = {"a",        " ",    "\n",           "\t",       "\xd7\x90",
                                    "\xcc\x81", "\xff", "\xe4\xb8\x80", "\xc2\xad", "\xf0\x9f\x98\x80"};
    char *bytes = malloc(500000);
    size_t count = 0;
    uint32_t random = 1;
    const pietra_text_options options[] = {{.width = 20, .align = PIETRA_ALIGN_JUSTIFY},
                                           {.width = 3, .wrap = PIETRA_WRAP_ANYWHERE, .vertical = true},
                                           {.width = 5, .wrap = PIETRA_WRAP_NEVER, .ellipsis = "\xe2\x80\xa6"}};
    (void)state;
    assert_non_null(bytes);
    while (count < 100000) {
        random = random * 1664525 + 1013904223;
        const char *kind = kinds[(random >> 16) % (sizeof kinds / sizeof kinds[0])];
        memcpy(bytes + count, kind, strlen(kind));
        count += strlen(kind);
    }
    bytes[count] = '\0';
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        pietra_text *text = shape(bytes, &options[k]);
        const pietra_text_line *lines;
        size_t end = 0;
        const size_t line_count = pietra_text_lines(text, &lines);
        for (size_t i = 0; i < line_count; i++) {
            assert_int_equal(lines[i].begin, end);
            end = lines[i].end;
        }
        assert_int_equal(end, count);
        pietra_text_destroy(text);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_justification),
        cmocka_unit_test(test_ellipsis),
        cmocka_unit_test(test_tabs),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_baselines),
        cmocka_unit_test(test_carets),
        cmocka_unit_test(test_carets_of_empty_lines),
        cmocka_unit_test(test_ligature),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_hits),
        cmocka_unit_test(test_carets_and_hits),
        cmocka_unit_test(test_vertical),
        cmocka_unit_test(test_outlines),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, make_fonts, destroy_fonts);
}
