/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A small table that finds an equal item among those added recently. It is direct mapped: the newest item of a slot
 * replaces the older one, and the caller compares. Forgetting an item costs a second copy, never a wrong answer. Since
 * the copy shows in the stream, hashes must be the same in every process (hash_checksum), and must not depend on
 * anything that differs between processes, such as addresses.
 *
 * Zero bytes are an empty table. Patterns make thousands of scenes with few elements, as cells, so the first slots in
 * use stand in the table itself. The others are allocated only when these do not suffice. */
#ifndef PIETRA_SCENE_INTERN_H
#define PIETRA_SCENE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#define INTERN_SLOTS 1024u
#define INTERN_FEW 6u

typedef struct intern_table {
    uint32_t *slots; /* index of an item plus 1; 0: none. NULL: the few slots below suffice */
    uint32_t few[INTERN_FEW];
    uint16_t few_slots[INTERN_FEW]; /* the slots for which the few stand */
    uint16_t few_count;
} intern_table;

/* Returns the number of the slot of this hash. */
static inline uint32_t intern_number(uint64_t hash)
{
    return (uint32_t)(hash >> 32) & (INTERN_SLOTS - 1u);
}
/* Returns the slot of this hash, valid until the next call. */
uint32_t *intern_slot(intern_table *table, uint64_t hash);
void intern_free(intern_table *table);

#endif
