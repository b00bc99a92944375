/* stack_monoid: matches, contexts, depths and intersected boxes of a row of begins and ends.
 * Reads: brackets, boxes, count. Writes: matches, contexts, depths, open boxes.
 * Dispatch: one workgroup a partition of STACK_PARTITION brackets; surplus ones leave at once.
 * Invariant: outputs may not overlap inputs (a fallback reads them again).
 * Source: Levien, "Fast GPU bounding boxes on tree-structured scenes", 2022. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = STACK_PARTITION) in;

struct stack_value {
    stack_box box;
    uint depth;
};

struct stack_entry {
    uint index;
    stack_value value;
};

layout(scalar, binding = 0) readonly buffer brackets_buffer { uint brackets[]; };
layout(scalar, binding = 1) readonly buffer boxes_buffer { stack_box boxes[]; };
layout(scalar, binding = 2) writeonly buffer matches_buffer { uint matches[]; };
layout(scalar, binding = 3) writeonly buffer contexts_buffer { uint contexts[]; };
layout(scalar, binding = 4) writeonly buffer depths_buffer { uint depths[]; };
layout(scalar, binding = 5) writeonly buffer open_boxes_buffer { stack_box open_boxes[]; };
layout(scalar, binding = 6) readonly buffer count_buffer { uint bracket_count; };
layout(scalar, binding = 7) devicecoherent buffer table_buffer { uint table[]; };
layout(scalar, binding = 8) devicecoherent buffer entries_buffer { stack_entry entries[]; };
layout(push_constant, scalar) uniform push_block { stack_monoid_push push; };

#define STACK_WORD(i) table[i]
#define STACK_SLICES(i) entries[i]
#define STACK_WINDOWS(i, partitions) entries[STACK_ENTRIES(partitions) + (i)]
#include "primitive/stack_monoid.glsl"

stack_value stack_identity()
{
    return stack_value(stack_box(STACK_WHOLE_MIN, STACK_WHOLE_MIN, STACK_WHOLE_MAX, STACK_WHOLE_MAX), 0u);
}

stack_value stack_combine(stack_value outer, stack_value inner)
{
    stack_box box = stack_box(max(outer.box.x0, inner.box.x0), max(outer.box.y0, inner.box.y0), min(outer.box.x1, inner.box.x1),
                              min(outer.box.y1, inner.box.y1));
    return stack_value(box, outer.depth + inner.depth);
}

bool stack_begins(uint i)
{
    return (brackets[i] & STACK_BEGIN) != 0u;
}

stack_value stack_load(uint i)
{
    return stack_value(boxes[i], 1u);
}

void main()
{
    uint count = min(bracket_count, push.max_count);
    uint partition_index = stack_take(count);
    if (partition_index == LOOK_BACK_NO_TILE)
        return;
    stack_result result = stack_run(partition_index, count);
    if (result.index >= count)
        return;
    if (!result.begins) {
        matches[result.index] = result.match;
        if (result.match != STACK_NONE)
            matches[result.match] = result.index;
    }
    contexts[result.index] = result.context;
    depths[result.index] = result.value.depth;
    open_boxes[result.index] = result.value.box;
}
