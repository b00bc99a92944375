/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bad arguments of what builds scenes are refused with PIETRA_ERROR_INPUT and a message, and change nothing. */
#include "render/refused.h"

static pietra_result try_paint(stage *s, pietra_paint paint, pietra_error *error)
{
    pietra_result result = pietra_scene_fill(s->scene, s->path, NULL, PIETRA_FILL_NONZERO, &paint, error);
    const pietra_stroke stroke = {.width = 1}, none = {0};
    assert_int_equal(pietra_scene_stroke(s->scene, s->path, NULL, &stroke, &paint, NULL), result);
    assert_int_equal(pietra_scene_stroke(s->scene, s->path, NULL, &none, &paint, NULL), result);
    return result;
}

static pietra_result try_stroke(stage *s, pietra_stroke stroke, pietra_error *error)
{
    return pietra_scene_stroke(s->scene, s->path, NULL, &stroke, &RED, error);
}

static void test_paths(void **state)
{
    (void)state;
    pietra_path *path = path_from("M 1 1 L 2 3");
    pietra_box box;
    assert_true(pietra_path_bounds(path, &box));
    assert_false(pietra_path_bounds(path, NULL));
    assert_false(pietra_path_bounds(NULL, &box));
    pietra_path_reset(NULL);
    pietra_path_move_to(NULL, 1, 2);
    pietra_path_line_to(NULL, 1, 2);
    pietra_path_quad_to(NULL, 1, 2, 3, 4);
    pietra_path_cubic_to(NULL, 1, 2, 3, 4, 5, 6);
    pietra_path_arc_to(NULL, 1, 2, 0, true, true, 3, 4);
    pietra_path_close(NULL);
    pietra_path_rect(NULL, 1, 2, 3, 4);
    pietra_path_rounded_rect(NULL, 1, 2, 3, 4, 1, 1);
    pietra_path_ellipse(NULL, 1, 2, 3, 4);
    for (size_t i = 0; i < 3; i++) {
        double bad = NOT_FINITE[i];
#define ASSERT_SPOILS(draw) \
    do { \
        pietra_path_reset(path); \
        add_data(path, "M 1 1 L 2 3"); \
        draw; \
        if (pietra_path_bounds(path, &box)) { \
            fail_msg("%s, %g", #draw, bad); \
        } \
    } while (0)
        ASSERT_SPOILS(pietra_path_move_to(path, bad, 1));
        ASSERT_SPOILS(pietra_path_move_to(path, 1, bad));
        ASSERT_SPOILS(pietra_path_line_to(path, bad, 1));
        ASSERT_SPOILS(pietra_path_line_to(path, 1, bad));
        ASSERT_SPOILS(pietra_path_quad_to(path, bad, 1, 2, 3));
        ASSERT_SPOILS(pietra_path_quad_to(path, 1, 1, 2, bad));
        ASSERT_SPOILS(pietra_path_cubic_to(path, 1, bad, 2, 3, 4, 5));
        ASSERT_SPOILS(pietra_path_cubic_to(path, 1, 1, bad, 3, 4, 5));
        ASSERT_SPOILS(pietra_path_cubic_to(path, 1, 1, 2, 3, 4, bad));
        ASSERT_SPOILS(pietra_path_arc_to(path, bad, 1, 0, false, true, 3, 4));
        ASSERT_SPOILS(pietra_path_arc_to(path, 1, bad, 0, false, true, 3, 4));
        ASSERT_SPOILS(pietra_path_arc_to(path, 1, 1, bad, false, true, 3, 4));
        ASSERT_SPOILS(pietra_path_arc_to(path, 1, 1, 0, false, true, bad, 4));
        ASSERT_SPOILS(pietra_path_arc_to(path, 1, 1, 0, false, true, 3, bad));
        ASSERT_SPOILS(pietra_path_rect(path, bad, 1, 2, 3));
        ASSERT_SPOILS(pietra_path_rect(path, 1, 1, bad, 3));
        ASSERT_SPOILS(pietra_path_rect(path, 1, 1, 2, bad));
        ASSERT_SPOILS(pietra_path_rounded_rect(path, 1, bad, 2, 3, 1, 1));
        ASSERT_SPOILS(pietra_path_rounded_rect(path, 1, 1, bad, 3, 1, 1));
        ASSERT_SPOILS(pietra_path_rounded_rect(path, 1, 1, 2, bad, 1, 1));
        ASSERT_SPOILS(pietra_path_rounded_rect(path, 1, 1, 2, 3, bad, 1));
        ASSERT_SPOILS(pietra_path_rounded_rect(path, 1, 1, 2, 3, 1, bad));
        ASSERT_SPOILS(pietra_path_rounded_rect(path, 1, 1, 2, 3, 0, bad));
        ASSERT_SPOILS(pietra_path_ellipse(path, bad, 1, 2, 3));
        ASSERT_SPOILS(pietra_path_ellipse(path, 1, bad, 0, 3));
        ASSERT_SPOILS(pietra_path_ellipse(path, 1, 1, bad, 3));
        ASSERT_SPOILS(pietra_path_ellipse(path, 1, 1, 2, bad));
        ASSERT_SPOILS(pietra_path_ellipse(path, 1, 1, bad, 0));
    }
    pietra_path_destroy(path);
}

static void test_colors(void **state)
{
    (void)state;
    pietra_color color = {1, 2, 3, 4};
    assert_false(pietra_color_parse(NULL, &color));
    assert_false(pietra_color_parse("red", NULL));
    assert_false(pietra_color_parse("", &color));
    assert_true(color.g == 2);
    /* The header promises more than CSS Color 3. */
    assert_true(pietra_color_parse("oklch(0 0 0)", &color) && color.g == 0 && color.a == 1);
    assert_true(pietra_color_parse(" color-mix(in srgb, #000 50%, white 50%) ", &color) && color.g == 0.5f);
    assert_true(pietra_color_parse("rgb(from lime g b r)", &color) && color.r == 1 && color.g == 0 && color.b == 0);
    assert_true(pietra_color_parse("CanvasText", &color) && color.r == 0 && color.a == 1);
    assert_false(pietra_color_parse("currentColor", &color));
}

static void test_null_pointers(void **state)
{
    (void)state;
    stage s = stage_set();
    const pietra_stroke stroke = {.width = 1};
    pietra_box box;
    ASSERT_REFUSED(pietra_scene_fill(NULL, s.path, NULL, PIETRA_FILL_NONZERO, &RED, error));
    ASSERT_REFUSED(pietra_scene_fill(s.scene, NULL, NULL, PIETRA_FILL_NONZERO, &RED, error));
    ASSERT_REFUSED(pietra_scene_fill(s.scene, s.path, NULL, PIETRA_FILL_NONZERO, NULL, error));
    ASSERT_REFUSED(pietra_scene_stroke(NULL, s.path, NULL, &stroke, &RED, error));
    ASSERT_REFUSED(pietra_scene_stroke(s.scene, NULL, NULL, &stroke, &RED, error));
    ASSERT_REFUSED(pietra_scene_stroke(s.scene, s.path, NULL, NULL, &RED, error));
    ASSERT_REFUSED(pietra_scene_stroke(s.scene, s.path, NULL, &stroke, NULL, error));
    ASSERT_REFUSED(pietra_scene_begin_clip(NULL, s.path, NULL, PIETRA_FILL_NONZERO, error));
    ASSERT_REFUSED(pietra_scene_begin_clip(s.scene, NULL, NULL, PIETRA_FILL_NONZERO, error));
    ASSERT_REFUSED(pietra_scene_begin_clip_source(NULL, error));
    ASSERT_REFUSED(pietra_scene_end_clip_source(NULL, error));
    ASSERT_REFUSED(pietra_scene_end_clip(NULL, error));
    ASSERT_REFUSED(pietra_scene_begin_group(NULL, 1, error));
    ASSERT_REFUSED(pietra_scene_begin_blended_group(NULL, 1, PIETRA_BLEND_NORMAL, error));
    ASSERT_REFUSED(pietra_scene_end_group(NULL, error));
    ASSERT_REFUSED(pietra_scene_append(NULL, s.scene, NULL, error));
    ASSERT_REFUSED(pietra_scene_append(s.scene, NULL, NULL, error));
    assert_false(pietra_scene_bounds(NULL, &box));
    assert_false(pietra_scene_bounds(s.scene, NULL));
    pietra_scene_set_label(NULL, 1);
    stage_strike(&s);
}

static void test_transforms(void **state)
{
    (void)state;
    stage s = stage_set();
    pietra_scene *other = new_scene();
    fill(other, "R 1 1 3 3", &RED);
    const pietra_stroke stroke = {.width = 1}, none = {0};
    for (size_t i = 0; i < 3 * 6; i++) {
        double numbers[6] = {1, 0, 0, 1, 0, 0};
        numbers[i / 3] = NOT_FINITE[i % 3];
        pietra_transform bad;
        memcpy(&bad, numbers, sizeof bad);
        ASSERT_REFUSED(pietra_scene_fill(s.scene, s.path, &bad, PIETRA_FILL_NONZERO, &RED, error));
        ASSERT_REFUSED(pietra_scene_stroke(s.scene, s.path, &bad, &stroke, &RED, error));
        ASSERT_REFUSED(pietra_scene_stroke(s.scene, s.path, &bad, &none, &RED, error));
        ASSERT_REFUSED(pietra_scene_begin_clip(s.scene, s.path, &bad, PIETRA_FILL_NONZERO, error));
        ASSERT_REFUSED(pietra_scene_append(s.scene, other, &bad, error));
        static const pietra_stop stops[2] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
        ASSERT_REFUSED(try_paint(
            &s, (pietra_paint){PIETRA_PAINT_LINEAR, .x1 = 1, .stops = stops, .stop_count = 2, .transform = bad},
            error));
    }
    pietra_scene_destroy(other);
    stage_strike(&s);
}

/* Draws what each device makes of a scene, and destroys the scene. */
static void assert_pixels(pietra_scene *scene, const pietra_frame *frame, bool painted)
{
    static const pietra_device_kind kinds[] = {PIETRA_DEVICE_CPU, PIETRA_DEVICE_REFERENCE};
    pietra_stream *stream = encode_and_destroy(scene);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        uint8_t pixels[16 * 16 * 4];
        pietra_device *device = NULL;
        ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = kinds[k]}, error, &device));
        ASSERT_OK(pietra_render(device, stream, frame, &(pietra_target){.width = 16, .height = 16, .pixels = pixels},
                                error, NULL));
        bool any = false;
        for (size_t i = 0; i < sizeof pixels; i++)
            any = any || pixels[i] != 0;
        assert_int_equal(any, painted);
        pietra_device_destroy(device);
    }
    pietra_stream_destroy(stream);
}

/* Adds a fill, a stroke, an image and another scene. */
static void add_all(pietra_scene *scene, const pietra_transform *transform)
{
    static const uint8_t pixel[4] = {255, 0, 0, 255};
    pietra_path *path = path_from("M 1 1 L 9 1 L 5 8 Z");
    pietra_scene *other = new_scene();
    pietra_image *image = NULL;
    fill(other, "R 1 1 9 9", &RED);
    ASSERT_OK(pietra_image_create(1, 1, pixel, 0, error, &image));
    ASSERT_OK(pietra_scene_fill(scene, path, transform, PIETRA_FILL_NONZERO, &RED, error));
    ASSERT_OK(pietra_scene_stroke(scene, path, transform, &(pietra_stroke){.width = 3}, &RED, error));
    ASSERT_OK(pietra_scene_draw_image(scene, image, transform, PIETRA_FILTER_SMOOTH, error));
    ASSERT_OK(pietra_scene_append(scene, other, transform, error));
    pietra_image_destroy(image);
    pietra_scene_destroy(other);
    pietra_path_destroy(path);
}

static void add_clipped(pietra_scene *scene, const pietra_transform *transform)
{
    pietra_path *path = path_from("R 0 0 16 16");
    ASSERT_OK(pietra_scene_begin_clip(scene, path, transform, PIETRA_FILL_NONZERO, error));
    add_all(scene, NULL);
    end_clip(scene);
    pietra_path_destroy(path);
}

static void test_singular_transforms_draw_nothing(void **state)
{
    (void)state;
    /* The last two map no pixel's corner exactly, so that slivers would remain. */
    static const pietra_transform singular[] = {{0},
                                                {1, 0, 0, 0, 0, 0},
                                                {0, 0, 0, 0, 5, 5},
                                                {1, 1, 1, 1, 0, 0},
                                                {0.6, 0.8, 0.3, 0.4, 1, 2},
                                                {.7, .1, 2.1, .3, 0, 0}};
    for (size_t i = 0; i < sizeof singular / sizeof singular[0]; i++) {
        pietra_scene *scene = new_scene();
        add_all(scene, &singular[i]);
        assert_int_equal(pietra_scene_position(scene), 0);
        assert_pixels(scene, NULL, false);
        scene = new_scene();
        add_clipped(scene, &singular[i]);
        assert_pixels(scene, NULL, false);
    }
    pietra_scene *scene = new_scene();
    add_clipped(scene, NULL);
    assert_pixels(scene, NULL, true);
}

static void test_zero_transforms_in_structs_are_the_identity(void **state)
{
    (void)state;
    static const pietra_stop stops[2] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    pietra_scene *scene = new_scene();
    fill(scene, "R 1 1 9 9",
         &(pietra_paint){.kind = PIETRA_PAINT_LINEAR, .x1 = 9, .stops = stops, .stop_count = 2, .transform = {0}});
    assert_pixels(scene, &(pietra_frame){.transform = {0}}, true);
}

static void test_rules_and_opacity(void **state)
{
    (void)state;
    stage s = stage_set();
    ASSERT_UNKNOWN(pietra_scene_fill(s.scene, s.path, NULL, (pietra_fill_rule)UNKNOWN, &RED, error));
    ASSERT_UNKNOWN(pietra_scene_begin_clip(s.scene, s.path, NULL, (pietra_fill_rule)UNKNOWN, error));
    ASSERT_UNKNOWN(pietra_scene_begin_blended_group(s.scene, 1, (pietra_blend)UNKNOWN, error));
    for (size_t i = 0; i < 3; i++) {
        ASSERT_REFUSED(pietra_scene_begin_group(s.scene, (float)NOT_FINITE[i], error));
        ASSERT_REFUSED(pietra_scene_begin_blended_group(s.scene, (float)NOT_FINITE[i], PIETRA_BLEND_SCREEN, error));
    }
    stage_strike(&s);
}

static void test_paints(void **state)
{
    (void)state;
    stage s = stage_set();
    const pietra_paint solid = {.color = {1, 1, 1, 1}};
    const pietra_stop stops[2] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    const pietra_paint linear = {.kind = PIETRA_PAINT_LINEAR, .x1 = 9, .stops = stops, .stop_count = 2};
    const pietra_paint radial = {.kind = PIETRA_PAINT_RADIAL, .r1 = 9, .stops = stops, .stop_count = 2};
    const pietra_paint sweep = {.kind = PIETRA_PAINT_SWEEP, .end_degrees = 9, .stops = stops, .stop_count = 2};
    const pietra_shadow shadow = {.box = {1, 1, 9, 9}, .radii = {1, 2, 3, 4}, .sigma = 2, .color = {0, 0, 0, 1}};
    const pietra_paint shadowed = pietra_box_shadow(&shadow);
    pietra_paint bad;
    pietra_shadow bad_shadow;
#define ASSERT_BAD_SHADOW(change) \
    do { \
        bad_shadow = shadow; \
        bad_shadow.change; \
        bad = pietra_box_shadow(&bad_shadow); \
        ASSERT_REFUSED(try_paint(&s, bad, error)); \
        ASSERT_REFUSED(pietra_scene_draw_box_shadow(s.scene, &bad_shadow, NULL, error)); \
    } while (0)
#define ASSERT_BAD_PAINT(from, change) \
    do { \
        bad = from; \
        bad.change; \
        ASSERT_REFUSED(try_paint(&s, bad, error)); \
    } while (0)
    bad = solid;
    bad.kind = (pietra_paint_kind)UNKNOWN;
    ASSERT_UNKNOWN(try_paint(&s, bad, error));
    bad = solid;
    bad.spread = (pietra_spread)UNKNOWN;
    ASSERT_UNKNOWN(try_paint(&s, bad, error));
    bad = linear;
    bad.spread = (pietra_spread)UNKNOWN;
    ASSERT_UNKNOWN(try_paint(&s, bad, error));
    ASSERT_BAD_PAINT(linear, stops = NULL);
    ASSERT_BAD_PAINT(radial, r0 = -1);
    ASSERT_BAD_PAINT(shadowed, shadow = NULL);
    ASSERT_REFUSED(pietra_scene_draw_box_shadow(s.scene, NULL, NULL, error));
    ASSERT_REFUSED(pietra_scene_draw_box_shadow(NULL, &shadow, NULL, error));
    ASSERT_BAD_SHADOW(sigma = -1);
    ASSERT_BAD_SHADOW(radii[3] = -1e-300);
    ASSERT_BAD_PAINT(radial, r1 = -1e-300);
    for (size_t i = 0; i < 3; i++) {
        double number = NOT_FINITE[i];
        ASSERT_BAD_PAINT(shadowed, transform.a = number);
        ASSERT_BAD_PAINT(shadowed, transparency = (float)number);
        ASSERT_BAD_SHADOW(box.x0 = number);
        ASSERT_BAD_SHADOW(box.y0 = number);
        ASSERT_BAD_SHADOW(box.x1 = number);
        ASSERT_BAD_SHADOW(box.y1 = number);
        for (size_t k = 0; k < 4; k++)
            ASSERT_BAD_SHADOW(radii[k] = number);
        ASSERT_BAD_SHADOW(sigma = number);
        ASSERT_BAD_SHADOW(spread = number);
        ASSERT_BAD_SHADOW(x = number);
        ASSERT_BAD_SHADOW(y = number);
        ASSERT_BAD_SHADOW(color.g = (float)number);
        ASSERT_BAD_PAINT(solid, color.r = (float)number);
        ASSERT_BAD_PAINT(solid, color.g = (float)number);
        ASSERT_BAD_PAINT(solid, color.b = (float)number);
        ASSERT_BAD_PAINT(solid, color.a = (float)number);
        ASSERT_BAD_PAINT(solid, transparency = (float)number);
        ASSERT_BAD_PAINT(linear, transparency = (float)number);
        ASSERT_BAD_PAINT(linear, x0 = number);
        ASSERT_BAD_PAINT(linear, y0 = number);
        ASSERT_BAD_PAINT(linear, x1 = number);
        ASSERT_BAD_PAINT(linear, y1 = number);
        ASSERT_BAD_PAINT(radial, x0 = number);
        ASSERT_BAD_PAINT(radial, y1 = number);
        ASSERT_BAD_PAINT(radial, r0 = number);
        ASSERT_BAD_PAINT(radial, r1 = number);
        ASSERT_BAD_PAINT(sweep, x0 = number);
        ASSERT_BAD_PAINT(sweep, y0 = number);
        ASSERT_BAD_PAINT(sweep, start_degrees = number);
        ASSERT_BAD_PAINT(sweep, end_degrees = number);
        for (size_t k = 0; k < 2; k++) {
            pietra_stop spoilt[2] = {stops[0], stops[1]};
            spoilt[k].offset = (float)number;
            ASSERT_BAD_PAINT(linear, stops = spoilt);
            spoilt[k] = stops[k];
            spoilt[k].color.b = (float)number;
            ASSERT_BAD_PAINT(radial, stops = spoilt);
        }
    }
    stage_strike(&s);
}

static void test_strokes(void **state)
{
    (void)state;
    stage s = stage_set();
    double dashes[2] = {1, 2};
    ASSERT_UNKNOWN(try_stroke(&s, (pietra_stroke){.width = 1, .cap = (pietra_cap)UNKNOWN}, error));
    ASSERT_UNKNOWN(try_stroke(&s, (pietra_stroke){.width = 1, .join = (pietra_join)UNKNOWN}, error));
    ASSERT_UNKNOWN(try_stroke(&s, (pietra_stroke){.width = 0, .join = (pietra_join)UNKNOWN}, error));
    ASSERT_REFUSED(try_stroke(&s, (pietra_stroke){.width = 1, .miter_limit = -1}, error));
    ASSERT_REFUSED(try_stroke(&s, (pietra_stroke){.width = 1, .dash_count = 2}, error));
    for (size_t i = 0; i < 3; i++) {
        double number = NOT_FINITE[i];
        ASSERT_REFUSED(try_stroke(&s, (pietra_stroke){.width = number}, error));
        ASSERT_REFUSED(try_stroke(&s, (pietra_stroke){.width = 1, .miter_limit = number}, error));
        ASSERT_REFUSED(try_stroke(&s, (pietra_stroke){.width = 1, .dash_offset = number}, error));
        ASSERT_REFUSED(try_stroke(&s, (pietra_stroke){.width = 0, .dash_offset = number}, error));
        for (size_t k = 0; k < 2; k++) {
            dashes[k] = number;
            ASSERT_REFUSED(try_stroke(&s, (pietra_stroke){.width = 1, .dashes = dashes, .dash_count = 2}, error));
            dashes[k] = 1;
        }
    }
    stage_strike(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_null_pointers),
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_singular_transforms_draw_nothing),
        cmocka_unit_test(test_zero_transforms_in_structs_are_the_identity),
        cmocka_unit_test(test_rules_and_opacity),
        cmocka_unit_test(test_paints),
        cmocka_unit_test(test_strokes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
