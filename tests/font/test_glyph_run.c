/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs of glyphs: they give the same elements as paths of their outlines, which they share where that shows nothing, or
 * an error and nothing. */
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

/* Appends the glyph A, a triangle from 20 to 580 thousandths of an em. */
static void put_triangle(pietra_path *path, double scale, double x, double y)
{
    pietra_path_move_to(path, x + scale * 20, y + scale * 0);
    pietra_path_line_to(path, x + scale * 300, y + scale * -700);
    pietra_path_line_to(path, x + scale * 580, y + scale * 0);
    pietra_path_close(path);
}

/* Two triangles that keep apart, and a glyph without an outline between them. */
#define APART(font) \
    { \
        {pietra_font_glyph(font, 'A'), 5, 20}, {pietra_font_glyph(font, ' '), 8, 20}, \
        { \
            pietra_font_glyph(font, 'A'), 11, 21 \
        } \
    }

/* In an opaque colour glyphs that keep apart are elements of one path. */
static void test_shared(void **state)
{
    const pietra_font *font = *state;
    const pietra_glyph glyphs[] = APART(font);
    const pietra_transform turned = {0, 1, -1, 0, 3, 4};
    pietra_scene *run = pietra_scene_create(), *plain = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    put_triangle(path, 1, 0, 0);
    assert_int_equal(pietra_scene_fill_glyphs(run, font, 10, glyphs, 3, &turned, &red, NULL), PIETRA_OK);
    pietra_scene_push_transform(plain, &turned, NULL);
    for (int i = 0; i < 3; i += 2) {
        const pietra_transform place = {0.01, 0, 0, 0.01, glyphs[i].x, glyphs[i].y};
        pietra_scene_fill(plain, path, &place, PIETRA_FILL_NONZERO, &red, NULL);
    }
    pietra_scene_pop_transform(plain, NULL);
    assert_int_equal(pietra_scene_position(run), 2);
    assert_equal_streams(run, plain);
    pietra_path_destroy(path);
    pietra_scene_destroy(run);
    pietra_scene_destroy(plain);
}

/* Neighbours that meet are painted as one path, so that overlaps and common edges are painted once. Equal clusters
 * share their path too. */
static void test_clusters(void **state)
{
    const pietra_font *font = *state;
    const uint32_t a = pietra_font_glyph(font, 'A');
    const pietra_glyph glyphs[] = {{a, 0, 20}, {a, 4, 20}, {a, 20, 20}, {a, 32, 20}, {a, 36, 20}};
    pietra_scene *run = pietra_scene_create(), *plain = pietra_scene_create();
    pietra_path *one = pietra_path_create(), *two = pietra_path_create();
    put_triangle(two, 1, 0, 0);
    put_triangle(two, 1, 400, 0);
    put_triangle(one, 1, 0, 0);
    assert_int_equal(pietra_scene_fill_glyphs(run, font, 10, glyphs, 5, NULL, &red, NULL), PIETRA_OK);
    for (int i = 0; i < 3; i++) {
        const pietra_transform place = {0.01, 0, 0, 0.01, (double[]){0, 20, 32}[i], 20};
        pietra_scene_fill(plain, i == 1 ? one : two, &place, PIETRA_FILL_NONZERO, &red, NULL);
    }
    assert_int_equal(pietra_scene_position(run), 3);
    assert_equal_streams(run, plain);
    pietra_path_destroy(one);
    pietra_path_destroy(two);
    pietra_scene_destroy(run);
    pietra_scene_destroy(plain);
}

/* A stroke, a translucent colour and a gradient take the run as one path. */
static void test_one_path(void **state)
{
    const pietra_font *font = *state;
    const pietra_glyph glyphs[] = APART(font);
    const pietra_transform turned = {0, 1, -1, 0, 3, 4};
    const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    const pietra_paint paints[] = {pietra_solid(1, 0, 0, 0.5f),
                                   pietra_linear(5, 0, 15, 0, stops, 2),
                                   {.color = {1, 0, 0, 1}, .transparency = 0.25f}};
    pietra_scene *run = pietra_scene_create(), *plain = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    put_triangle(path, 0.01, 5, 20);
    put_triangle(path, 0.01, 11, 21);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pietra_scene_fill_glyphs(run, font, 10, glyphs, 3, NULL, &paints[i], NULL), PIETRA_OK);
        pietra_scene_fill(plain, path, NULL, PIETRA_FILL_NONZERO, &paints[i], NULL);
    }
    assert_int_equal(pietra_scene_stroke_glyphs(run, font, 10, glyphs, 3, &turned, &pen, &red, NULL), PIETRA_OK);
    pietra_scene_stroke(plain, path, &turned, &pen, &red, NULL);
    assert_equal_streams(run, plain);
    pietra_path_destroy(path);
    pietra_scene_destroy(run);
    pietra_scene_destroy(plain);
}

#define SIDE 160

static uint8_t *draw_run(pietra_device *device, const pietra_font *font, const pietra_paint *paint)
{
    uint8_t *pixels = malloc(SIDE * SIDE * 4);
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
    pietra_scene *scene = pietra_scene_create();
    pietra_stream *stream;
    for (int row = 0; row < 11; row++) {
        pietra_glyph glyphs[12];
        for (int i = 0; i < 12; i++)
            glyphs[i] =
                (pietra_glyph){pietra_font_glyph(font, i % 2 ? 'B' : 'A'), 3 + 12.73 * i + 0.31 * row, 13 + 13.9 * row};
        const pietra_transform turned = {1, 0.02 * row, -0.02 * row, 1, 0, 0};
        assert_int_equal(pietra_scene_fill_glyphs(scene, font, 12, glyphs, 12, &turned, paint, NULL), PIETRA_OK);
    }
    assert_int_equal(pietra_stream_encode(scene, NULL, &stream), PIETRA_OK);
    assert_int_equal(pietra_render(device, stream, NULL, &target, NULL, NULL), PIETRA_OK);
    pietra_stream_destroy(stream);
    pietra_scene_destroy(scene);
    return pixels;
}

/* A shared outline has the pixels of a path of the run's own, but for the rounding of its points to 1/256 pixel. */
static void test_pixels(void **state)
{
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1};
    /* The second is no opaque colour, and is stored as one. */
    const pietra_paint paints[] = {pietra_solid(0, 0, 0, 1), pietra_solid(0, 0, 0, 0.9999f)};
    pietra_device *device;
    assert_int_equal(pietra_device_create(&options, NULL, &device), PIETRA_OK);
    uint8_t *shared = draw_run(device, *state, &paints[0]), *path = draw_run(device, *state, &paints[1]);
    int most = 0, inked = 0;
    for (size_t i = 0; i < SIDE * SIDE * 4; i++) {
        most = abs(shared[i] - path[i]) > most ? abs(shared[i] - path[i]) : most;
        inked += path[i] > 0;
    }
    assert_true(inked > 4000);
    assert_in_range(most, 0, 1);
    free(shared);
    free(path);
    pietra_device_destroy(device);
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

/* The least size and the farthest place are numbers like others, in an opaque colour as in any. */
static void test_extremes(void **state)
{
    const pietra_font *font = *state;
    const pietra_glyph near = {pietra_font_glyph(font, 'A'), 1, 2};
    const pietra_glyph far[] = {{near.id, 1.7e308, 1.7e308}, {near.id, -1.7e308, 0}};
    const pietra_paint paints[] = {red, pietra_solid(1, 0, 0, 0.5f)};
    pietra_scene *scene = pietra_scene_create();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pietra_scene_fill_glyphs(scene, font, 5e-324, &near, 1, NULL, &paints[i], NULL), PIETRA_OK);
        assert_int_equal(pietra_scene_fill_glyphs(scene, font, 1, far, 2, NULL, &paints[i], NULL), PIETRA_OK);
    }
    assert_int_equal(pietra_scene_position(scene), 5);
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
    ASSERT_REFUSED(pietra_scene_fill_glyphs(scene, font, 1e308, &far, 1, NULL, &red, &error),
                   "glyph 0 of the run has a coordinate that is not finite");
    assert_int_equal(pietra_scene_position(scene), 0);
    pietra_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared),       cmocka_unit_test(test_clusters),
                                       cmocka_unit_test(test_one_path),     cmocka_unit_test(test_pixels),
                                       cmocka_unit_test(test_nothing),      cmocka_unit_test(test_extremes),
                                       cmocka_unit_test(test_bad_arguments)};
    return cmocka_run_group_tests(tests, open_font, close_font);
}
