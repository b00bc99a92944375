/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 12 store: the words of a picture, into an image of the caller.
 * Reads: picture. Writes: image. Dispatch: IMAGE_INVOCATIONS pixels a workgroup. */
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_image_load_formatted : require

#include "lib/image_target.h"

layout(local_size_x = IMAGE_INVOCATIONS) in;

layout(scalar, set = 0, binding = 0) readonly buffer picture_buffer
{
    uint picture[];
};
layout(set = 0, binding = 1) writeonly uniform image2D image;
layout(push_constant, scalar) uniform push_block
{
    image_store_push push;
};

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint index = group * IMAGE_INVOCATIONS + gl_LocalInvocationID.x;
    if (index >= push.count) {
        return;
    }
    uint x = index % push.width;
    uint y = index / push.width;
    uint color = picture[push.first + y * push.pitch + x];
    vec4 channels =
        vec4(image_channel(color, 0u), image_channel(color, 1u), image_channel(color, 2u), image_channel(color, 3u));
    /* A device may round what it stores to the nearest, or downward. A quarter more gives the same of both. */
    precise vec4 stored = (channels + 0.25) * (1.0 / 255.0);
    imageStore(image, ivec2(push.x + x, push.y + y), stored);
}
