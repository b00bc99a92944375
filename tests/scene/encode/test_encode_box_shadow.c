/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Box shadows in the stream: what CSS makes of radii and spreads, what becomes a solid, and what is shared. */
#include <math.h>

#include "scene/scene_fixture.h"

static const pietra_color BLACK = {0, 0, 0, 1};

static void fill_with_shadow(pietra_scene *scene, const pietra_shadow *shadow)
{
    const pietra_paint paint = pietra_box_shadow(shadow);
    fill(scene, "R -500 -500 1000 1000", &paint);
}

static stream_box_shadow shadow_of(const pietra_shadow *shadow)
{
    pietra_scene *scene = new_scene();
    fill_with_shadow(scene, shadow);
    pietra_stream *stream = encode_and_destroy(scene);
    const stream_view view = stream_view_of(stream_words(stream));
    assert_int_equal(view.header->box_shadow_count, 1);
    assert_int_equal(view.paints[0].kind, PAINT_BOX_SHADOW);
    const stream_box_shadow made = view.box_shadows[0];
    pietra_stream_destroy(stream);
    return made;
}

static void assert_radii(const pietra_shadow *shadow, double a, double b, double c, double d)
{
    const stream_box_shadow made = shadow_of(shadow);
    const double radii[] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        if (fabs((double)(&made.top_left)[i] - radii[i]) > 1e-5)
            fail_msg("radius %d is %g and not %g", i, (double)(&made.top_left)[i], radii[i]);
}

static void test_radii(void **state)
{
    (void)state;
    pietra_shadow shadow = {.box = {0, 0, 100, 40}, .radii = {30, 10, 30, 0}, .color = BLACK};
    assert_radii(&shadow, 30, 10, 30, 0);
    shadow.radii[3] = 30; /* the left side has 60 of 40 */
    assert_radii(&shadow, 20, 20 / 3.0, 20, 20);
    shadow.radii[3] = 0;
    shadow.spread = 10;
    assert_radii(&shadow, 40, 20, 40, 0);
    shadow.spread = 20; /* half as round as it grows: 1 - 1/8 */
    assert_radii(&shadow, 50, 10 + 20 * 0.875, 50, 0);
    shadow.spread = -12;
    assert_radii(&shadow, 16 * 16 / 18.0 * 18 / 16, 0, 18 * 16 / 18.0, 0);
}

static void test_boxes(void **state)
{
    (void)state;
    pietra_shadow shadow = {.box = {10, -5, 30, 5}, .spread = 2, .x = 3, .y = -4, .sigma = 6, .color = BLACK};
    stream_box_shadow made = shadow_of(&shadow); /* 11 to 35, -11 to 3, counted from (11, 0) */
    assert_true(made.x0 == 0.0f && made.x1 == 24.0f && made.y0 == -11.0f && made.y1 == 3.0f);
    assert_true(made.sigma == 6.0f && made.is_inset == 0);
    shadow.inset = true; /* 15 to 31, -7 to -1 */
    made = shadow_of(&shadow);
    assert_true(made.x1 == 16.0f && made.y0 == -6.0f && made.y1 == 0.0f && made.is_inset == 1);
    shadow = (pietra_shadow){.box = {-1e300, 0, 1e300, 1e30}, .sigma = 1e300, .color = BLACK};
    made = shadow_of(&shadow);
    assert_true(made.x0 == -SHADOW_LIMIT && made.x1 == SHADOW_LIMIT && made.sigma == SHADOW_LIMIT);
}

static void assert_solid(const pietra_shadow *shadow, uint32_t color)
{
    pietra_scene *scene = new_scene();
    fill_with_shadow(scene, shadow);
    pietra_stream *stream = encode_and_destroy(scene);
    const stream_view view = stream_view_of(stream_words(stream));
    assert_int_equal(view.header->box_shadow_count, 0);
    assert_int_equal(view.header->element_count, color != 0);
    if (color != 0)
        assert_int_equal(view.paints[0].color, color);
    pietra_stream_destroy(stream);
}

static void test_nothing_to_blur(void **state)
{
    (void)state;
    pietra_shadow shadow = {.box = {5, 5, 5, 9}, .sigma = 2, .color = BLACK};
    assert_solid(&shadow, 0);
    shadow.box.x1 = -9;
    assert_solid(&shadow, 0);
    shadow.inset = true;
    assert_solid(&shadow, 0xff000000u);
    shadow = (pietra_shadow){.box = {0, 0, 20, 9}, .spread = -4.5, .color = BLACK};
    assert_solid(&shadow, 0);
    shadow = (pietra_shadow){.box = {0, 0, 20, 9}, .spread = 1e300, .inset = true, .color = BLACK};
    assert_solid(&shadow, 0xff000000u);
    shadow = (pietra_shadow){.box = {0, 0, 20, 9}, .color = {1, 1, 1, 0}};
    assert_solid(&shadow, 0);
}

/* Boxes of the same size share their shadow wherever they stand, and appending keeps them apart from others. */
static void test_sharing(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene(), *other = new_scene();
    for (int i = 0; i < 5; i++) {
        const pietra_shadow shadow = {.box = {8, 9, 48, 29}, .sigma = i == 3 ? 5 : 4, .color = BLACK};
        fill_with_shadow(i % 2 ? other : scene, &shadow);
    }
    ASSERT_OK(pietra_scene_append(scene, other, NULL, error));
    pietra_scene_destroy(other);
    pietra_stream *stream = encode_and_destroy(scene);
    const stream_view view = stream_view_of(stream_words(stream));
    assert_int_equal(view.header->element_count, 5);
    assert_int_equal(view.header->box_shadow_count, 3); /* one, and two of the other scene */
    assert_true(view.box_shadows[view.paints[view.elements[4].paint].first_stop].sigma == 5.0f);
    pietra_stream_destroy(stream);
}

/* Fills what the box lets show of its shadow. */
static void test_drawing(void **state)
{
    (void)state;
    pietra_shadow shadow = {.box = {0, 0, 20, 10}, .radii = {3, 3, 3, 3}, .x = 100, .sigma = 4, .color = BLACK};
    pietra_scene *scene = new_scene();
    ASSERT_OK(pietra_scene_draw_box_shadow(scene, &shadow, NULL, error));
    pietra_box box;
    assert_true(pietra_scene_bounds(scene, &box));
    assert_true(box.x0 <= -12 && box.y0 <= -12 && box.x1 >= 132 && box.y1 >= 22);
    const size_t drawn = pietra_scene_position(scene);
    shadow.box.x1 = -3;
    ASSERT_OK(pietra_scene_draw_box_shadow(scene, &shadow, NULL, error));
    assert_int_equal(pietra_scene_position(scene), drawn);
    shadow.box.x1 = 20;
    shadow.inset = true;
    ASSERT_OK(pietra_scene_draw_box_shadow(scene, &shadow, NULL, error));
    assert_true(pietra_scene_bounds_between(scene, drawn, pietra_scene_position(scene), &box));
    assert_true(fabs(box.x0) < 1e-9 && fabs(box.x1 - 20) < 1e-9 && fabs(box.y1 - 10) < 1e-9);
    pietra_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_radii), cmocka_unit_test(test_boxes),
                                       cmocka_unit_test(test_nothing_to_blur), cmocka_unit_test(test_sharing),
                                       cmocka_unit_test(test_drawing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
