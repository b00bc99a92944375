/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/css_names.h"

uint32_t css_name_intern(css_names *names, text name)
{
    uint64_t hash = hash_bytes(name.bytes, name.count);
    hash_walk walk = hash_find(&names->table, hash);
    for (; hash_found(&walk); hash_next(&walk))
        if (text_equal(names->items.items[walk.value], name))
            return walk.value + 1;
    char *copy = arena_copy(&names->arena, name.bytes, name.count);
    if (!copy || names->items.count >= CSS_MOST_NAMES || !array_reserve(&names->items, 1) ||
        !hash_insert(&names->table, hash, (uint32_t)names->items.count))
        return 0;
    *array_push(&names->items) = (text){copy, name.count};
    return (uint32_t)names->items.count;
}

void css_names_free(css_names *names)
{
    arena_free(&names->arena);
    array_free(&names->items);
    hash_free(&names->table);
}
