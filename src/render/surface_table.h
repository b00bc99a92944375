/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where surfaces were put, by their streams and their sizes. */
#ifndef PIETRA_RENDER_SURFACE_TABLE_H
#define PIETRA_RENDER_SURFACE_TABLE_H

#include "base/array.h"
#include "base/hash.h"

/* A surface at one size. */
typedef struct surface_key {
    const uint32_t *words; /* of its stream */
    uint32_t width, height;
} surface_key;

typedef struct surface_entry {
    surface_key key;
    uint64_t place;
} surface_entry;

/* Zero bytes are an empty table. */
typedef struct surface_table {
    ARRAY(surface_entry) entries;
    hash_table places;
} surface_table;

/* Returns whether a surface is there, and where it was put. */
bool surface_table_find(const surface_table *table, surface_key key, uint64_t *place);
/* Adds a surface that is not there. False: out of memory. */
bool surface_table_add(surface_table *table, surface_key key, uint64_t place);
/* Makes the table empty. */
void surface_table_free(surface_table *table);

#endif
