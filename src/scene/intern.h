/* A small table that finds an equal item among those added not long ago: direct mapped, the newest item of a slot wins, and the
 * caller compares. Forgetting costs a second copy, never a wrong answer. The copy is seen in the stream, so that hashes are the same in
 * every process (hash_checksum) and of nothing that is not, as addresses are.
 *
 * Zero bytes are an empty table. Scenes of few elements are made by the thousand, as tiles of patterns: the first slots that are asked
 * for stand in the table itself, all of them are allocated when those do not do. */
#ifndef PIETRA_SCENE_INTERN_H
#define PIETRA_SCENE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#define INTERN_SLOTS 1024u
#define INTERN_FEW 6u

typedef struct intern_table {
    uint32_t *slots;           /* index of an item, plus 1; 0: none. NULL: the few below do */
    uint32_t few[INTERN_FEW];
    uint16_t few_slots[INTERN_FEW]; /* where these stand among all slots */
    uint16_t few_count;
} intern_table;

/* The slot of this hash, valid until the next call. */
uint32_t *intern_slot(intern_table *table, uint64_t hash);
void intern_free(intern_table *table);

#endif
