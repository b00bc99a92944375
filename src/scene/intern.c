/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/intern.h"

#include <stdlib.h>

static void intern_spread(intern_table *table)
{
    table->slots = calloc(INTERN_SLOTS, sizeof *table->slots);
    for (uint32_t i = 0; table->slots && i < table->few_count; i++)
        table->slots[table->few_slots[i]] = table->few[i];
}

uint32_t *intern_slot(intern_table *table, uint64_t hash)
{
    uint16_t slot = (uint16_t)intern_number(hash);
    uint32_t i = 0;
    if (!table->slots) {
        while (i < table->few_count && table->few_slots[i] != slot)
            i++;
        if (i == INTERN_FEW)
            intern_spread(table);
    }
    if (table->slots)
        return &table->slots[slot];
    if (i == INTERN_FEW) {
        i = slot % INTERN_FEW; /* out of memory: one entry is forgotten */
        table->few[i] = 0;
    } else if (i == table->few_count) {
        table->few[i] = 0;
        table->few_count++;
    }
    table->few_slots[i] = slot;
    return &table->few[i];
}

void intern_free(intern_table *table)
{
    free(table->slots);
    *table = (intern_table){0};
}
