/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 02 clip, second kernel: joins the partitions one after the other. It does not run if one partition holds all clip
 * events.
 *
 * Reads its table and slices; writes its table and the values below the slices. There is one workgroup. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "stages/clip_stack.glsl"
layout(local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;
#include "primitive/stack_join_few.glsl"

void main()
{
    stack_join(config.clip_event_count);
}
