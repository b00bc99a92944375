/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sort of not so many keys, the second of two dispatches a digit: each partition learns from all partitions' counts
 * where its keys of each bin go, ranks its keys, puts them in order in shared memory, and scatters. No workgroup waits
 * for another. Stable.
 * Reads: counts, the table, one half of keys and values. Writes: the other half. Dispatch: a workgroup a partition.
 * SORT_VALUES: as in onesweep.comp. */
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

#define MULTISPLIT_BITS digit_bits
#include "primitive/sort_ranges.glsl"
#include "primitive/sort_table.glsl"
#define WORKGROUP_SCAN_TYPE uvec2
#include "primitive/workgroup_scan.glsl"
#include "primitive/sort_multisplit.glsl"

/* Counts, then positions, of each subgroup; keys, then values, in sorted order. Behind them the sums of the table. */
#define SUMS_AT (COUNT_WORDS > SORT_PARTITION ? COUNT_WORDS : SORT_PARTITION)
#define QUADS (BIN_PAIRS / 4u)
#define QUAD_GROUPS (SORT_INVOCATIONS < QUADS ? 1u : SORT_INVOCATIONS / QUADS)
#define ROWS_IN_FLIGHT 8u

layout(scalar, binding = 2) buffer quads_buffer
{
    sort_plan plan_before_quads;
    uvec4 table_quads[];
};

/* Returns where the sum of a bin's keys in all partitions lies; that of the partitions before this one lies BINS
 * behind. Eight neighbouring bins lie apart, so that neighbouring invocations use different banks. */
uint sum_index(uint bin)
{
    return SUMS_AT + (bin & 7u) * QUADS + bin / 8u;
}

/* Adds up the keys of each bin in all partitions, and behind them those in the partitions before this one. Several
 * invocations share four words of each row; all go through the loops equally often. */
void sum_table(uint partition_index, uint partitions)
{
    [[unroll]] for (uint first = 0u; first < QUADS; first += SORT_INVOCATIONS) {
        uint quad = first + gl_LocalInvocationIndex % QUADS;
        uint group = gl_LocalInvocationIndex / QUADS;
        uvec4 total_low = uvec4(0u), total_high = uvec4(0u), before_low = uvec4(0u), before_high = uvec4(0u);
        [[dont_unroll]] for (uint row = 0u; row < partitions; row += ROWS_IN_FLIGHT * QUAD_GROUPS) {
            uvec4 words[ROWS_IN_FLIGHT];
            [[unroll]] for (uint k = 0u; k < ROWS_IN_FLIGHT; k++) {
                uint r = row + k * QUAD_GROUPS + group;
                words[k] = uvec4(0u);
                if (r < partitions && group < QUAD_GROUPS)
                    words[k] = table_quads[r * QUADS + quad];
            }
            [[unroll]] for (uint k = 0u; k < ROWS_IN_FLIGHT; k++) {
                uvec4 low = words[k] & 0xffffu, high = words[k] >> 16;
                total_low += low;
                total_high += high;
                if (row + k * QUAD_GROUPS + group < partition_index) {
                    before_low += low;
                    before_high += high;
                }
            }
        }
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            uint at = SUMS_AT + 2u * j * QUADS + quad;
            atomicAdd(pool[at], total_low[j], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
            atomicAdd(pool[at + QUADS], total_high[j], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
            atomicAdd(pool[at + BINS], before_low[j], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
            atomicAdd(pool[at + BINS + QUADS], before_high[j], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
        }
    }
}

/* Neighbouring pairs of bins that an invocation owns, if it owns any. */
#define OWNED (BIN_PAIRS < SORT_INVOCATIONS ? 1u : BIN_PAIRS / SORT_INVOCATIONS)

/* Turns the counts of each subgroup into the partition's first position of the bin for it, and the sum of a bin into
 * what leads from a position in the partition to the place in the result, modulo 2^32. Counts are read again after the
 * scan, see the trap in sort_rank.glsl. */
void scan_counts()
{
    uint first = OWNED * workgroup_invocation();
    bool owns = first < BIN_PAIRS;
    uvec2 sum = uvec2(0u); /* keys in this partition; in all partitions */
    if (owns) {
        [[unroll]] for (uint j = 0u; j < OWNED; j++) {
            uint pair = 0u;
            [[unroll]] for (uint s = 0u; s < COUNT_ROWS; s++)
                pair += pool[s * BIN_PAIRS + first + j];
            sum.x += (pair & 0xffffu) + (pair >> 16);
            sum.y += pool[sum_index(2u * (first + j))] + pool[sum_index(2u * (first + j) + 1u)];
        }
    }
    uvec2 total;
    uvec2 start = workgroup_exclusive_scan(sum, total);
    if (owns) {
        [[unroll]] for (uint j = 0u; j < OWNED; j++) {
            uint pair = 0u;
            [[unroll]] for (uint s = 0u; s < COUNT_ROWS; s++)
                pair += pool[s * BIN_PAIRS + first + j];
            uint low = pair & 0xffffu;
            uint next = start.x | (start.x + low) << 16;
            [[unroll]] for (uint s = 0u; s < COUNT_ROWS; s++) {
                uint here = pool[s * BIN_PAIRS + first + j];
                pool[s * BIN_PAIRS + first + j] = next;
                next += here;
            }
            uint at = sum_index(2u * (first + j));
            uint low_sum = pool[at], high_sum = pool[at + QUADS];
            pool[at] = start.y + pool[at + BINS] - start.x;
            pool[at + QUADS] = start.y + low_sum + pool[at + BINS + QUADS] - start.x - low;
            start += uvec2(low + (pair >> 16), low_sum + high_sum);
        }
    }
    barrier();
}

#define EACH_ITEM [[unroll]] for (uint k = 0u; k < items_per_invocation; k++)

void main()
{
    uint count = sort_count();
    uint bits = sort_bits();
    uint partition_index = gl_WorkGroupID.x;
    uint partitions = sort_partition_count(count);
    if (push.pass >= pass_count(bits) || partition_index >= partitions)
        return;
    uint valid = min(count - partition_index * SORT_PARTITION, SORT_PARTITION);
    uint width = digit_width(bits);
    uint first_bit = push.pass * width;
    width = min(width, bits - first_bit);
    uint first = gl_SubgroupID * gl_SubgroupSize * items_per_invocation + gl_SubgroupInvocationID;
    uint base = partition_index * SORT_PARTITION + first;

    /* What is not there has the highest bin and stays behind all others. */
    uint keys[items_per_invocation];
    EACH_ITEM
    keys[k] = first + k * gl_SubgroupSize < valid ? keys_a[base + k * gl_SubgroupSize] : 0xffffffffu;
#ifdef SORT_VALUES
    uint values[items_per_invocation];
    EACH_ITEM
    values[k] = first + k * gl_SubgroupSize < valid ? values_a[base + k * gl_SubgroupSize] : 0u;
#endif
    [[unroll]] for (uint i = 0u; i < COUNT_WORDS; i += SORT_INVOCATIONS)
        pool[i + gl_LocalInvocationIndex] = 0u;
    for (uint i = gl_LocalInvocationIndex; i < 2u * BINS; i += SORT_INVOCATIONS)
        pool[SUMS_AT + i] = 0u;
    barrier();
    sum_table(partition_index, partitions);
    EACH_ITEM
    count_in_subgroup(digit_of(keys[k], first_bit, width));
    barrier();
    scan_counts();
    uint positions[items_per_invocation];
    EACH_ITEM
    positions[k] = position_in_partition(digit_of(keys[k], first_bit, width));
    barrier();
    EACH_ITEM
    pool[positions[k]] = keys[k];
    barrier();
    uint places[items_per_invocation];
    EACH_ITEM
    {
        uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex;
        uint key = pool[i];
        places[k] = pool[sum_index(digit_of(key, first_bit, width))] + i;
        if (i < valid)
            keys_b[places[k]] = key;
    }
#ifdef SORT_VALUES
    barrier();
    EACH_ITEM
    pool[positions[k]] = values[k];
    barrier();
    EACH_ITEM
    {
        uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex;
        if (i < valid)
            values_b[places[k]] = pool[i];
    }
#endif
}
