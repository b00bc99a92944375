/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Powers against those of the C library, where filters take them: of every channel of 15 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "all_sizes.h"
#include "layout/effect.h"
#include "lib/power.h"

static void check_exponent(double exponent)
{
    for (int i = 1; i <= EFFECT_ONE; i++) {
        float base = (float)i / EFFECT_ONE, found = power(base, (float)exponent);
        double right = pow(base, (float)exponent);
        /* What is below 2^-16 rounds to 0, and what is above 1 is held to 1. */
        double slack = right < 0x1p-16 ? 0x1p-18 : right > 0x1p59 ? INFINITY : 3e-6 * right;
        if (!(fabs(found - right) <= slack))
            fail_msg("%.9g to the power of %g is %.9g, not %.9g", base, exponent, found, right);
    }
}

static void test_channels(void **state)
{
    (void)state;
    for (double exponent = 0.01; exponent < 200; exponent *= all_sizes() ? 1.003 : 1.4)
        check_exponent(exponent);
    for (double exponent = 1; exponent <= 4; exponent += 0.1)
        check_exponent(exponent);
    check_exponent(1 / 2.4);
    check_exponent(-0.5);
    check_exponent(-3);
    check_exponent(-1e30);
    check_exponent(1e30);
}

static void test_ends(void **state)
{
    (void)state;
    assert_true(power(0, 2) == 0 && power(1e-45f, 0.1f) == 0);
    assert_true(power(0, 0) == 1 && power(0.3f, 0) == 1 && power(7, 0) == 1);
    assert_true(power(0, -1) == 0x1p60f && power(1e-30f, -1e30f) == 0x1p60f);
    for (float exponent = 0.001f; exponent < 1e30f; exponent *= 3)
        assert_true(power(1, exponent) == 1 && power(1, -exponent) == 1);
}

/* Exponents of two and logarithms of powers of two are exact. */
static void test_powers_of_two(void **state)
{
    (void)state;
    for (int i = -100; i <= 60; i++) {
        assert_true(exp2_of((float)i) == ldexp(1, i));
        assert_true(log2_of(ldexpf(1, i)) == i);
    }
    for (float x = 0x1p-126f; x < 0x1p100f; x *= 1.0013f)
        assert_true(fabs(log2_of(x) - log2(x)) <= 3e-7 * fabs(log2(x)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_channels), cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_powers_of_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
