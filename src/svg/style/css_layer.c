/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_layer.h"

bool css_layers_begin(css_layers *layers)
{
    css_layer *none = array_push(&layers->items);
    if (none)
        *none = (css_layer){0, 0, 0, 0};
    return none != NULL;
}

bool css_layer_find(css_layers *layers, uint32_t parent, uint32_t name, uint32_t *layer)
{
    const uint32_t key[2] = {parent, name};
    const uint64_t hash = hash_bytes(key, sizeof key);
    for (hash_walk walk = hash_find(&layers->table, hash); name && hash_found(&walk); hash_next(&walk)) {
        const css_layer *known = &layers->items.items[walk.value];
        *layer = walk.value;
        if (known->parent == parent && known->name == name)
            return true;
    }
    *layer = (uint32_t)layers->items.count;
    if (!array_reserve(&layers->items, 1) || (name && !hash_insert(&layers->table, hash, *layer)))
        return false;
    *array_push(&layers->items) = (css_layer){parent, name, 0, 0};
    return true;
}

/* A layer and all within it have the ranks of a range, and the layer itself the last one. While ranges are given out,
 * `rank` is the next one that a layer has to give. */
void css_layers_rank(css_layers *layers)
{
    css_layer *items = layers->items.items;
    const size_t count = layers->items.count;
    for (size_t i = 0; i < count; i++)
        items[i].size = 1;
    for (size_t i = count; i-- > 1;)
        items[items[i].parent].size += items[i].size;
    items[CSS_NO_LAYER].rank = 0;
    for (size_t i = 1; i < count; i++) {
        items[i].rank = items[items[i].parent].rank;
        items[items[i].parent].rank += items[i].size;
    }
}

void css_layers_free(css_layers *layers)
{
    array_free(&layers->items);
    hash_free(&layers->table);
}
