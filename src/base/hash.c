/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/hash.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* ---- With a key ---- */

typedef struct sip {
    uint64_t a, b, c, d;
} sip;

static inline uint64_t rotate(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static inline void sip_round(sip *state)
{
    state->a += state->b;
    state->c += state->d;
    state->b = rotate(state->b, 13) ^ state->a;
    state->d = rotate(state->d, 16) ^ state->c;
    state->a = rotate(state->a, 32) + state->d;
    state->c += state->b;
    state->d = rotate(state->d, 21) ^ state->a;
    state->b = rotate(state->b, 17) ^ state->c;
    state->c = rotate(state->c, 32);
}

static inline void sip_take(sip *state, uint64_t word)
{
    state->d ^= word;
    sip_round(state);
    state->a ^= word;
}

/* Returns the last bytes, fewer than eight, as a word. Overlapping reads avoid a loop. */
static inline uint64_t load_rest(const uint8_t *at, size_t count)
{
    uint32_t low, high;
    if (count >= 4) {
        memcpy(&low, at, 4);
        memcpy(&high, at + count - 4, 4);
        return low | (uint64_t)high << (8 * (count - 4));
    }
    return count == 0
               ? 0
               : at[0] | (uint64_t)at[count / 2] << (8 * (count / 2)) | (uint64_t)at[count - 1] << (8 * (count - 1));
}

uint64_t hash_bytes_by(hash_secret key, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    sip state = {
        key.low ^ 0x736f6d6570736575u,
        key.high ^ 0x646f72616e646f6du,
        key.low ^ 0x6c7967656e657261u,
        key.high ^ 0x7465646279746573u,
    };
    const uint64_t length = (uint64_t)count << 56;
    for (; count >= 8; at += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        sip_take(&state, word);
    }
    sip_take(&state, length | load_rest(at, count));
    state.c ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(&state);
    return state.a ^ state.b ^ state.c ^ state.d;
}

/* Derives the process's key from the sixteen random bytes that the kernel hands to every process. Others use these
 * bytes too (the C library guards stacks and pointers with them), so the key must not reveal them: it is made of hashes
 * under them. */
static uint64_t derive(uint64_t part)
{
    const void *random = (const void *)getauxval(AT_RANDOM);
    hash_secret drawn;
    assert(random);
    memcpy(&drawn, random, sizeof drawn);
    uint64_t word = hash_bytes_by(drawn, &part, sizeof part);
    return word ? word : 1;
}

/* Kept after its first use, because the C library walks a list for it each time. Threads that race compute the same
 * words. */
static inline uint64_t key_word(uint64_t part)
{
    static _Atomic uint64_t known[2];
    uint64_t word = atomic_load_explicit(&known[part], memory_order_relaxed);
    if (word == 0) {
        word = derive(part);
        atomic_store_explicit(&known[part], word, memory_order_relaxed);
    }
    return word;
}

uint64_t hash_bytes(const void *bytes, size_t count)
{
    return hash_bytes_by((hash_secret){key_word(0), key_word(1)}, bytes, count);
}

/* ---- The table ---- */

static void hash_settle(hash_walk *walk)
{
    const hash_slot *slots = walk->table->slots;
    size_t mask = walk->table->capacity - 1;
    while (slots[walk->slot].value != HASH_NONE && slots[walk->slot].hash != walk->hash)
        walk->slot = (walk->slot + 1) & mask;
    walk->value = slots[walk->slot].value;
}

hash_walk hash_find(const hash_table *table, uint64_t hash)
{
    hash_walk walk = {table, hash, 0, HASH_NONE};
    if (table->capacity) {
        walk.slot = (size_t)hash & (table->capacity - 1);
        hash_settle(&walk);
    }
    return walk;
}

void hash_next(hash_walk *walk)
{
    walk->slot = (walk->slot + 1) & (walk->table->capacity - 1);
    hash_settle(walk);
}

static void hash_put(hash_table *table, uint64_t hash, uint32_t value)
{
    size_t mask = table->capacity - 1, slot = (size_t)hash & mask;
    while (table->slots[slot].value != HASH_NONE)
        slot = (slot + 1) & mask;
    table->slots[slot] = (hash_slot){hash, value};
    table->count++;
}

static bool hash_grow(hash_table *table)
{
    size_t capacity = table->capacity ? table->capacity * 2 : 16;
    if (capacity > SIZE_MAX / 2 / sizeof(hash_slot))
        return false;
    hash_table grown = {malloc(capacity * sizeof(hash_slot)), 0, capacity};
    if (!grown.slots)
        return false;
    for (size_t i = 0; i < capacity; i++)
        grown.slots[i].value = HASH_NONE;
    /* Starts behind a free slot, so that values of one hash keep their order even where they wrap around the end. */
    size_t first = 0;
    while (first < table->capacity && table->slots[first].value != HASH_NONE)
        first++;
    for (size_t i = 0; i < table->capacity; i++) {
        const hash_slot *slot = &table->slots[(first + i) & (table->capacity - 1)];
        if (slot->value != HASH_NONE)
            hash_put(&grown, slot->hash, slot->value);
    }
    free(table->slots);
    *table = grown;
    return true;
}

bool hash_insert(hash_table *table, uint64_t hash, uint32_t value)
{
    assert(value != HASH_NONE);
    if (table->count >= table->capacity / 4 * 3 && !hash_grow(table))
        return false;
    hash_put(table, hash, value);
    return true;
}

void hash_free(hash_table *table)
{
    free(table->slots);
    *table = (hash_table){0};
}
