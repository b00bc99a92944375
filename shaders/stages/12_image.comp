/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 12 image: the words of a picture as pixels of an image's format, within some boxes.
 * Reads: picture. Writes: pixels. Dispatch: IMAGE_INVOCATIONS pixels a workgroup. */
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require

#include "lib/image_target.h"

layout(local_size_x = IMAGE_INVOCATIONS) in;

layout(constant_id = 0) const uint FORMAT = 0u;

layout(scalar, set = 0, binding = 0) readonly buffer picture_buffer
{
    uint picture[];
};
layout(scalar, set = 0, binding = 1) writeonly buffer pixels_buffer
{
    uint pixels[];
};
layout(push_constant, scalar) uniform push_block
{
    image_push push;
};

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint index = group * IMAGE_INVOCATIONS + gl_LocalInvocationID.x;
    if (index >= push.count) {
        return;
    }
    image_box box = push.boxes[0];
    for (uint i = 1u; i < push.box_count; i++) {
        if (index >= push.boxes[i].first_pixel) {
            box = push.boxes[i];
        }
    }
    uint x = image_box_x(box, index);
    uint y = image_box_y(box, index);
    uint color = picture[push.first + y * push.pitch + x];
    uint to = y * push.written_pitch + x;
    if (FORMAT == IMAGE_RGBA16F) {
        pixels[2u * to] = image_halves(color, 0u);
        pixels[2u * to + 1u] = image_halves(color, 2u);
    } else {
        pixels[to] = image_word(FORMAT, color);
    }
}
