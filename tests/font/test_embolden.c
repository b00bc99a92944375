/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Imitated weight: every edge of a letter moves outwards by the same distance. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "font/embolden.h"

/* Makes polygons, which end with NAN, into an outline. Their first points are repeated at the end if that is asked. */
static font_outline make_outline(const double *coordinates, bool repeat_first)
{
    font_outline outline = {0};
    size_t begin = 0;
    for (size_t i = 0; !isnan(coordinates[i]) || (i > 0 && !isnan(coordinates[i - 1])); i++) {
        const bool ends = isnan(coordinates[i]);
        if (!ends && (i - begin) % 2 == 1) {
            *array_push(&outline.verbs) = i == begin + 1 ? PIETRA_VERB_MOVE : PIETRA_VERB_LINE;
        } else if (ends) {
            if (repeat_first)
                *array_push(&outline.verbs) = PIETRA_VERB_LINE;
            *array_push(&outline.verbs) = PIETRA_VERB_CLOSE;
            for (size_t k = begin; k < begin + 2 && repeat_first; k++)
                *array_push(&outline.coordinates) = coordinates[k];
            begin = i + 1;
        }
        if (!ends)
            *array_push(&outline.coordinates) = coordinates[i];
    }
    return outline;
}

static void assert_bold(const double *before, bool repeat_first, double distance, const double *after)
{
    font_outline outline = make_outline(before, repeat_first), expected = make_outline(after, repeat_first);
    font_embolden(&outline, distance);
    assert_int_equal(outline.coordinates.count, expected.coordinates.count);
    for (size_t i = 0; i < outline.coordinates.count; i++)
        if (!(fabs(outline.coordinates.items[i] - expected.coordinates.items[i]) < 1e-9))
            fail_msg("coordinate %zu is %g, not %g", i, outline.coordinates.items[i], expected.coordinates.items[i]);
    font_outline_free(&outline);
    font_outline_free(&expected);
}

#define END NAN, NAN

/* A frame grows outside and inside, whichever way its contours run, and whether or not they end with their first
 * point. */
static void test_frames(void **state)
{
    static const double clockwise[] = {0, 0, 10, 0, 10, 10, 0, 10, NAN, 3, 3, 3, 7, 7, 7, 7, 3, END};
    static const double grown[] = {-1, -1, 11, -1, 11, 11, -1, 11, NAN, 4, 4, 4, 6, 6, 6, 6, 4, END};
    static const double backward[] = {0, 10, 10, 10, 10, 0, 0, 0, NAN, 7, 3, 7, 7, 3, 7, 3, 3, END};
    static const double backward_grown[] = {-1, 11, 11, 11, 11, -1, -1, -1, NAN, 6, 4, 6, 6, 4, 6, 4, 4, END};
    (void)state;
    for (int repeat = 0; repeat < 2; repeat++) {
        assert_bold(clockwise, repeat, 1, grown);
        assert_bold(backward, repeat, 1, backward_grown);
    }
    assert_bold(clockwise, false, 0, clockwise);
}

/* Points that fall together stay together, and a contour of one point stays. */
static void test_points(void **state)
{
    static const double doubled[] = {0, 0, 0, 0, 10, 0, 10, 10, 10, 10, 10, 10, 0, 10, NAN, 5, 5, 5, 5, END};
    static const double grown[] = {-1, -1, -1, -1, 11, -1, 11, 11, 11, 11, 11, 11, -1, 11, NAN, 5, 5, 5, 5, END};
    static const double line[] = {0, 0, 10, 0, END};
    (void)state;
    assert_bold(doubled, false, 1, grown);
    assert_bold(line, false, 1, line);
}

/* A spike goes no farther than four times the distance; a short edge at a notch is not turned round. */
static void test_corners(void **state)
{
    static const double spike[] = {0, 0, 1000, 1, 0, 2, END};
    static const double notch[] = {0, 0, 10, 0, 10, 0.25, 20, 0.25, 20, 10, 0, 10, END};
    font_outline outline = make_outline(spike, false);
    (void)state;
    font_embolden(&outline, 1);
    assert_true(outline.coordinates.items[2] > 1000 && outline.coordinates.items[2] <= 1004);
    assert_true(fabs(outline.coordinates.items[3] - 1) < 1e-9);
    font_outline_free(&outline);
    outline = make_outline(notch, false);
    font_embolden(&outline, 1);
    assert_true(outline.coordinates.items[5] >= outline.coordinates.items[3]);
    font_outline_free(&outline);
}

/* The parts are those of browsers: 1/24 of the em in all for small letters, 1/32 for large ones. */
static void test_weights(void **state)
{
    (void)state;
    assert_true(font_imitated_weight(1) == 1 / 48.0 && font_imitated_weight(9) == 1 / 48.0);
    assert_true(font_imitated_weight(36) == 1 / 64.0 && font_imitated_weight(1e9) == 1 / 64.0);
    assert_true(fabs(font_imitated_weight(22.5) - (1 / 48.0 + 1 / 64.0) / 2) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
