/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/capitals.h"

#include "text/letter_case.h"
#include "text/utf16.h"

#define PAIR(a, b) \
    (const uint32_t[CAPITALS_MOST_FEATURES]) \
    { \
        a, b \
    }
#define SMALL HB_TAG('s', 'm', 'c', 'p')
#define CAPITALS_TO_SMALL HB_TAG('c', '2', 's', 'c')
#define PETITE HB_TAG('p', 'c', 'a', 'p')
#define CAPITALS_TO_PETITE HB_TAG('c', '2', 'p', 'c')
#define UNICASE HB_TAG('u', 'n', 'i', 'c')

/* ---- Features ---- */

static bool has_feature(const pietra_font *font, hb_script_t script, uint32_t feature)
{
    const harfbuzz_functions *harfbuzz = font->harfbuzz;
    hb_tag_t scripts[HB_OT_MAX_TAGS_PER_SCRIPT], chosen;
    unsigned count = HB_OT_MAX_TAGS_PER_SCRIPT, index, found;
    harfbuzz->hb_ot_tags_from_script_and_language(script, HB_LANGUAGE_INVALID, &count, scripts, NULL, NULL);
    harfbuzz->hb_ot_layout_table_select_script(font->face->shared, HB_OT_TAG_GSUB, count, scripts, &index, &chosen);
    return harfbuzz->hb_ot_layout_language_find_feature(font->face->shared, HB_OT_TAG_GSUB, index,
                                                        HB_OT_LAYOUT_DEFAULT_LANGUAGE_INDEX, feature, &found);
}

/* Takes features if the font has all of them. */
static bool take(capitals_plan *plan, const pietra_font *font, hb_script_t script, const uint32_t *features)
{
    for (size_t i = 0; i < CAPITALS_MOST_FEATURES && features[i]; i++)
        if (!has_feature(font, script, features[i]))
            return false;
    for (size_t i = 0; i < CAPITALS_MOST_FEATURES; i++)
        plan->features[i] = features[i];
    return true;
}

/* Petite capitals give way to small ones, and these to imitated ones. */
capitals_plan capitals_find(const pietra_font *font, hb_script_t script, text_capitals capitals)
{
    capitals_plan plan = {.imitates_small = false};
    switch (capitals) {
    case TEXT_SMALL_CAPITALS:
        plan.imitates_small = !take(&plan, font, script, PAIR(SMALL, 0));
        break;
    case TEXT_PETITE_CAPITALS:
        plan.imitates_small = !take(&plan, font, script, PAIR(PETITE, 0)) && !take(&plan, font, script, PAIR(SMALL, 0));
        break;
    case TEXT_ALL_SMALL_CAPITALS:
        plan.imitates_small = !take(&plan, font, script, PAIR(SMALL, CAPITALS_TO_SMALL));
        break;
    case TEXT_ALL_PETITE_CAPITALS:
        plan.imitates_small = !take(&plan, font, script, PAIR(PETITE, CAPITALS_TO_PETITE)) &&
                              !take(&plan, font, script, PAIR(SMALL, CAPITALS_TO_SMALL));
        break;
    case TEXT_UNICASE:
        plan.imitates_capitals =
            !take(&plan, font, script, PAIR(UNICASE, 0)) && !take(&plan, font, script, PAIR(CAPITALS_TO_SMALL, 0));
        break;
    default:
        break;
    }
    if (capitals == TEXT_ALL_SMALL_CAPITALS || capitals == TEXT_ALL_PETITE_CAPITALS)
        plan.imitates_capitals = plan.imitates_small;
    return plan;
}

/* ---- Letters ---- */

static bool is_same(uint32_t character, const uint16_t *units, size_t count)
{
    uint32_t first;
    return count > 0 && utf16_decode(units, count, 0, &first) == count && first == character;
}

static bool has_all(const pietra_font *font, const uint16_t *units, size_t count)
{
    uint32_t character;
    for (size_t at = 0; at < count;) {
        at += utf16_decode(units, count, at, &character);
        if (pietra_font_glyph(font, character) == 0)
            return false;
    }
    return true;
}

const char *capitals_replace(const capitals_plan *plan, const pietra_font *font, uint32_t character,
                             const char *language, uint16_t *units, size_t *count)
{
    uint16_t lower[LETTER_MOST_UNITS];
    size_t upper_count = 0, lower_count = 0;
    *count = 0;
    const char *wrong = letter_change(character, LETTER_UPPER, language, units, &upper_count);
    if (wrong)
        return wrong;
    const bool is_small = !is_same(character, units, upper_count);
    if (!is_small && plan->imitates_capitals)
        wrong = letter_change(character, LETTER_LOWER, language, lower, &lower_count);
    const bool is_capital = lower_count > 0 && !is_same(character, lower, lower_count);
    if (((is_small && plan->imitates_small) || is_capital) && has_all(font, units, upper_count))
        *count = upper_count;
    return wrong;
}
