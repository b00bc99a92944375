/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Hashing, and a table from 64-bit hashes to 32-bit values.
 *
 * The table does not store keys. The caller walks the values with an equal hash, in the order in which they were added,
 * and compares their keys.
 *
 *     hash_walk walk = hash_find(&table, hash_bytes(key, length));
 *     for (; hash_found(&walk); hash_next(&walk))
 *         if (things[walk.value].key equals) ...
 *     if (!hash_insert(&table, hash, value)) out of memory
 *
 * The table uses open addressing with linear probing and is at most 3/4 full. Values are never removed. Zero bytes are
 * an empty table. */
#ifndef PIETRA_BASE_HASH_H
#define PIETRA_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_NONE UINT32_MAX

typedef struct hash_slot {
    uint64_t hash;
    uint32_t value; /* HASH_NONE: the slot is free */
} hash_slot;

typedef struct hash_table {
    hash_slot *slots;
    size_t count, capacity; /* capacity: a power of two, or 0 */
} hash_table;

typedef struct hash_walk {
    const hash_table *table;
    uint64_t hash;
    size_t slot;
    uint32_t value; /* HASH_NONE: the walk has ended */
} hash_walk;

typedef struct hash_secret {
    uint64_t low, high;
} hash_secret;

/* Hashes for tables whose keys come from documents: SipHash-1-3 (Aumasson and Bernstein, 2012) under a key that each
 * process has for itself, so that nobody can write a document whose names all collide. The hash differs from run to
 * run, so nothing that is shown, written or drawn may depend on it. Any thread. */
uint64_t hash_bytes(const void *bytes, size_t count);
/* Does the same under the caller's key. */
uint64_t hash_bytes_by(hash_secret key, const void *bytes, size_t count);

__extension__ typedef unsigned __int128 hash_product;

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    hash_product product = (hash_product)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Returns a hash that is the same in every process. It serves files, and tables that may forget entries and can tell
 * that they did. Bytes with a given checksum are easy to make, so a table that must not lose anything must not use it.
 * It mixes eight bytes at a time by 64 x 64 -> 128 bit products. Inline, because most callers hash a struct, whose
 * length the compiler knows. */
static inline uint64_t hash_checksum(const void *bytes, size_t count)
{
    /* Odd constants: the fractions of the square roots of 2, 3 and 5. */
    const uint64_t first = 0x6a09e667f3bcc909u, second = 0xbb67ae8584caa73bu, third = 0x3c6ef372fe94f82bu;
    const uint8_t *at = bytes;
    uint64_t state = first ^ hash_mix(count + second, third);
    for (; count >= 8; at += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        state = hash_mix(state ^ word, second) + first;
    }
    uint64_t word = 0;
    if (count)
        memcpy(&word, at, count);
    return hash_mix(state ^ word, second) ^ hash_mix(state, third);
}

hash_walk hash_find(const hash_table *table, uint64_t hash);
void hash_next(hash_walk *walk);
static inline bool hash_found(const hash_walk *walk)
{
    return walk->value != HASH_NONE;
}
/* Adds a value, which must not be HASH_NONE, after those that have the same hash. False: out of memory. */
bool hash_insert(hash_table *table, uint64_t hash, uint32_t value);
void hash_free(hash_table *table);

#endif
