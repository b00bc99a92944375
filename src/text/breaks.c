/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/breaks.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "text/icu.h"
#include "text/utf16.h"

#define MOST_LANGUAGE 16u /* bytes of a tag that ICU gets */
#define MOST_LOCALE 48u

/* Writes the locale by which ICU breaks lines. Tags that have anything odd are left out. */
static void name_locale(const break_rules *rules, char locale[MOST_LOCALE])
{
    static const char *const strictness[] = {[BREAK_USUAL] = "",
                                             [BREAK_LOOSE] = "@lb=loose",
                                             [BREAK_NORMAL] = "@lb=normal",
                                             [BREAK_STRICT] = "@lb=strict",
                                             [BREAK_ANYWHERE] = ""};
    char language[MOST_LANGUAGE + 1] = "";
    size_t count = rules->language ? strlen(rules->language) : 0;
    for (size_t i = 0; i < count && count <= MOST_LANGUAGE; i++) {
        const char c = rules->language[i];
        if (!text_is_letter(c) && !(c >= '0' && c <= '9') && c != '-') {
            language[0] = '\0';
            break;
        }
        language[i] = c == '-' ? '_' : c;
        language[i + 1] = '\0';
    }
    snprintf(locale, MOST_LOCALE, "%s%s", language, strictness[rules->strictness]);
}

static const char *find_by_icu(const icu_functions *icu, const uint16_t *units, size_t count, const break_rules *rules,
                               uint8_t *breaks)
{
    char locale[MOST_LOCALE];
    UErrorCode code = U_ZERO_ERROR;
    name_locale(rules, locale);
    UBreakIterator *lines = icu->ubrk_open(UBRK_LINE, locale, (const UChar *)units, (int32_t)count, &code);
    if (lines && U_SUCCESS(code))
        for (int32_t at = icu->ubrk_next(lines); at != UBRK_DONE && (size_t)at < count; at = icu->ubrk_next(lines)) {
            const int32_t status = icu->ubrk_getRuleStatus(lines);
            breaks[at] = status >= UBRK_LINE_HARD && status < UBRK_LINE_HARD_LIMIT ? BREAK_FORCED : BREAK_ALLOWED;
        }
    if (lines)
        icu->ubrk_close(lines);
    return icu_error(code);
}

/* ---- Words ---- */

static bool is_letter(ULineBreak class)
{
    switch (class) {
    case U_LB_ALPHABETIC:
    case U_LB_AMBIGUOUS:
    case U_LB_NUMERIC:
    case U_LB_COMPLEX_CONTEXT:
    case U_LB_HEBREW_LETTER:
        return true;
    default:
        return false;
    }
}

static bool is_syllable(ULineBreak class)
{
    switch (class) {
    case U_LB_IDEOGRAPHIC:
    case U_LB_CONDITIONAL_JAPANESE_STARTER:
    case U_LB_H2:
    case U_LB_H3:
    case U_LB_JL:
    case U_LB_JV:
    case U_LB_JT:
    case U_LB_E_BASE:
        return true;
    default:
        return false;
    }
}

/* Adds or removes breaks between two letters (CSS Text 3, 5.2). Marks belong to the letter before them. */
static void change_words(const icu_functions *icu, const uint16_t *units, size_t count, break_words words,
                         uint8_t *breaks)
{
    ULineBreak before = U_LB_UNKNOWN;
    for (size_t at = 0, next; at < count; at = next) {
        uint32_t character;
        next = at + utf16_decode(units, count, at, &character);
        const ULineBreak class = (ULineBreak)icu->u_getIntPropertyValue((UChar32)character, UCHAR_LINE_BREAK);
        if (class == U_LB_COMBINING_MARK || class == U_LB_ZWJ)
            continue;
        const bool letters = (is_letter(before) || is_syllable(before)) && (is_letter(class) || is_syllable(class));
        if (letters && breaks[at] != BREAK_FORCED)
            breaks[at] = words == BREAK_WORDS ? BREAK_ALLOWED : BREAK_FORBIDDEN;
        before = class;
    }
}

/* ---- The whole ---- */

bool break_is_forced_behind(uint16_t unit)
{
    return (unit >= 0x0a && unit <= 0x0d) || unit == 0x85 || unit == 0x2028 || unit == 0x2029;
}

/* Allows breaks between clusters alone; between all of them, if a line may end anywhere. */
static void heed_clusters(const uint16_t *units, size_t count, const uint8_t *cluster_starts, bool anywhere,
                          uint8_t *breaks)
{
    for (size_t i = 1; i < count; i++)
        if (!cluster_starts[i])
            breaks[i] = BREAK_FORBIDDEN;
        else if (anywhere && breaks[i] == BREAK_FORBIDDEN && !break_is_forced_behind(units[i]))
            breaks[i] = BREAK_ALLOWED;
}

const char *breaks_find(const uint16_t *units, size_t count, const uint8_t *cluster_starts, const break_rules *rules,
                        uint8_t *breaks)
{
    const icu_functions *icu;
    memset(breaks, BREAK_FORBIDDEN, count);
    if (count == 0)
        return NULL;
    const char *wrong = icu_open(&icu);
    if (!wrong)
        wrong = find_by_icu(icu, units, count, rules, breaks);
    if (wrong)
        return wrong;
    if (rules->words != BREAK_BETWEEN_WORDS)
        change_words(icu, units, count, rules->words, breaks);
    heed_clusters(units, count, cluster_starts, rules->strictness == BREAK_ANYWHERE, breaks);
    return NULL;
}
