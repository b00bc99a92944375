/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels of 12 store do at one pixel. Their push constants begin with `push`. */
layout(local_size_x = IMAGE_INVOCATIONS) in;

layout(scalar, set = 0, binding = 0) readonly buffer picture_buffer
{
    uint picture[];
};
layout(set = 0, binding = IMAGE_BINDING) writeonly uniform image2D image;

void store_pixel(image_store_push push)
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
