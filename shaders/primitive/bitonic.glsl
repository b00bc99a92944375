/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bitonic sort in one workgroup's shared memory, made stable by comparing (key, position).
 *
 * How to use it: define BITONIC_WORD(i), a uint in shared memory, i below SORT_SMALL_WORDS; in uniform control flow,
 * bitonic_set(i, key) for all i < BITONIC_CAPACITY that the invocation takes, i below bitonic_size(count), keys past
 * the end having all bits set; bitonic_sort(count); then bitonic_position(i) is where the i-th smallest key stood.
 * SORT_U64: keys of 64 bits.
 * Source: Batcher, "Sorting networks and their applications", 1968. */
#ifndef BITONIC_GLSL
#define BITONIC_GLSL

#include "layout/primitive.h"
#include "primitive/sort_key.glsl"

#ifdef SORT_U64
#define BITONIC_CAPACITY SORT_SMALL_U64
#else
#define BITONIC_CAPACITY SORT_SMALL
#endif

/* Positions, then keys: their low words, then their high ones. */
#define BITONIC_LOW(i) BITONIC_WORD(BITONIC_CAPACITY + (i))
#define BITONIC_HIGH(i) BITONIC_WORD(2u * BITONIC_CAPACITY + (i))

/* Returns the least power of two that is at least `count`. */
uint bitonic_size(uint count)
{
    return count <= 1u ? 1u : 2u << findMSB(count - 1u);
}

uint bitonic_position(uint i)
{
    return BITONIC_WORD(i);
}

#ifdef SORT_U64
sort_key bitonic_key(uint i)
{
    return uvec2(BITONIC_LOW(i), BITONIC_HIGH(i));
}

void bitonic_put(uint i, sort_key key, uint position)
{
    BITONIC_LOW(i) = key.x;
    BITONIC_HIGH(i) = key.y;
    BITONIC_WORD(i) = position;
}
#else
sort_key bitonic_key(uint i)
{
    return BITONIC_LOW(i);
}

void bitonic_put(uint i, sort_key key, uint position)
{
    BITONIC_LOW(i) = key;
    BITONIC_WORD(i) = position;
}
#endif

void bitonic_set(uint i, sort_key key)
{
    bitonic_put(i, key, i);
}

void bitonic_compare(uint low, uint high, bool ascending)
{
    sort_key low_key = bitonic_key(low), high_key = bitonic_key(high);
    uint low_position = bitonic_position(low), high_position = bitonic_position(high);
    bool sorted = key_less(low_key, high_key) || (low_key == high_key && low_position < high_position);
    if (sorted != ascending) {
        bitonic_put(low, high_key, high_position);
        bitonic_put(high, low_key, low_position);
    }
}

void bitonic_sort(uint count)
{
    uint size = bitonic_size(count);
    barrier();
    for (uint block = 2u; block <= size; block <<= 1) {
        for (uint stride = block >> 1; stride != 0u; stride >>= 1) {
            for (uint first = 0u; first < size >> 1; first += gl_WorkGroupSize.x) {
                uint i = first + gl_LocalInvocationIndex;
                uint low = (i & ~(stride - 1u)) << 1 | (i & (stride - 1u));
                if (i < size >> 1)
                    bitonic_compare(low, low | stride, (low & block) == 0u);
            }
            barrier();
        }
    }
}

#endif
