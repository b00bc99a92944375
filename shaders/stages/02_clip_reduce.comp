/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 02 clip, first kernel: what each partition of clip events does to the stack. It does not run if one partition holds
 * all clip events.
 *
 * Reads clip_events; writes its table and slices. One workgroup takes CLIP_PARTITION clip events. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "stages/clip_stack.glsl"
#include "primitive/stack_reduce.glsl"

void main()
{
    uint count = config.clip_event_count;
    if (stage_workgroup() < stack_partition_count(count))
        stack_reduce(stage_workgroup(), count);
}
