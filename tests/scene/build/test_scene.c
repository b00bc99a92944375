/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The scene builder: failed calls, balance, appending, bounds. */
#include <malloc.h>
#include <math.h>

#include "base/transform.h"
#include "property/random_scene.h"
#include "scene/build/scene.h"
#include "scene/blend.h"
#include "scene/scene_fixture.h"

static void assert_same_stream(const pietra_stream *a, const pietra_stream *b)
{
    size_t size_a, size_b;
    const void *bytes_a = pietra_stream_bytes(a, &size_a);
    const void *bytes_b = pietra_stream_bytes(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    assert_true(stream_id(a) != stream_id(b));
}

static void test_failed_calls_change_nothing(void **state)
{
    (void)state;
    pietra_scene *scene = complex_scene();
    pietra_stream *before = encode(scene);
    pietra_path *good = path_from("M 77 1 L 2 3 L 5 5"), *bad = path_from("M 77 1 L 2 3 L 5 5");
    pietra_path_line_to(bad, NAN, 0);
    const pietra_transform flat = {.a = INFINITY}, fine = {3, 1, 2, 1, 7, 7};
    const double dashes[] = {1.5, INFINITY};
    static const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    const pietra_paint paint = {.kind = PIETRA_PAINT_LINEAR, .x0 = NAN, .stops = stops, .stop_count = 2};
    const pietra_paint unknown = {.kind = (pietra_paint_kind)9};
    const pietra_stroke plain = {.width = 1.25}, dashed = {.width = 1, .dashes = dashes, .dash_count = 2};
    const pietra_stroke infinite = {.width = INFINITY}, cap = {.width = 1, .cap = (pietra_cap)7};
    /* Streams leave out what no element uses, but a scene must not grow by its failures. */
    const scene_mark mark = scene_get_mark(scene);
    pietra_error error;
#define ASSERT_INPUT(call) \
    do { \
        memset(&error, 0, sizeof error); \
        assert_int_equal((call), PIETRA_ERROR_INPUT); \
        const scene_mark after_call = scene_get_mark(scene); \
        assert_memory_equal(&after_call, &mark, sizeof mark); \
        assert_int_equal(error.result, PIETRA_ERROR_INPUT); \
        assert_true(strlen(error.message) > 10); \
    } while (0)
    ASSERT_INPUT(pietra_scene_fill(scene, bad, &fine, PIETRA_FILL_NONZERO, &RED, &error));
    ASSERT_INPUT(pietra_scene_fill(scene, good, &flat, PIETRA_FILL_NONZERO, &RED, &error));
    ASSERT_INPUT(pietra_scene_fill(scene, good, &fine, PIETRA_FILL_NONZERO, &paint, &error));
    ASSERT_INPUT(pietra_scene_fill(scene, good, &fine, PIETRA_FILL_NONZERO, &unknown, &error));
    ASSERT_INPUT(pietra_scene_stroke(scene, bad, &fine, &plain, &RED, &error));
    ASSERT_INPUT(pietra_scene_stroke(scene, good, &flat, &plain, &RED, &error));
    ASSERT_INPUT(pietra_scene_stroke(scene, good, &fine, &dashed, &RED, &error));
    ASSERT_INPUT(pietra_scene_stroke(scene, good, &fine, &infinite, &RED, &error));
    ASSERT_INPUT(pietra_scene_stroke(scene, good, &fine, &cap, &RED, &error));
    ASSERT_INPUT(pietra_scene_stroke(scene, good, &fine, &plain, &paint, &error));
    ASSERT_INPUT(pietra_scene_begin_clip(scene, bad, &fine, PIETRA_FILL_NONZERO, &error));
    ASSERT_INPUT(pietra_scene_begin_clip(scene, good, &flat, PIETRA_FILL_NONZERO, &error));
    ASSERT_INPUT(pietra_scene_begin_group(scene, NAN, &error));
    ASSERT_INPUT(pietra_scene_end_clip(scene, &error));
    ASSERT_INPUT(pietra_scene_end_clip_source(scene, &error));
    ASSERT_INPUT(pietra_scene_end_group(scene, &error));
    ASSERT_INPUT(pietra_scene_append(scene, scene, NULL, &error));
    assert_int_equal(pietra_scene_end_group(scene, NULL), PIETRA_ERROR_INPUT);
    pietra_stream *after = encode(scene);
    assert_same_stream(before, after);
    /* What failed calls stored for a moment is not mistaken for the path that is added. */
    fill(scene, "M 77 1 L 2 3 L 5 5", &RED);
    pietra_scene *fresh = complex_scene();
    fill(fresh, "M 77 1 L 2 3 L 5 5", &RED);
    pietra_stream *a = encode(scene), *b = encode(fresh);
    assert_same_stream(a, b);
    pietra_stream_destroy(a);
    pietra_stream_destroy(b);
    pietra_stream_destroy(before);
    pietra_stream_destroy(after);
    pietra_scene_destroy(scene);
    pietra_scene_destroy(fresh);
    pietra_path_destroy(good);
    pietra_path_destroy(bad);
}

static void test_ends_must_match(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene(), *other = new_scene();
    pietra_stream *stream = NULL;
    begin_source(scene);
    assert_int_equal(pietra_scene_end_clip(scene, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_end_group(scene, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_begin_group(scene, 0.5f, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_stream_encode(scene, NULL, &stream), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_append(scene, other, NULL, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_append(other, scene, NULL, NULL), PIETRA_ERROR_INPUT);
    end_source(scene);
    assert_int_equal(pietra_scene_end_clip_source(scene, NULL), PIETRA_ERROR_INPUT);
    begin_group(scene, 0.5f);
    assert_int_equal(pietra_scene_end_clip(scene, NULL), PIETRA_ERROR_INPUT);
    end_group(scene);
    assert_null(stream);
    end_clip(scene);
    pietra_stream_destroy(encode_and_destroy(scene));
    pietra_scene_destroy(other);
}

/* Numbers have few bits, so that composing rounds nothing. */
static void build_under(pietra_scene *scene, pietra_transform outer)
{
    pietra_path *path = path_from("M 0 0 L 5 1 L 2 8 Z");
    static const double dashes[] = {1, 2};
    static const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    const pietra_paint linear = {.kind = PIETRA_PAINT_LINEAR, .x1 = 8, .stops = stops, .stop_count = 2};
    pietra_transform inner = transform_multiply(outer, (pietra_transform){1, 0.5, -0.5, 2, 3, 4});
    ASSERT_OK(pietra_scene_begin_clip(scene, path, &outer, PIETRA_FILL_EVEN_ODD, error));
    begin_group(scene, 0.5f);
    ASSERT_OK(pietra_scene_fill(scene, path, &inner, PIETRA_FILL_EVEN_ODD, &linear, error));
    ASSERT_OK(pietra_scene_stroke(scene, path, &inner, &(pietra_stroke){.width = 2, .dashes = dashes, .dash_count = 2},
                                  &HALF, error));
    end_group(scene);
    end_clip(scene);
    pietra_path_destroy(path);
}

static void test_append_relocates_and_composes(void **state)
{
    (void)state;
    const pietra_transform outer = {2, 0, 0.25, 4, -8, 16};
    pietra_scene *direct = new_scene(), *appended = new_scene(), *part = new_scene();
    fill(direct, "R 1 1 3 3", &RED);
    fill(appended, "R 1 1 3 3", &RED);
    build_under(direct, outer);
    build_under(part, TRANSFORM_IDENTITY);
    ASSERT_OK(pietra_scene_append(appended, part, &outer, error));
    pietra_scene_destroy(part);
    pietra_stream *a = encode_and_destroy(direct), *b = encode(appended);
    assert_same_stream(a, b);
    pietra_stream_destroy(b);
    /* It is appended twice, and then the result is appended to an empty scene. */
    part = complex_scene();
    ASSERT_OK(pietra_scene_append(appended, part, NULL, error));
    ASSERT_OK(pietra_scene_append(appended, part, &(pietra_transform){1, 0, 0, 1, 1e6, 0}, error));
    pietra_scene *copy = new_scene();
    ASSERT_OK(pietra_scene_append(copy, appended, NULL, error));
    b = encode_and_destroy(appended);
    pietra_stream *c = encode_and_destroy(copy);
    assert_same_stream(b, c);
    assert_int_equal(pietra_scene_append(part, part, NULL, NULL), PIETRA_ERROR_INPUT);
    pietra_scene_destroy(part);
    pietra_stream_destroy(a);
    pietra_stream_destroy(b);
    pietra_stream_destroy(c);
}

static void test_bounds(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_box box;
    assert_false(pietra_scene_bounds(scene, &box));
    fill(scene, "R 0 0 100 100", &(pietra_paint){0});
    begin_source(scene);
    fill(scene, "R -99 -99 300 300", &RED);
    end_source(scene);
    assert_false(pietra_scene_bounds(scene, &box));
    fill(scene, "M 0 0 Q 5 10 10 0", &RED);
    end_clip(scene);
    assert_true(pietra_scene_bounds(scene, &box));
    assert_true(box.x0 == 0 && box.y0 == 0 && box.x1 == 10 && box.y1 == 5);
    pietra_path *path = path_from("M 0 0 L 10 0");
    pietra_transform turn = {0, 2, -2, 0, 50, 60};
    ASSERT_OK(pietra_scene_stroke(scene, path, &turn, &(pietra_stroke){.width = 3}, &RED, error));
    assert_true(pietra_scene_bounds(scene, &box));
    assert_true(box.x0 == 0 && box.y0 == 0 && fabs(box.x1 - 53) < 1e-9 && fabs(box.y1 - 80) < 1e-9);
    size_t position = pietra_scene_position(scene);
    assert_false(pietra_scene_bounds_between(scene, position, SIZE_MAX, &box));
    assert_true(pietra_scene_bounds_between(scene, position - 1, position, &box));
    assert_true(fabs(box.x0 - 47) < 1e-9 && fabs(box.y0 - 60) < 1e-9);
    pietra_path_destroy(path);
    pietra_scene_destroy(scene);
}

/* Expects the box of one stroke under a scale of 2 and 1. */
static void expect_stroke_box(const char *path_text, pietra_stroke stroke, double x0, double y0, double x1, double y1)
{
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from(path_text);
    pietra_box box;
    ASSERT_OK(pietra_scene_stroke(scene, path, &(pietra_transform){2, 0, 0, 1, 0, 0}, &stroke, &RED, error));
    assert_true(pietra_scene_bounds(scene, &box));
    if (fabs(box.x0 - x0) > 1e-5 || fabs(box.y0 - y0) > 1e-5 || fabs(box.x1 - x1) > 1e-5 || fabs(box.y1 - y1) > 1e-5)
        fail_msg("%s: %.9g %.9g %.9g %.9g", path_text, box.x0, box.y0, box.x1, box.y1);
    pietra_path_destroy(path);
    pietra_scene_destroy(scene);
}

/* Two arcs of circles with centres at (-30, -40) and (30, -40) and radius 50 meet in (0, 0). Their edges continue as
 * circles of radius 40. */
static void test_arcs_end_where_circles_cross(void **state)
{
    (void)state;
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, -30, 10);
    pietra_path_arc_to(path, 50, 50, 0, false, false, 0, 0);
    pietra_path_arc_to(path, 50, 50, 0, false, false, 30, 10);
    /* The first limit leaves the tip, the second cuts it. */
    const double limits[] = {4, 1.1}, tops[] = {sqrt(700) - 40, -11};
    for (size_t i = 0; i < 2; i++) {
        pietra_scene *scene = new_scene();
        pietra_box box;
        pietra_stroke stroke = {.width = 20, .join = PIETRA_JOIN_ARCS, .miter_limit = limits[i]};
        ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &stroke, &RED, error));
        assert_true(pietra_scene_bounds(scene, &box));
        assert_true(fabs(box.y0 - tops[i]) < 0.01);
        pietra_scene_destroy(scene);
    }
    pietra_path_destroy(path);
}

/* The curve bends exactly as sharply as its stroke is wide, so the inner edge has no radius. */
static void test_arcs_without_a_radius(void **state)
{
    (void)state;
    expect_stroke_box("M -5 -3 L 0 0 Q 1 0 1 1", (pietra_stroke){.width = 4, .join = PIETRA_JOIN_ROUND}, -12.057983,
                      -4.714986, 6, 2);
    expect_stroke_box("M -5 -3 L 0 0 Q 1 0 1 1", (pietra_stroke){.width = 4, .join = PIETRA_JOIN_ARCS}, -12.057983,
                      -4.714986, 6, 2);
}

/* A close draws the line back to the start, with a corner on either side. */
static void test_arcs_of_closed_curves(void **state)
{
    const pietra_stroke stroke = {.width = 8, .join = PIETRA_JOIN_ARCS, .miter_limit = 20};
    const char *const curves[] = {"M 0 0 Q 50 -60 100 0 Z", "M 0 0 Q 50 -60 100 0 L 0 0 Z"};
    pietra_box boxes[2];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        pietra_scene *scene = new_scene();
        pietra_path *path = path_from(curves[i]);
        ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &stroke, &RED, error));
        assert_true(pietra_scene_bounds(scene, &boxes[i]));
        pietra_path_destroy(path);
        pietra_scene_destroy(scene);
    }
    assert_true(boxes[0].x0 < -5 && boxes[0].x1 > 105);
    assert_memory_equal(&boxes[0], &boxes[1], sizeof boxes[0]);
}

/* Numbers of any size: corners in which they overflow are left out, but the stroke is not. */
static void test_arcs_of_any_size(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        double p[14];
        for (int k = 0; k < 14; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            int exponent = (int)(random >> 40) % 300 - (random & 1u << 30 ? 0 : 299);
            p[k] = (double)((int)(random >> 33 & 31u) - 16) * pow(10, i % 3 ? exponent : exponent % 9);
        }
        pietra_path *path = pietra_path_create();
        pietra_path_move_to(path, p[0], p[1]);
        pietra_path_quad_to(path, p[2], p[3], p[4], p[5]);
        pietra_path_line_to(path, p[6], p[7]);
        pietra_path_cubic_to(path, p[8], p[9], p[10], p[11], p[12], p[13]);
        pietra_path_close(path);
        pietra_scene *scene = new_scene();
        pietra_stroke stroke = {
            .width = i % 2 ? 3 : fabs(p[0]) + 1e-3, .join = PIETRA_JOIN_ARCS, .miter_limit = i % 5 ? 4 : 1e17};
        ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &stroke, &RED, error));
        pietra_stream_destroy(encode_and_destroy(scene));
        pietra_path_destroy(path);
    }
}

static void test_bounds_of_strokes(void **state)
{
    (void)state;
    const double root = 1.4142135623730951;
    const pietra_stroke thin = {.width = 2}, cut = {.width = 2, .miter_limit = 1};
    const pietra_stroke round = {.width = 2, .join = PIETRA_JOIN_ROUND, .cap = PIETRA_CAP_ROUND};
    const pietra_stroke bevel = {.width = 2, .join = PIETRA_JOIN_BEVEL, .cap = PIETRA_CAP_SQUARE};
    expect_stroke_box("M 0 0 L 10 0", thin, 0, -1, 20, 1);
    expect_stroke_box("M 0 0 L 10 0", bevel, -2, -1, 22, 1);
    expect_stroke_box("M 0 0 L 10 0", round, -2, -1, 22, 1);
    /* Between straight segments arcs are clipped miters. */
    const pietra_stroke arcs = {.width = 2, .join = PIETRA_JOIN_ARCS},
                        clip = {.width = 2, .join = PIETRA_JOIN_MITER_CLIP};
    expect_stroke_box("M 0 0 L 10 10 L 20 0", arcs, -root, -root / 2, 40 + root, 10 + root);
    expect_stroke_box("M 0 0 L 10 0 L 0 0", arcs, 0, -1, 28, 1);
    expect_stroke_box("M 0 0 L 10 0 L 0 0", clip, 0, -1, 28, 1);
    /* The tip of a corner of 90 degrees is root 2 away, unless a limit cuts it. Caps lean. */
    expect_stroke_box("M 0 0 L 10 10 L 20 0", thin, -root, -root / 2, 40 + root, 10 + root);
    expect_stroke_box("M 0 0 L 10 10 L 20 0", cut, -root, -root / 2, 40 + root, 10 + root / 2);
    expect_stroke_box("M 0 0 L 10 10 L 20 0", bevel, -2 * root, -root, 40 + 2 * root, 10 + root / 2);
    expect_stroke_box("M 0 0 L 10 10 L 20 0", round, -2, -1, 42, 11);
    expect_stroke_box("M 0 0 L 10 10 L 20 0 Z", thin, -2 * (1 + root), -1, 40 + 2 * (1 + root), 10 + root);
    /* Where curves turn, the pen reaches beyond them. */
    expect_stroke_box("M 0 0 Q 5 10 10 0", thin, -4 / sqrt(5), -1 / sqrt(5), 20 + 4 / sqrt(5), 6);
    expect_stroke_box("M 0 0 C 0 10 10 10 10 0", thin, -2, 0, 22, 8.5);
    /* A segment of length 0. */
    expect_stroke_box("M 5 5 L 5 5", round, 8, 4, 12, 6);
    expect_stroke_box("M 5 5 Z M 9 5 L 10 5", bevel, 8, 4, 22, 6);
}

/* Gives the box of both sides of a curve at many of its points. */
static pietra_box sampled_sides(const double *p, int degree, double reach)
{
    pietra_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i <= 8000; i++) {
        const double t = i / 8000.0, s = 1 - t;
        double at[2], way[2];
        for (int k = 0; k < 2; k++) {
            const double *c = p + k;
            at[k] = degree == 2 ? s * s * c[0] + 2 * s * t * c[2] + t * t * c[4]
                                : s * s * s * c[0] + 3 * s * s * t * c[2] + 3 * s * t * t * c[4] + t * t * t * c[6];
            way[k] = degree == 2 ? s * (c[2] - c[0]) + t * (c[4] - c[2])
                                 : s * s * (c[2] - c[0]) + 2 * s * t * (c[4] - c[2]) + t * t * (c[6] - c[4]);
        }
        const double length = hypot(way[0], way[1]);
        const double x = fabs(way[1]) / length * reach, y = fabs(way[0]) / length * reach;
        box = (pietra_box){fmin(box.x0, at[0] - x), fmin(box.y0, at[1] - y), fmax(box.x1, at[0] + x),
                           fmax(box.y1, at[1] + y)};
    }
    return box;
}

/* Where a curve turns in less than half the width, a side turns back and may reach farther than anywhere else. */
static void test_bounds_of_tight_bends(void **state)
{
    (void)state;
    random_source source = random_start(7);
    for (int i = 0; i < 150; i++) {
        const int degree = 2 + i % 2;
        const double reach = random_between(&source, 1, 60);
        double p[8];
        for (int k = 0; k < 2 * degree + 2; k++)
            p[k] = random_between(&source, 0, 100);
        pietra_path *path = pietra_path_create();
        pietra_scene *scene = new_scene();
        pietra_box box;
        pietra_path_move_to(path, p[0], p[1]);
        if (degree == 2)
            pietra_path_quad_to(path, p[2], p[3], p[4], p[5]);
        else
            pietra_path_cubic_to(path, p[2], p[3], p[4], p[5], p[6], p[7]);
        ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &(pietra_stroke){.width = 2 * reach}, &RED, error));
        assert_true(pietra_scene_bounds(scene, &box));
        const pietra_box sampled = sampled_sides(p, degree, reach);
        const double most = fmax(fmax(fabs(box.x0 - sampled.x0), fabs(box.y0 - sampled.y0)),
                                 fmax(fabs(box.x1 - sampled.x1), fabs(box.y1 - sampled.y1)));
        if (most > 0.05)
            fail_msg("curve %d: the box is off by %g", i, most);
        pietra_path_destroy(path);
        pietra_scene_destroy(scene);
    }
}

static void test_streams_open_what_they_write(void **state)
{
    (void)state;
    pietra_stream *stream = encode_and_destroy(complex_scene()), *opened = NULL;
    size_t size;
    const void *bytes = pietra_stream_bytes(stream, &size);
    /* The copy has an odd address. */
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy + 1, bytes, size);
    ASSERT_OK(pietra_stream_open(copy + 1, size, error, &opened));
    assert_same_stream(stream, opened);
    free(copy);
    pietra_stream_destroy(opened);
    pietra_stream_destroy(stream);
    pietra_stream_destroy(NULL);
    pietra_scene_destroy(NULL);
    pietra_path_destroy(NULL);
    assert_string_equal(pietra_version(), "0.1.0");
}

static void test_masks_are_paired(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    assert_int_equal(pietra_scene_end_mask_source(scene, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_begin_mask_source(scene, (pietra_mask_kind)3, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_begin_blended_group(scene, 1, (pietra_blend)BLEND_COUNT, NULL), PIETRA_ERROR_INPUT);
    ASSERT_OK(pietra_scene_begin_mask_source(scene, PIETRA_MASK_ALPHA, error));
    assert_int_equal(pietra_scene_end_mask(scene, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_end_clip_source(scene, NULL), PIETRA_ERROR_INPUT);
    begin_source(scene);
    assert_int_equal(pietra_scene_begin_mask_source(scene, PIETRA_MASK_ALPHA, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_begin_group(scene, 1, NULL), PIETRA_ERROR_INPUT);
    end_source(scene);
    begin_group(scene, 0.5f);
    end_group(scene);
    end_clip(scene);
    ASSERT_OK(pietra_scene_end_mask_source(scene, error));
    assert_int_equal(pietra_scene_end_clip(scene, NULL), PIETRA_ERROR_INPUT);
    ASSERT_OK(pietra_scene_end_mask(scene, error));
    pietra_scene_destroy(scene);
}

/* Cells of patterns are scenes of a few elements, and there may be thousands. */
static void test_small_scenes_are_small(void **state)
{
    enum { SCENES = 200 };
    (void)state;
    pietra_scene *scenes[SCENES];
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < SCENES; i++) {
        scenes[i] = new_scene();
        fill(scenes[i], "R 1 1 3 3", &RED);
        fill(scenes[i], "R 2 2 3 3", &HALF);
    }
    size_t each = (mallinfo2().uordblks - before) / SCENES;
    assert_true(each < 6 * 1024);
    for (int i = 0; i < SCENES; i++)
        pietra_scene_destroy(scenes[i]);
}

/* The numbers go beyond what a small scene's tables hold, and equal things are still found. */
static void test_equal_things_are_found_in_small_and_large_scenes(void **state)
{
    (void)state;
    for (int kinds = 1; kinds < 20; kinds++) {
        pietra_scene *scene = new_scene();
        for (int i = 0; i < 3 * kinds; i++) {
            char data[32];
            const pietra_transform moved = {1, 0, 0, 1, i % kinds, 0};
            const pietra_paint paint = {.color = {(float)(i % kinds) / 40, 0, 0, 1}};
            (void)snprintf(data, sizeof data, "R 1 1 %d 3", 1 + i % kinds);
            pietra_path *path = path_from(data);
            ASSERT_OK(pietra_scene_fill(scene, path, &moved, PIETRA_FILL_NONZERO, &paint, error));
            pietra_path_destroy(path);
        }
        pietra_stream *stream = encode_and_destroy(scene);
        assert_int_equal(stream_get_header(stream)->path_count, kinds);
        assert_int_equal(stream_get_header(stream)->paint_count, kinds);
        pietra_stream_destroy(stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masks_are_paired),
        cmocka_unit_test(test_small_scenes_are_small),
        cmocka_unit_test(test_equal_things_are_found_in_small_and_large_scenes),
        cmocka_unit_test(test_failed_calls_change_nothing),
        cmocka_unit_test(test_ends_must_match),
        cmocka_unit_test(test_append_relocates_and_composes),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_bounds_of_strokes),
        cmocka_unit_test(test_bounds_of_tight_bends),
        cmocka_unit_test(test_arcs_end_where_circles_cross),
        cmocka_unit_test(test_arcs_without_a_radius),
        cmocka_unit_test(test_arcs_of_closed_curves),
        cmocka_unit_test(test_arcs_of_any_size),
        cmocka_unit_test(test_streams_open_what_they_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
