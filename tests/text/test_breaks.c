/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where lines may end: LineBreakTest of the Unicode Consortium, and what CSS changes. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/breaks.h"
#include "text/clusters.h"
#include "text/unicode_file.h"

/* Reads code points with a division sign where a line may end, and a multiplication sign where it may not. */
static size_t read_line(const char *line, uint16_t *units, uint8_t *expected)
{
    size_t count = 0;
    for (const char *at = line; *at;) {
        char *end;
        const size_t sign = strcspn(at, "\xc3");
        if (!at[sign])
            break;
        const uint8_t allowed = (uint8_t)at[sign + 1] == 0xb7; /* U+00F7 */
        const unsigned long character = strtoul(at + sign + 2, &end, 16);
        if (end == at + sign + 2)
            break;
        expected[count] = allowed;
        unicode_put((uint32_t)character, units, &count);
        at = end;
    }
    return count;
}

/* ICU 72 goes beyond Unicode 15 in three things, as Unicode 16 does: a hyphen that begins a text stays with the letter
 * behind it (LB20a), a full stop or comma with the digit behind it, whatever is before them (LB25), and a line may end
 * before such a number (LB15c). */
static bool is_newer(const uint16_t *units, size_t at, bool allowed)
{
    if (allowed)
        return units[at - 1] == ' ' && units[at] == '.' && units[at + 1] >= '0' && units[at + 1] <= '9';
    at--;
    if (at > 0 && units[at] == 0x308)
        at--;
    return (at == 0 && units[at] == '-') || units[at] == '.' || units[at] == ',';
}

/* The rules are judged by themselves, without clusters. */
static void check_line(void *user, const char *line)
{
    static const break_rules usual = {.language = "en"};
    uint16_t units[UNICODE_MOST_UNITS] = {0};
    uint8_t expected[UNICODE_MOST_UNITS] = {0}, found[UNICODE_MOST_UNITS], starts[UNICODE_MOST_UNITS];
    const size_t count = read_line(line, units, expected);
    memset(starts, 1, sizeof starts);
    assert_null(breaks_find(units, count, starts, &usual, found));
    for (size_t i = 1; i < count; i++) {
        if ((found[i] != BREAK_FORBIDDEN) == expected[i])
            continue;
        if (!is_newer(units, i, found[i] != BREAK_FORBIDDEN))
            fail_msg("%s: unit %zu", line, i);
        ++*(size_t *)user;
    }
}

static void test_file(void **state)
{
    size_t newer = 0;
    (void)state;
    assert_int_equal(unicode_file_read("auxiliary/LineBreakTest.txt", check_line, &newer), 7654);
    assert_int_equal(newer, 23);
}

/* Writes a text with / where a line may end, and | where it must. */
static void assert_breaks(const char *expected, const break_rules *rules)
{
    uint16_t units[100] = {0};
    uint8_t starts[100], breaks[100];
    char found[200];
    size_t count = 0, at = 0;
    for (const char *c = expected; *c; c++)
        if (*c != '/' && *c != '|')
            units[count++] = (uint16_t)(*c == 'H' ? 0x4e00 : *c == 'S' ? 0x3041 : *c == 'M' ? 0x301 : *c);
    assert_null(clusters_find(units, count, starts));
    assert_null(breaks_find(units, count, starts, rules, breaks));
    for (size_t i = 0; i < count; i++) {
        if (breaks[i] != BREAK_FORBIDDEN)
            found[at++] = breaks[i] == BREAK_FORCED ? '|' : '/';
        found[at++] = (char)(units[i] == 0x4e00 ? 'H' : units[i] == 0x3041 ? 'S' : units[i] == 0x301 ? 'M' : units[i]);
    }
    found[at] = '\0';
    assert_string_equal(found, expected);
}

/* H is Chinese, S a small letter of Hiragana, M a mark. */
static void test_rules(void **state)
{
    const break_rules usual = {.language = NULL}, odd = {.language = "no such\nlanguage"};
    const break_rules inside = {.words = BREAK_WORDS}, keep = {.words = BREAK_KEEP_WORDS};
    const break_rules anywhere = {.strictness = BREAK_ANYWHERE};
    const break_rules loose = {.language = "ja", .strictness = BREAK_LOOSE};
    const break_rules strict = {.language = "ja", .strictness = BREAK_STRICT};
    (void)state;
    assert_breaks("", &usual);
    assert_breaks("ab /cd-/ef\n|H/H/x", &usual);
    assert_breaks("ab /cd-/ef\n|H/H/x", &odd);
    assert_breaks("a/b /c/aM/d, /H/H/1", &inside);
    assert_breaks("ab /HHx /H", &keep);
    assert_breaks("a/b/ /c/,/aM/d\n|e", &anywhere);
    assert_breaks("H/S", &loose);
    assert_breaks("HS", &strict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
