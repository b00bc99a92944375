#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 hash_product;

static uint64_t hash_mix(uint64_t a, uint64_t b)
{
    hash_product product = (hash_product)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_bytes(const void *bytes, size_t count)
{
    /* Odd constants: the fractions of the square roots of 2, 3 and 5. */
    const uint64_t first = 0x6a09e667f3bcc909u, second = 0xbb67ae8584caa73bu, third = 0x3c6ef372fe94f82bu;
    const unsigned char *at = bytes;
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
    hash_walk walk = { table, hash, 0, HASH_NONE };
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
    table->slots[slot] = (hash_slot){ hash, value };
    table->count++;
}

static bool hash_grow(hash_table *table)
{
    size_t capacity = table->capacity ? table->capacity * 2 : 16;
    if (capacity > SIZE_MAX / 2 / sizeof(hash_slot))
        return false;
    hash_table grown = { malloc(capacity * sizeof(hash_slot)), 0, capacity };
    if (!grown.slots)
        return false;
    for (size_t i = 0; i < capacity; i++)
        grown.slots[i].value = HASH_NONE;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i].value != HASH_NONE)
            hash_put(&grown, table->slots[i].hash, table->slots[i].value);
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
    *table = (hash_table){ 0 };
}
