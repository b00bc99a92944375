/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* count-scan-reorder sort, first dispatch a digit: how many keys of each bin a partition has. For bench.
 * Reads: one half of the keys. Writes: table, a row of partitions a bin. Dispatch: a workgroup a partition; surplus
 * ones leave at once.
 * Source: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009. */
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

layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint items_per_invocation = 4u;

layout(scalar, binding = 0) readonly buffer keys_a_buffer
{
    uint keys_a[];
};
layout(scalar, binding = 1) readonly buffer keys_b_buffer
{
    uint keys_b[];
};
layout(scalar, binding = 2) writeonly buffer table_buffer
{
    uint table[];
};
layout(push_constant, scalar) uniform push_block
{
    sort_push push;
};

shared uint bins[SORT_BINS];

void main()
{
    uint partition_keys = gl_WorkGroupSize.x * items_per_invocation;
    uint partition_count = (push.max_count + partition_keys - 1u) / partition_keys;
    uint partition_index = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (partition_index >= partition_count)
        return;
    for (uint b = gl_LocalInvocationIndex; b < SORT_BINS; b += gl_WorkGroupSize.x)
        bins[b] = 0u;
    barrier();
    [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
        uint i = partition_index * partition_keys + k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
        if (i < push.max_count) {
            uint key = (push.pass & 1u) == 0u ? keys_a[i] : keys_b[i];
            atomicAdd(bins[key >> 8u * push.pass & 0xffu], 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
        }
    }
    barrier();
    for (uint b = gl_LocalInvocationIndex; b < SORT_BINS; b += gl_WorkGroupSize.x)
        table[b * partition_count + partition_index] = bins[b];
}
