/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/surface_table.h"

bool surface_table_find(const surface_table *table, surface_key key, uint64_t *place)
{
    hash_walk probe = hash_find(&table->places, hash_bytes(&key, sizeof key));
    for (; hash_found(&probe); hash_next(&probe)) {
        const surface_entry *entry = &table->entries.items[probe.value];
        if (entry->key.words == key.words && entry->key.width == key.width && entry->key.height == key.height) {
            *place = entry->place;
            return true;
        }
    }
    return false;
}

bool surface_table_add(surface_table *table, surface_key key, uint64_t place)
{
    const uint32_t index = (uint32_t)table->entries.count;
    if (!array_reserve(&table->entries, 1) || !hash_insert(&table->places, hash_bytes(&key, sizeof key), index))
        return false;
    table->entries.items[table->entries.count++] = (surface_entry){key, place};
    return true;
}

void surface_table_free(surface_table *table)
{
    array_free(&table->entries);
    hash_free(&table->places);
}
