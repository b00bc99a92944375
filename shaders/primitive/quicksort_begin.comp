/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* quicksort, first dispatch: the first level has one segment, which is all keys. For bench.
 * Writes: state, segments, partitions. Dispatch: one workgroup. */
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

#include "primitive/quicksort.glsl"

layout(local_size_x = COMPARE_INVOCATIONS) in;

void main()
{
    uint partition_count = (push.count + COMPARE_PARTITION - 1u) / COMPARE_PARTITION;
    uint i = gl_LocalInvocationIndex;
    if (i <= QUICKSORT_LEVELS) {
        state.levels[i].partitions = sort_arguments(i == 0u ? partition_count : 0u, 1u, 1u);
        state.levels[i].segments = sort_arguments(i == 0u ? 1u : 0u, 1u, 1u);
    }
    if (i == 0u) {
        state.piece_count = 0u;
        segments[0] = quicksort_segment(0u, push.count, 0u, 0xffffffffu, 0u, 0u);
    }
    for (; i < partition_count; i += COMPARE_INVOCATIONS)
        partitions[i] = quicksort_partition(0u, i * COMPARE_PARTITION);
}
