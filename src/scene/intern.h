/* A small table that finds an equal item among those added not long ago: direct mapped, the newest item of a slot wins, and the
 * caller compares. Forgetting costs a second copy, never a wrong answer. */
#ifndef PIETRA_SCENE_INTERN_H
#define PIETRA_SCENE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#define INTERN_SLOTS 1024u

typedef struct intern_table {
    uint32_t slots[INTERN_SLOTS]; /* index of an item, plus 1; 0: none */
} intern_table;

static inline uint32_t *intern_slot(intern_table *table, uint64_t hash) { return &table->slots[hash >> 32 & (INTERN_SLOTS - 1u)]; }

#endif
