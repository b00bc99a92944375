/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Capital and small letters, in languages with rules of their own and with mappings to several characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "text/letter_case.h"

static void assert_change(uint32_t character, letter_case wanted, const char *language, const uint16_t *expected)
{
    uint16_t units[LETTER_MOST_UNITS];
    size_t count = 0, length = 0;
    while (expected[length])
        length++;
    assert_null(letter_change(character, wanted, language, units, &count));
    assert_int_equal(count, length);
    assert_memory_equal(units, expected, count * sizeof units[0]);
}

static void test_changes(void **state)
{
    (void)state;
    assert_change('a', LETTER_UPPER, NULL, u"A");
    assert_change('Z', LETTER_LOWER, "en", u"z");
    assert_change('Z', LETTER_UPPER, "en", u"Z");
    assert_change('@', LETTER_LOWER, "en", u"@");
    assert_change('[', LETTER_LOWER, "en", u"[");
    assert_change('{', LETTER_UPPER, "en", u"{");
    assert_change('`', LETTER_TITLE, "en", u"`");
    assert_change(0xdf, LETTER_UPPER, NULL, u"SS");
    assert_change(0xdf, LETTER_TITLE, NULL, u"Ss");
    assert_change(0xfb03, LETTER_UPPER, NULL, u"FFI");
    assert_change(0x390, LETTER_UPPER, NULL, u"\u0399\u0308\u0301");
    assert_change(0x1c6, LETTER_TITLE, NULL, u"\u01c5");
    assert_change(0x10428, LETTER_UPPER, NULL, u"\U00010400");
    assert_change(0x4e2d, LETTER_UPPER, NULL, u"\u4e2d");
}

static void test_languages(void **state)
{
    (void)state;
    assert_change('i', LETTER_UPPER, "tr", u"\u0130");
    assert_change('i', LETTER_UPPER, "az-Latn", u"\u0130");
    assert_change('I', LETTER_LOWER, "tr-TR", u"\u0131");
    assert_change('i', LETTER_UPPER, "trv", u"I");
    assert_change('i', LETTER_UPPER, "t", u"I");
    assert_change('i', LETTER_UPPER, "", u"I");
}

static void test_sigma(void **state)
{
    static const struct {
        const char *before, *behind;
        bool is;
    } cases[] = {
        {"\u039f", "", true},
        {"", "", false},
        {"", "\u0391", false},
        {"\u039f", " \u0391", true},
        {"\u039f", "'\u0391", false},
        {"\u039f", "'.", true},
        {"a\u0301", "-", true},
        {"\u039f ", "", false},
        {"1", "", false},
        {"\U00010400", "\u0301\U00010400", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool is = !cases[i].is;
        assert_null(letter_sigma_is_final(text_of_string(cases[i].before), text_of_string(cases[i].behind), &is));
        assert_int_equal(is, cases[i].is);
    }
}

static void test_words(void **state)
{
    static const struct {
        uint32_t character;
        bool is;
    } cases[] = {{'a', true},  {'Z', true},  {'7', true},     {'-', false},
                 {' ', false}, {0xe9, true}, {0x2019, false}, {0x660, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool is = !cases[i].is;
        assert_null(letter_is_of_word(cases[i].character, &is));
        assert_int_equal(is, cases[i].is);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes), cmocka_unit_test(test_languages),
                                       cmocka_unit_test(test_sigma), cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
