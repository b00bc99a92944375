/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* stack_monoid, third dispatch: stack_join_chunks.glsl for boxes.
 * Reads: table, slices, below, count. Writes: table, below. Dispatch: one workgroup. */
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
#include "primitive/stack_join_chunks.glsl"

void main()
{
    stack_join_chunks(stack_box_count());
}
