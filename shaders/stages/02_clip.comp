/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 02 clip: what is open after each begin and end.
 *
 * Reads clip_events; writes clip_infos, and what the stack monoid (primitive/stack_monoid.glsl) keeps of them: its
 * table, slices, and values below. What clips and groups hand down composes as functions do, so it is combined along
 * the stack: clip boxes, the layer, and the number of layers.
 * Dispatch: one workgroup for each CLIP_PARTITION clip events. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_vote : require
#define CONFIG_BINDING 0
#define STAGE_LOCAL_SIZE 128
#include "layout/primitive.h"
#include "stages/stage.glsl"
#include "lib/element.h"

layout(local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;
layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint clip_items = 4u;

/* A clip_step as two vectors, each of which is loaded at once. */
struct clip_value {
    ivec4 box;
    uvec4 state; /* layer, layers, merging */
};
struct clip_slice_entry {
    uint index;
    clip_value value;
};

layout(scalar, set = 0, binding = 1) nonprivate buffer table_buffer
{
    int table[];
};
layout(scalar, set = 0, binding = 2) readonly buffer clip_events_buffer
{
    clip_event clip_events[];
};
layout(scalar, set = 0, binding = 3) nonprivate buffer slices_buffer
{
    clip_slice_entry slices[];
};
layout(scalar, set = 0, binding = 4) nonprivate buffer below_buffer
{
    clip_value values_below[];
};
layout(scalar, set = 0, binding = 5) writeonly buffer infos_buffer
{
    clip_info infos[];
};

#define stack_value clip_value
#define STACK_INVOCATIONS gl_WorkGroupSize.x
#define STACK_ITEMS clip_items
#define STACK_LOOK_AHEAD CLIP_LOOK_AHEAD
#define STACK_TABLE(i) table[i]
#define STACK_SLICE_INDEX(i) slices[i].index
#define STACK_SLICE_VALUE(i) slices[i].value
#define STACK_BELOW(i) values_below[i]
#define STACK_SHARED_PLACES
#include "primitive/stack_monoid.glsl"

clip_value clip_value_of(clip_step step)
{
    return clip_value(ivec4(step.box.x0, step.box.y0, step.box.x1, step.box.y1),
                      uvec4(step.layer, step.layers[0], step.layers[1], step.merging));
}

clip_step clip_step_in(clip_value value)
{
    clip_step step;
    step.box = box_of(value.box.x, value.box.y, value.box.z, value.box.w);
    step.layer = value.state.x;
    step.layers[0] = value.state.y;
    step.layers[1] = value.state.z;
    step.merging = value.state.w;
    return step;
}

stack_value stack_identity()
{
    return clip_value_of(clip_step_nothing());
}

stack_value stack_combine(stack_value outer, stack_value inner)
{
    return clip_value_of(clip_step_compose(clip_step_in(outer), clip_step_in(inner)));
}

stack_value stack_shuffle(stack_value value, uint lane)
{
    return clip_value(subgroupShuffle(value.box, lane), subgroupShuffle(value.state, lane));
}

bool stack_begins(uint i)
{
    return (clip_events[i].flags & CLIP_EVENT_BEGIN) != 0u;
}

stack_value stack_load(uint i)
{
    return clip_value_of(clip_step_of(clip_events[i], i));
}

void stack_store(stack_result result)
{
    /* The root's state stands for an empty stack. Nothing is composed with it, so a child cannot merge. */
    clip_step state = result.context == STACK_NONE ? clip_step_nothing() : clip_step_in(result.value);
    infos[result.index].context = result.context;
    infos[result.index].layer = state.layer;
    infos[result.index].depth = state.layers[0];
    infos[result.index].merged = clip_step_merged(state, result.begins);
    infos[result.index].box = state.box;
    /* An end stores the match of both, because its begin may be in another partition. */
    if (!result.begins)
        infos[result.index].match = result.match;
    if (result.match != STACK_NONE && !result.begins)
        infos[result.match].match = result.index;
}

void main()
{
    stack_resolve(config.clip_event_count);
}
