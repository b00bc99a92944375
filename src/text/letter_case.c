/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/letter_case.h"

#include <string.h>

#include "base/utf8.h"
#include "text/icu.h"

static bool is_small(uint32_t character)
{
    return character >= 'a' && character <= 'z';
}

static bool is_capital(uint32_t character)
{
    return character >= 'A' && character <= 'Z';
}

/* Turkish and Azeri have an i without a dot, Lithuanian keeps dots under accents. */
static bool has_own_rules(const char *language)
{
    static const char *const languages[] = {"tr", "az", "lt"};
    for (size_t i = 0; language && i < sizeof languages / sizeof languages[0]; i++)
        if (strncmp(language, languages[i], 2) == 0 && (language[2] == '\0' || language[2] == '-'))
            return true;
    return false;
}

const char *letter_change(uint32_t character, letter_case wanted, const char *language,
                          uint16_t units[LETTER_MOST_UNITS], size_t *count)
{
    const icu_functions *icu;
    const bool own_rules = has_own_rules(language);
    if (character < 0x80 && !own_rules) {
        const bool changes = wanted == LETTER_LOWER ? is_capital(character) : is_small(character);
        units[0] = (uint16_t)(changes ? character ^ 0x20 : character);
        *count = 1;
        return NULL;
    }
    const char *wrong = icu_open(&icu);
    if (wrong)
        return wrong;
    const UChar source[2] = {(UChar)(character < 0x10000 ? character : 0xd7c0 + (character >> 10)),
                             (UChar)(0xdc00 | (character & 0x3ff))};
    const int32_t length = character < 0x10000 ? 1 : 2;
    const char locale[3] = {own_rules ? language[0] : 'e', own_rules ? language[1] : 'n', 0};
    UErrorCode code = U_ZERO_ERROR;
    const int32_t got =
        wanted == LETTER_UPPER   ? icu->u_strToUpper(units, LETTER_MOST_UNITS, source, length, locale, &code)
        : wanted == LETTER_LOWER ? icu->u_strToLower(units, LETTER_MOST_UNITS, source, length, locale, &code)
                                 : icu->u_strToTitle(units, LETTER_MOST_UNITS, source, length, NULL, locale, &code);
    *count = (size_t)got;
    return code == U_STRING_NOT_TERMINATED_WARNING ? NULL : icu_error(code);
}

static uint32_t take_first(text *rest)
{
    const char *at = rest->bytes, *end = at + rest->count;
    const uint32_t character = utf8_decode(&at, end);
    *rest = text_from(at, end);
    return character;
}

static uint32_t take_last(text *rest)
{
    const char *at = rest->bytes + rest->count, *end = at;
    do
        at--;
    while (at > rest->bytes && ((uint8_t)*at & 0xc0) == 0x80);
    rest->count = (size_t)(at - rest->bytes);
    return utf8_decode(&at, end);
}

/* Returns whether a letter that has two cases is the next character but for marks, apostrophes and the like. */
static bool leads_to_letter(const icu_functions *icu, text rest, uint32_t take(text *rest))
{
    while (rest.count) {
        const UChar32 character = (UChar32)take(&rest);
        if (!icu->u_hasBinaryProperty(character, UCHAR_CASE_IGNORABLE))
            return icu->u_hasBinaryProperty(character, UCHAR_CASED);
    }
    return false;
}

const char *letter_sigma_is_final(text before, text behind, bool *is)
{
    const icu_functions *icu;
    const char *wrong = icu_open(&icu);
    if (!wrong)
        *is = leads_to_letter(icu, before, take_last) && !leads_to_letter(icu, behind, take_first);
    return wrong;
}

const char *letter_is_of_word(uint32_t character, bool *is)
{
    const icu_functions *icu;
    if (character < 0x80) {
        *is = is_small(character) || is_capital(character) || (character >= '0' && character <= '9');
        return NULL;
    }
    const char *wrong = icu_open(&icu);
    if (!wrong)
        *is = icu->u_isalnum((UChar32)character);
    return wrong;
}
