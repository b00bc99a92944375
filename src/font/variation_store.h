/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Deltas of a variable font's numbers (OpenType 1.9.1, "Common Table Formats": item variation store). */
#ifndef PIETRA_FONT_VARIATION_STORE_H
#define PIETRA_FONT_VARIATION_STORE_H

#include "font/bytes.h"

#define FONT_NO_VARIATION 0xffffffffu /* the index of a number that does not vary */

/* A store, the map of its indices, and where the font stands. Zero bytes are a store of a font that does not vary. */
typedef struct variation_store {
    font_bytes store, map;  /* no bytes: there is none */
    const int *coordinates; /* one for each axis, -16384 to 16384; not owned */
    unsigned axis_count;
} variation_store;

/* Returns what is to be added to a number, in its own unit. What lies outside of the tables adds 0. */
double variation_delta(const variation_store *store, uint32_t index);

#endif
