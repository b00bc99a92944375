/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 02 clip: what is open after each begin and end.
 *
 * Reads clip_events, and its own table, slices and values below the slices; writes clip_infos. One workgroup takes
 * CLIP_PARTITION clip events. What clips and groups hand down composes as functions do, so it is combined along the
 * stack (primitive/stack_table.glsl): clip boxes, the layer, and the number of layers. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "stages/clip_stack.glsl"
#include "primitive/stack_resolve_few.glsl"

layout(scalar, set = 0, binding = 5) writeonly buffer infos_buffer
{
    clip_info infos[];
};

void stack_store(stack_result result)
{
    /* The root's state stands for an empty stack. Nothing is composed with it, so a child cannot merge. */
    clip_step state = result.context == STACK_NONE ? clip_step_nothing() : result.value;
    infos[result.index].context = result.context;
    infos[result.index].layer = state.layer;
    infos[result.index].depth = state.layers[0];
    infos[result.index].merged = clip_step_merged(state, result.begins);
    infos[result.index].box = state.box;
    if (result.match != STACK_NONE)
        infos[result.index].match = result.match;
    if (result.reports)
        infos[result.match].match = result.index;
}

void main()
{
    uint count = config.clip_event_count;
    if (stage_workgroup() < stack_partition_count(count))
        stack_resolve(stage_workgroup(), count);
}
