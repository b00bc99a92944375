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

#define ZERO_WIDTH_NON_JOINER 0x200cu
#define ZERO_WIDTH_JOINER 0x200du

/* Letters that stand on one another, each joined to the next by a virama or the like. */
typedef struct stack {
    uint32_t height;
    bool goes_on; /* the next letter belongs to it */
} stack;

/* Takes the next character. Returns whether a run must end before it. */
static bool ends_stack(stack *stack, uint32_t character, bool mark, hb_unicode_combining_class_t class)
{
    const bool joins = class == HB_UNICODE_COMBINING_CLASS_VIRAMA;
    if (character == ZERO_WIDTH_JOINER || character == ZERO_WIDTH_NON_JOINER || (mark && !joins))
        return false;
    if (!mark)
        stack->height = stack->goes_on ? stack->height + 1 : 0;
    stack->goes_on = joins;
    return !mark && stack->height > 0 && stack->height % TEXT_MOST_STACKED == 0;
}

void runs_limit_clusters(const harfbuzz_functions *harfbuzz, const uint16_t *units, size_t count, const uint8_t *starts,
                         uint8_t *ends)
{
    hb_unicode_funcs_t *unicode = harfbuzz->hb_unicode_funcs_get_default();
    uint32_t marks = 0, joined = 0;
    stack stack = {0};
    for (size_t at = 0; at < count;) {
        uint32_t character;
        const size_t end = at + utf16_decode(units, count, at, &character);
        const bool mark = is_mark(harfbuzz->hb_unicode_general_category(unicode, character));
        marks = mark ? marks + 1 : 0;
        joined = starts[at] ? 0 : joined + !mark;
        ends[at] = (marks > 0 && marks % TEXT_MOST_MARKS == 0) ||
                   (!mark && joined > 0 && joined % TEXT_MOST_JOINED == 0) ||
                   ends_stack(&stack, character, mark, harfbuzz->hb_unicode_combining_class(unicode, character));
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
