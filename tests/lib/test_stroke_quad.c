/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The triangles of a half of the pen that crosses itself all turn the right way, however flat they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "render/reference/flatten.h"
#include "lib/stroke_quad.h"

static uint32_t random_state = 1;

/* Returns one of few points, so that the pen's places often cross at their ends. The values are such that products must
 * be rounded. */
static point random_point(void)
{
    float xy[2];
    for (int i = 0; i < 2; i++) {
        random_state = random_state * 1664525u + 1013904223u;
        xy[i] = (float)(random_state >> 28) / 3.0f;
    }
    return point_of(xy[0], xy[1]);
}

static stroke_section random_section(void)
{
    point spine = random_point(), left = random_point(), right = random_point();
    return (stroke_section){spine, left, right};
}

/* Asserts that the two triangles after the outline turn the right way. */
static void assert_wings_turn(float orientation, stroke_quad quad, uint first)
{
    for (uint i = first + HALF_LIFTED; i + 2u < first + HALF_IN_FULL; i += 3u) {
        point a = quad_vertex(quad, i), b = quad_vertex(quad, i + 1u), c = quad_vertex(quad, i + 2u);
        assert_true(turned_area(a, b, c) * orientation >= 0.0f);
    }
}

static void test_crossed_halves(void **state)
{
    (void)state;
    uint left = 0, right = 0;
    for (int i = 0; i < 100000; i++) {
        const pen p = {.orientation = i % 2 ? 1.0f : -1.0f};
        stroke_quad quad = quad_between(p, random_section(), random_section());
        if (quad.left.vertices & HALF_CROSSED) {
            assert_wings_turn(p.orientation, quad, 0);
            left++;
        }
        if (quad.right.vertices & HALF_CROSSED) {
            assert_wings_turn(p.orientation, quad, quad.left.count);
            right++;
        }
    }
    assert_true(left > 1000 && right > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_crossed_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
