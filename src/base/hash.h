/* Hashing, and a table from 64-bit hashes to 32-bit values.
 *
 * The table knows no keys: the caller walks the values with an equal hash, in the order in which they were added, and compares their keys.
 *
 *     hash_walk walk = hash_find(&table, hash_bytes(key, length));
 *     for (; hash_found(&walk); hash_next(&walk))
 *         if (things[walk.value].key equals) ...
 *     if (!hash_insert(&table, hash, value)) out of memory
 *
 * Open addressing with linear probing, at most 3/4 full; values are never removed. Zero bytes are an empty table. */
#ifndef PIETRA_BASE_HASH_H
#define PIETRA_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_NONE UINT32_MAX

typedef struct hash_slot {
    uint64_t hash;
    uint32_t value;           /* HASH_NONE: free */
} hash_slot;

typedef struct hash_table {
    hash_slot *slots;
    size_t count, capacity;   /* capacity: a power of two, or 0 */
} hash_table;

typedef struct hash_walk {
    const hash_table *table;
    uint64_t hash;
    size_t slot;
    uint32_t value;           /* HASH_NONE: no more */
} hash_walk;

typedef struct hash_secret {
    uint64_t low, high;
} hash_secret;

/* For tables whose keys come from documents: SipHash-1-3 (Aumasson and Bernstein, 2012) under a key that each process has for itself, so
 * that nobody can write a document whose names all fall together. It differs from run to run: nothing that is seen, written or drawn may
 * depend on it. Any thread. */
uint64_t hash_bytes(const void *bytes, size_t count);
/* The same under a key of the caller's. */
uint64_t hash_bytes_by(hash_secret key, const void *bytes, size_t count);

/* The same in every process: for what is written to files, and for tables that forget, of which it shows what they forgot. Bytes of the
 * same checksum are easily made: a table that may not lose anything must not use it. Mixes eight bytes at a time by 64 x 64 -> 128 bit
 * products. */
uint64_t hash_checksum(const void *bytes, size_t count);

hash_walk hash_find(const hash_table *table, uint64_t hash);
void hash_next(hash_walk *walk);
static inline bool hash_found(const hash_walk *walk)
{
    return walk->value != HASH_NONE;
}
/* Adds a value, not HASH_NONE, beside those that have the same hash already. False: out of memory. */
bool hash_insert(hash_table *table, uint64_t hash, uint32_t value);
void hash_free(hash_table *table);

#endif
