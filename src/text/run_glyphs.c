/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/run_glyphs.h"

#include "base/text.h"
#include "font/font.h"
#include "text/icu.h"

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

const char *run_shape(const text_paragraph *paragraph, hb_buffer_t *buffer, text_run *run, size_t begin, size_t end,
                      shaped_text *shaped)
{
    const harfbuzz_functions *harfbuzz = run->font->harfbuzz;
    const hb_buffer_flags_t flags = (run->begin == begin ? HB_BUFFER_FLAG_BOT : HB_BUFFER_FLAG_DEFAULT) |
                                    (run->end == end ? HB_BUFFER_FLAG_EOT : HB_BUFFER_FLAG_DEFAULT);
    harfbuzz->hb_buffer_add_utf16(buffer, paragraph->units + begin, (int)(end - begin), (unsigned)(run->begin - begin),
                                  (int)(run->end - run->begin));
    const text_style *style = &paragraph->styles[run->style];
    harfbuzz->hb_buffer_set_direction(buffer, run->upright     ? HB_DIRECTION_TTB
                                              : run->level % 2 ? HB_DIRECTION_RTL
                                                               : HB_DIRECTION_LTR);
    harfbuzz->hb_buffer_set_script(buffer, run->script);
    harfbuzz->hb_buffer_set_language(buffer, find_language(harfbuzz, style->font.language));
    harfbuzz->hb_buffer_set_flags(buffer, flags);
    harfbuzz->hb_shape(run->font->guarded, buffer, style->features, (unsigned)style->feature_count);
    if (!harfbuzz->hb_buffer_allocation_successful(buffer) ||
        !take_glyphs(harfbuzz, buffer, shaped, run, (uint32_t)begin))
        return text_out_of_memory;
    return run->font->wrong;
}
