/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lines that take as many words as fit. Every character but a soft hyphen has an advance of 1. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/clusters.h"
#include "text/lines.h"

#define MOST_UNITS 200u

static double hyphen_advance(void *user, size_t unit)
{
    (void)unit;
    return *(const double *)user;
}

/* Lists lines of a text, in which _ is a soft hyphen, as contents in brackets. A line that ends where it must has a dot
 * behind it, one with a hyphen a minus. */
static const char *fill(const char *text, line_filling filling)
{
    static char described[1000];
    static double hyphen = 1;
    const break_rules rules = {.language = "en"};
    uint16_t units[MOST_UNITS] = {0};
    uint8_t starts[MOST_UNITS], breaks[MOST_UNITS];
    double advances[MOST_UNITS];
    text_line_list lines = {0};
    size_t at = 0;
    filling.count = strlen(text);
    for (size_t i = 0; i < filling.count; i++) {
        units[i] = (uint16_t)(text[i] == '_' ? 0xad : text[i]);
        advances[i] = text[i] != '_' && text[i] != '\n';
    }
    assert_null(clusters_find(units, filling.count, starts));
    assert_null(breaks_find(units, filling.count, starts, &rules, breaks));
    filling.units = units;
    filling.breaks = breaks;
    filling.cluster_starts = starts;
    filling.advances = advances;
    filling.hyphen = hyphen_advance;
    filling.user = &hyphen;
    assert_true(lines_fill(&filling, &lines));
    uint32_t end = 0;
    for (size_t i = 0; i < lines.count; i++) {
        const text_line *line = &lines.items[i];
        assert_int_equal(line->begin, end);
        end = line->end;
        double width = line->hyphenated;
        for (uint32_t k = line->begin; k < line->content_end; k++)
            width += advances[k];
        assert_true(width == line->width);
        at += (size_t)snprintf(described + at, sizeof described - at, "[%.*s%s]%s",
                               (int)(line->content_end - line->begin), text + line->begin, line->hyphenated ? "-" : "",
                               line->forced ? "." : "");
    }
    assert_int_equal(end, filling.count);
    array_free(&lines);
    return described;
}

#define ASSERT_LINES(text, expected, ...) assert_string_equal(fill(text, (line_filling){__VA_ARGS__}), expected)
#define WIDTH(n) .width = n, .first_width = n

static void test_words(void **state)
{
    (void)state;
    ASSERT_LINES("", "[].", WIDTH(5));
    ASSERT_LINES("ab cd ef", "[ab cd][ef].", WIDTH(5));
    ASSERT_LINES("ab cd ef", "[ab cd ef].", WIDTH(8));
    ASSERT_LINES("ab   cd   ", "[ab][cd].", WIDTH(4));
    ASSERT_LINES("ab   cd   ", "[ab   cd].", WIDTH(7));
    ASSERT_LINES("ab cd ef", "[ab][cd ef].", .width = 5, .first_width = 2);
    ASSERT_LINES("ab cd ef", "[ab cd ef].", WIDTH(INFINITY));
    ASSERT_LINES("ab cd", "[ab][cd].", WIDTH(0));
}

static void test_forced(void **state)
{
    (void)state;
    ASSERT_LINES("ab\ncd", "[ab].[cd].", WIDTH(INFINITY));
    ASSERT_LINES("ab\n\n cd \n", "[ab].[].[ cd].[].", WIDTH(INFINITY));
    ASSERT_LINES("ab cd\nef", "[ab][cd].[ef].", WIDTH(3));
    ASSERT_LINES("\n", "[].[].", WIDTH(3));
}

static void test_long_words(void **state)
{
    (void)state;
    ASSERT_LINES("abcdefg hi", "[abcdefg][hi].", WIDTH(3));
    ASSERT_LINES("abcdefg hi", "[abc][def][g][hi].", WIDTH(3), .breaks_long_words = true);
    ASSERT_LINES("x abcdefg", "[x][abc][def][g].", WIDTH(3), .breaks_long_words = true);
    ASSERT_LINES("abc def", "[a][b][c][d][e][f].", WIDTH(0), .breaks_long_words = true);
    ASSERT_LINES("abc   d", "[abc][d].", WIDTH(3), .breaks_long_words = true);
}

static void test_hyphens(void **state)
{
    (void)state;
    ASSERT_LINES("ab_cd_ef", "[ab_-][cd_-][ef].", WIDTH(3));
    ASSERT_LINES("ab_cd_ef", "[ab_cd_-][ef].", WIDTH(5));
    ASSERT_LINES("ab_cd_ef", "[ab_cd_ef].", WIDTH(6));
    ASSERT_LINES("x ab_cd", "[x][ab_-][cd].", WIDTH(3));
}

static void test_blanks(void **state)
{
    (void)state;
    ASSERT_LINES("ab  cd", "[ab  ][cd].", WIDTH(4), .blanks_take_space = true);
    ASSERT_LINES("ab  cd", "[ab  ][cd].", WIDTH(3), .blanks_take_space = true);
}

/* A long text in short lines, which ends soon because the work is linear. */
static void test_long_text(void **state)
{
    const size_t count = 1000000;
    uint16_t *units = malloc(count * sizeof *units);
    uint8_t *starts = malloc(count), *breaks = calloc(count, 1);
    double *advances = malloc(count * sizeof *advances);
    text_line_list lines = {0};
    (void)state;
    assert_true(units && starts && breaks && advances);
    memset(starts, 1, count);
    for (size_t i = 0; i < count; i++) {
        units[i] = i % 3 ? 'a' : ' ';
        breaks[i] = i < 1000 ? BREAK_ALLOWED : BREAK_FORBIDDEN; /* then a word of 999,000 letters */
        advances[i] = 1;
    }
    const line_filling filling = {.units = units,
                                  .count = count,
                                  .breaks = breaks,
                                  .cluster_starts = starts,
                                  .advances = advances,
                                  WIDTH(2),
                                  .breaks_long_words = true};
    assert_true(lines_fill(&filling, &lines));
    assert_int_equal(array_last(&lines)->end, count);
    array_free(&lines);
    free(units);
    free(starts);
    free(breaks);
    free(advances);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),   cmocka_unit_test(test_forced), cmocka_unit_test(test_long_words),
        cmocka_unit_test(test_hyphens), cmocka_unit_test(test_blanks), cmocka_unit_test(test_long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
