/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The encoder: solids, gradients, images, dashes. */
#include <math.h>

#include "scene/scene_fixture.h"

/* The colour halfway from black to white has half the light. */
static void test_linear_rgb(void **state)
{
    (void)state;
    static const pietra_stop stops[] = {{0, {0, 0, 0, 1}}, {1, {1, 1, 1, 0}}};
    pietra_paint paint = {.kind = PIETRA_PAINT_LINEAR,
                          .x1 = 9,
                          .stops = stops,
                          .stop_count = 2,
                          .interpolation = PIETRA_INTERPOLATION_LINEAR_RGB};
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 9 9", &paint);
    pietra_stream *stream = encode_and_destroy(scene);
    stream_view view = view_of(stream);
    uint32_t count = view.header->stop_count, at = 0;
    assert_in_range(count, 8, 40);
    for (uint32_t i = 0; i <= 1000; i++) {
        float t = (float)i / 1000.0f;
        while (at + 1 < count && view.stops[at + 1].offset <= t)
            at++;
        const stream_stop *stop = &view.stops[at];
        double found = stop->base_r + (t - stop->offset) * stop->slope_r;
        double wanted = 255.0 * (t <= 0.0031308f ? 12.92 * t : 1.055 * pow(t, 1 / 2.4) - 0.055);
        assert_true(fabs(found - wanted) < 0.6);
        assert_true(fabsf(stop->base_a + (t - stop->offset) * stop->slope_a - 255.0f * (1.0f - t)) < 0.01f);
    }
    pietra_stream_destroy(stream);
}

static pietra_stream *with_paint(const pietra_paint *paint)
{
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 1 1", paint);
    return encode_and_destroy(scene);
}

/* A gradient's colour as the stream's stops give it. */
static void color_at(const stream_view *view, float t, double color[4])
{
    uint32_t at = 0;
    while (at + 1 < view->header->stop_count && view->stops[at + 1].offset <= t)
        at++;
    const stream_stop *stop = &view->stops[at];
    color[0] = stop->base_r + (t - stop->offset) * stop->slope_r;
    color[1] = stop->base_g + (t - stop->offset) * stop->slope_g;
    color[2] = stop->base_b + (t - stop->offset) * stop->slope_b;
    color[3] = stop->base_a + (t - stop->offset) * stop->slope_a;
}

/* What color-mix() of CSS gives, everywhere, also where Oklab leaves sRGB. */
static void test_oklab(void **state)
{
    (void)state;
    static const char *const ends[][2] = {{"red", "blue"}, {"white", "blue"}, {"lime", "magenta"}, {"#000", "#fff"}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        pietra_stop stops[] = {{.offset = 0.25f}, {.offset = 0.75f}};
        assert_true(pietra_color_parse(ends[i][0], &stops[0].color) && pietra_color_parse(ends[i][1], &stops[1].color));
        stops[1].color.a = 0.5f;
        pietra_stream *stream = with_paint(&(pietra_paint){.kind = PIETRA_PAINT_LINEAR,
                                                           .x1 = 1,
                                                           .stops = stops,
                                                           .stop_count = 2,
                                                           .interpolation = PIETRA_INTERPOLATION_OKLAB});
        const stream_view view = view_of(stream);
        assert_in_range(view.header->stop_count, 5, 80);
        for (int percent = 0; percent <= 100; percent++) {
            char mix[100];
            double found[4];
            pietra_color wanted;
            snprintf(mix, sizeof mix, "color-mix(in oklab, %s %d%%, %s)", ends[i][0], 100 - percent, ends[i][1]);
            assert_true(pietra_color_parse(mix, &wanted));
            color_at(&view, 0.25f + 0.005f * (float)percent, found);
            assert_true(fabs(found[0] - 255.0 * (double)wanted.r) < 1.3);
            assert_true(fabs(found[1] - 255.0 * (double)wanted.g) < 1.3);
            assert_true(fabs(found[2] - 255.0 * (double)wanted.b) < 1.3);
            assert_true(fabs(found[3] - 255.0 * (1 - 0.005 * percent)) < 0.01);
        }
        pietra_stream_destroy(stream);
    }
}

static void test_images(void **state)
{
    (void)state;
    pietra_stream *stream = encode_and_destroy(image_scene());
    assert_kinds(stream, "fff[s]");
    assert_line(stream, "element 0: fill rect opaque occluder image aliased_upright path");
    assert_line(stream, "element 1: fill image path");
    assert_line(stream, "element 3: begin_clip rect aliased path");
    assert_line(stream, "element 4: stroke opaque aliased path");
    assert_line(stream, "paint 0: image spread 0 opacity 255 map 1 0 0 1 0 0 filter 0 of 3 x 2 at 0");
    stream_view view = view_of(stream);
    assert_int_equal(view.header->mip_level_count, 5); /* 3 x 2, 2 x 1, 1 x 1; 1 x 2, 1 x 1 */
    assert_int_equal(view.header->texel_count, 12);
    assert_int_equal(view.header->texels % STREAM_TEXEL_ALIGNMENT, 0);
    assert_int_equal(view.texels[0], 0xff0000ffu);
    assert_int_equal(view.texels[7], 0xff800000u); /* the mean of the one remaining column: blue and black */
    assert_int_equal(view.texels[9], 0x80000080u);
    assert_int_equal(view.texels[10], 0u);
    assert_int_equal(view.texels[11], 0x40000040u);
    assert_int_equal(view.elements[2].paint, 2);
    assert_int_equal(view.paints[2].first_stop, view.paints[0].first_stop);
    pietra_stream_destroy(stream);
}

/* The images of a scene outlive it in another scene, each once. */
static void test_appended_images(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene(), *other = image_scene();
    ASSERT_OK(pietra_scene_append(scene, other, NULL, error));
    ASSERT_OK(pietra_scene_append(scene, other, &(pietra_transform){1, 0, 0, 1, 5, 5}, error));
    pietra_scene_destroy(other);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_kinds(stream, "fff[s]fff[s]");
    assert_int_equal(view_of(stream).header->texel_count, 12);
    pietra_stream_destroy(stream);
}

/* A scene that is shown again brings no stops that are there. */
static void test_appended_stops(void **state)
{
    (void)state;
    const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}, {1, {0, 1, 0, 1}}};
    pietra_paint paint = {.kind = PIETRA_PAINT_LINEAR, .x1 = 9, .stops = stops, .stop_count = 3};
    pietra_scene *scene = new_scene(), *three = new_scene(), *two = new_scene();
    fill(three, "R 0 0 9 9", &paint);
    paint.stop_count = 2;
    fill(two, "R 0 0 9 9", &paint);
    for (int i = 0; i < 6; i++)
        ASSERT_OK(pietra_scene_append(scene, i % 2 ? two : three, &(pietra_transform){1, 0, 0, 1, i, 5}, error));
    pietra_scene_destroy(two);
    pietra_scene_destroy(three);
    pietra_stream *stream = encode_and_destroy(scene);
    stream_view view = view_of(stream);
    assert_int_equal(view.header->stop_count, 5);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(view.paints[view.elements[i].paint].first_stop, i % 2 ? 3 : 0);
        assert_int_equal(view.paints[view.elements[i].paint].stop_count, i % 2 ? 2 : 3);
    }
    pietra_stream_destroy(stream);
}

static void assert_color(pietra_paint paint, uint32_t color)
{
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 1 1", &RED);
    fill(scene, "R 0 0 1 1", &paint);
    pietra_stream *stream = encode_and_destroy(scene);
    stream_view view = view_of(stream);
    assert_int_equal(view.header->element_count, 2);
    assert_int_equal(view.paints[view.elements[1].paint].kind, PAINT_SOLID);
    assert_int_equal(view.paints[view.elements[1].paint].color, color);
    pietra_stream_destroy(stream);
}

/* Paints with images at a hundred places each, and then once more: more than the table of paints remembers. `gap` moves
 * them in memory. */
static pietra_stream *many_image_paints(size_t gap)
{
    static const uint8_t pixel[4] = {255, 0, 0, 255};
    pietra_image *images[8];
    void *gaps[8];
    pietra_scene *scene = new_scene();
    for (size_t i = 0; i < 8; i++) {
        gaps[i] = malloc(1 + gap * (i + 1));
        assert_non_null(gaps[i]);
        ASSERT_OK(pietra_image_create(1, 1, pixel, 0, error, &images[i]));
    }
    for (size_t i = 0; i < 1600; i++) {
        pietra_paint paint = {
            .kind = PIETRA_PAINT_IMAGE, .image = images[i % 8], .transform = {1, 0, 0, 1, (double)(i % 800), 0}};
        fill(scene, "R 0 0 9 9", &paint);
    }
    for (size_t i = 0; i < 8; i++) {
        pietra_image_destroy(images[i]);
        free(gaps[i]);
    }
    return encode_and_destroy(scene);
}

static void test_no_stream_depends_on_addresses(void **state)
{
    (void)state;
    pietra_stream *stream = many_image_paints(0);
    size_t count, again_count;
    const void *bytes = pietra_stream_bytes(stream, &count);
    assert_true(view_of(stream).header->paint_count > 800);
    for (size_t gap = 16; gap < 16384; gap *= 4) {
        pietra_stream *again = many_image_paints(gap);
        const void *again_bytes = pietra_stream_bytes(again, &again_count);
        assert_int_equal(count, again_count);
        assert_memory_equal(bytes, again_bytes, count);
        pietra_stream_destroy(again);
    }
    pietra_stream_destroy(stream);
}

static void test_solid_colors(void **state)
{
    (void)state;
    assert_color((pietra_paint){.color = {1, 0.5f, 0, 1}}, 0xff0080ffu);
    assert_color((pietra_paint){.color = {1, 0.5f, 0, 0.5f}}, 0x80004080u);
    assert_color((pietra_paint){.color = {1, 0.5f, 0, 1}, .transparency = 0.5f}, 0x80004080u);
    assert_color((pietra_paint){.color = {9, -3, -0.5f, 2}}, 0xff0000ffu);
    /* Every product of a channel and an alpha is rounded to the nearest. */
    for (uint32_t c = 0; c < 256; c += 5) {
        for (uint32_t a = 1; a < 256; a += 2) {
            uint32_t nearest = (uint32_t)floor(c * a / 255.0 + 0.5);
            assert_color((pietra_paint){.color = {(float)c / 255, 0, 0, (float)a / 255}}, a << 24 | nearest);
        }
    }
}

static void test_degenerate_gradients_are_solid(void **state)
{
    (void)state;
    static const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    static const pietra_stop same[] = {{0.3f, {1, 0, 0, 1}}, {0.6f, {1, 0, 0, 1}}};
    pietra_paint paint = {.kind = PIETRA_PAINT_LINEAR, .x0 = 3, .x1 = 3, .stops = stops, .stop_count = 2};
    assert_color(paint, 0xffff0000u);
    paint.transparency = 0.5f;
    assert_color(paint, 0x80800000u);
    assert_color((pietra_paint){.kind = PIETRA_PAINT_RADIAL, .stops = stops, .stop_count = 2}, 0xffff0000u);
    assert_color((pietra_paint){.kind = PIETRA_PAINT_RADIAL, .r0 = 2, .r1 = 2, .stops = stops, .stop_count = 2},
                 0xffff0000u);
    assert_color((pietra_paint){.kind = PIETRA_PAINT_RADIAL, .r1 = 2, .stops = stops, .stop_count = 1}, 0xff0000ffu);
    assert_color((pietra_paint){.kind = PIETRA_PAINT_LINEAR, .x1 = 2, .stops = same, .stop_count = 2}, 0xff0000ffu);
    assert_color(pietra_sweep(1, 2, 30, 30, same, 2), 0xff0000ffu);
    assert_color(pietra_sweep(1, 2, 30, 90, stops, 1), 0xff0000ffu);
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 1 1",
         &(pietra_paint){.kind = PIETRA_PAINT_LINEAR, .x1 = 2, .stops = stops, .stop_count = 2, .transform = {.a = 1}});
    pietra_stream *stream = encode_and_destroy(scene);
    assert_kinds(stream, "");
    pietra_stream_destroy(stream);
}

static void test_linear_gradient_maps_its_vector_to_one(void **state)
{
    (void)state;
    static const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    pietra_paint paint = {.kind = PIETRA_PAINT_LINEAR,
                          .x0 = 3,
                          .y0 = 4,
                          .x1 = 13,
                          .y1 = -1,
                          .stops = stops,
                          .stop_count = 2,
                          .transform = {2, 1, 0.5, 3, 7, 8},
                          .spread = PIETRA_SPREAD_REFLECT};
    pietra_stream *stream = with_paint(&paint);
    const stream_paint *made = view_of(stream).paints;
    const double gradient[3][3] = {{3, 4, 0}, {13, -1, 1}, {3 + 5, 4 + 10, 0}};
    for (int i = 0; i < 3; i++) {
        double x = 2 * gradient[i][0] + 0.5 * gradient[i][1] + 7, y = gradient[i][0] + 3 * gradient[i][1] + 8;
        assert_true(fabs(made->a * x + made->c * y + made->e - gradient[i][2]) < 1e-5);
    }
    assert_int_equal(made->spread, SPREAD_REFLECT);
    assert_line(stream, "element 0: fill rect opaque occluder");
    pietra_stream_destroy(stream);
}

static void test_sweep_gradient_turns_around_its_centre(void **state)
{
    (void)state;
    static const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    static const double angles[][2] = {{0, 360}, {90, 180}, {180, 90}, {-720, 1080}, {30, 30}};
    static const float expected[][2] = {{0, 1}, {0.25f, 4}, {0.5f, -4}, {-2, 0.2f}, {30.0f / 360, STREAM_LIMIT}};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        pietra_paint paint = pietra_sweep(3, 4, angles[i][0], angles[i][1], stops, 2);
        paint.transform = (pietra_transform){2, 0, 0, 4, 10, 20};
        pietra_stream *stream = with_paint(&paint);
        const stream_paint *made = view_of(stream).paints;
        assert_int_equal(made->kind, PAINT_SWEEP);
        assert_true(made->r0 == expected[i][0] && made->dr == expected[i][1]);
        assert_true(made->a == 0.5f && made->d == 0.25f && made->e == -8 && made->f == -9);
        assert_line(stream, "element 0: fill rect opaque occluder");
        pietra_stream_destroy(stream);
    }
    pietra_paint nothing = pietra_sweep(3, 4, 30, 30, stops, 2);
    nothing.spread = PIETRA_SPREAD_REPEAT;
    pietra_stream *stream = with_paint(&nothing);
    assert_kinds(stream, "");
    pietra_stream_destroy(stream);
}

static void test_radial_gradient_keeps_its_circles(void **state)
{
    (void)state;
    static const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    pietra_paint paint = {.kind = PIETRA_PAINT_RADIAL,
                          .x0 = 3,
                          .y0 = 4,
                          .r0 = 2,
                          .x1 = 6,
                          .y1 = 8,
                          .r1 = 9,
                          .stops = stops,
                          .stop_count = 2};
    pietra_stream *stream = with_paint(&paint);
    const stream_paint *made = view_of(stream).paints;
    assert_true(fabsf(made->centre_distance - 5.0f) < 1e-6f && made->r0 == 2.0f && made->dr == 7.0f);
    for (int t = 0; t <= 4; t++) {
        for (int angle = 0; angle < 8; angle++) {
            double offset = t / 4.0, r = 2 + 7 * offset;
            double px = 3 + 3 * offset + r * cos(angle), py = 4 + 4 * offset + r * sin(angle);
            double x = made->a * px + made->c * py + made->e, y = made->b * px + made->d * py + made->f;
            assert_true(fabs(hypot(x - offset * 5.0, y) - r) < 1e-5);
        }
    }
    assert_line(stream, "element 0: fill rect opaque occluder");
    pietra_stream_destroy(stream);
    paint.x1 = 60;
    stream = with_paint(&paint);
    assert_line(stream, "element 0: fill rect path");
    pietra_stream_destroy(stream);
}

static void assert_stops(const pietra_stop *stops, size_t count, const char *expected)
{
    pietra_stream *stream =
        with_paint(&(pietra_paint){.kind = PIETRA_PAINT_LINEAR, .x1 = 1, .stops = stops, .stop_count = count});
    char *text = describe(stream);
    char *found = strstr(text, "  stop");
    assert_non_null(found);
    assert_string_equal(found, expected);
    free(text);
    pietra_stream_destroy(stream);
}

static void test_stops_are_monotone_from_zero(void **state)
{
    (void)state;
    assert_stops((pietra_stop[]){{0.5f, {1, 0, 0, 1}}, {0.25f, {0, 1, 0, 1}}, {1, {0, 0, 0, 0}}}, 3,
                 "  stop 0: 255 0 0 255, slopes 0 0 0 0\n"
                 "  stop 0.5: 255 0 0 255, slopes 0 0 0 0\n"
                 "  stop 0.5: 0 255 0 255, slopes 0 -510 0 -510\n"
                 "  stop 1: 0 0 0 0, slopes 0 0 0 0\n");
    assert_stops((pietra_stop[]){{-1, {1, 0, 0, 1}}, {7, {0, 0, 0, 1}}, {0.5f, {0, 0, 0, 0}}}, 3,
                 "  stop 0: 255 0 0 255, slopes -255 0 0 0\n"
                 "  stop 1: 0 0 0 255, slopes 0 0 0 0\n"
                 "  stop 1: 0 0 0 0, slopes 0 0 0 0\n");
}

/* Gradients in different places share their stops, except with gradients in the other colour space. */
static void test_stops_are_shared(void **state)
{
    (void)state;
    pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {0.5f, {0.5f, 0.5f, 0, 1}}, {1, {0, 0, 1, 1}}};
    pietra_scene *scene = new_scene();
    for (int i = 1; i <= 20; i++) {
        fill(scene, "R 0 0 9 9",
             &(pietra_paint){.kind = PIETRA_PAINT_LINEAR, .x1 = i, .stops = stops, .stop_count = 3});
        fill(scene, "R 0 0 9 9",
             &(pietra_paint){.kind = PIETRA_PAINT_RADIAL, .r1 = i, .stops = stops, .stop_count = 3});
    }
    fill(scene, "R 0 0 9 9",
         &(pietra_paint){.kind = PIETRA_PAINT_LINEAR,
                         .x1 = 5,
                         .stops = stops,
                         .stop_count = 3,
                         .interpolation = PIETRA_INTERPOLATION_LINEAR_RGB});
    stops[1].color.g = 0.25f;
    fill(scene, "R 0 0 9 9", &(pietra_paint){.kind = PIETRA_PAINT_LINEAR, .x1 = 5, .stops = stops, .stop_count = 3});
    pietra_stream *stream = encode_and_destroy(scene);
    stream_view view = view_of(stream);
    assert_int_equal(view.header->paint_count, 42);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(view.paints[i].first_stop, 0);
    assert_true(view.paints[40].stop_count > 3);
    assert_int_equal(view.header->stop_count, 3 + view.paints[40].stop_count + 3);
    pietra_stream_destroy(stream);
}

/* Any number of stops that are linear in linearRGB get only as many between them as can be seen. */
static void test_linear_rgb_of_many_stops(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    pietra_stop *stops = malloc(COUNT * sizeof *stops);
    assert_non_null(stops);
    for (int i = 0; i < COUNT; i++) {
        float level = (float)(i % 2);
        stops[i] = (pietra_stop){(float)i / COUNT, {level, level, level, 1}};
    }
    pietra_stream *stream = with_paint(&(pietra_paint){.kind = PIETRA_PAINT_LINEAR,
                                                       .x1 = 1,
                                                       .stops = stops,
                                                       .stop_count = COUNT,
                                                       .interpolation = PIETRA_INTERPOLATION_LINEAR_RGB});
    assert_in_range(view_of(stream).header->stop_count, COUNT, COUNT + 20000);
    pietra_stream_destroy(stream);
    free(stops);
}

static void assert_dashes(const double *dashes, size_t count, double offset, const char *expected)
{
    pietra_scene *scene = new_scene();
    stroke(scene, "M 0 0 L 9 9",
           &(pietra_stroke){.width = 2, .dashes = dashes, .dash_count = count, .dash_offset = offset});
    pietra_stream *stream = encode_and_destroy(scene);
    char line[200];
    snprintf(line, sizeof line, "style 0: half width 1 miter limit 4 cap 0 join 0%s\n", expected);
    assert_line(stream, line);
    assert_line(stream, *expected ? "element 0: stroke opaque dashed" : "element 0: stroke opaque path");
    pietra_stream_destroy(stream);
}

/* Styles that differ otherwise share a pattern, whether it came with the last one or long before. */
static void test_patterns_are_shared(void **state)
{
    (void)state;
    static const double short_one[] = {1, 2}, long_one[] = {3, 1, 4};
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 30; i++) {
        pietra_stroke style = {
            .width = 1 + i, .dashes = i % 3 ? long_one : short_one, .dash_count = i % 3 ? 3 : 2, .dash_offset = i % 5};
        stroke(scene, "M 0 0 L 9 9", &style);
        stroke(scene, "M 0 0 L 9 9", &(pietra_stroke){.width = 2});
    }
    pietra_stream *stream = encode_and_destroy(scene);
    stream_view view = view_of(stream);
    assert_int_equal(view.header->style_count, 60);
    assert_int_equal(view.header->dash_count, 8);
    for (uint32_t i = 0; i < 60; i += 2)
        assert_int_equal(view.styles[i].first_dash, i % 6 == 0 ? 0 : 2);
    pietra_stream_destroy(stream);
}

static void test_dashes_are_normal(void **state)
{
    (void)state;
    assert_dashes((double[]){1, 2}, 2, 0, " phase 0 dashes end 1 3");
    assert_dashes((double[]){1, 2}, 2, 7, " phase 1 dashes end 1 3");
    assert_dashes((double[]){1, 2}, 2, -0.5, " phase 2.5 dashes end 1 3");
    assert_dashes((double[]){1, 2}, 2, -1e-30, " phase 0 dashes end 1 3");
    assert_dashes((double[]){1, 2}, 2, 3e15 + 1, " phase 1 dashes end 1 3");
    assert_dashes((double[]){5}, 1, 6, " phase 6 dashes end 5 10");
    assert_dashes((double[]){1, 0, 2}, 3, 0, " phase 0 dashes end 1 1 3 4 4 6");
    assert_dashes((double[]){1, -2}, 2, 0, "");
    assert_dashes((double[]){0, 0}, 2, 0, "");
    assert_dashes((double[]){1e-300, 1e-300}, 2, 0, "");
    assert_dashes(NULL, 0, 3, "");
    size_t count = 100001;
    double *many = malloc(count * sizeof *many);
    assert_non_null(many);
    for (size_t i = 0; i < count; i++)
        many[i] = 1e17;
    pietra_scene *scene = new_scene();
    stroke(scene, "M 0 0 L 9 9",
           &(pietra_stroke){.width = 2, .dashes = many, .dash_count = count, .dash_offset = -1e300});
    pietra_stream *stream = encode_and_destroy(scene);
    assert_int_equal(view_of(stream).header->dash_count, 2 * count);
    pietra_stream_destroy(stream);
    free(many);
}

static stream_paint paint_of_element(const stream_view *view, uint32_t element)
{
    return view->paints[view->elements[element].paint];
}

/* A solid with a slot is another paint than the colour alone, and is kept where it is invisible. */
static void test_slots(void **state)
{
    (void)state;
    pietra_paint slotted = RED, clear = {.slot = PIETRA_MAX_SLOT, .transparency = 0.5f};
    slotted.slot = 2;
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 1 1", &RED);
    fill(scene, "R 0 0 1 1", &slotted);
    fill(scene, "R 0 0 1 1", &slotted);
    fill(scene, "R 0 0 1 1", &clear);
    pietra_stream *stream = encode_and_destroy(scene);
    stream_view view = view_of(stream);
    assert_int_equal(view.header->paint_count, 3);
    assert_int_equal(view.header->element_count, 4);
    assert_int_equal(paint_of_element(&view, 0).first_stop, 0);
    assert_int_equal(paint_of_element(&view, 1).first_stop, 2);
    assert_int_equal(paint_of_element(&view, 1).color, paint_of_element(&view, 0).color);
    assert_int_equal(paint_of_element(&view, 1).opacity, 255);
    assert_int_equal(paint_of_element(&view, 3).first_stop, PIETRA_MAX_SLOT);
    assert_int_equal(paint_of_element(&view, 3).opacity, 128);
    assert_int_equal(view.elements[1].kind & ELEMENT_OPAQUE, ELEMENT_OPAQUE);
    assert_int_equal(view.elements[3].kind & ELEMENT_OPAQUE, 0);
    pietra_stream_destroy(stream);
}

static void test_slot_limit(void **state)
{
    (void)state;
    const pietra_paint paint = {.slot = PIETRA_MAX_SLOT + 1u}, ignored = {.kind = PIETRA_PAINT_LINEAR, .slot = 70000};
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("R 0 0 1 1");
    assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, NULL), PIETRA_ERROR_INPUT);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &ignored, error));
    pietra_path_destroy(path);
    pietra_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_rgb),
        cmocka_unit_test(test_oklab),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_appended_images),
        cmocka_unit_test(test_appended_stops),
        cmocka_unit_test(test_no_stream_depends_on_addresses),
        cmocka_unit_test(test_solid_colors),
        cmocka_unit_test(test_degenerate_gradients_are_solid),
        cmocka_unit_test(test_linear_gradient_maps_its_vector_to_one),
        cmocka_unit_test(test_sweep_gradient_turns_around_its_centre),
        cmocka_unit_test(test_radial_gradient_keeps_its_circles),
        cmocka_unit_test(test_stops_are_monotone_from_zero),
        cmocka_unit_test(test_stops_are_shared),
        cmocka_unit_test(test_linear_rgb_of_many_stops),
        cmocka_unit_test(test_patterns_are_shared),
        cmocka_unit_test(test_dashes_are_normal),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_slot_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
