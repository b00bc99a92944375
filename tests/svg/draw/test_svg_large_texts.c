/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A large text gives back its layout while it is drawn. It is laid out anew where it is needed again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pietra/pietra_text.h"
#include "scene/stream.h"

#define CHARACTERS 50000 /* enough for a layout to be given back */

static int make_fonts(void **state)
{
    pietra_fonts *fonts = pietra_fonts_create();
    *state = fonts;
    return !fonts || pietra_fonts_add_file(fonts, PIETRA_SOURCE_DIR "/tests/font/fonts/shapes.ttf", NULL) != PIETRA_OK;
}

static int drop_fonts(void **state)
{
    pietra_fonts_destroy(*state);
    return 0;
}

/* Returns the stream of a document in which %s stands for many characters. The caller destroys it. */
static pietra_stream *draw(pietra_fonts *fonts, const char *format)
{
    static char letters[CHARACTERS + 1], document[CHARACTERS + 1000];
    const pietra_svg_options options = {.fonts = fonts};
    pietra_scene *scene = pietra_scene_create();
    pietra_stream *stream = NULL;
    pietra_error error;
    for (size_t i = 0; i < CHARACTERS; i++)
        letters[i] = "AB"[i % 3 % 2];
    snprintf(document, sizeof document, format, letters);
    if (pietra_scene_load_svg(scene, document, strlen(document), &options, &error, NULL, NULL) != PIETRA_OK ||
        pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        fail_msg("%s", error.message);
    pietra_scene_destroy(scene);
    assert_true(stream_get_header(stream)->segment_count > CHARACTERS);
    return stream;
}

static void assert_same(void **state, const char *first, const char *second)
{
    pietra_stream *a = draw(*state, first), *b = draw(*state, second);
    assert_int_equal(a->word_count, b->word_count);
    assert_memory_equal(a->words, b->words, a->word_count * sizeof *a->words);
    pietra_stream_destroy(a);
    pietra_stream_destroy(b);
}

#define ROOT "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>"
#define TEXT_OF(attributes) "<text id='t' y='20' " attributes ">%s</text>"

/* Both have one path, since a scene keeps equal paths once. */
static void test_what_is_drawn_twice(void **state)
{
    pietra_stream *stream = draw(*state, ROOT TEXT_OF("") "<use href='#t'/><use href='#t' x='9'/></svg>");
    assert_int_equal(stream_get_header(stream)->path_count, 1);
    assert_int_equal(stream_get_header(stream)->element_count, 3);
    pietra_stream_destroy(stream);
}

/* Both markers show the same text in the same place, and find its layout if it is kept. */
static void test_what_marks_twice(void **state)
{
    static const char document[] = ROOT "<marker id='m' overflow='visible'>" TEXT_OF(
        "") "</marker>"
            "<path marker-mid='url(#m)' d='M0 0H1 2 3' fill='none'/></svg>";
    pietra_stream *stream = draw(*state, document);
    assert_int_equal(stream_get_header(stream)->path_count, 1);
    assert_int_equal(stream_get_header(stream)->element_count, 2);
    pietra_stream_destroy(stream);
}

/* The box of a gradient is that of a text that was drawn. */
static void test_boxes_of_what_was_drawn(void **state)
{
    assert_same(state,
                ROOT "<linearGradient id='g'><stop stop-color='red'/><stop offset='1'/></linearGradient>"
                     "<g fill='url(#g)'>" TEXT_OF("") "</g></svg>",
                ROOT "<linearGradient id='g'><stop stop-color='red'/><stop offset='1'/></linearGradient>"
                     "<defs>" TEXT_OF("fill='url(#g)'") "</defs><use href='#t'/></svg>");
}

/* Lines behind the glyphs, strokes and groups need the layout until the end. */
static void test_what_keeps_the_layout(void **state)
{
    static const char *const attributes[] = {"text-decoration='line-through'", "stroke='red'", "opacity='0.5'"};
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        char format[500], again[500];
        snprintf(format, sizeof format, ROOT "<text y='20' %s>%%s</text></svg>", attributes[i]);
        snprintf(again, sizeof again, ROOT "<defs><text id='t' y='20' %s>%%s</text></defs><use href='#t'/></svg>",
                 attributes[i]);
        assert_same(state, format, again);
    }
}

/* A stroke keeps the layout, and shares the outlines of the fill. */
static void assert_same_outlines(void **state, const char *format, const char *stroked)
{
    pietra_stream *a = draw(*state, format), *b = draw(*state, stroked);
    const stream_header *header = stream_get_header(a);
    assert_int_equal(header->path_count, 1);
    assert_int_equal(stream_get_header(b)->path_count, 1);
    assert_int_equal(header->point_count, stream_get_header(b)->point_count);
    assert_memory_equal(a->words + header->points, b->words + stream_get_header(b)->points,
                        header->point_count * sizeof(float[2]));
    pietra_stream_destroy(a);
    pietra_stream_destroy(b);
}

/* Glyphs of a run from right to left are drawn from the last one on. No font has Z, whose box has no glyph. */
static void test_outlines_in_both_directions(void **state)
{
    static const char *const forms[] = {
        "%s>",
        "direction='rtl' unicode-bidi='bidi-override' %s>",
        "%s>Z&#x202e;ABBA&#x202c;ZB",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[200], format[500], stroked[500];
        snprintf(text, sizeof text, forms[i], "");
        snprintf(format, sizeof format, ROOT "<text y='20' %s%%s</text></svg>", text);
        snprintf(text, sizeof text, forms[i], "stroke='red'");
        snprintf(stroked, sizeof stroked, ROOT "<text y='20' %s%%s</text></svg>", text);
        assert_same_outlines(state, format, stroked);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_drawn_twice),         cmocka_unit_test(test_what_marks_twice),
        cmocka_unit_test(test_boxes_of_what_was_drawn),     cmocka_unit_test(test_what_keeps_the_layout),
        cmocka_unit_test(test_outlines_in_both_directions),
    };
    return cmocka_run_group_tests(tests, make_fonts, drop_fonts);
}
