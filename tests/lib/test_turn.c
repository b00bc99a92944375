/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Directions by additions and multiplications, against the arctangent in doubles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "lib/arithmetic.h"

#define MOST_ERROR 1e-7

static double worst;

/* 0 and 1 are the same direction. */
static void check(float x, float y)
{
    const double exact = atan2((double)y, (double)x) / 6.283185307179586;
    const float found = turn_of(x, y);
    double error = fabs((double)found - (exact < 0 ? exact + 1 : exact));
    error = fmin(error, 1 - error);
    worst = fmax(worst, error);
    if (!(found >= 0.0f) || !(found < 1.0f) || error > MOST_ERROR)
        fail_msg("(%a, %a) lies at %.9g of a turn and not at %.9g", x, y, exact, found);
}

static void check_all_octants(float x, float y)
{
    for (int octant = 0; octant < 8; octant++) {
        const float a = octant & 1 ? -x : x, b = octant & 2 ? -y : y;
        check(octant & 4 ? b : a, octant & 4 ? a : b);
    }
}

/* Takes every 128th float up to 1 as the ratio of the sides. */
static void test_ratios(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits <= 0x3f800000u; bits += 128u)
        check(1.0f, FLOAT_OF_BITS(bits));
    for (uint32_t bits = 0x3f800000u - 4096u; bits <= 0x3f800000u; bits++)
        check_all_octants(1.0f, FLOAT_OF_BITS(bits));
    print_message("error at most %.3g of a turn\n", worst);
}

/* Takes the middles of pixels, as gradients do. */
static void test_pixels(void **state)
{
    (void)state;
    for (int y = 0; y < 300; y++)
        for (int x = 0; x < 300; x++)
            check_all_octants((float)x + 0.5f, (float)y + 0.5f);
}

static void test_sizes(void **state)
{
    static const float sizes[] = {1e-30f, 3e-20f, 7e-3f, 1.0f, 513.7f, 8e16f, 1e30f};
    uint32_t random = 1;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int k = 0; k < 20000; k++) {
            random = random * 1664525u + 1013904223u;
            check_all_octants(sizes[i], sizes[i] * (float)(random >> 8) / 16777216.0f);
        }
    }
}

/* The axes are exact. What has no direction, or is too far away, has one that is the same everywhere. */
static void test_ends(void **state)
{
    (void)state;
    assert_true(turn_of(5.0f, 0.0f) == 0.0f);
    assert_true(turn_of(0.0f, 5.0f) == 0.25f);
    assert_true(turn_of(-5.0f, 0.0f) == 0.5f);
    assert_true(turn_of(0.0f, -5.0f) == 0.75f);
    assert_true(turn_of(5.0f, -1e-20f) == TURN_BELOW_1);
    assert_true(turn_of(0.0f, 0.0f) == 0.0f);
    assert_true(turn_of(-1e-31f, -1e-31f) == 0.0f);
    assert_true(turn_of(INFINITY, 3.0f) < 1e-30f);
    assert_true(turn_of(-INFINITY, -3.0f) == 0.5f);
    assert_true(fabsf(turn_of(INFINITY, INFINITY) - 0.125f) < 1e-7f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ratios), cmocka_unit_test(test_pixels),
                                       cmocka_unit_test(test_sizes), cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
