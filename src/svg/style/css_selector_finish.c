/* What is known of a selector before it is matched (Selectors 4, section 17). */
#include "svg/style/css_selector_parts.h"

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
        return 0;
    case SIMPLE_IS:
    case SIMPLE_NOT:
        return list_specificity(simple->list);
    default:
        return add_specificity(CLASS_SPECIFICITY, list_specificity(simple->list));
    }
}

static void take_key(const css_simple *simple, uint8_t *kind, uint32_t *key)
{
    *kind = CSS_KEY_ANY;
    *key = 0;
    for (; simple; simple = simple->next) {
        uint8_t here = simple->kind == SIMPLE_ID      ? CSS_KEY_ID
                       : simple->kind == SIMPLE_CLASS ? CSS_KEY_CLASS
                       : simple->kind == SIMPLE_TYPE  ? CSS_KEY_TYPE
                                                      : CSS_KEY_ANY;
        if (here > *kind) {
            *kind = here;
            *key = simple->name;
        }
    }
}

void css_selector_finish(css_selector *selector)
{
    bool above = false;
    take_key(selector->right->first, &selector->key_kind, &selector->key);
    for (const css_compound *compound = selector->right; compound; compound = compound->left) {
        for (const css_simple *simple = compound->first; simple; simple = simple->next)
            selector->specificity = add_specificity(selector->specificity, simple_specificity(simple));
        uint8_t kind;
        uint32_t key;
        take_key(compound->first, &kind, &key);
        if (above && kind != CSS_KEY_ANY && selector->required_count < CSS_MOST_REQUIRED)
            selector->required[selector->required_count++] = key;
        above = compound->combinator == ' ' || compound->combinator == '>';
    }
}
