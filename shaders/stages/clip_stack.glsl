/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels of stage 02 share: clip events, and what the stack monoid (primitive/stack_table.glsl) keeps of
 * them. */
#ifndef CLIP_STACK_GLSL
#define CLIP_STACK_GLSL

#extension GL_EXT_control_flow_attributes : require
#define CONFIG_BINDING 0
#define STAGE_LOCAL_SIZE CLIP_INVOCATIONS
#include "layout/primitive.h"
#include "stages/stage.glsl"
#include "lib/element.h"

layout(scalar, set = 0, binding = 1) buffer table_buffer
{
    int table[];
};
layout(scalar, set = 0, binding = 2) readonly buffer clip_events_buffer
{
    clip_event clip_events[];
};
layout(scalar, set = 0, binding = 3) buffer slices_buffer
{
    clip_entry slices[];
};
layout(scalar, set = 0, binding = 4) buffer below_buffer
{
    clip_step values_below[];
};

#define stack_value clip_step
#define STACK_INVOCATIONS CLIP_INVOCATIONS
#define STACK_WORD(i) table[i]
#define STACK_SLICE_INDEX(i) slices[i].index
#define STACK_SLICE_VALUE(i) slices[i].value
#define STACK_BELOW(i) values_below[i]

stack_value stack_identity()
{
    return clip_step_nothing();
}
stack_value stack_combine(stack_value outer, stack_value inner)
{
    return clip_step_compose(outer, inner);
}

uint stack_begins(uint first, uint count)
{
    uint bits = 0u;
    for (uint j = 0u; j < min(count - min(first, count), STACK_RUN); j++)
        bits |= uint((clip_events[first + j].flags & CLIP_EVENT_BEGIN) != 0u) << j;
    return bits;
}

stack_value stack_load(uint i)
{
    return clip_step_of(clip_events[i], i);
}
/* Does nothing, because every begin has an end. */
void stack_unmatched(uint i)
{
}

stack_value stack_shuffle(stack_value value, uint lane)
{
    value.box.x0 = subgroupShuffle(value.box.x0, lane);
    value.box.y0 = subgroupShuffle(value.box.y0, lane);
    value.box.x1 = subgroupShuffle(value.box.x1, lane);
    value.box.y1 = subgroupShuffle(value.box.y1, lane);
    value.layer = subgroupShuffle(value.layer, lane);
    value.layers[0] = subgroupShuffle(value.layers[0], lane);
    value.layers[1] = subgroupShuffle(value.layers[1], lane);
    value.merging = subgroupShuffle(value.merging, lane);
    return value;
}

#endif
