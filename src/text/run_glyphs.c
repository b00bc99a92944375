/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/run_glyphs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "font/font.h"
#include "font/fonts.h"
#include "text/icu.h"
#include "text/letter_case.h"
#include "text/utf16.h"

#define OGHAM_SPACE 0x1680u /* the only white space that some fonts show as a line */
#define ZERO_WIDTH_SPACE 0x200bu

/* Fonts make up to eight glyphs of a unit. Short runs do not matter. */
#define MOST_GROWTH 16u
#define FREE_GLYPHS 4096u

const char run_too_many_glyphs[] = "it makes too many glyphs of a text";

/* ---- Glyphs ---- */

static bool take_glyphs(const harfbuzz_functions *harfbuzz, hb_buffer_t *buffer, shaped_text *shaped, text_run *run,
                        uint32_t begin)
{
    unsigned count;
    const hb_glyph_info_t *infos = harfbuzz->hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *positions = harfbuzz->hb_buffer_get_glyph_positions(buffer, &count);
    if (!array_reserve(&shaped->glyphs, count))
        return false;
    run->first_glyph = (uint32_t)shaped->glyphs.count;
    run->glyph_count = count;
    for (unsigned i = 0; i < count; i++) {
        shaped->glyphs.items[shaped->glyphs.count++] = (text_glyph){
            .id = infos[i].codepoint,
            .unit = begin + infos[i].cluster,
            .x_advance = positions[i].x_advance,
            .y_advance = positions[i].y_advance,
            .x_offset = positions[i].x_offset,
            .y_offset = positions[i].y_offset,
        };
    }
    return true;
}

/* ---- Languages ---- */

/* HarfBuzz keeps every language for ever, in a list that it searches one by one. So only the two letters of a language
 * are passed on, and what tells forms of Chinese apart. */
static hb_language_t find_language(const harfbuzz_functions *harfbuzz, const char *language)
{
    const text tag = language ? text_of_string(language) : (text){0};
    if (tag.count < 2 || !text_is_letter(tag.bytes[0]) || !text_is_letter(tag.bytes[1]) ||
        (tag.count > 2 && tag.bytes[2] != '-'))
        return HB_LANGUAGE_INVALID;
    static const char *const chinese[] = {"zh-hant-hk", "zh-hant", "zh-hans", "zh-hk", "zh-mo", "zh-tw", "zh-sg"};
    for (size_t i = 0; i < sizeof chinese / sizeof chinese[0]; i++) {
        const text wanted = text_of_string(chinese[i]);
        const text head = {tag.bytes, tag.count < wanted.count ? tag.count : wanted.count};
        if (text_equal_ignoring_case(head, wanted))
            return harfbuzz->hb_language_from_string(chinese[i], -1);
    }
    return harfbuzz->hb_language_from_string(tag.bytes, 2);
}

/* The tag stands in a subtag of private use, so that HarfBuzz takes no other tag of the same language. */
static hb_language_t find_language_system(const harfbuzz_functions *harfbuzz, const text_style *style)
{
    char name[sizeof "x-hbot-53524220"];
    if (!style->language_system)
        return find_language(harfbuzz, style->font.language);
    snprintf(name, sizeof name, "x-hbot-%08x", (unsigned)style->language_system);
    return harfbuzz->hb_language_from_string(name, -1);
}

/* ---- Characters ---- */

/* Fills the buffer with smaller capitals in place of letters. What is beside the run is left out: letters of scripts
 * that have two cases do not join. */
static const char *add_capitals(const text_paragraph *paragraph, hb_buffer_t *buffer, const text_run *run, size_t begin)
{
    const harfbuzz_functions *harfbuzz = run->font->harfbuzz;
    const text_style *style = &paragraph->styles[run->style];
    const capitals_plan plan = capitals_find(run->font, run->script, style->capitals);
    for (size_t at = run->begin, next; at < run->end; at = next) {
        uint16_t units[LETTER_MOST_UNITS];
        uint32_t character;
        size_t count;
        next = at + utf16_decode(paragraph->units, run->end, at, &character);
        const char *wrong = capitals_replace(&plan, run->font, character, style->font.language, units, &count);
        if (wrong)
            return wrong;
        if (count == 0)
            harfbuzz->hb_buffer_add(buffer, character, (unsigned)(at - begin));
        for (size_t i = 0; i < count; harfbuzz->hb_buffer_add(buffer, character, (unsigned)(at - begin)))
            i += utf16_decode(units, count, i, &character);
    }
    harfbuzz->hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE);
    return NULL;
}

/* Puts what HarfBuzz hides, or a blank, in place of characters that are not seen and that the font lacks. HarfBuzz
 * would show a box for them. */
static void hide_characters(const text_run *run, hb_buffer_t *buffer)
{
    unsigned count;
    hb_glyph_info_t *infos = run->font->harfbuzz->hb_buffer_get_glyph_infos(buffer, &count);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t character = infos[i].codepoint;
        const font_need need = font_need_of(character);
        if ((need == FONT_NEEDS_HIDING || need == FONT_PREFERS_GLYPH) && pietra_font_glyph(run->font, character) == 0)
            infos[i].codepoint = character == OGHAM_SPACE ? ' ' : ZERO_WIDTH_SPACE;
    }
}

/* ---- Features ---- */

/* Lists features. Those of small capitals stand before the style's own, which prevail. The caller frees the list. NULL:
 * out of memory. */
static hb_feature_t *list_features(const text_style *style, const text_run *run, unsigned *count)
{
    hb_feature_t *features = malloc((style->feature_count + CAPITALS_MOST_FEATURES) * sizeof *features);
    capitals_plan plan = {.imitates_small = false};
    *count = 0;
    if (!features)
        return NULL;
    if (style->capitals != TEXT_CAPITALS_AS_IS)
        plan = capitals_find(run->font, run->script, style->capitals);
    for (size_t i = 0; i < CAPITALS_MOST_FEATURES && plan.features[i]; i++)
        features[(*count)++] = (hb_feature_t){plan.features[i], 1, 0, (unsigned)-1};
    if (style->feature_count)
        memcpy(features + *count, style->features, style->feature_count * sizeof *features);
    *count += (unsigned)style->feature_count;
    return features;
}

/* ---- The whole ---- */

/* A run that has the most units for its font would not be the last one. */
static bool has_too_many_glyphs(const harfbuzz_functions *harfbuzz, hb_buffer_t *buffer, const text_run *run)
{
    unsigned count;
    harfbuzz->hb_buffer_get_glyph_infos(buffer, &count);
    return count > FREE_GLYPHS && count > MOST_GROWTH * (run->end - run->begin);
}

const char *run_shape(const text_paragraph *paragraph, hb_buffer_t *buffer, text_run *run, size_t begin, size_t end,
                      shaped_text *shaped)
{
    const harfbuzz_functions *harfbuzz = run->font->harfbuzz;
    const char *wrong = NULL;
    unsigned feature_count;
    const hb_buffer_flags_t flags = (run->begin == begin ? HB_BUFFER_FLAG_BOT : HB_BUFFER_FLAG_DEFAULT) |
                                    (run->end == end ? HB_BUFFER_FLAG_EOT : HB_BUFFER_FLAG_DEFAULT);
    if (run->capitals_imitated)
        wrong = add_capitals(paragraph, buffer, run, begin);
    else
        harfbuzz->hb_buffer_add_utf16(buffer, paragraph->units + begin, (int)(end - begin),
                                      (unsigned)(run->begin - begin), (int)(run->end - run->begin));
    const text_style *style = &paragraph->styles[run->style];
    hb_feature_t *features = wrong ? NULL : list_features(style, run, &feature_count);
    if (!features)
        return wrong ? wrong : text_out_of_memory;
    hide_characters(run, buffer);
    harfbuzz->hb_buffer_set_direction(buffer, run->upright     ? HB_DIRECTION_TTB
                                              : run->level % 2 ? HB_DIRECTION_RTL
                                                               : HB_DIRECTION_LTR);
    harfbuzz->hb_buffer_set_script(buffer, run->script);
    harfbuzz->hb_buffer_set_language(buffer, find_language_system(harfbuzz, style));
    harfbuzz->hb_buffer_set_flags(buffer, flags);
    harfbuzz->hb_shape(run->font->guarded, buffer, features, feature_count);
    free(features);
    if (!harfbuzz->hb_buffer_allocation_successful(buffer))
        return errno == ENOMEM ? text_out_of_memory : run_too_many_glyphs;
    if (has_too_many_glyphs(harfbuzz, buffer, run))
        return run_too_many_glyphs;
    if (!take_glyphs(harfbuzz, buffer, shaped, run, (uint32_t)begin))
        return text_out_of_memory;
    return run->font->face->wrong;
}
