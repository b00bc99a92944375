/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* stack_monoid: stack_monoid.glsl for boxes and their intersections.
 * Reads: brackets, boxes, count. Writes: matches, contexts, depths, open boxes.
 * Dispatch: one workgroup a partition; surplus ones leave at once. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = 128, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;
layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint stack_items = 4u;
layout(constant_id = PRIMITIVE_CONSTANT_LOOK_AHEAD) const uint stack_look_ahead = 128u;

/* x0, y0, x1, y1: as a vector, which is loaded and stored at once. */
#define stack_value ivec4
#define STACK_INVOCATIONS gl_WorkGroupSize.x
#define STACK_ITEMS stack_items
#define STACK_LOOK_AHEAD stack_look_ahead
#define STACK_TABLE(i) table[i]
#define STACK_SLICE_INDEX(i) slice_indices[i]
#define STACK_SLICE_VALUE(i) slice_values[i]
#define STACK_BELOW(i) values_below[i]

layout(scalar, binding = 0) readonly buffer brackets_buffer
{
    uint brackets[];
};
layout(scalar, binding = 1) readonly buffer boxes_buffer
{
    stack_value boxes[];
};
layout(scalar, binding = 2) writeonly buffer matches_buffer
{
    uint matches[];
};
layout(scalar, binding = 3) writeonly buffer contexts_buffer
{
    uint contexts[];
};
layout(scalar, binding = 4) writeonly buffer depths_buffer
{
    uint depths[];
};
layout(scalar, binding = 5) writeonly buffer open_boxes_buffer
{
    stack_value open_boxes[];
};
layout(scalar, binding = 6) readonly buffer count_buffer
{
    uint bracket_count;
};
layout(scalar, binding = 7) nonprivate buffer table_buffer
{
    int table[];
};
layout(scalar, binding = 8) nonprivate buffer slice_values_buffer
{
    stack_value slice_values[];
};
layout(scalar, binding = 9) nonprivate buffer below_buffer
{
    stack_value values_below[];
};
layout(scalar, binding = 10) nonprivate buffer slice_indices_buffer
{
    uint slice_indices[];
};
layout(push_constant, scalar) uniform push_block
{
    stack_monoid_push push;
};

#include "primitive/stack_monoid.glsl"

stack_value stack_identity()
{
    return ivec4(ivec2(STACK_WHOLE_MIN), ivec2(STACK_WHOLE_MAX));
}

stack_value stack_combine(stack_value outer, stack_value inner)
{
    return ivec4(max(outer.xy, inner.xy), min(outer.zw, inner.zw));
}

stack_value stack_shuffle(stack_value value, uint lane)
{
    return subgroupShuffle(value, lane);
}

bool stack_begins(uint i)
{
    return (brackets[i] & STACK_BEGIN) != 0u;
}

stack_value stack_load(uint i)
{
    return boxes[i];
}

void stack_store(stack_result result)
{
    contexts[result.index] = result.context;
    depths[result.index] = result.depth;
    open_boxes[result.index] = result.value;
    if (!result.begins)
        matches[result.index] = result.match;
    if (result.match != STACK_NONE && !result.begins)
        matches[result.match] = result.index;
}

void main()
{
    stack_resolve(min(bracket_count, push.max_count));
}
