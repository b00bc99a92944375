/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What has owners and can be found as long as it has any: a table that owns none of its entries.
 *
 * An entry leaves the table with its last owner, on whatever thread that is. So equal things are one thing, and nothing
 * is kept for the table's sake. All functions: any thread. */
#ifndef PIETRA_FONT_LIVING_H
#define PIETRA_FONT_LIVING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct living_table living_table;

/* The first member of a struct that has owners. */
typedef struct living {
    atomic_uint owners;
    living_table *table; /* a share of it; NULL: it is in none */
    struct living *next; /* in the same place of the table */
    uint64_t hash;
} living;

/* The one who made the table, and each entry, has a share of it. NULL: out of memory. */
living_table *living_table_create(void);
/* Does nothing for NULL. */
void living_table_release(living_table *table);

/* Returns whether an entry is what the key says. */
typedef bool living_match(const living *entry, const void *key);
/* Returns an entry with that hash that matches, for which the caller is one more owner. NULL: there is none. */
living *living_find(living_table *table, uint64_t hash, living_match *match, const void *key);
/* Adds an entry that is in no table. False: out of memory. */
bool living_add(living_table *table, living *entry, uint64_t hash);

/* Makes the caller the only owner of something new. */
void living_begin(living *entry);
void living_retain(living *entry);
/* Gives up a share. True: it was the last one, and the caller is to free what it is the beginning of. */
bool living_release(living *entry);

#endif
