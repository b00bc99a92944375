/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The encoder: normal form of paths, boxes, flags, what is left out, origins, what is shared. */
#include <math.h>

#include "layout/blend.h"
#include "scene/scene_fixture.h"

/* Asserts the path as the stream has it. */
static void assert_path(const char *data, const char *expected)
{
    pietra_scene *scene = new_scene();
    stroke(scene, data, &(pietra_stroke){.width = 1});
    pietra_stream *stream = encode_and_destroy(scene);
    char line[300];
    snprintf(line, sizeof line, "path 0: %s\n", expected);
    assert_line(stream, line);
    pietra_stream_destroy(stream);
}

static void test_paths_are_normal(void **state)
{
    (void)state;
    assert_path("M 1 1 L 5 1 L 5 5", "M 1 1 L 5 1 L 5 5");
    assert_path("M 1 1 L 5 1 L 5 5 Z", "M 1 1 L 5 1 L 5 5 L 1 1 Z");
    assert_path("M 1 1 L 5 1 L 5 5 L 1 1 Z", "M 1 1 L 5 1 L 5 5 L 1 1 Z");
    assert_path("M 1 1 L 5 1 L 5 1 L 5 1 L 5 5", "M 1 1 L 5 1 L 5 5");
    assert_path("M 1 1 L 1 1 Q 1 1 1 1 L 5 1 C 5 1 5 1 5 1", "M 1 1 L 5 1");
    assert_path("M 1 1 L 1.00000001 1 L 5 1", "M 1 1 L 5 1");
    assert_path("M 1 1 L 9 1 L 5 5 L 1.00000001 1 Z", "M 1 1 L 9 1 L 5 5 L 1 1 Z");
    assert_path("M 1 1 Q 5 5 1 1", "M 1 1 Q 5 5 1 1");
    assert_path("M 1 1 Q 5 5 1 1 Z", "M 1 1 Q 5 5 1 1 Z");
    assert_path("M 1 1 C 1 1 1 1 2 2", "M 1 1 C 1 1 1 1 2 2");
    assert_path("M 1 1 L 2 2 Z L 3 0", "M 1 1 L 2 2 L 1 1 Z M 1 1 L 3 0");
    assert_path("L 3 0", "M 0 0 L 3 0");
    assert_path("M 9 9 M 8 8 M 1 1 L 3 0 M 4 4", "M 1 1 L 3 0");
    assert_path("M 1 1 L 3 0 Z Z", "M 1 1 L 3 0 L 1 1 Z");
    assert_path("M 0 0 L -0.0 0 L 1 -0.0", "M 0 0 L 1 0");
}

static void test_zero_length_becomes_a_dot(void **state)
{
    (void)state;
    assert_path("M 1 2 Z", "M 1 2 o 1 2");
    assert_path("M 1 2 L 1 2", "M 1 2 o 1 2");
    assert_path("M 1 2 L 1 2 L 1 2 Z", "M 1 2 o 1 2");
    assert_path("M 1 2 C 1 2 1 2 1 2", "M 1 2 o 1 2");
    assert_path("M 1 2 L 1.00000001 2", "M 1 2 o 1 2");
    assert_path("M 1 2 Z M 3 3 L 4 4 M 5 5 Z", "M 1 2 o 1 2 M 3 3 L 4 4 M 5 5 o 5 5");
}

/* What is drawn but shows nothing is not in the stream. */
static void test_nothing_is_left_out(void **state)
{
    (void)state;
    static const char *const invisible[] = {"", "M 1 1", "M 1 1 M 2 2", "M 1 1 Z", "M 1 1 L 9 1", "M 3 0 L 3 5 Z"};
    for (size_t i = 0; i < sizeof invisible / sizeof invisible[0]; i++) {
        pietra_scene *scene = new_scene();
        fill(scene, invisible[i], &RED);
        pietra_stream *stream = encode_and_destroy(scene);
        assert_kinds(stream, "");
        pietra_stream_destroy(stream);
    }
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("R 0 0 9 9");
    static const double widths[] = {0, -1, -1e300, 1e-320};
    for (size_t i = 0; i < 4; i++)
        stroke(scene, "M 0 0 L 5 5", &(pietra_stroke){.width = widths[i]});
    fill(scene, "R 0 0 9 9", &(pietra_paint){.color = {1, 1, 1, 0}});
    fill(scene, "R 0 0 9 9", &(pietra_paint){.color = {1, 1, 1, 1}, .transparency = 1});
    fill(scene, "R 0 0 9 9", &(pietra_paint){.kind = PIETRA_PAINT_LINEAR, .x1 = 1});
    ASSERT_OK(pietra_scene_fill(scene, path, &(pietra_transform){1, 2, 2, 4, 0, 0}, PIETRA_FILL_NONZERO, &RED, error));
    begin_group(scene, 0.0f);
    begin_source(scene);
    fill(scene, "R 0 0 9 9", &RED);
    end_source(scene);
    begin_group(scene, 0.5f);
    fill(scene, "R 0 0 9 9", &RED);
    end_group(scene);
    end_clip(scene);
    end_group(scene);
    begin_group(scene, 0.5f);
    begin_clip(scene, "R 0 0 9 9");
    begin_source(scene);
    fill(scene, "R 0 0 9 9", &RED);
    end_source(scene);
    end_clip(scene);
    end_clip(scene);
    end_group(scene);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_kinds(stream, "");
    pietra_stream_destroy(stream);
    pietra_path_destroy(path);
}

static void test_nesting_is_kept(void **state)
{
    (void)state;
    pietra_scene *scene = complex_scene();
    pietra_stream *stream = encode_and_destroy(scene);
    assert_kinds(stream, "fffs([f[{f[s]}(f)]])[s]");
    pietra_stream_destroy(stream);

    scene = new_scene();
    begin_group(scene, 1.0f);
    begin_group(scene, 0.999f);
    fill(scene, "R 0 0 9 9", &RED);
    end_group(scene);
    end_group(scene);
    begin_clip(scene, "M 5 5");
    fill(scene, "R 0 0 9 9", &RED);
    end_clip(scene);
    begin_source(scene);
    end_source(scene);
    fill(scene, "R 0 0 9 9", &RED);
    end_clip(scene);
    stream = encode_and_destroy(scene);
    assert_kinds(stream, "f[f][{}f]");
    assert_line(stream, "element 0: fill rect opaque occluder path 0");
    assert_line(stream, "element 1: begin_clip path 1 transform 0 box 0 0 -1 -1");
    assert_line(stream, "element 4: begin_clip transform 0 box 0 0 -1 -1");
    pietra_stream_destroy(stream);
}

static void test_rectangles_and_occluders(void **state)
{
    (void)state;
    static const struct {
        const char *data, *line;
    } cases[] = {
        {"R 1 2 3 4", "element 0: fill rect opaque occluder path"},
        {"M 1 2 L 4 2 L 4 6 L 1 6", "element 0: fill rect opaque occluder path"},
        {"M 1 2 L 4 2 L 4 6 L 1 6 L 1 2", "element 0: fill rect opaque occluder path"},
        {"M 4 6 L 4 2 L 1 2 L 1 6 Z", "element 0: fill rect opaque occluder path"},
        {"M 1 2 L 4 2 L 4 6 L 1.5 6 Z", "element 0: fill opaque path"},
        {"M 1 2 L 4 2 L 4 6 L 1 6 M 9 9 L 10 10", "element 0: fill opaque path"},
        {"M 1 2 L 4 2 L 4 6 Z", "element 0: fill opaque path"},
        {"M 1 2 L 4 6 L 4 2 L 1 6 Z", "element 0: fill opaque path"},
        {"M 1 2 L 4 2 L 4 6 Q 2 6 1 6 Z", "element 0: fill opaque path"},
        {"M 1 2 L 2 2 L 4 2 L 4 6 L 1 6 Z", "element 0: fill opaque path"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pietra_scene *scene = new_scene();
        fill(scene, cases[i].data, &RED);
        pietra_stream *stream = encode_and_destroy(scene);
        assert_line(stream, cases[i].line);
        pietra_stream_destroy(stream);
    }
    pietra_scene *scene = new_scene();
    fill(scene, "R 1 2 3 4", &HALF);
    begin_clip(scene, "R 0 0 5 5");
    fill(scene, "R 1 2 3 4", &RED);
    end_clip(scene);
    fill(scene, "R 1 2 3 4", &RED);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_line(stream, "element 0: fill rect path");
    assert_line(stream, "element 1: begin_clip rect path");
    assert_line(stream, "element 2: fill rect opaque path");
    assert_line(stream, "element 4: fill rect opaque occluder path");
    assert_int_equal(view_of(stream).header->occluder_count, 1);
    pietra_stream_destroy(stream);
}

static void test_sole_children(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    begin_clip(scene, "R 0 0 9 9"); /* 0 */
    begin_group(scene, 1.0f);
    begin_group(scene, 0.5f);       /* 1: sole, the group around it is elided */
    begin_clip(scene, "R 0 0 8 8"); /* 2 */
    fill(scene, "R 0 0 5 5", &RED);
    end_clip(scene);
    begin_clip(scene, "R 0 0 8 8"); /* 5 */
    fill(scene, "R 0 0 5 5", &RED);
    end_clip(scene);
    end_group(scene);
    fill(scene, "M 1 1", &RED); /* left out */
    end_group(scene);
    end_clip(scene);
    begin_group(scene, 0.5f); /* 10 */
    fill(scene, "R 0 0 5 5", &RED);
    begin_clip(scene, "R 0 0 8 8"); /* 12 */
    fill(scene, "R 0 0 5 5", &RED);
    end_clip(scene);
    end_group(scene);
    begin_source(scene);            /* 16 */
    begin_clip(scene, "R 0 0 8 8"); /* 18: alone in its source */
    begin_clip(scene, "R 0 0 7 7"); /* 19: sole */
    fill(scene, "R 0 0 5 5", &RED);
    end_clip(scene);
    end_clip(scene);
    end_source(scene);
    begin_clip(scene, "R 0 0 7 7"); /* 24: sole, the source does not count */
    fill(scene, "R 0 0 5 5", &RED);
    end_clip(scene);
    end_clip(scene);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_kinds(stream, "[([f][f])](f[f])[{[[f]]}[f]]");
    stream_view view = view_of(stream);
    for (uint32_t i = 0; i < view.header->element_count; i++) {
        bool sole = (view.elements[i].kind & ELEMENT_SOLE_CHILD) != 0;
        assert_int_equal(sole, i == 1 || i == 19 || i == 24);
    }
    pietra_stream_destroy(stream);
}

static void test_isolation(void **state)
{
    (void)state;
    pietra_stream *stream = encode_and_destroy(blending_scene());
    assert_kinds(stream, "f([(f)(f)])[((f))]");
    stream_view view = view_of(stream);
    for (uint32_t i = 0; i < view.header->element_count; i++) {
        assert_int_equal((view.elements[i].kind & ELEMENT_ISOLATED) != 0, i == 1 || i == 6 || i == 12 || i == 13);
        assert_int_equal((view.elements[i].kind & ELEMENT_COPIES_DESTINATION) != 0, i == 2);
        assert_int_equal(view.elements[i].kind >> ELEMENT_MODE_SHIFT, i == 6    ? BLEND_MULTIPLY
                                                                      : i == 13 ? BLEND_HUE
                                                                                : 0u);
    }
    assert_int_equal(view.elements[1].opacity, 255);
    pietra_stream_destroy(stream);
}

static void test_masks(void **state)
{
    (void)state;
    pietra_stream *stream = encode_and_destroy(masking_scene());
    assert_kinds(stream, "[{(f)[{(f)[{(f)}[f]]}[f]]}[f]]");
    stream_view view = view_of(stream);
    assert_int_equal(view.elements[0].kind >> ELEMENT_MODE_SHIFT, MASK_ALPHA);
    assert_int_equal(view.elements[5].kind >> ELEMENT_MODE_SHIFT, MASK_LUMINANCE);
    assert_int_equal(view.elements[10].kind >> ELEMENT_MODE_SHIFT, MASK_LUMINANCE_LINEAR);
    assert_line(stream, "paint 0: solid ff0000ff");
    pietra_stream_destroy(stream);
}

static void assert_stroke_box(const char *data, const pietra_stroke *style, float x0, float y0, float x1, float y1)
{
    pietra_scene *scene = new_scene();
    stroke(scene, data, style);
    pietra_stream *stream = encode_and_destroy(scene);
    const stream_element *element = view_of(stream).elements;
    const float wanted[4] = {x0, y0, x1, y1};
    const float *box = &element->box_x0;
    for (int i = 0; i < 4; i++) {
        assert_true(i < 2 ? box[i] <= wanted[i] : box[i] >= wanted[i]);
        assert_true(fabsf(box[i] - wanted[i]) < 1e-5f);
    }
    pietra_stream_destroy(stream);
}

static void test_stroke_boxes(void **state)
{
    (void)state;
    float diagonal = 1.41421353f;
    assert_stroke_box("M 0 0 L 10 5", &(pietra_stroke){.width = 2}, -1, -1, 11, 6);
    assert_stroke_box("M 0 0 L 10 5", &(pietra_stroke){.width = 2, .cap = PIETRA_CAP_SQUARE}, -diagonal, -diagonal,
                      10 + diagonal, 5 + diagonal);
    assert_stroke_box("M 0 0 L 10 5 L 0 5", &(pietra_stroke){.width = 2}, -4, -4, 14, 9);
    assert_stroke_box("M 0 0 L 10 5 L 0 5", &(pietra_stroke){.width = 2, .miter_limit = 10}, -10, -10, 20, 15);
    assert_stroke_box("M 0 0 L 10 5 L 0 5", &(pietra_stroke){.width = 2, .join = PIETRA_JOIN_ROUND}, -1, -1, 11, 6);
    float cut = (float)sqrt(17.0);
    assert_stroke_box("M 0 0 L 10 5 L 0 5", &(pietra_stroke){.width = 2, .join = PIETRA_JOIN_MITER_CLIP}, -cut, -cut,
                      10 + cut, 5 + cut);
    assert_stroke_box("M 0 0 Q 5 5 0 5 Z", &(pietra_stroke){.width = 2}, -4, -4, 9, 9);
}

static void test_group_boxes(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("R 0 0 1 2");
    begin_group(scene, 0.5f);
    ASSERT_OK(
        pietra_scene_fill(scene, path, &(pietra_transform){0, 1, -1, 0, 10, 20}, PIETRA_FILL_NONZERO, &RED, error));
    begin_clip(scene, "R 0 0 5 100");
    fill(scene, "R -50 1 100 1", &RED);
    end_clip(scene);
    end_group(scene);
    begin_source(scene);
    fill(scene, "R 1 1 2 2", &RED);
    fill(scene, "R 5 6 2 2", &RED);
    end_source(scene);
    fill(scene, "R 0 0 9 9", &RED);
    end_clip(scene);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_line(stream, "element 0: begin_group transform 0 box 0 1 10 21 opacity 128");
    assert_line(stream, "element 6: begin_clip transform 0 box 1 1 7 8");
    assert_line(stream, "element 7: begin_clip_source transform 0 box 1 1 7 8");
    pietra_stream_destroy(stream);
    pietra_path_destroy(path);
}

/* Gives where a point of the stream lies in the scene, in double precision. */
static void scene_position(stream_view view, uint32_t element, uint32_t point, double *x, double *y)
{
    const stream_transform *t = &view.transforms[view.elements[element].transform];
    const float *p = view.points + 2 * (size_t)(view.paths[view.elements[element].path].first_point + point);
    *x = (double)t->a * p[0] + (double)t->c * p[1] + t->e + t->e_low;
    *y = (double)t->b * p[0] + (double)t->d * p[1] + t->f + t->f_low;
}

static void test_map_coordinates_keep_their_digits(void **state)
{
    (void)state;
    static const double extents[] = {3, 50, 1000, 20000};
    for (size_t i = 0; i < 4; i++) {
        double x = 512345.678, y = 5432109.876, w = extents[i];
        pietra_scene *scene = new_scene();
        pietra_path *path = pietra_path_create();
        pietra_path_move_to(path, x, y);
        pietra_path_line_to(path, x + w, y + 0.001);
        pietra_path_line_to(path, x + w / 3, y + w);
        static const pietra_stop stops[] = {{0, {0}}, {1, {1, 1, 1, 1}}};
        pietra_paint linear = {
            .kind = PIETRA_PAINT_LINEAR, .x0 = x, .y0 = y, .x1 = x + w, .y1 = y, .stops = stops, .stop_count = 2};
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &linear, error));
        pietra_stream *stream = encode_and_destroy(scene);
        stream_view view = view_of(stream);
        double sx, sy;
        const double wanted[3][2] = {{x, y}, {x + w, y + 0.001}, {x + w / 3, y + w}};
        for (uint32_t k = 0; k < 3; k++) {
            scene_position(view, 0, k, &sx, &sy);
            assert_true(fabs(sx - wanted[k][0]) < 1e-3 && fabs(sy - wanted[k][1]) < 1e-3);
            const stream_paint *paint = view.paints;
            const float *p = view.points + 2 * (size_t)k;
            double offset = (double)paint->a * p[0] + (double)paint->c * p[1] + paint->e;
            assert_true(fabs(offset - (wanted[k][0] - x) / w) < 1e-4);
        }
        pietra_stream_destroy(stream);
        pietra_path_destroy(path);
    }
}

static void test_origin_goes_through_the_transform(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("M 500000.25 300000.125 L 500001.25 300000.125 L 500000.25 300004");
    pietra_transform turn = {0.6, 0.8, -0.8, 0.6, -40000.3, 123.7};
    ASSERT_OK(pietra_scene_fill(scene, path, &turn, PIETRA_FILL_NONZERO, &RED, error));
    pietra_stream *stream = encode_and_destroy(scene);
    double x, y;
    scene_position(view_of(stream), 0, 0, &x, &y);
    assert_true(fabs(x - (0.6 * 500000.25 - 0.8 * 300000.125 - 40000.3)) < 1e-4);
    assert_true(fabs(y - (0.8 * 500000.25 + 0.6 * 300000.125 + 123.7)) < 1e-4);
    pietra_stream_destroy(stream);
    pietra_path_destroy(path);
}

/* Small paths near each other, far out, share one origin and one transform. Near 0 they have no origin. */
static void test_neighbours_share_an_origin(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 10; i++) {
        char data[100];
        snprintf(data, sizeof data, "M %d 7000 L %d 7001 L %d 7009", 500000 + 10 * i, 500005 + 10 * i, 500000 + 10 * i);
        fill(scene, data, &RED);
        snprintf(data, sizeof data, "M %d 1 L %d 2 L %d 9", 10 * i, 5 + 10 * i, 10 * i);
        fill(scene, data, &RED);
    }
    pietra_stream *stream = encode_and_destroy(scene);
    assert_int_equal(view_of(stream).header->transform_count, 2);
    pietra_stream_destroy(stream);
}

/* A path has few points left where it is small, and all where it is large. It was measured for the small place, which
 * is not drawn. So the transforms, which stand behind the points, have to make room. */
static void test_transforms_make_room_for_points(void **state)
{
    enum { POINTS = 20000 };
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, 1e7, 1e7);
    for (int i = 1; i < POINTS; i++)
        pietra_path_line_to(path, 1e7 + 0.01 * i, 1e7 + 0.25 * (i % 2));
    const pietra_paint clear = {.color = {1, 1, 1, 0}};
    const pietra_transform small = {1e-5, 0, 0, 1e-5, 0, 0}, turn = {0, 1, -1, 0, 2.5, 7.25};
    ASSERT_OK(pietra_scene_fill(scene, path, &small, PIETRA_FILL_NONZERO, &clear, error));
    ASSERT_OK(pietra_scene_fill(scene, path, &turn, PIETRA_FILL_NONZERO, &RED, error));
    pietra_stream *stream = encode_and_destroy(scene);
    stream_view view = view_of(stream);
    double x, y;
    assert_int_equal(view.header->path_count, 1);
    assert_int_equal(view.header->point_count, POINTS);
    assert_int_equal(view.header->transform_count, 1);
    scene_position(view, 0, 1, &x, &y);
    assert_true(fabs(x - (2.5 - 10000000.25)) < 1e-3 && fabs(y - (7.25 + 10000000.01)) < 1e-3);
    pietra_stream_destroy(stream);
    pietra_path_destroy(path);
}

static void test_equal_things_are_shared(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 100; i++) {
        fill(scene, "M 0 0 L 5 5 L 9 0 Z", i % 2 ? &RED : &HALF);
        stroke(scene, "M 0 0 L 5 5 L 9 0 Z", &(pietra_stroke){.width = 3, .dashes = (double[]){1, 2}, .dash_count = 2});
    }
    pietra_stream *stream = encode_and_destroy(scene);
    const stream_header *header = view_of(stream).header;
    assert_int_equal(header->element_count, 200);
    assert_int_equal(header->path_count, 1);
    assert_int_equal(header->transform_count, 1);
    assert_int_equal(header->style_count, 1);
    assert_int_equal(header->dash_count, 2);
    assert_int_equal(header->paint_count, 2);
    assert_int_equal(header->task_count, 600);
    assert_int_equal(header->dashed_count, 100);
    pietra_stream_destroy(stream);
}

static void test_huge_numbers_saturate(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("M -1e38 -1e300 L 1e38 0 L 1e9 1e308 Q -1e308 5 6 7 Z");
    const pietra_transform transforms[] = {
        {1e300, 0, 0, 1e300, 0, 0}, {1, 0, 0, 1, 1e308, -1e308}, {1e-300, 0, 0, 1e-300, 0, 0}};
    static const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1e-45f, {0, 0, 1, 1}}};
    pietra_paint paint = {.kind = PIETRA_PAINT_RADIAL,
                          .x0 = -1e308,
                          .r0 = 1e308,
                          .x1 = 1e308,
                          .r1 = 1e300,
                          .stops = stops,
                          .stop_count = 2};
    begin_group(scene, 0.5f);
    for (size_t i = 0; i < 3; i++) {
        paint.transform = transforms[i];
        ASSERT_OK(pietra_scene_begin_clip(scene, path, &transforms[i], PIETRA_FILL_NONZERO, error));
        ASSERT_OK(pietra_scene_fill(scene, path, &transforms[i], PIETRA_FILL_NONZERO, &paint, error));
        ASSERT_OK(pietra_scene_stroke(scene, path, &transforms[i],
                                      &(pietra_stroke){.width = 1e308, .miter_limit = 1e308}, &RED, error));
        end_clip(scene);
    }
    end_group(scene);
    pietra_stream_destroy(encode_and_destroy(scene));
    pietra_path_destroy(path);
}

static void test_a_million_levels(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("R 0 0 64 64");
    for (int i = 0; i < DEPTH; i++) {
        if (i % 3 == 0) {
            ASSERT_OK(pietra_scene_begin_clip(scene, path, NULL, PIETRA_FILL_NONZERO, error));
        } else if (i % 3 == 1) {
            begin_group(scene, 0.5f);
        } else {
            begin_source(scene);
            ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, error));
            end_source(scene);
        }
    }
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, error));
    for (int i = DEPTH; i-- > 0;)
        (i % 3 == 1 ? end_group : end_clip)(scene);
    pietra_stream *stream = encode_and_destroy(scene);
    const stream_header *header = view_of(stream).header;
    assert_int_equal(header->element_count, 2 * DEPTH + 1 + 3 * (DEPTH / 3));
    assert_int_equal(header->path_count, 1);
    pietra_stream_destroy(stream);
    /* Sources nest to the same depth. They paint nothing, so nothing is left of them. */
    scene = new_scene();
    for (int i = 0; i < DEPTH; i++)
        begin_source(scene);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, error));
    for (int i = 0; i < DEPTH; i++) {
        end_source(scene);
        end_clip(scene);
    }
    stream = encode_and_destroy(scene);
    assert_int_equal(view_of(stream).header->element_count, 0);
    pietra_stream_destroy(stream);
    pietra_path_destroy(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_are_normal),
        cmocka_unit_test(test_zero_length_becomes_a_dot),
        cmocka_unit_test(test_nothing_is_left_out),
        cmocka_unit_test(test_nesting_is_kept),
        cmocka_unit_test(test_rectangles_and_occluders),
        cmocka_unit_test(test_sole_children),
        cmocka_unit_test(test_isolation),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_stroke_boxes),
        cmocka_unit_test(test_group_boxes),
        cmocka_unit_test(test_map_coordinates_keep_their_digits),
        cmocka_unit_test(test_origin_goes_through_the_transform),
        cmocka_unit_test(test_neighbours_share_an_origin),
        cmocka_unit_test(test_transforms_make_room_for_points),
        cmocka_unit_test(test_equal_things_are_shared),
        cmocka_unit_test(test_huge_numbers_saturate),
        cmocka_unit_test(test_a_million_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
