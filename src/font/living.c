/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/living.h"

#include <pthread.h>
#include <stdlib.h>

#define FIRST_PLACES 16u

struct living_table {
    atomic_uint owners;
    pthread_mutex_t lock; /* guards all that follows, and the entries' `next` */
    living **places;
    size_t place_count, count; /* place_count: a power of two, or 0 */
};

/* ---- Tables ---- */

living_table *living_table_create(void)
{
    living_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    if (pthread_mutex_init(&table->lock, NULL) != 0) {
        free(table);
        return NULL;
    }
    atomic_init(&table->owners, 1);
    return table;
}

void living_table_release(living_table *table)
{
    if (!table || atomic_fetch_sub_explicit(&table->owners, 1, memory_order_acq_rel) != 1)
        return;
    pthread_mutex_destroy(&table->lock);
    free(table->places);
    free(table);
}

static living **place_of(const living_table *table, uint64_t hash)
{
    return &table->places[hash & (table->place_count - 1)];
}

static bool grow(living_table *table)
{
    const size_t before = table->place_count;
    living **old = table->places, **places = calloc(before ? 2 * before : FIRST_PLACES, sizeof(living *));
    if (!places)
        return false;
    table->places = places;
    table->place_count = before ? 2 * before : FIRST_PLACES;
    for (size_t i = 0; i < before; i++)
        for (living *entry = old[i], *next; entry; entry = next) {
            living **place = place_of(table, entry->hash);
            next = entry->next;
            entry->next = *place;
            *place = entry;
        }
    free(old);
    return true;
}

/* ---- Entries ---- */

/* An entry without owners is about to leave the table. */
static bool retain_if_alive(living *entry)
{
    unsigned owners = atomic_load_explicit(&entry->owners, memory_order_relaxed);
    while (owners > 0)
        if (atomic_compare_exchange_weak_explicit(&entry->owners, &owners, owners + 1, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    return false;
}

living *living_find(living_table *table, uint64_t hash, living_match *match, const void *key)
{
    pthread_mutex_lock(&table->lock);
    living *entry = table->place_count ? *place_of(table, hash) : NULL;
    while (entry && !(entry->hash == hash && match(entry, key) && retain_if_alive(entry)))
        entry = entry->next;
    pthread_mutex_unlock(&table->lock);
    return entry;
}

bool living_add(living_table *table, living *entry, uint64_t hash)
{
    pthread_mutex_lock(&table->lock);
    const bool room = table->count < table->place_count || grow(table);
    if (room) {
        living **place = place_of(table, hash);
        entry->hash = hash;
        entry->next = *place;
        *place = entry;
        entry->table = table;
        table->count++;
        atomic_fetch_add_explicit(&table->owners, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&table->lock);
    return room;
}

void living_begin(living *entry)
{
    atomic_init(&entry->owners, 1);
    entry->table = NULL;
}

void living_retain(living *entry)
{
    atomic_fetch_add_explicit(&entry->owners, 1, memory_order_relaxed);
}

static void leave_table(const living *entry)
{
    living_table *table = entry->table;
    pthread_mutex_lock(&table->lock);
    living **place = place_of(table, entry->hash);
    while (*place != entry)
        place = &(*place)->next;
    *place = entry->next;
    table->count--;
    pthread_mutex_unlock(&table->lock);
    living_table_release(table);
}

bool living_release(living *entry)
{
    if (atomic_fetch_sub_explicit(&entry->owners, 1, memory_order_acq_rel) != 1)
        return false;
    if (entry->table)
        leave_table(entry);
    return true;
}
