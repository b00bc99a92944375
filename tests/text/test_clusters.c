/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where clusters begin: all of GraphemeBreakTest, and that the ranges that need no library agree with ICU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/clusters.h"
#include "text/unicode_file.h"

/* Code points with a division sign where a cluster begins, and a multiplication sign where none does. */
static void check_line(void *user, const char *line)
{
    uint16_t units[UNICODE_MOST_UNITS];
    uint8_t expected[UNICODE_MOST_UNITS] = {0}, found[UNICODE_MOST_UNITS];
    size_t count = 0;
    (void)user;
    for (const char *at = line; *at;) {
        char *end;
        const size_t sign = strcspn(at, "\xc3");
        if (!at[sign])
            break;
        const uint8_t begins = (uint8_t)at[sign + 1] == 0xb7; /* U+00F7 */
        const unsigned long character = strtoul(at + sign + 2, &end, 16);
        if (end == at + sign + 2)
            break;
        expected[count] = begins;
        unicode_put((uint32_t)character, units, &count);
        at = end;
    }
    assert_null(clusters_find(units, count, found));
    for (size_t i = 0; i < count; i++)
        if (found[i] != expected[i])
            fail_msg("%s: unit %zu", line, i);
}

static void test_file(void **state)
{
    (void)state;
    assert_int_equal(unicode_file_read("auxiliary/GraphemeBreakTest.txt", check_line, NULL), 602);
}

/* Whether a cluster begins between two units does not depend on a mark behind them, which needs ICU. */
static void check_pair(uint16_t first, uint16_t second)
{
    const uint16_t units[] = {first, second, 0x300};
    uint8_t alone[2], by_icu[3];
    assert_null(clusters_find(units, 2, alone));
    if (alone[1] == 0) /* plain units all begin clusters, so this was ICU */
        return;
    assert_null(clusters_find(units, 3, by_icu));
    if (!by_icu[1])
        fail_msg("U+%04X and U+%04X are one cluster", first, second);
}

static void test_plain(void **state)
{
    (void)state;
    for (uint32_t character = 1; character < 0xffff; character++) {
        const uint16_t unit = (uint16_t)character;
        if ((character & 0xf800) == 0xd800 || (character >= 0x4e10 && character < 0x9ff0))
            continue;
        check_pair(unit, 'a');
        check_pair('a', unit);
        check_pair(unit, unit);
    }
}

static void test_empty(void **state)
{
    uint8_t none;
    (void)state;
    assert_null(clusters_find(NULL, 0, &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_file), cmocka_unit_test(test_plain),
                                       cmocka_unit_test(test_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
