/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The validator of box shadows: a stream for each rule that breaks only this rule. */
#include <math.h>

#include "scene/validate/blob.h"

/* Two shadows that differ, of which the first is painted twice, and a solid. */
static pietra_scene *shadow_scene(void)
{
    const pietra_shadow first = {.box = {2, 3, 42, 33}, .radii = {4, 5, 6, 7}, .sigma = 3, .color = {0, 0, 0, 0.5f}},
                        second = {.box = {0, 0, 10, 10}, .inset = true, .sigma = 1, .color = {1, 0, 0, 1}};
    const pietra_paint paints[] = {pietra_box_shadow(&first), pietra_box_shadow(&second), RED,
                                   pietra_box_shadow(&first)};
    pietra_scene *scene = new_scene();
    for (size_t i = 0; i < sizeof paints / sizeof paints[0]; i++)
        fill(scene, i == 3 ? "M 50 50 L 90 60 L 70 90 Z" : "R 0 0 50 40", &paints[i]);
    return scene;
}

static stream_box_shadow *shadow_at(blob b, uint32_t i)
{
    return (stream_box_shadow *)(b.words + header_of(b)->box_shadows) + i;
}

#define SHADOW_REJECTS(part, change) REJECTS_IN(blob_of(shadow_scene()), part, change)

static void test_paints(void **state)
{
    (void)state;
    blob good = blob_of(shadow_scene());
    assert_int_equal(header_of(good)->box_shadow_count, 2);
    assert_true(opens(good, NULL, NULL));
    free(good.words);
    SHADOW_REJECTS("kind, spread", paint_at(b, 0)->kind = PAINT_BOX_SHADOW + 1);
    SHADOW_REJECTS("above its alpha, or stops", paint_at(b, 0)->color = 0x01000002u);
    SHADOW_REJECTS("above its alpha, or stops", paint_at(b, 0)->stop_count = 1);
    SHADOW_REJECTS("does not follow", paint_at(b, 0)->first_stop = 1);
    SHADOW_REJECTS("does not follow", paint_at(b, 1)->first_stop = 2);
    SHADOW_REJECTS("belong to no paint", paint_at(b, 1)->first_stop = 0);
    SHADOW_REJECTS("not finite", paint_at(b, 0)->e = NAN);
    SHADOW_REJECTS("marked as a box shadow", element_at(b, 0)->kind &= ~ELEMENT_BOX_SHADOW);
    SHADOW_REJECTS("marked as a box shadow", element_at(b, 2)->kind |= ELEMENT_BOX_SHADOW);
    SHADOW_REJECTS("opaque", element_at(b, 1)->kind |= ELEMENT_OPAQUE);
    SHADOW_REJECTS("too many", header_of(b)->box_shadow_count = STREAM_MAX_COUNT + 1);
}

static void test_numbers(void **state)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 2 * SHADOW_LIMIT, -2 * SHADOW_LIMIT};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (size_t k = 0; k < 9; k++)
            SHADOW_REJECTS("its shadow is wrong", (&shadow_at(b, 0)->x0)[k] = bad[i]);
    SHADOW_REJECTS("its shadow is wrong", shadow_at(b, 0)->x1 = shadow_at(b, 0)->x0);
    SHADOW_REJECTS("its shadow is wrong", shadow_at(b, 0)->y1 = shadow_at(b, 0)->y0 - 1);
    SHADOW_REJECTS("its shadow is wrong", shadow_at(b, 0)->top_left = -1);
    SHADOW_REJECTS("its shadow is wrong", shadow_at(b, 0)->top_left = 36);
    SHADOW_REJECTS("its shadow is wrong", shadow_at(b, 0)->bottom_right = 34);
    SHADOW_REJECTS("its shadow is wrong", shadow_at(b, 0)->bottom_left = 27);
    SHADOW_REJECTS("its shadow is wrong", shadow_at(b, 0)->sigma = -1e-9f);
    SHADOW_REJECTS("its shadow is wrong", shadow_at(b, 1)->is_inset = 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paints), cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
