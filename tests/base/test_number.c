/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decimal to double: known hard cases, and random ones with the C library in the C locale as an oracle. */
#include "base/number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_reads(const char *text, double expected, size_t consumed)
{
    const char *at = text;
    double value = 42;
    assert_true(number_parse(&at, text + strlen(text), &value));
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("%s gave %a, expected %a", text, value, expected);
    assert_int_equal((size_t)(at - text), consumed);
    at = text;
    assert_true(number_scan(&at, text + strlen(text), &value));
    assert_memory_equal(&value, &expected, sizeof value);
    assert_int_equal((size_t)(at - text), consumed);
}

static void assert_refuses(const char *text)
{
    const char *at = text;
    double value = 42;
    assert_false(number_parse(&at, text + strlen(text), &value));
    assert_false(number_scan(&at, text + strlen(text), &value));
    assert_ptr_equal(at, text);
    assert_true(value == 42);
}

static void test_grammar(void **state)
{
    (void)state;
    assert_reads("0", 0, 1);
    assert_reads("-0", -0.0, 2);
    assert_reads("+12", 12, 3);
    assert_reads(".5.5", 0.5, 2);
    assert_reads("1.5-2", 1.5, 3);
    assert_reads("10.", 10, 3);
    assert_reads("1em", 1, 1);
    assert_reads("1ex", 1, 1);
    assert_reads("1e+", 1, 1);
    assert_reads("1e3m", 1000, 3);
    assert_reads("1E-2", 0.01, 4);
    assert_refuses("");
    assert_refuses(".");
    assert_refuses("-");
    assert_refuses("+-1");
    assert_refuses("e5");
    assert_refuses("nan");
    assert_refuses("inf");
}

/* What lies beyond the end is not looked at: a sanitizer would see it. */
static void test_nothing(void **state)
{
    char *text = malloc(1);
    double value;
    (void)state;
    assert_non_null(text);
    text[0] = '-';
    for (size_t i = 0; i < 2; i++) {
        const char *at = text + i, *end = text + 1;
        assert_false(number_parse(&at, end, &value));
    }
    free(text);
}

static void test_hard_cases(void **state)
{
    (void)state;
    assert_reads("9007199254740993", 9007199254740992.0, 16);
    assert_reads("9007199254740993.0000000000000000000000000000001", 9007199254740994.0, 48);
    assert_reads("2.2250738585072012e-308", 0x1p-1022, 23);
    assert_reads("2.2250738585072011e-308", 0x0.fffffffffffffp-1022, 23);
    assert_reads("4.9406564584124654e-324", 0x1p-1074, 23);
    assert_reads("2.4703282292062327e-324", 0, 23);
    assert_reads("2.4703282292062328e-324", 0x1p-1074, 23);
    assert_reads("1.7976931348623157e308", 0x1.fffffffffffffp1023, 22);
    assert_reads("1.7976931348623159e308", HUGE_VAL, 22);
    assert_reads("1e400", HUGE_VAL, 5);
    assert_reads("-1e99999999999", -HUGE_VAL, 14);
    assert_reads("1e-99999999999", 0, 14);
    assert_reads("0e99999999999", 0, 13);
    assert_reads("8.5e22", 8.5e22, 6);
    assert_reads("1e23", 1e23, 4);
}

static void test_many_digits(void **state)
{
    (void)state;
    static char text[3000];
    memset(text, '0', sizeof text);
    text[0] = '1';
    memcpy(text + 2500, "e-2499", 7);
    assert_reads(text, 1, 2506);
    memset(text, '0', sizeof text);
    text[1] = '.';
    memcpy(text + 2000, "1e1998", 7);
    assert_reads(text, 0.1, 2006);
    /* This is halfway between 1 and its successor, and a digit far behind decides. */
    memset(text, '0', sizeof text);
    memcpy(text, "1.00000000000000011102230246251565404236316680908203125", 55);
    text[1000] = '\0';
    assert_reads(text, 1, 1000);
    text[999] = '1';
    assert_reads(text, 1 + 0x1p-52, 1000);
}

static uint64_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 11 ^ *state << 40;
}

static void test_random_against_library(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 300000; i++) {
        char text[64];
        uint64_t bits = random_next(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        if (i & 1)
            value = ldexp((double)(int64_t)bits, -60);
        snprintf(text, sizeof text, "%.*g", 1 + (int)(random_next(&seed) % 24), value);
        assert_reads(text, strtod(text, NULL), strlen(text));
    }
}

/* Numbers that fill the window, and numbers one character longer. What follows must not be read as part of them. */
static void test_short_against_library(void **state)
{
    (void)state;
    static const char signs[] = "-+", behind[] = " ,-+.eE9mMzZ\0\xff:/";
    uint64_t seed = 2;
    for (int i = 0; i < 3000000; i++) {
        char text[40];
        int count = 0, whole = (int)(random_next(&seed) % 6), fraction = (int)(random_next(&seed) % 6);
        uint64_t random = random_next(&seed);
        if (random & 3)
            text[count++] = signs[random & 1];
        for (int k = 0; k < whole; k++)
            text[count++] = (char)('0' + random_next(&seed) % 10);
        if (fraction || random & 4)
            text[count++] = '.';
        for (int k = 1; k < fraction; k++)
            text[count++] = (char)('0' + random_next(&seed) % 10);
        for (int k = 0; k < 12; k++)
            text[count++] = behind[random_next(&seed) % (sizeof behind - 1)];
        const char *scanned = text, *parsed = text;
        double a = 42, b = 42;
        bool scan = number_scan(&scanned, text + count, &a), parse = number_parse(&parsed, text + count, &b);
        text[count] = '\0';
        if (scan != parse || scanned != parsed || memcmp(&a, &b, sizeof a) != 0)
            fail_msg("\"%s\" gave %a, not %a", text, a, b);
        char number[40] = {0};
        memcpy(number, text, (size_t)(scanned - text));
        if (scan && a != strtod(number, NULL))
            fail_msg("\"%s\" gave %a, not %a", number, a, strtod(number, NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_hard_cases),
        cmocka_unit_test(test_many_digits),
        cmocka_unit_test(test_random_against_library),
        cmocka_unit_test(test_short_against_library),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
