/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Makes keys to sort, and checks whether they were sorted. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11u
#define BINS (1u << DIGIT_BITS)

static uint64_t key_at(const uint32_t *keys, uint64_t i, uint32_t words)
{
    return words == 2u ? keys[2u * i] | (uint64_t)keys[2u * i + 1u] << 32 : keys[i];
}

static void set_key(uint32_t *keys, uint64_t i, uint32_t words, uint64_t key)
{
    keys[i * words] = (uint32_t)key;
    if (words == 2u)
        keys[2u * i + 1u] = (uint32_t)(key >> 32);
}

static uint64_t significant(uint64_t key, uint32_t bits)
{
    return bits >= 64u ? key : key & ((UINT64_C(1) << bits) - 1u);
}

void fill_keys(uint32_t *keys, uint32_t n, const char *kind, uint32_t words, uint32_t bits)
{
    if (strcmp(kind, "sorted") != 0) {
        fill_words(keys, n, kind, words);
        return;
    }
    uint32_t high = bits < 32u ? bits : 32u;
    for (uint64_t i = 0; i < n; i++)
        set_key(keys, i, words, (i << high) / n << (bits - high));
}

/* Sebastiano Vigna's splitmix64. Sums over it differ for different sets of keys, but for a chance of 2^-64. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Does one stable pass over the digit that starts at a bit. */
static void sort_digit(const uint32_t *from, uint32_t *to, uint32_t n, uint32_t words, uint32_t first_bit,
                       uint32_t bits)
{
    uint32_t starts[BINS] = {0}, next = 0;
    for (uint32_t i = 0; i < n; i++)
        starts[significant(key_at(from, i, words) >> first_bit, bits)]++;
    for (uint32_t b = 0; b < BINS; b++) {
        uint32_t count = starts[b];
        starts[b] = next;
        next += count;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = key_at(from, i, words);
        set_key(to, starts[significant(key >> first_bit, bits)]++, words, key);
    }
}

/* Equal keys must keep their order. Keys show it if they differ in bits that do not count. */
static bool is_stable_order(const uint32_t *keys, const uint32_t *before, uint32_t n, uint32_t words, uint32_t bits)
{
    uint64_t bytes = 4u * (uint64_t)words * n;
    uint32_t *halves[2] = {bench_allocate(bytes), bench_allocate(bytes)};
    const uint32_t *from = before;
    for (uint32_t first = 0; first < bits; first += DIGIT_BITS) {
        uint32_t *to = halves[from == halves[0]];
        sort_digit(from, to, n, words, first, bits - first < DIGIT_BITS ? bits - first : DIGIT_BITS);
        from = to;
    }
    bool same = memcmp(keys, from, (size_t)bytes) == 0;
    free(halves[0]);
    free(halves[1]);
    return same;
}

bool keys_are_sorted(const uint32_t *keys, const uint32_t *values, const uint32_t *before, uint32_t n, uint32_t words,
                     uint32_t bits)
{
    if (!values && bits < 32u * words)
        return is_stable_order(keys, before, n, words, bits);
    uint64_t sum = 0, sum_before = 0, last = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t whole = key_at(keys, i, words), key = significant(whole, bits);
        sum += mix(whole);
        sum_before += mix(key_at(before, i, words));
        if (values && (values[i] >= n || key_at(before, values[i], words) != whole))
            return false;
        if (i && (last > key || (values && last == key && values[i - 1u] >= values[i])))
            return false;
        last = key;
    }
    return sum == sum_before;
}
