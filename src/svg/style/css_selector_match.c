/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_selector_parts.h"

/* The result of matching a complex selector. A failure tells how far it reaches, so that hopeless candidates are not
 * tried. */
typedef enum match { MATCH_YES, MATCH_NO_HERE, MATCH_NO_SIBLING, MATCH_NO_ANCESTOR } match;

static match match_complex(css_tree *tree, const css_compound *compound, uint32_t node);

bool css_selector_match_list(css_tree *tree, const css_selector *list, uint32_t node)
{
    for (; list && !css_tree_is_spent(tree); list = list->next)
        if (match_complex(tree, list->right, node) == MATCH_YES)
            return true;
    return false;
}

static bool equal_text(text a, text b, bool ignore_case)
{
    return ignore_case ? text_equal_ignoring_case(a, b) : text_equal(a, b);
}

static bool has_word(text list, text word, bool ignore_case)
{
    while (word.count && list.count) {
        size_t begin = 0, end;
        while (begin < list.count && text_is_space(list.bytes[begin]))
            begin++;
        for (end = begin; end < list.count && !text_is_space(list.bytes[end]);)
            end++;
        if (equal_text((text){list.bytes + begin, end - begin}, word, ignore_case))
            return true;
        list = text_from(list.bytes + end, list.bytes + list.count);
    }
    return false;
}

static bool same(char a, char b, bool ignore_case)
{
    return ignore_case ? text_lower(a) == text_lower(b) : a == b;
}

/* Returns the length of the longest prefix of `wanted` that ends with `next`, if a prefix of `length` bytes ended
 * before it. */
static uint32_t extend(text wanted, const uint32_t *borders, uint32_t length, char next, bool ignore_case)
{
    while (length && !same(wanted.bytes[length], next, ignore_case))
        length = borders[length - 1];
    return length + same(wanted.bytes[length], next, ignore_case);
}

void css_borders(text value, bool ignore_case, uint32_t *borders)
{
    borders[0] = 0;
    for (size_t i = 1; i < value.count; i++)
        borders[i] = extend(value, borders, borders[i - 1], value.bytes[i], ignore_case);
}

static bool contains(text value, text wanted, const uint32_t *borders, bool ignore_case)
{
    uint32_t length = 0;
    for (size_t i = 0; i < value.count && length < wanted.count; i++)
        length = extend(wanted, borders, length, value.bytes[i], ignore_case);
    return length == wanted.count;
}

static bool match_value(const css_simple *simple, text value)
{
    text wanted = simple->value;
    bool fits = wanted.count && wanted.count <= value.count;
    switch (simple->operator) {
    case 0:
        return true;
    case '=':
        return equal_text(value, wanted, simple->ignore_case);
    case '~':
        return has_word(value, wanted, simple->ignore_case);
    case '|':
        return equal_text(value, wanted, simple->ignore_case) ||
               (wanted.count < value.count && value.bytes[wanted.count] == '-' &&
                equal_text((text){value.bytes, wanted.count}, wanted, simple->ignore_case));
    case '^':
        return fits && equal_text((text){value.bytes, wanted.count}, wanted, simple->ignore_case);
    case '$':
        return fits &&
               equal_text((text){value.bytes + value.count - wanted.count, wanted.count}, wanted, simple->ignore_case);
    default:
        return fits && contains(value, wanted, simple->borders, simple->ignore_case);
    }
}

/* Returns how many bytes of an attribute are compared in the time of a step. */
static size_t cost_bytes(char operator)
{
    return operator== '*' || operator== '~' ? 1 : 16;
}

static bool match_attribute(css_tree *tree, const css_simple *simple, const css_element *element)
{
    for (uint32_t i = 0; i < element->attribute_count; i++) {
        const css_attribute *attribute = &tree->attributes.items[element->attribute_begin + i];
        bool named =
            attribute->name == simple->name || (simple->any_prefix && attribute->name == (simple->name | CSS_PREFIXED));
        tree->steps += named ? 1 + attribute->value.count / cost_bytes(simple->operator) : 1;
        if (named && match_value(simple, attribute->value))
            return true;
    }
    return false;
}

static bool match_nth(css_tree *tree, const css_simple *simple, uint32_t node)
{
    int64_t place = css_place_find(tree, simple, node), from = place - simple->b;
    if (place == 0)
        return false;
    return simple->a == 0 ? from == 0 : from % simple->a == 0 && from / simple->a >= 0;
}

static bool has_class(const css_tree *tree, const css_element *element, uint32_t name)
{
    if (element->class_count == 0)
        return false;
    const uint32_t *classes = tree->classes.items + element->class_begin;
    uint32_t low = 0, high = element->class_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (classes[middle] < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < element->class_count && classes[low] == name;
}

static bool match_simple(css_tree *tree, const css_simple *simple, uint32_t node)
{
    const css_element *element = css_tree_element(tree, node);
    tree->steps++;
    switch ((simple_kind)simple->kind) {
    case SIMPLE_TYPE:
        return element->type == simple->name;
    case SIMPLE_SPACE:
        return element->space == simple->name;
    case SIMPLE_CLASS:
        return has_class(tree, element, simple->name);
    case SIMPLE_ID:
        return element->id == simple->name;
    case SIMPLE_ATTRIBUTE:
        return match_attribute(tree, simple, element);
    case SIMPLE_NEVER:
        return false;
    case SIMPLE_ROOT:
    case SIMPLE_SCOPE:
        return tree->document->nodes.items[node].parent == SVG_NO_NODE;
    case SIMPLE_EMPTY:
        return tree->document->nodes.items[node].end == node + 1 && !element->has_text;
    case SIMPLE_LINK:
        return tree->document->nodes.items[node].element == SVG_A &&
               (svg_attribute_find(tree->document, node, SVG_HREF) ||
                svg_attribute_find(tree->document, node, SVG_XLINK_HREF));
    case SIMPLE_TARGET:
        return tree->target && element->id == tree->target;
    case SIMPLE_IS:
    case SIMPLE_WHERE:
    case SIMPLE_NEST:
        return css_selector_match_list(tree, simple->list, node);
    case SIMPLE_HAS:
        return css_has_match(tree, simple, node);
    case SIMPLE_ANCHOR:
        return node == tree->anchor;
    case SIMPLE_LANG:
        return css_language_match(tree, simple, node);
    case SIMPLE_NOT:
        return !css_selector_match_list(tree, simple->list, node);
    default:
        return match_nth(tree, simple, node);
    }
}

static match match_left(css_tree *tree, const css_compound *compound, uint32_t node)
{
    bool ancestors = compound->combinator == ' ' || compound->combinator == '>';
    bool many = compound->combinator == ' ' || compound->combinator == '~';
    match none = ancestors ? MATCH_NO_ANCESTOR : MATCH_NO_SIBLING;
    for (;;) {
        node = ancestors ? tree->document->nodes.items[node].parent : css_tree_element(tree, node)->previous;
        if (node == SVG_NO_NODE || css_tree_is_spent(tree))
            return none;
        match result = match_complex(tree, compound->left, node);
        if (result == MATCH_YES || result == MATCH_NO_ANCESTOR || (!ancestors && result == MATCH_NO_SIBLING))
            return result;
        if (!many)
            return ancestors ? MATCH_NO_SIBLING : MATCH_NO_HERE;
    }
}

bool css_compound_match(css_tree *tree, const css_simple *first, uint32_t node)
{
    for (const css_simple *simple = first; simple; simple = simple->next)
        if (!match_simple(tree, simple, node))
            return false;
    return true;
}

static match match_complex(css_tree *tree, const css_compound *compound, uint32_t node)
{
    if (!css_compound_match(tree, compound->first, node))
        return MATCH_NO_HERE;
    return compound->left ? match_left(tree, compound, node) : MATCH_YES;
}

bool css_compounds_match(css_tree *tree, const css_compound *right, uint32_t node)
{
    return match_complex(tree, right, node) == MATCH_YES;
}

bool css_selector_match(css_tree *tree, const css_selector *selector, uint32_t node)
{
    tree->steps++;
    return match_complex(tree, selector->right, node) == MATCH_YES;
}
