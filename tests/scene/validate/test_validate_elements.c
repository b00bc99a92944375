/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The validator of elements and of their nesting: a stream for each rule that breaks only this rule. */
#include <math.h>

#include "layout/blend.h"
#include "scene/validate/blob.h"

static void test_elements(void **state)
{
    (void)state;
    static const uint32_t unused[] = {0, 3, 10, 11, 16, 255};
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++)
        REJECTS("not in use", element_at(b, 1)->kind = unused[i]);
    REJECTS("flags", element_at(b, 1)->kind |= 0x80000000u);
    REJECTS("flags", element_at(b, 1)->kind |= ELEMENT_DASHED);
    REJECTS("flags", element_at(b, 3)->kind |= ELEMENT_EVEN_ODD);
    REJECTS("opacity", element_at(b, 4)->opacity = 256);
    REJECTS("opacity", element_at(b, 0)->opacity = 254);
    REJECTS("a box", element_at(b, 0)->box_x0 = NAN);
    REJECTS("a box", element_at(b, 0)->box_y1 = INFINITY);
    REJECTS("at an end", element_at(b, 22)->box_x1 = 1);
    REJECTS("path", element_at(b, 0)->path = header_of(b)->path_count);
    REJECTS("path", element_at(b, 0)->path = STREAM_NONE);
    REJECTS("path", element_at(b, 4)->path = 0);
    REJECTS("style", element_at(b, 3)->style = header_of(b)->style_count);
    REJECTS("style", element_at(b, 0)->style = 0);
    REJECTS("paint", element_at(b, 0)->paint = header_of(b)->paint_count);
    REJECTS("paint", element_at(b, 4)->paint = 0);
    REJECTS("transform", element_at(b, 0)->transform = header_of(b)->transform_count);
    REJECTS("identity", element_at(b, 4)->transform = element_at(b, 2)->transform);
    REJECTS("no segments", element_at(b, 1)->path = header_of(b)->path_count - 1);
    REJECTS("transform 0", transform_at(b, 0)->f_low = NAN);
    REJECTS("rectangle", element_at(b, 0)->kind &= ~ELEMENT_RECT);
    REJECTS("rectangle", element_at(b, 1)->kind |= ELEMENT_RECT);
    REJECTS("rectangle", element_at(b, 0)->box_x1 += 1);
    REJECTS("opaque", element_at(b, 0)->kind &= ~ELEMENT_OPAQUE);
    REJECTS("opaque", element_at(b, 1)->kind |= ELEMENT_OPAQUE);
    REJECTS("dashed", element_at(b, 3)->kind &= ~ELEMENT_DASHED);
    REJECTS("occluder", element_at(b, 0)->kind &= ~ELEMENT_OCCLUDER);
    REJECTS("flags", element_at(b, 4)->kind |= ELEMENT_OCCLUDER);
    REJECTS("flags", element_at(b, 3)->kind |= ELEMENT_ALIASED_UPRIGHT);
    REJECTS("flags", element_at(b, 5)->kind |= ELEMENT_ALIASED_UPRIGHT);
    REJECTS("only child", element_at(b, 5)->kind &= ~ELEMENT_SOLE_CHILD);
    REJECTS("only child", element_at(b, 7)->kind |= ELEMENT_SOLE_CHILD);
    REJECTS("only child", element_at(b, 4)->kind |= ELEMENT_SOLE_CHILD);
}

static void swap_elements(blob b, uint32_t i, uint32_t k)
{
    stream_element other = *element_at(b, i);
    *element_at(b, i) = *element_at(b, k);
    *element_at(b, k) = other;
}

static void test_nesting(void **state)
{
    (void)state;
    /*  0123 4 567 8 9 10 ... : fff s ( [ f [ { f [ s ] } ( f ) ] ] ) [ s ] */
    REJECTS("not open", element_at(b, 12)->kind = ELEMENT_END_GROUP);
    REJECTS("not open", element_at(b, 13)->kind = ELEMENT_END_CLIP);
    REJECTS("no end", *element_at(b, 22) = *element_at(b, 21));
    REJECTS("a source", swap_elements(b, 8, 9));
    REJECTS("not open", swap_elements(b, 12, 13));
    REJECTS("group stands", swap_elements(b, 13, 14));
    REJECTS("a source, or neither", *element_at(b, 8) = *element_at(b, 9));
    REJECTS("group stands", *element_at(b, 10) = *element_at(b, 14));
    blob b = blob_of(complex_scene());
    *element_at(b, 0) = *element_at(b, 8);
    assert_rejected(b, "at the clip's begin");
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 1 1", &RED);
    fill(scene, "R 0 0 1 1", &RED);
    begin_group(scene, 0.5f);
    fill(scene, "R 0 0 1 1", &RED);
    end_group(scene);
    b = blob_of(scene);
    *element_at(b, 0) = *element_at(b, 4);
    assert_rejected(b, "not open");
}

static void assert_blending_rejected(uint32_t element, uint32_t cleared, uint32_t set, const char *part)
{
    blob b = blob_of(blending_scene());
    element_at(b, element)->kind = (element_at(b, element)->kind & ~cleared) | set;
    assert_rejected(b, part);
}

static void test_blending(void **state)
{
    (void)state;
    assert_blending_rejected(1, ELEMENT_ISOLATED, 0, "something blends");
    assert_blending_rejected(2, ELEMENT_COPIES_DESTINATION, 0, "something blends");
    assert_blending_rejected(6, ELEMENT_ISOLATED, 0, "something blends");
    assert_blending_rejected(3, 0, BLEND_SCREEN << ELEMENT_MODE_SHIFT, "something blends");
    assert_blending_rejected(2, 0, ELEMENT_ISOLATED, "flags");
    assert_blending_rejected(3, 0, ELEMENT_COPIES_DESTINATION, "flags");
    assert_blending_rejected(0, 0, BLEND_SCREEN << ELEMENT_MODE_SHIFT, "flags");
    assert_blending_rejected(11, 0, BLEND_SCREEN << ELEMENT_MODE_SHIFT, "flags");
}

static void test_masks(void **state)
{
    (void)state;
    blob b = blob_of(masking_scene());
    element_at(b, 0)->kind |= 4u << ELEMENT_MODE_SHIFT;
    assert_rejected(b, "flags");
    b = blob_of(masking_scene());
    element_at(b, 0)->kind |= ELEMENT_COPIES_DESTINATION;
    assert_rejected(b, "flags");
    b = blob_of(masking_scene());
    element_at(b, 1)->kind |= MASK_ALPHA << ELEMENT_MODE_SHIFT;
    assert_rejected(b, "flags");
    b = blob_of(masking_scene());
    element_at(b, 10)->kind &= ~(ELEMENT_MODE_MASK << ELEMENT_MODE_SHIFT);
    assert_rejected(b, "group stands");
    b = blob_of(masking_scene());
    *element_at(b, 2) = *element_at(b, 16);
    element_at(b, 0)->kind &= ~(ELEMENT_MODE_MASK << ELEMENT_MODE_SHIFT);
    *element_at(b, 4) = *element_at(b, 18);
    assert_rejected(b, "mask stands");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_blending),
        cmocka_unit_test(test_masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
