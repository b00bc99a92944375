/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* stack_monoid, last dispatch: stack_resolve.glsl for boxes.
 * Reads: brackets, boxes, count, table, slices, below. Writes: matches, contexts, depths, open boxes.
 * Dispatch: as the first one. */
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
#include "primitive/stack_resolve.glsl"

void stack_store_match(uint i, uint match)
{
    matches[i] = match;
}

void stack_store_four(uint i, uint count, uvec4 four_contexts, uvec4 four_depths)
{
    if (i + 4u <= count) {
        context_groups[i / 4u] = four_contexts;
        depth_groups[i / 4u] = four_depths;
        return;
    }
    [[unroll]] for (uint j = 0u; j < 4u; j++) {
        if (i + j < count) {
            contexts[i + j] = four_contexts[j];
            depths[i + j] = four_depths[j];
        }
    }
}

void stack_store_value(uint i, stack_value value)
{
    open_boxes[i] = value;
}

void main()
{
    uint count = stack_box_count();
    uint partition_index = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (partition_index < stack_partition_count(count))
        stack_resolve(partition_index, count);
}
