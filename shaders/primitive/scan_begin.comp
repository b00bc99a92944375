/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* scan, first half: the sums of the first push.look_ahead partitions; the words of the far partitions are cleared.
 * Reads: items, count. Writes: scratch. Dispatch: one workgroup a partition of the first ones that the ranges hold. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

#include "primitive/scan_partition.glsl"
#include "primitive/workgroup_scan.glsl"

uvec4 partition_items[scan_groups];

void main()
{
    uint count = min(item_count, push.max_count);
    uint partition_index = gl_WorkGroupID.x;
    uint sum = 0u;
    LOAD_PARTITION(partition_items, partition_index, count)
    [[unroll]] for (uint r = 0u; r < scan_groups; r++)
        sum += sum_of_group(partition_items[r]);
    uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = partition_index * gl_WorkGroupSize.x + gl_LocalInvocationIndex; i < push.far_words; i += step)
        scratch[push.look_ahead + i] = 0u;
    uint total;
    workgroup_exclusive_scan(sum, total);
    if (gl_LocalInvocationIndex == 0u)
        scratch[partition_index] = total;
}
