/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Levels and order of mixed text: all of BidiCharacterTest and BidiTest, and what needs no library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/bidi.h"
#include "text/unicode_file.h"

/* A text with what is expected of each character: a level, or -1 for one that has none in the end. */
typedef struct bidi_case {
    uint16_t units[UNICODE_MOST_UNITS];
    size_t first_units[UNICODE_MOST_UNITS]; /* first unit of each character */
    size_t unit_count, character_count;
    long levels[UNICODE_MOST_UNITS];
    uint32_t order[UNICODE_MOST_UNITS];
    size_t order_count;
} bidi_case;

static void add_character(bidi_case *one, uint32_t character)
{
    one->first_units[one->character_count++] = one->unit_count;
    unicode_put(character, one->units, &one->unit_count);
}

static void check(const bidi_case *one, bidi_direction direction, long paragraph_level, const char *line)
{
    uint8_t levels[UNICODE_MOST_UNITS], shown[UNICODE_MOST_UNITS], paragraph;
    uint32_t characters[UNICODE_MOST_UNITS], order[UNICODE_MOST_UNITS];
    size_t count = 0;
    assert_null(bidi_find_levels(one->units, one->unit_count, direction, levels, &paragraph));
    if (paragraph_level >= 0 && paragraph != paragraph_level)
        fail_msg("%s: the paragraph's level is %u", line, paragraph);
    for (size_t i = 0; i < one->character_count; i++) {
        if (one->levels[i] < 0)
            continue;
        if (levels[one->first_units[i]] != one->levels[i])
            fail_msg("%s: character %zu has level %u", line, i, levels[one->first_units[i]]);
        characters[count] = (uint32_t)i;
        shown[count++] = levels[one->first_units[i]];
    }
    bidi_order(shown, count, order);
    assert_int_equal(count, one->order_count);
    for (size_t i = 0; i < count; i++)
        if (characters[order[i]] != one->order[i])
            fail_msg("%s: character %u stands at place %zu", line, characters[order[i]], i);
}

static const char *read_levels(const char *at, bidi_case *one)
{
    size_t count = 0;
    for (; *at && *at != ';'; at += strcspn(at, " ;")) {
        at += strspn(at, " \t");
        if (*at && *at != ';')
            one->levels[count++] = *at == 'x' ? -1 : strtol(at, NULL, 10);
    }
    return *at ? at + 1 : at;
}

static void read_order(const char *at, bidi_case *one)
{
    char *end;
    one->order_count = 0;
    for (unsigned long place = strtoul(at, &end, 10); end != at; place = strtoul(at, &end, 10)) {
        one->order[one->order_count++] = (uint32_t)place;
        at = end;
    }
}

/* Characters; direction; level of the paragraph; levels; order. */
static void check_characters(void *user, const char *line)
{
    static bidi_case one;
    char *at = (char *)(uintptr_t)line;
    (void)user;
    one.unit_count = one.character_count = 0;
    while (*at != ';')
        add_character(&one, (uint32_t)strtoul(at, &at, 16));
    const long direction = strtol(at + 1, &at, 10), level = strtol(at + 1, &at, 10);
    read_order(read_levels(at + 1, &one), &one);
    check(&one, (bidi_direction)direction, level, line);
}

static void test_characters(void **state)
{
    (void)state;
    assert_int_equal(unicode_file_read("BidiCharacterTest.txt", check_characters, NULL), 91707);
}

/* A character of each class. */
static uint32_t find_character(const char *class, size_t count)
{
    static const struct {
        const char *class;
        uint32_t character;
    } characters[] = {
        {"L", 'a'},      {"R", 0x5d0},    {"EN", '0'},     {"ES", '+'},     {"ET", '#'},     {"AN", 0x660},
        {"CS", ','},     {"B", 0x2029},   {"S", '\t'},     {"WS", ' '},     {"ON", '!'},     {"LRE", 0x202a},
        {"LRO", 0x202d}, {"AL", 0x627},   {"RLE", 0x202b}, {"RLO", 0x202e}, {"PDF", 0x202c}, {"NSM", 0x300},
        {"BN", 0xad},    {"FSI", 0x2068}, {"LRI", 0x2066}, {"RLI", 0x2067}, {"PDI", 0x2069},
    };
    for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++)
        if (strlen(characters[i].class) == count && memcmp(characters[i].class, class, count) == 0)
            return characters[i].character;
    fail_msg("no class %.*s", (int)count, class);
    return 0;
}

/* "@Levels:" and "@Reorder:" hold for the lines that follow: classes; the directions to be tried, as bits. */
static void check_classes(void *user, const char *line)
{
    static const bidi_direction directions[] = {BIDI_AUTO, BIDI_LEFT_TO_RIGHT, BIDI_RIGHT_TO_LEFT};
    bidi_case *one = user;
    if (strncmp(line, "@Levels:", 8) == 0) {
        read_levels(line + 8, one);
    } else if (strncmp(line, "@Reorder:", 9) == 0) {
        read_order(line + 9, one);
    } else if (line[0] != '@') {
        const char *at = line;
        one->unit_count = one->character_count = 0;
        for (; *at != ';'; at += strspn(at, " ")) {
            const size_t count = strcspn(at, " ;");
            add_character(one, find_character(at, count));
            at += count;
        }
        const unsigned long bits = strtoul(at + 1, NULL, 16);
        for (size_t i = 0; i < 3; i++)
            if (bits >> i & 1)
                check(one, directions[i], -1, line);
    }
}

static void test_classes(void **state)
{
    static bidi_case one;
    (void)state;
    assert_true(unicode_file_read("BidiTest.txt", check_classes, &one) > 490000);
}

/* Text from left to right needs no library, and none of the others is taken for it. */
static void test_need(void **state)
{
    static const uint16_t latin[] = {'a', 0xe9, 0x3b1, 0x416, 0x2014, 0x4e00, 0xac00, 0xd83d, 0xde00};
    static const uint16_t needed[] = {0x5d0,  0x627,  0x710,  0x7ca,  0x8a0,  0x200f,
                                      0x202e, 0x2067, 0xfb2a, 0xfe8d, 0xd802, 0xd83a};
    uint8_t levels[9], paragraph = 9;
    (void)state;
    assert_false(bidi_is_needed(latin, 9));
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        assert_true(bidi_is_needed(needed + i, 1));
    assert_null(bidi_find_levels(latin, 9, BIDI_AUTO, levels, &paragraph));
    assert_int_equal(paragraph, 0);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(levels[i], 0);
    assert_null(bidi_find_levels(latin, 0, BIDI_RIGHT_TO_LEFT, levels, &paragraph));
    assert_int_equal(paragraph, 1);
    assert_null(bidi_find_levels(latin, 1, BIDI_RIGHT_TO_LEFT, levels, &paragraph));
    assert_int_equal(levels[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_characters), cmocka_unit_test(test_classes),
                                       cmocka_unit_test(test_need)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
