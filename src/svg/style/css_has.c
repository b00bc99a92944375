/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Selectors with :has(). An element is matched by walking the nodes among which what it asks for may be: all nodes
 * within it, or all from its next sibling to the end of their parent. */
#include "svg/style/css_selector_parts.h"

/* Finds the first node from `begin` to `end` that matches a compound by itself. Elements ask in the order of the
 * document, or of their depth, and so what was found last tells most of what is asked next. */
static bool find_alone(css_tree *tree, css_known *known, const css_simple *first, uint32_t begin, uint32_t end)
{
    const bool joins = begin >= known->from && begin <= known->to;
    const uint32_t from = joins ? known->from : begin;
    uint32_t at = begin;
    bool found = false;
    while (at < end && !found && !css_tree_is_spent(tree)) {
        tree->steps++;
        if (at >= known->from && at < known->to) {
            at = known->to;
            continue;
        }
        found = (at == known->to && known->matches) || css_compound_match(tree, first, at);
        at += !found;
    }
    if (!css_tree_is_spent(tree))
        *known = (css_known){from, at, found || (at == known->to && known->matches)};
    return found;
}

/* Walks siblings. */
static bool find_among(css_tree *tree, const css_simple *first, uint32_t begin, uint32_t end, bool only_first)
{
    for (uint32_t at = begin; at < end && !css_tree_is_spent(tree); at = tree->document->nodes.items[at].end) {
        tree->steps++;
        if (css_compound_match(tree, first, at))
            return true;
        if (only_first)
            break;
    }
    return false;
}

static bool find_below(css_tree *tree, const css_selector *selector, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end && !css_tree_is_spent(tree); at++) {
        tree->steps++;
        if (css_compounds_match(tree, selector->right, at))
            return true;
    }
    return false;
}

static bool find(css_tree *tree, const css_selector *selector, css_known *known, uint32_t node)
{
    const svg_node *nodes = tree->document->nodes.items;
    const uint32_t parent = nodes[node].parent;
    const css_compound *first = selector->right;
    while (first->left->left)
        first = first->left;
    const bool inside = first->combinator == ' ' || first->combinator == '>';
    const uint32_t begin = inside ? node + 1 : nodes[node].end, end = inside                  ? nodes[node].end
                                                                      : parent == SVG_NO_NODE ? begin
                                                                                              : nodes[parent].end;
    if (first != selector->right)
        return find_below(tree, selector, begin, end);
    if (first->combinator == ' ')
        return find_alone(tree, known, first->first, begin, end);
    return find_among(tree, first->first, begin, end, first->combinator == '+');
}

bool css_has_match(css_tree *tree, const css_simple *simple, uint32_t node)
{
    const uint32_t before = tree->anchor;
    css_known *known = simple->known;
    bool found = false;
    tree->anchor = node;
    for (const css_selector *selector = simple->list; selector && !found; selector = selector->next)
        found = find(tree, selector, known++, node);
    tree->anchor = before;
    return found;
}
