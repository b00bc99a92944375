/* 02 clip, first: what each partition of clip events does to the stack. Not run where one partition holds all.
 *
 * Reads clip events; writes its table and slices. CLIP_PARTITION clip events a workgroup. */
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
