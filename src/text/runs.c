/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/runs.h"

#include "text/shape.h"
#include "text/utf16.h"

static bool is_shared(hb_script_t script)
{
    return script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN;
}

void runs_find_scripts(const harfbuzz_functions *harfbuzz, const uint16_t *units, size_t count, const uint8_t *levels,
                       hb_script_t *scripts)
{
    hb_unicode_funcs_t *unicode = harfbuzz->hb_unicode_funcs_get_default();
    hb_script_t current = HB_SCRIPT_COMMON;
    hb_script_t last[2] = {HB_SCRIPT_COMMON, HB_SCRIPT_COMMON}; /* the last script of each direction */
    size_t first = count;                                       /* the first unit with a script of its own */
    for (size_t at = 0; at < count;) {
        uint32_t character;
        const unsigned backward = levels[at] % 2;
        const size_t end = at + utf16_decode(units, count, at, &character);
        const hb_script_t script = harfbuzz->hb_unicode_script(unicode, character);
        if (!is_shared(script)) {
            current = last[backward] = script;
            first = first == count ? at : first;
        } else if (script == HB_SCRIPT_COMMON && last[backward] != HB_SCRIPT_COMMON) {
            current = last[backward];
        }
        for (; at < end; at++)
            scripts[at] = current;
    }
    for (size_t at = 0; at < first && first < count; at++)
        scripts[at] = scripts[first];
}

static bool is_mark(hb_unicode_general_category_t category)
{
    return category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK ||
           category == HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK ||
           category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK;
}

void runs_limit_clusters(const harfbuzz_functions *harfbuzz, const uint16_t *units, size_t count, const uint8_t *starts,
                         uint8_t *ends)
{
    hb_unicode_funcs_t *unicode = harfbuzz->hb_unicode_funcs_get_default();
    uint32_t marks = 0, joined = 0;
    for (size_t at = 0; at < count;) {
        uint32_t character;
        const size_t end = at + utf16_decode(units, count, at, &character);
        const bool mark = is_mark(harfbuzz->hb_unicode_general_category(unicode, character));
        marks = mark ? marks + 1 : 0;
        joined = starts[at] ? 0 : joined + !mark;
        ends[at] =
            (marks > 0 && marks % TEXT_MOST_MARKS == 0) || (!mark && joined > 0 && joined % TEXT_MOST_JOINED == 0);
        if (end > at + 1)
            ends[at + 1] = 0;
        at = end;
    }
}

bool runs_are_joined(hb_script_t script)
{
    switch (script) {
    case HB_SCRIPT_ARABIC:
    case HB_SCRIPT_HANIFI_ROHINGYA:
    case HB_SCRIPT_MANDAIC:
    case HB_SCRIPT_MONGOLIAN:
    case HB_SCRIPT_NKO:
    case HB_SCRIPT_PHAGS_PA:
    case HB_SCRIPT_SYRIAC:
        return true;
    default:
        return false;
    }
}
