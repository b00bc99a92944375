/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Places among siblings. A selector in :nth-child(of) may itself ask for places, so counting anew for each element
 * would take time that is exponential in the depth of such lists. Instead all children of a parent are counted at once,
 * and their places are kept. */
#include "svg/style/css_selector_parts.h"

#include <stdlib.h>

#define MOST_KEPT (1u << 24) /* places: 64 MiB */
#define LOOKUP_STEPS 8u      /* cost of finding the places of a parent's children */

/* The places of a parent's children, for one asker. */
struct css_places {
    const void *asker; /* a simple selector with a list, or one entry of `types` */
    uint32_t parent;
    uint32_t places[]; /* places by the number among the children; 0: the child does not count */
};

static const char types[2]; /* one for all selectors nth-of-type, one for all nth-last-of-type */

static bool is_last(const css_simple *simple)
{
    return simple->kind == SIMPLE_NTH_LAST || simple->kind == SIMPLE_NTH_LAST_OF_TYPE;
}

static uint64_t hash_of(const void *asker, uint32_t parent)
{
    uintptr_t key[2] = {(uintptr_t)asker, parent};
    return hash_bytes(key, sizeof key);
}

static const css_places *find_known(const css_tree *tree, const void *asker, uint32_t parent)
{
    hash_walk walk = hash_find(&tree->place_table, hash_of(asker, parent));
    for (; hash_found(&walk); hash_next(&walk))
        if (tree->places.items[walk.value]->asker == asker && tree->places.items[walk.value]->parent == parent)
            return tree->places.items[walk.value];
    return NULL;
}

static bool prepare_types(css_tree *tree)
{
    if (!tree->type_counts)
        tree->type_counts = calloc(tree->names.items.count + 1, sizeof *tree->type_counts);
    return tree->type_counts != NULL;
}

/* Counts from the first child on. *total becomes the number of matches of a list; without a list, tree->type_counts has
 * the number of each type. */
static void count_forwards(css_tree *tree, const css_selector *list, uint32_t parent, uint32_t *places, uint32_t *total)
{
    const svg_node *nodes = tree->document->nodes.items;
    *total = 0;
    for (uint32_t child = parent + 1; child < nodes[parent].end && !css_tree_is_spent(tree); child = nodes[child].end) {
        tree->steps++;
        if (!list)
            *places++ = ++tree->type_counts[css_tree_element(tree, child)->type];
        else
            *places++ = css_selector_match_list(tree, list, child) ? ++*total : 0;
    }
}

static void turn_around(const css_tree *tree, const css_selector *list, uint32_t parent, uint32_t *places,
                        uint32_t total)
{
    const svg_node *nodes = tree->document->nodes.items;
    for (uint32_t child = parent + 1; child < nodes[parent].end; child = nodes[child].end, places++)
        if (*places)
            *places = (list ? total : tree->type_counts[css_tree_element(tree, child)->type]) - *places + 1;
}

static void clear_types(css_tree *tree, uint32_t parent)
{
    const svg_node *nodes = tree->document->nodes.items;
    for (uint32_t child = parent + 1; child < nodes[parent].end; child = nodes[child].end)
        tree->type_counts[css_tree_element(tree, child)->type] = 0;
}

static bool keep(css_tree *tree, css_places *places, uint32_t count)
{
    if (tree->place_count + count > MOST_KEPT)
        css_places_free(tree);
    if (!array_reserve(&tree->places, 1) ||
        !hash_insert(&tree->place_table, hash_of(places->asker, places->parent), (uint32_t)tree->places.count))
        return false;
    *array_push(&tree->places) = places;
    tree->place_count += count;
    return true;
}

static const css_places *make(css_tree *tree, const css_simple *simple, const void *asker, uint32_t parent,
                              uint32_t count)
{
    css_places *made = malloc(sizeof *made + count * sizeof made->places[0]);
    uint32_t total;
    if (!made || (!simple->list && !prepare_types(tree)))
        goto fail;
    made->asker = asker;
    made->parent = parent;
    count_forwards(tree, simple->list, parent, made->places, &total);
    if (css_tree_is_spent(tree)) { /* nobody will use these places */
        free(made);
        return NULL;
    }
    if (is_last(simple))
        turn_around(tree, simple->list, parent, made->places, total);
    if (!simple->list)
        clear_types(tree, parent);
    if (keep(tree, made, count))
        return made;
fail:
    free(made);
    svg_budget_lack_memory(tree->document->budget);
    return NULL;
}

int64_t css_place_find(css_tree *tree, const css_simple *simple, uint32_t node)
{
    const css_element *element = css_tree_element(tree, node);
    uint32_t parent = tree->document->nodes.items[node].parent;
    bool of_type = simple->kind == SIMPLE_NTH_OF_TYPE || simple->kind == SIMPLE_NTH_LAST_OF_TYPE;
    if (parent == SVG_NO_NODE)
        return !simple->list || css_selector_match_list(tree, simple->list, node) ? 1 : 0;
    uint32_t count = css_tree_element(tree, css_tree_element(tree, parent)->last_child)->position;
    if (!of_type && !simple->list)
        return is_last(simple) ? (int64_t)count - element->position + 1 : element->position;
    tree->steps += LOOKUP_STEPS;
    const void *asker = simple->list ? (const void *)simple : &types[is_last(simple)];
    const css_places *known = find_known(tree, asker, parent);
    if (!known)
        known = make(tree, simple, asker, parent, count);
    return known ? known->places[element->position - 1] : 0;
}

void css_places_free(css_tree *tree)
{
    for (size_t i = 0; i < tree->places.count; i++)
        free(tree->places.items[i]);
    array_free(&tree->places);
    hash_free(&tree->place_table);
    tree->place_count = 0;
}
