/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The area of a stroke as a path: filled, it is the picture that the stroke gives. */
#include <math.h>

#include "scene/scene_fixture.h"

#define SIDE 256u
/* levels of 255 at one pixel: chords of the stroke that is drawn stray by 0.1 pixels, at cusps more */
#define LEVELS_MOST 64
#define LEVELS_MEAN 1.5 /* mean over the pixels that either covers */

static void draw(const pietra_scene *scene, const pietra_transform *transform, uint8_t *pixels)
{
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1};
    const pietra_frame frame = {.transform = *transform};
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
    pietra_device *device;
    pietra_stream *stream = NULL;
    ASSERT_OK(pietra_stream_encode(scene, error, &stream));
    ASSERT_OK(pietra_device_create(&options, error, &device));
    ASSERT_OK(pietra_render(device, stream, &frame, &target, error, NULL));
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
}

static void assert_same_area(const char *data, const pietra_stroke *style, pietra_transform transform)
{
    static uint8_t stroked[4 * SIDE * SIDE], filled[4 * SIDE * SIDE];
    pietra_path *path = path_from(data), *outline = pietra_path_create();
    pietra_scene *scene = new_scene(), *other = new_scene();
    const pietra_paint black = pietra_solid(0, 0, 0, 1);
    double sum = 0, count = 0;
    ASSERT_OK(pietra_path_stroke_to_fill(path, style, 0.002, outline, error));
    ASSERT_OK(pietra_scene_stroke(scene, path, NULL, style, &black, error));
    ASSERT_OK(pietra_scene_fill(other, outline, NULL, PIETRA_FILL_NONZERO, &black, error));
    draw(scene, &transform, stroked);
    draw(other, &transform, filled);
    for (size_t i = 3; i < sizeof filled; i += 4) {
        const int difference = abs(stroked[i] - filled[i]);
        if (difference > LEVELS_MOST)
            fail_msg("%s: pixel %zu has %d instead of %d", data, i / 4, filled[i], stroked[i]);
        sum += difference;
        count += stroked[i] || filled[i];
    }
    assert_true(count > 20);
    if (sum / count > LEVELS_MEAN)
        fail_msg("%s: cap %d, join %d, %zu dashes: off by %g in the mean", data, style->cap, style->join,
                 style->dash_count, sum / count);
    pietra_scene_destroy(scene);
    pietra_scene_destroy(other);
    pietra_path_destroy(path);
    pietra_path_destroy(outline);
}

static void test_styles(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "M 10 32 L 54 32",
        "M 10 50 L 30 12 L 50 50 Z",
        "M 8 8 L 50 12 L 12 20 L 52 40 L 30 56",
        "M 8 50 C 10 -10 60 10 30 40 Q 20 60 56 56 Z",
        "M 8 8 L 20 20 M 40 10 C 60 10 60 30 40 30 Z M 30 50 L 30 50",
        "M 10 30 C 60 30 0 30 50 30",
    };
    static const double dashes[] = {7, 3, 1};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        for (int k = 0; k < 3 * 5 * 2; k++) {
            const pietra_stroke style = {.width = 1.5 + (double)i,
                                         .cap = (pietra_cap)(k % 3),
                                         .join = (pietra_join)(k / 3 % 5),
                                         .dashes = k / 15 ? dashes : NULL,
                                         .dash_count = k / 15 ? 3 : 0,
                                         .dash_offset = 2};
            assert_same_area(paths[i], &style, (pietra_transform){4, 0, 0, 4, 0, 0});
            assert_same_area(paths[i], &style, (pietra_transform){3.2, 1.2, -1.6, 4.4, 32, -12});
        }
}

/* At a sharp corner the caps of dashes reach beyond a solid stroke, and so does a side that turns back in a tight
 * bend. */
static void test_far_reaches(void **state)
{
    (void)state;
    static const double dashes[] = {3};
    for (int cap = 0; cap < 3; cap++) {
        const pietra_stroke dashed = {
            .width = 24, .cap = (pietra_cap)cap, .join = PIETRA_JOIN_BEVEL, .dashes = dashes, .dash_count = 1};
        const pietra_stroke solid = {.width = 30, .cap = (pietra_cap)cap};
        assert_same_area("M 20 38 L 41 49 L 14 14", &dashed, (pietra_transform){4, 0, 0, 4, 0, 0});
        assert_same_area("M 10 26 Q 46 34 49 46", &solid, (pietra_transform){4, 0, 0, 4, 0, 0});
    }
}

/* The outline of a line is exact, and so is its box; at any size, and as finely as asked. */
static void test_sizes(void **state)
{
    (void)state;
    pietra_path *path = pietra_path_create(), *outline = pietra_path_create();
    for (double size = 1e-6; size < 1e9; size *= 1000)
        for (int asked = 0; asked < 2; asked++) {
            const pietra_stroke style = {.width = size, .cap = PIETRA_CAP_SQUARE};
            const double tolerance = asked ? size / 1000 : 0, most = asked ? tolerance : 4 * size / 65536;
            pietra_box box;
            pietra_path_reset(path);
            pietra_path_move_to(path, size, 2 * size);
            pietra_path_line_to(path, 4 * size, 2 * size);
            ASSERT_OK(pietra_path_stroke_to_fill(path, &style, tolerance, outline, error));
            assert_true(pietra_path_bounds(outline, &box));
            assert_true(fabs(box.x0 - .5 * size) <= most && fabs(box.x1 - 4.5 * size) <= most);
            assert_true(fabs(box.y0 - 1.5 * size) <= most && fabs(box.y1 - 2.5 * size) <= most);
        }
    pietra_path_destroy(path);
    pietra_path_destroy(outline);
}

static void test_arguments(void **state)
{
    (void)state;
    pietra_path *path = path_from("M 0 0 L 100 0"), *outline = path_from("M 0 0 L 9 9");
    const pietra_stroke style = {.width = 2}, nothing = {.width = 0};
    pietra_error error;
    pietra_box box;
    assert_int_equal(pietra_path_stroke_to_fill(path, &style, 1e-9, outline, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "too fine"));
    assert_false(pietra_path_bounds(outline, &box));
    assert_int_equal(pietra_path_stroke_to_fill(path, &style, -1, outline, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_path_stroke_to_fill(path, &style, NAN, outline, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_path_stroke_to_fill(path, &style, 0, path, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_path_stroke_to_fill(NULL, &style, 0, outline, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_path_stroke_to_fill(path, NULL, 0, outline, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_path_stroke_to_fill(path, &style, 0, NULL, &error), PIETRA_ERROR_INPUT);
    ASSERT_OK(pietra_path_stroke_to_fill(path, &nothing, 0, outline, error));
    assert_false(pietra_path_bounds(outline, &box));
    pietra_path_destroy(path);
    pietra_path_destroy(outline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_styles),
        cmocka_unit_test(test_far_reaches),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests_name("stroke outline", tests, NULL, NULL);
}
