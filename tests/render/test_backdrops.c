/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Filtered backdrops: what they leave alone, what they see, and the order in which they work. */
#include <math.h>

#include "pietra/pietra_effect.h"
#include "scene/scene_fixture.h"

#define SIDE 96u
#define PIXELS (SIDE * SIDE)

static const pietra_effect_step BLUR = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR,
                                        .gaussian_blur = {.sigma_x = 3, .sigma_y = 3}};

static pietra_effect_step inversion(void)
{
    pietra_effect_step step = {.kind = PIETRA_EFFECT_COMPONENT_TRANSFER};
    pietra_effect_function *const functions[] = {&step.component_transfer.r, &step.component_transfer.g,
                                                 &step.component_transfer.b};
    for (size_t i = 0; i < 3; i++)
        *functions[i] = (pietra_effect_function){.type = PIETRA_EFFECT_LINEAR, .slope = -1, .intercept = 1};
    return step;
}

static void filter_backdrop(pietra_scene *scene, const pietra_effect_step *step, const char *data, float opacity)
{
    const pietra_effect effect = {.steps = step, .step_count = step ? 1 : 0};
    pietra_path *path = path_from(data);
    ASSERT_OK(pietra_scene_filter_backdrop(scene, &effect, path, NULL, PIETRA_FILL_NONZERO, opacity, error));
    pietra_path_destroy(path);
}

static void paint_below(pietra_scene *scene)
{
    fill(scene, "R 10 10 50 45", &RED);
    fill(scene, "M 20 90 L 60 15 L 90 80 Z", &HALF);
}

static uint32_t *draw(pietra_scene *scene, pietra_device_kind kind, pietra_transform transform)
{
    pietra_device *device;
    const pietra_device_options options = {.kind = kind, .threads = 2};
    uint32_t *pixels = calloc(PIXELS, sizeof *pixels);
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
    const pietra_frame frame = {.transform = transform, .background = {1, 1, 0.8f, 1}};
    pietra_stream *stream = encode_and_destroy(scene);
    assert_non_null(pixels);
    ASSERT_OK(pietra_device_create(&options, error, &device));
    ASSERT_OK(pietra_render(device, stream, &frame, &target, error, NULL));
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
    return pixels;
}

static uint32_t *draw_on_cpu(pietra_scene *scene)
{
    return draw(scene, PIETRA_DEVICE_CPU, (pietra_transform){1, 0, 0, 1, 0, 0});
}

static void assert_same(uint32_t *a, uint32_t *b)
{
    assert_memory_equal(a, b, PIXELS * sizeof *a);
    free(a);
    free(b);
}

/* How far two pixels are apart, in levels. */
static int difference(uint32_t a, uint32_t b)
{
    int most = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        int apart = abs((int)(a >> shift & 0xffu) - (int)(b >> shift & 0xffu));
        most = apart > most ? apart : most;
    }
    return most;
}

/* A pixel beside the path is composited onto the background through a sheet, so it may be off by a rounding. */
static void check_outside(pietra_transform transform)
{
    pietra_scene *plain = new_scene(), *filtered = new_scene();
    paint_below(plain);
    paint_below(filtered);
    const pietra_effect_step invert = inversion();
    filter_backdrop(filtered, &invert, "R 30 30 20 20", 1);
    uint32_t *a = draw(plain, PIETRA_DEVICE_CPU, transform), *b = draw(filtered, PIETRA_DEVICE_CPU, transform);
    size_t changed = 0;
    for (size_t i = 0; i < PIXELS; i++) {
        pietra_transform inverse;
        double x = (double)(i % SIDE) + 0.5, y = (double)(i / SIDE) + 0.5;
        assert_true(pietra_invert(transform, &inverse));
        pietra_map(inverse, &x, &y);
        const bool outside = x < 29 || x > 51 || y < 29 || y > 51;
        if (outside && difference(a[i], b[i]) > 1)
            fail_msg("pixel %zu, %zu changes from %08x to %08x", i % SIDE, i / SIDE, a[i], b[i]);
        changed += difference(a[i], b[i]) > 40;
    }
    assert_true(changed > 150 && changed < 520);
    free(a);
    free(b);
}

static void test_outside(void **state)
{
    (void)state;
    check_outside((pietra_transform){1, 0, 0, 1, 0, 0});
    check_outside((pietra_transform){1, 0, 0, 1, 0.3, -7.4});
    check_outside((pietra_transform){0.8, 0.6, -0.6, 0.8, 40, -20});
    check_outside((pietra_transform){0, 1, -1, 0, 96, 0});
    check_outside((pietra_transform){1, 0.2, 0.4, 0.9, -10, 0});
}

/* An effect that changes nothing changes nothing, and one without steps makes a hole. */
static void test_nothing(void **state)
{
    (void)state;
    pietra_scene *plain = new_scene(), *same = new_scene(), *hole = new_scene(), *cut = new_scene();
    const pietra_effect_step copy = {.kind = PIETRA_EFFECT_OFFSET};
    fill(plain, "R 0 0 96 96", &RED);
    fill(same, "R 0 0 96 96", &RED);
    filter_backdrop(same, &copy, "M 3 3 L 90 20 L 40 88 Z", 1);
    assert_same(draw_on_cpu(plain), draw_on_cpu(same));
    const pietra_effect_step nothing = {.kind = PIETRA_EFFECT_FLOOD};
    fill(hole, "R 0 0 96 96", &RED);
    filter_backdrop(hole, &nothing, "R 10 10 20 20", 1);
    fill(cut, "M 0 0 L 96 0 L 96 96 L 0 96 Z M 10 10 L 10 30 L 30 30 L 30 10 Z", &RED);
    assert_same(draw_on_cpu(hole), draw_on_cpu(cut));
}

/* The colour halfway between is that of half an opacity, and of half a coverage. */
static void test_parts(void **state)
{
    (void)state;
    const pietra_effect_step invert = inversion();
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 96 96", &RED);
    filter_backdrop(scene, &invert, "R 10 10 20 20", 0.5f);
    filter_backdrop(scene, &invert, "R 40 10 20.5 20", 1);
    uint32_t *pixels = draw_on_cpu(scene);
    assert_true(difference(pixels[15 * SIDE + 15], 0xff808080u) <= 1);
    assert_true(difference(pixels[15 * SIDE + 60], 0xff808080u) <= 1);
    assert_int_equal(pixels[15 * SIDE + 50], 0xffffff00u);
    assert_int_equal(pixels[15 * SIDE + 35], 0xff0000ffu);
    free(pixels);
}

static uint32_t *draw_inverted(float opacity)
{
    const pietra_effect_step invert = inversion();
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 96 96", &RED);
    filter_backdrop(scene, &invert, "M 3 3 L 90 20 L 40 88 Z", opacity);
    return draw_on_cpu(scene);
}

static void test_opacity_is_clamped(void **state)
{
    (void)state;
    assert_same(draw_inverted(2), draw_inverted(1));
    assert_same(draw_inverted(-1), draw_inverted(0));
}

/* Each backdrop sees those below it. The same by hand: effects around all that came before. */
static void test_order(void **state)
{
    (void)state;
    const pietra_effect_step invert = inversion();
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 96 96", &RED);
    filter_backdrop(scene, &invert, "R 0 0 60 96", 1);
    fill(scene, "R 0 40 96 20", &RED);
    filter_backdrop(scene, &invert, "R 30 0 66 96", 1);
    fill(scene, "R 0 80 96 9", &RED);
    uint32_t *pixels = draw_on_cpu(scene);
    static const uint32_t red = 0xff0000ffu, cyan = 0xffffff00u;
    assert_int_equal(pixels[10 * SIDE + 10], cyan);
    assert_int_equal(pixels[10 * SIDE + 45], red); /* inverted twice */
    assert_int_equal(pixels[10 * SIDE + 80], cyan);
    assert_int_equal(pixels[50 * SIDE + 10], red);
    assert_int_equal(pixels[50 * SIDE + 45], cyan);
    assert_int_equal(pixels[85 * SIDE + 45], red);
    free(pixels);
}

static void begin_mask_with_backdrop(pietra_scene *scene, const pietra_effect_step *step)
{
    ASSERT_OK(pietra_scene_begin_mask_source(scene, PIETRA_MASK_ALPHA, error));
    fill(scene, "R 0 0 96 96", &RED);
    filter_backdrop(scene, step, "R 0 0 96 48", 1);
    ASSERT_OK(pietra_scene_end_mask_source(scene, error));
}

/* In groups, masks, clips and effects a backdrop is what these have painted. */
static void test_scopes(void **state)
{
    (void)state;
    const pietra_effect_step invert = inversion(), nothing = {.kind = PIETRA_EFFECT_FLOOD};
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 96 96", &RED);
    begin_group(scene, 1);
    fill(scene, "R 0 0 20 96", &RED);
    filter_backdrop(scene, &invert, "R 0 0 96 96", 1);
    end_group(scene);
    begin_clip(scene, "R 30 0 66 96");
    filter_backdrop(scene, &nothing, "R 0 0 96 96", 1);
    end_clip(scene);
    begin_mask_with_backdrop(scene, &nothing);
    fill(scene, "R 60 0 10 96", &HALF);
    filter_backdrop(scene, &invert, "R 64 0 32 96", 1);
    ASSERT_OK(pietra_scene_end_mask(scene, error));
    uint32_t *pixels = draw_on_cpu(scene);
    assert_int_equal(pixels[10 * SIDE + 10], 0xffffff00u);
    assert_int_equal(pixels[10 * SIDE + 25], 0xff0000ffu);
    assert_int_equal(pixels[10 * SIDE + 40], 0xff0000ffu);
    assert_int_equal(pixels[10 * SIDE + 62], 0xff0000ffu); /* the mask has a hole */
    assert_true(difference(pixels[60 * SIDE + 62], 0xff80007fu) <= 1);
    assert_true(difference(pixels[60 * SIDE + 66], 0xff0080ffu) <= 1);
    free(pixels);
}

/* A scene that is appended, and an image of a scene, have the backdrops that they have by themselves. */
static void test_appended(void **state)
{
    (void)state;
    const pietra_effect_step invert = inversion();
    pietra_scene *inner = new_scene(), *outer = new_scene(), *by_hand = new_scene();
    fill(inner, "R 0 0 20 96", &RED);
    filter_backdrop(inner, &invert, "R 10 0 80 96", 1);
    pietra_scene_set_label(inner, 7);
    fill(inner, "R 50 0 5 5", &RED);
    fill(outer, "R 0 0 96 96", &HALF);
    ASSERT_OK(pietra_scene_append(outer, inner, NULL, error));
    fill(by_hand, "R 0 0 96 96", &HALF);
    begin_group(by_hand, 1);
    fill(by_hand, "R 0 0 20 96", &RED);
    filter_backdrop(by_hand, &invert, "R 10 0 80 96", 1);
    fill(by_hand, "R 50 0 5 5", &RED);
    end_group(by_hand);
    pietra_scene_destroy(inner);
    pietra_stream *stream = encode(outer);
    const stream_view view = stream_view_of(stream_words(stream));
    assert_int_equal(stream_label(stream, view.header->element_count - 1), 7);
    assert_int_equal(stream_label(stream, 1), 0);
    pietra_stream_destroy(stream);
    uint32_t *a = draw_on_cpu(outer), *b = draw_on_cpu(by_hand);
    for (size_t i = 0; i < PIXELS; i++)
        assert_true(difference(a[i], b[i]) <= 1);
    free(a);
    free(b);
}

/* Both devices have the same bytes, under any transform. */
static void test_devices(void **state)
{
    static const pietra_transform transforms[] = {
        {1, 0, 0, 1, 0, 0}, {0.8, 0.6, -0.6, 0.8, 40, -20}, {1.7, 0, 0, 0.6, -20, 5}};
    (void)state;
    for (size_t i = 0; i < sizeof transforms / sizeof transforms[0]; i++) {
        pietra_scene *scenes[2];
        for (int k = 0; k < 2; k++) {
            scenes[k] = new_scene();
            for (int n = 0; n < 4; n++) {
                paint_below(scenes[k]);
                filter_backdrop(scenes[k], &BLUR, n % 2 ? "M 9 9 L 80 30 L 40 90 Z" : "R 30 5 40 70", 0.8f);
            }
        }
        assert_same(draw(scenes[0], PIETRA_DEVICE_CPU, transforms[i]),
                    draw(scenes[1], PIETRA_DEVICE_REFERENCE, transforms[i]));
    }
}

/* A failed call changes nothing. */
static void test_bad_arguments(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("R 1 1 5 5"), *bad_path = path_from("M 1 1");
    const pietra_effect effect = {.steps = &BLUR, .step_count = 1}, no_steps = {.step_count = 1};
    pietra_effect_step wrong = BLUR;
    wrong.gaussian_blur.sigma_x = NAN;
    const pietra_effect bad = {.steps = &wrong, .step_count = 1}, far_away = {.region = {NAN, 0, 1, 1}};
    pietra_path_line_to(bad_path, NAN, 1);
    fill(scene, "R 0 0 9 9", &RED);
    const size_t before = pietra_scene_position(scene);
#define REFUSED(...) assert_int_equal(pietra_scene_filter_backdrop(__VA_ARGS__, NULL), PIETRA_ERROR_INPUT)
    REFUSED(NULL, &effect, path, NULL, PIETRA_FILL_NONZERO, 1);
    REFUSED(scene, NULL, path, NULL, PIETRA_FILL_NONZERO, 1);
    REFUSED(scene, &effect, NULL, NULL, PIETRA_FILL_NONZERO, 1);
    REFUSED(scene, &no_steps, path, NULL, PIETRA_FILL_NONZERO, 1);
    REFUSED(scene, &bad, path, NULL, PIETRA_FILL_NONZERO, 1);
    REFUSED(scene, &far_away, path, NULL, PIETRA_FILL_NONZERO, 1);
    REFUSED(scene, &effect, bad_path, NULL, PIETRA_FILL_NONZERO, 1);
    REFUSED(scene, &effect, path, &(pietra_transform){NAN, 0, 0, 1, 0, 0}, PIETRA_FILL_NONZERO, 1);
    REFUSED(scene, &effect, path, NULL, (pietra_fill_rule)9, 1);
    REFUSED(scene, &effect, path, NULL, PIETRA_FILL_NONZERO, NAN);
    begin_source(scene);
    REFUSED(scene, &effect, path, NULL, PIETRA_FILL_NONZERO, 1);
    end_source(scene);
    end_clip(scene);
    assert_int_equal(pietra_scene_position(scene), before + 3);
    pietra_stream_destroy(encode_and_destroy(scene));
    pietra_path_destroy(path);
    pietra_path_destroy(bad_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_outside),
                                       cmocka_unit_test(test_nothing),
                                       cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_scopes),
                                       cmocka_unit_test(test_appended),
                                       cmocka_unit_test(test_devices),
                                       cmocka_unit_test(test_bad_arguments),
                                       cmocka_unit_test(test_opacity_is_clamped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
