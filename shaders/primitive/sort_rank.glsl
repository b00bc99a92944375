/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds where keys go within a workgroup's partition: it counts them by subgroup, then gives positions. onesweep,
 * sort_workgroup and reorder share it.
 *
 * How to use it: a kernel whose shape is given by specialisation constants, at least SORT_BINS invocations, includes
 * it; SORT_VALUES, SORT_U64 as in onesweep.comp. In uniform control flow: clear_counts(); count_in_subgroup(bin) for
 * all keys; a barrier; scan_counts(partition_index), which ends in one; then position_in_partition(bin) for the same
 * keys in the same order. The includer defines
 *     void sort_counts_known(uint partition_index, uint bin, uint count)   called for each bin as soon as the
 *                                                                          partition's count is known
 * The order is stable if a subgroup's keys lie side by side and are counted in their order.
 *
 * The pool holds the counts first. With SORT_APART the items have room behind the counts, so an item can be stored as
 * soon as its place is known. Without it the items take the counts' place after a barrier.
 *
 * Trap (an H200): scan_counts once kept the subgroups' counts in an array over the scan's barriers. Compiled for some
 * shapes (1,024 x 4 keys, 512 x 5, 1,024 x 7) that sorted wrongly, for others rightly; with the counts read again all
 * shapes that were tried are right. Nothing in the memory model explains it, so do not keep such an array.
 * Source: Ashkiani et al., "GPU Multisplit", 2016. */
#ifndef SORT_RANK_GLSL
#define SORT_RANK_GLSL

#include "primitive/workgroup_scan.glsl"

#define MULTISPLIT_BITS 8u
#define BIN_PAIRS (SORT_BINS / 2u)
#include "primitive/sort_multisplit.glsl"

#ifdef SORT_VALUES
#define ITEM_WORDS (KEY_WORDS + 1u)
#else
#define ITEM_WORDS KEY_WORDS
#endif
#define SORT_APART (shared_words >= COUNT_WORDS + ITEM_WORDS * SORT_PARTITION)
#define ITEMS_AT (SORT_APART ? COUNT_WORDS : 0u)
#define VALUES_AT (ITEMS_AT + KEY_WORDS * SORT_PARTITION)

/* The bin counts of each subgroup, two of 16 bits in a word; keys and values in sorted order. */
shared uint bin_count[SORT_BINS];
shared uint bin_start[SORT_BINS];

void sort_counts_known(uint partition_index, uint bin, uint count);

#ifdef SORT_U64
void pool_set(uint i, sort_key key)
{
    pool[ITEMS_AT + i] = key.x;
    pool[ITEMS_AT + SORT_PARTITION + i] = key.y;
}

sort_key pool_key(uint i)
{
    return uvec2(pool[ITEMS_AT + i], pool[ITEMS_AT + SORT_PARTITION + i]);
}

uint digit_word(sort_key key, uint pass)
{
    return pass < 4u ? key.x : key.y;
}
#else
void pool_set(uint i, sort_key key)
{
    pool[ITEMS_AT + i] = key;
}

sort_key pool_key(uint i)
{
    return pool[ITEMS_AT + i];
}

uint digit_word(sort_key key, uint pass)
{
    return key;
}
#endif

uint bin_of(sort_key key, uint pass, uint bits)
{
    return bitfieldExtract(digit_word(key, pass), int(8u * (pass & 3u)), int(min(bits - 8u * pass, 8u)));
}

/* Adds up the counts of the subgroups and reports the sums. Then each subgroup's count becomes the partition's first
 * position of the bin for that subgroup. The sums go to bin_count, the first positions to bin_start. */
void scan_counts(uint partition_index)
{
    uint pair = workgroup_invocation();
    bool owns = pair < BIN_PAIRS;
    uint sum = 0u;
    [[unroll]] for (uint s = 0u; s < COUNT_ROWS; s++)
        sum += owns && s < gl_NumSubgroups ? pool[s * BIN_PAIRS + pair] : 0u;
    uint low = sum & 0xffffu;
    if (owns) {
        sort_counts_known(partition_index, 2u * pair, low);
        sort_counts_known(partition_index, 2u * pair + 1u, sum >> 16);
    }
    uint total;
    uint start = workgroup_exclusive_scan(low + (sum >> 16), total);
    if (owns) {
        bin_count[2u * pair] = low;
        bin_count[2u * pair + 1u] = sum >> 16;
        bin_start[2u * pair] = start;
        bin_start[2u * pair + 1u] = start + low;
    }
    uint next = start | (start + low) << 16;
    [[unroll]] for (uint first = 0u; first < COUNT_ROWS; first += 4u) {
        uvec4 here = uvec4(0u);
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            if (owns && first + j < gl_NumSubgroups)
                here[j] = pool[(first + j) * BIN_PAIRS + pair];
        }
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            if (owns && first + j < gl_NumSubgroups)
                pool[(first + j) * BIN_PAIRS + pair] = next;
            next += here[j];
        }
    }
    barrier();
}

#endif
