/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* count-scan-reorder sort, last dispatch a digit, after a scan of the table: each partition's keys to their places.
 * Stable. For bench.
 * Reads: one half of the keys, the table's prefix sums (as counts). Writes: the other half. Dispatch: as
 * reorder_count.comp. */
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

#include "layout/compare.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

#include "primitive/sort_rank.glsl"

void sort_counts_known(uint partition_index, uint bin, uint count)
{
}

void main()
{
    uint partition_count = sort_partition_count(push.max_count);
    uint partition_index = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (partition_index >= partition_count)
        return;
    uint valid = min(push.max_count - partition_index * SORT_PARTITION, SORT_PARTITION);
    uint first = gl_SubgroupID * gl_SubgroupSize * items_per_invocation + gl_SubgroupInvocationID;
    uint keys[items_per_invocation];
    clear_counts();
    [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
        uint i = first + k * gl_SubgroupSize;
        keys[k] = 0xffffffffu;
        if (i < valid)
            keys[k] = (push.pass & 1u) == 0u ? keys_a[partition_index * SORT_PARTITION + i]
                                             : keys_b[partition_index * SORT_PARTITION + i];
        count_in_subgroup(bin_of(keys[k], push.pass, 32u));
    }
    barrier();
    scan_counts(partition_index);
    [[unroll]] for (uint k = 0u; k < items_per_invocation; k++)
        pool_set(position_in_partition(bin_of(keys[k], push.pass, 32u)), keys[k]);
    uint bin = workgroup_invocation();
    if (bin < SORT_BINS)
        bin_start[bin] = counts[bin * partition_count + partition_index] - bin_start[bin];
    barrier();
    [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
        uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex;
        if (i < valid) {
            uint key = pool_key(i);
            uint place = bin_start[bin_of(key, push.pass, 32u)] + i;
            if ((push.pass & 1u) == 0u)
                keys_b[place] = key;
            else
                keys_a[place] = key;
        }
    }
}
