/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* stack_monoid, first dispatch: stack_reduce.glsl for boxes.
 * Reads: brackets, boxes, count. Writes: table, slices, matches of begins without an end in their partition.
 * Dispatch: one workgroup a partition; surplus ones leave at once. */
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

layout(local_size_x = 128, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

#define STACK_INVOCATIONS gl_WorkGroupSize.x

#include "primitive/stack_boxes.glsl"
#include "primitive/stack_reduce.glsl"

void main()
{
    uint count = stack_box_count();
    uint partition_index = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (partition_index < stack_partition_count(count))
        stack_reduce(partition_index, count);
}
