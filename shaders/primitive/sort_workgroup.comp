/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sort, the only dispatch where one workgroup has room for all keys: they stay in registers, and each digit in turn
 * puts them in order through shared memory. Stable.
 * Reads: keys_a, values_a, counts. Writes: keys_a, values_a, where the result lies. Dispatch: one workgroup.
 * Invariant: the pool has room for counts and items apart (SORT_APART). */
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

#include "primitive/sort_rank.glsl"

void sort_counts_known(uint partition_index, uint bin, uint count)
{
}

/* Returns how many rounds are in use, which is the same in all invocations. A subgroup's keys lie side by side, so that
 * ranks by subgroup are stable. */
uint rounds_of(uint count)
{
    return (count + SORT_INVOCATIONS - 1u) / SORT_INVOCATIONS;
}

void main()
{
    uint count = min(sort_count(), SORT_PARTITION);
    uint bits = sort_bits();
    uint rounds = rounds_of(count);
    uint first = gl_SubgroupID * gl_SubgroupSize * rounds + gl_SubgroupInvocationID;
    sort_key keys[items_per_invocation];
#ifdef SORT_VALUES
    uint values[items_per_invocation];
#endif
    [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
        uint i = first + k * gl_SubgroupSize;
        bool there = k < rounds && i < count;
        keys[k] = sort_key(0xffffffffu);
        if (there)
            keys[k] = keys_a[i];
#ifdef SORT_VALUES
        values[k] = 0u;
        if (there)
            values[k] = values_a[i];
#endif
    }
    for (uint pass = 0u; 8u * pass < bits; pass++) {
        clear_counts();
        [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
            if (k < rounds)
                count_in_subgroup(bin_of(keys[k], pass, bits));
        }
        barrier();
        scan_counts(0u);
        [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
            if (k < rounds) {
                uint position = position_in_partition(bin_of(keys[k], pass, bits));
                pool_set(position, keys[k]);
#ifdef SORT_VALUES
                pool[VALUES_AT + position] = values[k];
#endif
            }
        }
        barrier();
        [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
            if (k < rounds) {
                keys[k] = pool_key(first + k * gl_SubgroupSize);
#ifdef SORT_VALUES
                values[k] = pool[VALUES_AT + first + k * gl_SubgroupSize];
#endif
            }
        }
    }
    [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
        uint i = first + k * gl_SubgroupSize;
        if (k < rounds && i < count) {
            keys_a[i] = keys[k];
#ifdef SORT_VALUES
            values_a[i] = values[k];
#endif
        }
    }
    if (gl_LocalInvocationIndex == 0u)
        plan.result_half = 0u;
}
