/* 02 clip, second: the partitions put one after the other. Not run where one partition holds all.
 *
 * Reads its table and slices; writes its table and the values below the slices. One workgroup. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "stages/clip_stack.glsl"
layout(local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;
#include "primitive/stack_join_few.glsl"

void main()
{
    stack_join(config.clip_event_count);
}
