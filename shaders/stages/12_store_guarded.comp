/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 12 store, for a frame that may have found too little room: then the image stays as it is.
 * Reads: picture, COUNTERS. Writes: image. Dispatch: IMAGE_INVOCATIONS pixels a workgroup. */
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_image_load_formatted : require

#include "lib/frame_room.h"
#include "lib/image_target.h"

layout(scalar, set = 0, binding = 1) readonly buffer counters_buffer
{
    frame_counters counters;
};
layout(push_constant, scalar) uniform push_block
{
    image_guarded_push guarded;
};

#define IMAGE_BINDING 2
#define STORE_PUSH guarded.store
#include "store.glsl"

void main()
{
    if (frame_had_room(counters, guarded.room)) {
        store_pixel();
    }
}
