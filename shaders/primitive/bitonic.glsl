/* Bitonic sort in one workgroup's shared memory, made stable by comparing (key, position).
 *
 * How to use it: in uniform control flow, bitonic_set(i, key) for all i < BITONIC_CAPACITY that the invocation takes, i below
 * bitonic_size(count), keys past the end having all bits set; bitonic_sort(count); then bitonic_position(i) is where the i-th
 * smallest key stood. SORT_WIDE: keys of 64 bits. Takes 16 KiB of shared memory, or 12.
 * Source: Batcher, "Sorting networks and their applications", 1968. */
#ifndef BITONIC_GLSL
#define BITONIC_GLSL

#include "layout/primitive.h"
#include "primitive/sort_key.glsl"

#ifdef SORT_WIDE
#define BITONIC_CAPACITY SORT_SMALL_WIDE
#else
#define BITONIC_CAPACITY SORT_SMALL
#endif

shared sort_key bitonic_keys[BITONIC_CAPACITY];
shared uint bitonic_positions[BITONIC_CAPACITY];

/* The power of two that holds count keys. */
uint bitonic_size(uint count)
{
    return count <= 1u ? 1u : 2u << findMSB(count - 1u);
}

void bitonic_set(uint i, sort_key key)
{
    bitonic_keys[i] = key;
    bitonic_positions[i] = i;
}

uint bitonic_position(uint i)
{
    return bitonic_positions[i];
}

void bitonic_compare(uint low, uint high, bool ascending)
{
    sort_key low_key = bitonic_keys[low], high_key = bitonic_keys[high];
    uint low_position = bitonic_positions[low], high_position = bitonic_positions[high];
    bool sorted = key_less(low_key, high_key) || (low_key == high_key && low_position < high_position);
    if (sorted != ascending) {
        bitonic_keys[low] = high_key;
        bitonic_keys[high] = low_key;
        bitonic_positions[low] = high_position;
        bitonic_positions[high] = low_position;
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
