/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is known of a selector before it is matched (Selectors 4, section 17). */
#include "svg/style/css_selector_parts.h"

#define DEEPEST_MATCH 4096u /* compounds; each takes some 200 bytes of the stack */

#define ID_SPECIFICITY (1u << 22)
#define CLASS_SPECIFICITY (1u << 11)
#define TYPE_SPECIFICITY 1u

static uint32_t add_specificity(uint32_t x, uint32_t y)
{
    uint32_t ids = (x >> 22) + (y >> 22), classes = (x >> 11 & 2047) + (y >> 11 & 2047),
             types = (x & 2047) + (y & 2047);
    return (ids > 1023 ? 1023 : ids) << 22 | (classes > 2047 ? 2047 : classes) << 11 | (types > 2047 ? 2047 : types);
}

static uint32_t list_specificity(const css_selector *list)
{
    uint32_t most = 0;
    for (; list; list = list->next)
        most = list->specificity > most ? list->specificity : most;
    return most;
}

static uint32_t simple_specificity(const css_simple *simple)
{
    switch ((simple_kind)simple->kind) {
    case SIMPLE_ID:
        return ID_SPECIFICITY;
    case SIMPLE_TYPE:
        return TYPE_SPECIFICITY;
    case SIMPLE_SPACE:
    case SIMPLE_WHERE:
    case SIMPLE_SCOPE:
    case SIMPLE_ANCHOR:
        return 0;
    case SIMPLE_NEST:
        return simple->name;
    case SIMPLE_IS:
    case SIMPLE_NOT:
    case SIMPLE_HAS:
        return list_specificity(simple->list);
    default:
        return add_specificity(CLASS_SPECIFICITY, list_specificity(simple->list));
    }
}

/* Finds the name that a compound requires and that tells most. & has that of the only selector for which it stands. */
static void take_key(const css_simple *simple, uint8_t *kind, uint32_t *key)
{
    *kind = CSS_KEY_ANY;
    *key = 0;
    for (; simple; simple = simple->next) {
        bool nest = simple->kind == SIMPLE_NEST && !simple->list->next;
        uint8_t here = nest                           ? simple->list->key_kind
                       : simple->kind == SIMPLE_ID    ? CSS_KEY_ID
                       : simple->kind == SIMPLE_CLASS ? CSS_KEY_CLASS
                       : simple->kind == SIMPLE_TYPE  ? CSS_KEY_TYPE
                                                      : CSS_KEY_ANY;
        if (here > *kind) {
            *kind = here;
            *key = nest ? simple->list->key : simple->name;
        }
    }
}

static uint32_t deepest_of(const css_simple *simple)
{
    uint32_t most = simple->kind == SIMPLE_NEST ? (uint32_t)simple->b : 0;
    if (simple->kind != SIMPLE_NEST)
        for (const css_selector *selector = simple->list; selector; selector = selector->next)
            most = selector->deepest > most ? selector->deepest : most;
    return most;
}

bool css_selector_finish(css_selector *selector)
{
    bool above = false;
    uint32_t count = 0, most = 0;
    take_key(selector->right->first, &selector->key_kind, &selector->key);
    for (const css_compound *compound = selector->right; compound; compound = compound->left, count++) {
        for (const css_simple *simple = compound->first; simple; simple = simple->next) {
            const uint32_t deepest = deepest_of(simple);
            selector->specificity = add_specificity(selector->specificity, simple_specificity(simple));
            most = deepest > most ? deepest : most;
        }
        uint8_t kind;
        uint32_t key;
        take_key(compound->first, &kind, &key);
        if (above && kind != CSS_KEY_ANY && selector->required_count < CSS_MOST_REQUIRED)
            selector->required[selector->required_count++] = key;
        above = compound->combinator == ' ' || compound->combinator == '>';
    }
    selector->deepest = count + most;
    return selector->deepest <= DEEPEST_MATCH;
}

css_nest css_nest_of(const css_selector *list)
{
    css_nest nest = {.list = list};
    for (; list; list = list->next, nest.count++) {
        nest.specificity = list->specificity > nest.specificity ? list->specificity : nest.specificity;
        nest.deepest = list->deepest > nest.deepest ? list->deepest : nest.deepest;
    }
    return nest;
}
