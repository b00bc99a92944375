/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bad arguments of every public function are refused with PIETRA_ERROR_INPUT and a message, and change nothing. */
#include <math.h>

#include "scene/scene_fixture.h"

/* An enumerator that no type has. */
#define UNKNOWN 77

#define ASSERT_REFUSED(call) \
    do { \
        pietra_error refusal = {.message = ""}, *error = &refusal; \
        if ((call) != PIETRA_ERROR_INPUT || refusal.result != PIETRA_ERROR_INPUT || strlen(refusal.message) < 10) { \
            fail_msg("%s gives %d: %s", #call, (int)refusal.result, refusal.message); \
        } \
        error = NULL; \
        assert_int_equal((call), PIETRA_ERROR_INPUT); \
    } while (0)

/* The message also names the value. */
#define ASSERT_UNKNOWN(call) \
    do { \
        pietra_error unknown = {.message = ""}, *error = &unknown; \
        ASSERT_REFUSED(call); \
        (void)(call); \
        if (!strstr(unknown.message, " is 77; it must be 0 to ")) { \
            fail_msg("%s: %s", #call, unknown.message); \
        } \
    } while (0)

static const double NOT_FINITE[] = {NAN, INFINITY, -INFINITY};

typedef struct stage {
    pietra_scene *scene;
    pietra_path *path;
    pietra_stream *before;
} stage;

/* Makes a scene with some content, and the stream of it. */
static stage stage_set(void)
{
    stage s = {.scene = new_scene(), .path = path_from("M 1 1 L 9 1 L 5 8 Z")};
    fill(s.scene, "R 1 1 3 3", &RED);
    s.before = encode(s.scene);
    return s;
}

static void assert_unchanged(const stage *s)
{
    pietra_stream *after = encode(s->scene);
    size_t size_before, size_after;
    const void *before = pietra_stream_bytes(s->before, &size_before), *bytes = pietra_stream_bytes(after, &size_after);
    assert_int_equal(size_before, size_after);
    assert_memory_equal(before, bytes, size_after);
    pietra_stream_destroy(after);
}

static void stage_strike(stage *s)
{
    assert_unchanged(s);
    pietra_stream_destroy(s->before);
    pietra_path_destroy(s->path);
    pietra_scene_destroy(s->scene);
}

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

static void test_svg(void **state)
{
    (void)state;
    static const char good[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><path d='M0 0h5v5z'/></svg>";
    static const char broken[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><path d='M0 0h5v5z'/></sgv>";
    stage s = stage_set();
    pietra_scene *scene = new_scene();
    double width = -1, height = -1;
    ASSERT_REFUSED(pietra_scene_load_svg(NULL, good, sizeof good - 1, NULL, error, &width, &height));
    ASSERT_REFUSED(pietra_scene_load_svg(scene, NULL, 5, NULL, error, &width, &height));
    ASSERT_REFUSED(pietra_scene_load_svg(scene, NULL, 0, NULL, error, &width, &height));
    ASSERT_REFUSED(pietra_scene_load_svg(s.scene, good, sizeof good - 1, NULL, error, &width, &height));
    ASSERT_REFUSED(pietra_scene_load_svg(scene, broken, sizeof broken - 1, NULL, error, &width, &height));
    for (size_t i = 0; i < 4; i++) {
        double number = i < 3 ? NOT_FINITE[i] : -1;
        ASSERT_REFUSED(pietra_scene_load_svg(scene, good, sizeof good - 1, &(pietra_svg_options){.dpi = number}, error,
                                             &width, &height));
        const pietra_svg_options wide = {.viewport_width = number}, high = {.viewport_height = number};
        ASSERT_REFUSED(pietra_scene_load_svg(scene, good, sizeof good - 1, &wide, error, &width, &height));
        ASSERT_REFUSED(pietra_scene_load_svg(scene, good, sizeof good - 1, &high, error, &width, &height));
    }
    assert_true(width == -1 && height == -1);
    ASSERT_OK(pietra_scene_load_svg(scene, good, sizeof good - 1, NULL, error, NULL, NULL));
    ASSERT_REFUSED(pietra_scene_load_svg(scene, good, sizeof good - 1, NULL, error, &width, &height));
    pietra_scene_destroy(scene);
    stage_strike(&s);
}

/* A document that turns out bad when half of it is drawn leaves an empty scene, which serves for the next one. */
static void test_svg_fails_halfway(void **state)
{
    (void)state;
    static const char document[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><g opacity='.5'><rect width='3' height='3'/>"
        "<rect width='4' height='4'/></g><g id='a'><rect width='1' height='1'/><rect width='1' height='1'/></g>"
        "<use href='#a'/><use href='#a'/></svg>";
    pietra_scene *scene = new_scene(), *fresh = new_scene();
    ASSERT_REFUSED(pietra_scene_load_svg(scene, document, sizeof document - 1,
                                         &(pietra_svg_options){.limits = {.steps = 2}}, error, NULL, NULL));
    pietra_stream *empty = encode(scene), *other = encode(fresh);
    size_t size, other_size;
    pietra_stream_bytes(empty, &size);
    pietra_stream_bytes(other, &other_size);
    assert_int_equal(size, other_size);
    ASSERT_OK(pietra_scene_load_svg(scene, document, sizeof document - 1, NULL, error, NULL, NULL));
    pietra_stream_destroy(empty);
    pietra_stream_destroy(other);
    pietra_scene_destroy(scene);
    pietra_scene_destroy(fresh);
}

static void test_streams(void **state)
{
    (void)state;
    stage s = stage_set();
    pietra_stream *stream = NULL;
    size_t size = 1;
    ASSERT_REFUSED(pietra_stream_encode(NULL, error, &stream));
    ASSERT_REFUSED(pietra_stream_encode(s.scene, error, NULL));
    const void *bytes = pietra_stream_bytes(s.before, NULL);
    assert_non_null(bytes);
    pietra_stream_bytes(s.before, &size);
    ASSERT_REFUSED(pietra_stream_open(NULL, size, error, &stream));
    ASSERT_REFUSED(pietra_stream_open(NULL, 0, error, &stream));
    ASSERT_REFUSED(pietra_stream_open(bytes, 0, error, &stream));
    ASSERT_REFUSED(pietra_stream_open(bytes, size, error, NULL));
    assert_null(pietra_stream_bytes(NULL, &size));
    assert_int_equal(size, 0);
    begin_group(s.scene, 0.5f);
    ASSERT_REFUSED(pietra_stream_encode(s.scene, error, &stream));
    end_group(s.scene);
    assert_null(stream);
    pietra_stream_destroy(s.before);
    s.before = encode(s.scene);
    stage_strike(&s);
}

static void test_devices(void **state)
{
    (void)state;
    pietra_device *device = NULL;
    pietra_device_info info;
    size_t count;
    ASSERT_REFUSED(pietra_list_devices(1, error, NULL, &count));
    ASSERT_REFUSED(pietra_list_devices(0, error, NULL, NULL));
    ASSERT_UNKNOWN(pietra_device_create(&(pietra_device_options){.kind = (pietra_device_kind)UNKNOWN}, error, &device));
    ASSERT_REFUSED(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, NULL));
    assert_null(device);
    memset(&info, 0x5a, sizeof info);
    pietra_device_info same = info;
    pietra_device_get_info(NULL, &info);
    assert_memory_equal(&info, &same, sizeof info);
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, &device));
    pietra_device_get_info(device, NULL);
    pietra_device_destroy(device);
    pietra_device_destroy(NULL);
}

static void test_images(void **state)
{
    (void)state;
    static const uint8_t pixels[8] = {0};
    pietra_image *image = NULL;
    ASSERT_REFUSED(pietra_image_create(1, 2, NULL, 0, error, &image));
    ASSERT_REFUSED(pietra_image_create(1, 0, pixels, 0, error, &image));
    ASSERT_REFUSED(pietra_image_create(1, 2, pixels, 3, error, &image));
    ASSERT_REFUSED(pietra_image_create(1, 2, pixels, SIZE_MAX / 2, error, &image));
    ASSERT_REFUSED(pietra_image_create(1, 2, pixels, 4, error, NULL));
    pietra_scene *scene = pietra_scene_create();
    ASSERT_REFUSED(pietra_image_create_from_scene(NULL, 1, 1, error, &image));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 1, 1, error, NULL));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 0, 1, error, &image));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 1, -1, error, &image));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, NAN, 1, error, &image));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 1, INFINITY, error, &image));
    assert_int_equal(pietra_scene_begin_group(scene, 1, NULL), PIETRA_OK);
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 1, 1, error, &image));
    pietra_scene_destroy(scene);
    assert_null(image);
}

static void test_bounds_are_finite(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("M 0 0 L 1e300 1e300 L -1e300 5 Z");
    const pietra_transform large = {.a = 1e300, .d = 1e300};
    const pietra_stroke stroke = {.width = 1e300};
    ASSERT_OK(pietra_scene_fill(scene, path, &large, PIETRA_FILL_NONZERO, &RED, error));
    ASSERT_OK(pietra_scene_stroke(scene, path, &large, &stroke, &RED, error));
    pietra_box box;
    assert_true(pietra_scene_bounds(scene, &box));
    assert_true(isfinite(box.x0) && isfinite(box.y0) && isfinite(box.x1) && isfinite(box.y1));
    assert_true(box.x0 < -1e307 && box.x1 > 1e307 && box.y1 > 1e307);
    pietra_path_destroy(path);
    pietra_scene_destroy(scene);
}

static void test_frames(void **state)
{
    (void)state;
    stage s = stage_set();
    uint8_t pixels[8 * 64], untouched[sizeof pixels];
    memset(pixels, 0x5a, sizeof pixels);
    memcpy(untouched, pixels, sizeof pixels);
    pietra_device *device = NULL;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, &device));
    const pietra_target good = {.width = 8, .height = 8, .pixels = pixels, .stride_bytes = 64};
    pietra_stats stats;
    memset(&stats, 0x5a, sizeof stats);
    ASSERT_REFUSED(pietra_render(NULL, s.before, NULL, &good, error, &stats));
    ASSERT_REFUSED(pietra_render(device, NULL, NULL, &good, error, &stats));
    ASSERT_REFUSED(pietra_render(device, s.before, NULL, NULL, error, &stats));
    pietra_target target;
#define ASSERT_BAD_TARGET(change) \
    do { \
        target = good; \
        target.change; \
        ASSERT_REFUSED(pietra_render(device, s.before, NULL, &target, error, &stats)); \
    } while (0)
    ASSERT_BAD_TARGET(pixels = NULL);
    ASSERT_BAD_TARGET(width = 0);
    ASSERT_BAD_TARGET(height = 0);
    ASSERT_BAD_TARGET(width = PIETRA_MAX_SIDE + 1);
    ASSERT_BAD_TARGET(height = PIETRA_MAX_SIDE + 1);
    ASSERT_BAD_TARGET(width = UINT32_MAX);
    ASSERT_BAD_TARGET(stride_bytes = 31);
    ASSERT_BAD_TARGET(stride_bytes = 1);
    ASSERT_BAD_TARGET(stride_bytes = SIZE_MAX);
    ASSERT_BAD_TARGET(stride_bytes = SIZE_MAX / 8);
    target = good;
    target.format = (pietra_format)UNKNOWN;
    ASSERT_UNKNOWN(pietra_render(device, s.before, NULL, &target, error, &stats));
    for (size_t i = 0; i < 4 * 10; i++) {
        double numbers[6] = {1, 0, 0, 1, 0, 0};
        float channels[4] = {0};
        double number = i % 4 < 3 ? NOT_FINITE[i % 4] : 1e19;
        if (i / 4 < 6)
            numbers[i / 4] = number;
        else if (i % 4 < 3)
            channels[i / 4 - 6] = (float)number;
        else
            continue;
        pietra_frame frame;
        memcpy(&frame.transform, numbers, sizeof frame.transform);
        memcpy(&frame.background, channels, sizeof frame.background);
        ASSERT_REFUSED(pietra_render(device, s.before, &frame, &good, error, &stats));
    }
    assert_memory_equal(pixels, untouched, sizeof pixels);
    assert_int_equal(stats.elements, 0x5a5a5a5a);
    /* The bytes after the pixels of each row belong to the caller. */
    ASSERT_OK(pietra_render(device, s.before, NULL, &good, error, &stats));
    for (size_t y = 0; y < 8; y++)
        assert_memory_equal(pixels + 64 * y + 32, untouched, 32);
    assert_int_equal(pixels[64 * 2 + 4 * 2], 255);
    /* 1e18 is within range. */
    const pietra_frame far = {.transform = {1e18, -1e18, 1e18, -1e18, -1e18, 1e18}};
    ASSERT_OK(pietra_render(device, s.before, &far, &good, error, NULL));
    pietra_device_destroy(device);
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
        cmocka_unit_test(test_svg),
        cmocka_unit_test(test_svg_fails_halfway),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_bounds_are_finite),
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
