/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sort, one dispatch a digit: each partition ranks its keys, learns from its predecessors how many keys of each bin
 * come before, and scatters. The order is stable.
 * Reads: plan, one half of keys and values. Writes: the other half. Dispatch: indirect, from the plan.
 * SORT_VALUES: keys have values. SORT_U64: they have 64 bits. The shape is given by specialisation constants: at least
 * SORT_BINS invocations, some keys each. onesweep_registers.comp does the same faster where subgroups have 32. Ranks
 * come from ballots: partitioned subgroup operations took 1,170 us where ballots took 892 on an H200, since the
 * instruction takes a turn for each distinct value.
 * Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

#define LOOK_BACK_CONSTANTS_ONLY
#include "primitive/look_back.glsl"
#include "primitive/sort_rank.glsl"
#include "primitive/sort_look_back.glsl"

uint digit_of(sort_key key)
{
    return bin_of(key, push.pass, plan.bits);
}

/* Items that are taken at a time. What is kept for all of them costs registers and so occupancy. */
#define COUNTED 8u
#define PLACED 4u
#define STORED 4u

/* `number` keys of this invocation, from the k-th on; where only `valid` of the partition are there, the others get all
 * bits. The test for the half stands outside the loop, so that all loads are on their way at once. */
#define LOAD_KEYS(number, half) \
    [[unroll]] for (uint j = 0u; j < number; j++) \
        keys[j] = first + (k + j) * gl_SubgroupSize < valid ? half[base + (k + j) * gl_SubgroupSize] \
                                                            : sort_key(0xffffffffu);

#ifdef SORT_VALUES
#define LOAD_VALUES(number, half) \
    [[unroll]] for (uint j = 0u; j < number; j++) \
        values[j] = first + (k + j) * gl_SubgroupSize < valid ? half[base + (k + j) * gl_SubgroupSize] : 0u;
#define STORE_VALUE(half) half[place] = pool[VALUES_AT + i];
#else
#define LOAD_VALUES(number, half)
#define STORE_VALUE(half)
#endif

/* With a ring the bin's owner publishes the count a little later. */
void sort_counts_known(uint partition_index, uint bin, uint count)
{
#ifndef SORT_RING
    publish(partition_index, bin, partition_index == 0u ? LOOK_BACK_INCLUSIVE : LOOK_BACK_AGGREGATE, count);
#endif
}

/* Counts this invocation's keys. What pads the last partition has the highest bin and stays behind all keys. */
void count_keys(uint source, uint first, uint base, uint valid, uint bits)
{
    clear_counts();
    [[dont_unroll]] for (uint k = 0u; k < items_per_invocation; k += COUNTED) {
        sort_key keys[COUNTED];
        if (source == 0u) {
            LOAD_KEYS(COUNTED, keys_a)
        } else {
            LOAD_KEYS(COUNTED, keys_b)
        }
        [[unroll]] for (uint j = 0u; j < COUNTED; j++) {
            if (k + j < items_per_invocation)
                count_in_subgroup(bin_of(keys[j], push.pass, bits));
        }
    }
}

/* Reads the keys again, which the cache still has, and puts each into its place as soon as that is known. */
void place_items(uint source, uint first, uint base, uint valid, uint bits)
{
    [[dont_unroll]] for (uint k = 0u; k < items_per_invocation; k += PLACED) {
        sort_key keys[PLACED];
#ifdef SORT_VALUES
        uint values[PLACED];
#endif
        if (source == 0u) {
            LOAD_KEYS(PLACED, keys_a)
            LOAD_VALUES(PLACED, values_a)
        } else {
            LOAD_KEYS(PLACED, keys_b)
            LOAD_VALUES(PLACED, values_b)
        }
        [[unroll]] for (uint j = 0u; j < PLACED; j++) {
            if (k + j < items_per_invocation) {
                uint position = position_in_partition(bin_of(keys[j], push.pass, bits));
                pool_set(position, keys[j]);
#ifdef SORT_VALUES
                pool[VALUES_AT + position] = values[j];
#endif
            }
        }
    }
}

/* Does the same if the items take the counts' place. All positions come first. */
void place_items_late(uint source, uint first, uint base, uint valid, uint bits)
{
    const uint k = 0u;
    sort_key keys[items_per_invocation];
    uint positions[items_per_invocation];
    if (source == 0u) {
        LOAD_KEYS(items_per_invocation, keys_a)
    } else {
        LOAD_KEYS(items_per_invocation, keys_b)
    }
    [[unroll]] for (uint j = 0u; j < items_per_invocation; j++)
        positions[j] = position_in_partition(bin_of(keys[j], push.pass, bits));
    barrier();
    [[unroll]] for (uint j = 0u; j < items_per_invocation; j++)
        pool_set(positions[j], keys[j]);
#ifdef SORT_VALUES
    uint values[items_per_invocation];
    if (source == 0u) {
        LOAD_VALUES(items_per_invocation, values_a)
    } else {
        LOAD_VALUES(items_per_invocation, values_b)
    }
    [[unroll]] for (uint j = 0u; j < items_per_invocation; j++)
        pool[VALUES_AT + positions[j]] = values[j];
#endif
}

/* Stores what lies sorted in the pool to its places. */
void store_items(uint source, uint valid, uint bits)
{
    [[dont_unroll]] for (uint k = 0u; k < items_per_invocation; k += STORED) {
        [[unroll]] for (uint j = 0u; j < STORED; j++) {
            uint i = (k + j) * SORT_INVOCATIONS + gl_LocalInvocationIndex;
            if (i < valid) {
                sort_key key = pool_key(i);
                uint place = bin_start[bin_of(key, push.pass, bits)] + i;
                if (source == 0u) {
                    keys_b[place] = key;
                    STORE_VALUE(values_b)
                } else {
                    keys_a[place] = key;
                    STORE_VALUE(values_a)
                }
            }
        }
    }
}

void main()
{
    uint bits = plan.bits;
    table_start = sort_table(push.pass);
    uint partition_index = take_partition(sort_partition_count(plan.count));
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    uint source = plan.source_half[push.pass];
    uint valid = min(plan.count - partition_index * SORT_PARTITION, SORT_PARTITION);
    uint first = gl_SubgroupID * gl_SubgroupSize * items_per_invocation + gl_SubgroupInvocationID;
    uint base = partition_index * SORT_PARTITION + first;
    uint own_bin = workgroup_invocation();

#ifdef SORT_RING
    ring_begin(partition_index, own_bin, source);
#endif
    count_keys(source, first, base, valid, bits);
    barrier();
    scan_counts(partition_index);
    uint own_count = own_bin < SORT_BINS ? bin_count[own_bin] : 0u;
    uint own_start = own_bin < SORT_BINS ? bin_start[own_bin] : 0u;
#ifdef SORT_RING
    ring_take(own_bin);
    if (own_bin < SORT_BINS)
        publish(partition_index, own_bin, partition_index == 0u ? LOOK_BACK_INCLUSIVE : LOOK_BACK_AGGREGATE, own_count);
#endif
    if (SORT_APART)
        place_items(source, first, base, valid, bits);
    else
        place_items_late(source, first, base, valid, bits);
    uint before = look_back_bin(source, partition_index, own_bin, own_count);
    /* bin_start becomes the distance, modulo 2^32, from a position within the partition to the place in the result. */
    if (own_bin < SORT_BINS)
        bin_start[own_bin] = plan.bins[push.pass * SORT_BINS + own_bin] + before - own_start;
    barrier();
    store_items(source, valid, bits);
}
