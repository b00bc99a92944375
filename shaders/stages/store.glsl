/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels of 12 store do at one pixel. The includer defines STORE_PUSH, which names the image_store_push among
 * its push constants: a copy of it would be an array in memory. */
layout(local_size_x = IMAGE_INVOCATIONS) in;

layout(scalar, set = 0, binding = 0) readonly buffer picture_buffer
{
    uint picture[];
};
layout(set = 0, binding = IMAGE_BINDING) writeonly uniform image2D image;

void store_pixel()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint index = group * IMAGE_INVOCATIONS + gl_LocalInvocationID.x;
    if (index >= STORE_PUSH.count) {
        return;
    }
    image_box box = STORE_PUSH.boxes[0];
    for (uint i = 1u; i < STORE_PUSH.box_count; i++) {
        if (index >= STORE_PUSH.boxes[i].first_pixel) {
            box = STORE_PUSH.boxes[i];
        }
    }
    uint x = image_box_x(box, index);
    uint y = image_box_y(box, index);
    uint color = picture[STORE_PUSH.first + y * STORE_PUSH.pitch + x];
    vec4 channels =
        vec4(image_channel(color, 0u), image_channel(color, 1u), image_channel(color, 2u), image_channel(color, 3u));
    /* A device may round what it stores to the nearest, or downward. A quarter more gives the same of both. */
    precise vec4 stored = (channels + 0.25) * (1.0 / 255.0);
    imageStore(image, ivec2(STORE_PUSH.x + x, STORE_PUSH.y + y), stored);
}
