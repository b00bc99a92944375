/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs of glyphs: they give the same elements as paths of their outlines, or an error and nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pietra/pietra_text.h"

#define FOLDER PIETRA_SOURCE_DIR "/tests/font/fonts/"

static const pietra_paint red = {.color = {1, 0, 0, 1}};
static const pietra_stroke pen = {.width = 2};

static int open_font(void **state)
{
    const pietra_font_query query = {0};
    pietra_fonts *fonts = pietra_fonts_create();
    const int failed = !fonts || pietra_fonts_add_file(fonts, FOLDER "shapes.ttf", NULL) != PIETRA_OK ||
                       pietra_font_open(fonts, &query, NULL, (pietra_font **)state) != PIETRA_OK;
    pietra_fonts_destroy(fonts);
    return failed;
}

static int close_font(void **state)
{
    pietra_font_destroy(*state);
    return 0;
}

static void assert_equal_streams(const pietra_scene *a, const pietra_scene *b)
{
    pietra_stream *streams[2];
    size_t counts[2];
    const void *bytes[2];
    assert_int_equal(pietra_stream_encode(a, NULL, &streams[0]), PIETRA_OK);
    assert_int_equal(pietra_stream_encode(b, NULL, &streams[1]), PIETRA_OK);
    for (int i = 0; i < 2; i++)
        bytes[i] = pietra_stream_bytes(streams[i], &counts[i]);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(bytes[0], bytes[1], counts[0]);
    pietra_stream_destroy(streams[0]);
    pietra_stream_destroy(streams[1]);
}

/* A and B of 10 units an em, at (5, 20) and (11, 21): A is a triangle from 20 to 580 thousandths. */
static void test_runs(void **state)
{
    const pietra_font *font = *state;
    const pietra_glyph glyphs[] = {{pietra_font_glyph(font, 'A'), 5, 20},
                                   {pietra_font_glyph(font, ' '), 8, 20},
                                   {pietra_font_glyph(font, 'A'), 11, 21}};
    const pietra_transform turned = {0, 1, -1, 0, 3, 4};
    pietra_scene *run = pietra_scene_create(), *plain = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    for (int i = 0; i < 2; i++) {
        const double x = i ? 11 : 5, y = i ? 21 : 20, scale = 10.0 / 1000;
        pietra_path_move_to(path, x + scale * 20, y + scale * 0);
        pietra_path_line_to(path, x + scale * 300, y + scale * -700);
        pietra_path_line_to(path, x + scale * 580, y + scale * 0);
        pietra_path_close(path);
    }
    assert_int_equal(pietra_scene_fill_glyphs(run, font, 10, glyphs, 3, NULL, &red, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_stroke_glyphs(run, font, 10, glyphs, 3, &turned, &pen, &red, NULL), PIETRA_OK);
    pietra_scene_fill(plain, path, NULL, PIETRA_FILL_NONZERO, &red, NULL);
    pietra_scene_stroke(plain, path, &turned, &pen, &red, NULL);
    assert_equal_streams(run, plain);
    pietra_path_destroy(path);
    pietra_scene_destroy(run);
    pietra_scene_destroy(plain);
}

static void test_nothing(void **state)
{
    const pietra_font *font = *state;
    const pietra_glyph blank = {pietra_font_glyph(font, ' '), 0, 0}, missing = {9999, 0, 0};
    pietra_scene *scene = pietra_scene_create();
    assert_int_equal(pietra_scene_fill_glyphs(scene, font, 10, NULL, 0, NULL, &red, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_fill_glyphs(scene, font, 10, &blank, 1, NULL, &red, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_stroke_glyphs(scene, font, 10, &missing, 1, NULL, &pen, &red, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_position(scene), 0);
    pietra_scene_destroy(scene);
}

static void test_bad_arguments(void **state)
{
    const pietra_font *font = *state;
    const pietra_glyph good = {2, 0, 0}, bad[] = {{2, 0, 0}, {2, 0, NAN}}, far = {2, 1.7e308, 0};
    pietra_scene *scene = pietra_scene_create();
    pietra_error error;
#define ASSERT_REFUSED(call, reason) \
    assert_int_equal(call, PIETRA_ERROR_INPUT); \
    assert_string_equal(error.message, reason)
    ASSERT_REFUSED(pietra_scene_fill_glyphs(NULL, font, 10, &good, 1, NULL, &red, &error), "scene is NULL");
    ASSERT_REFUSED(pietra_scene_fill_glyphs(scene, NULL, 10, &good, 1, NULL, &red, &error), "font is NULL");
    ASSERT_REFUSED(pietra_scene_fill_glyphs(scene, font, 10, NULL, 1, NULL, &red, &error), "glyphs is NULL");
    ASSERT_REFUSED(pietra_scene_fill_glyphs(scene, font, 10, &good, 1, NULL, NULL, &error), "paint is NULL");
    ASSERT_REFUSED(pietra_scene_stroke_glyphs(scene, font, 10, &good, 1, NULL, NULL, &red, &error), "stroke is NULL");
    ASSERT_REFUSED(pietra_scene_fill_glyphs(scene, font, 0, &good, 1, NULL, &red, &error),
                   "size is not a number above 0");
    ASSERT_REFUSED(pietra_scene_fill_glyphs(scene, font, NAN, &good, 1, NULL, &red, &error),
                   "size is not a number above 0");
    ASSERT_REFUSED(pietra_scene_fill_glyphs(scene, font, INFINITY, &good, 1, NULL, &red, &error),
                   "size is not a number above 0");
    ASSERT_REFUSED(pietra_scene_fill_glyphs(scene, font, 10, bad, 2, NULL, &red, &error),
                   "the place of glyph 1 of the run is not finite");
    assert_int_equal(pietra_scene_fill_glyphs(scene, font, 1e308, &far, 1, NULL, &red, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_position(scene), 0);
    pietra_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs), cmocka_unit_test(test_nothing),
                                       cmocka_unit_test(test_bad_arguments)};
    return cmocka_run_group_tests(tests, open_font, close_font);
}
