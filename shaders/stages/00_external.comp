/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 00 external: the pixels of an image of the caller as texels, or one mip level of them from the finer one.
 *
 * Reads image, texels; writes texels. Dispatch: EXTERNAL_INVOCATIONS texels a workgroup.
 * Invariant: the texels are those that pietra_image_create makes of the same bytes. */
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_samplerless_texture_functions : require

#include "layout/external.h"
#include "lib/image_target.h"
#include "lib/mip.h"

layout(local_size_x = EXTERNAL_INVOCATIONS) in;

layout(scalar, set = 0, binding = 0) buffer texels_buffer
{
    uint texels[];
};
layout(set = 0, binding = 1) uniform texture2D image;
layout(push_constant, scalar) uniform push_block
{
    external_push push;
};

/* Returns a channel in 8 bits. What is no number is 0. */
uint external_byte(float channel)
{
    precise float scaled = min(channel, 1.0) * 255.0;
    precise float rounded = scaled + 0.5;
    return channel > 0.0 ? uint(rounded) : 0u;
}

uint read_pixel(ivec2 at)
{
    vec4 pixel = texelFetch(image, at, 0);
    uint r = external_byte(pixel.r), g = external_byte(pixel.g), b = external_byte(pixel.b);
    uint a = external_byte(pixel.a);
    if (push.straight != 0u) {
        r = image_scaled(r, a);
        g = image_scaled(g, a);
        b = image_scaled(b, a);
    }
    return min(r, a) | min(g, a) << 8 | min(b, a) << 16 | a << 24;
}

uint finer_mean(uint x, uint y)
{
    uint rows = 2u * y + 1u < push.from_height ? 2u : 1u, columns = 2u * x + 1u < push.from_width ? 2u : 1u;
    uint even = 0u, odd = 0u;
    for (uint i = 0u; i < rows * columns; i++) {
        uint texel = texels[push.from + (2u * y + i / columns) * push.from_width + 2u * x + i % columns];
        even += texel & 0xff00ffu;
        odd += texel >> 8 & 0xff00ffu;
    }
    return mip_mean(even, odd, rows * columns);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint index = group * EXTERNAL_INVOCATIONS + gl_LocalInvocationID.x;
    if (index >= push.width * push.height)
        return;
    uint x = index % push.width, y = index / push.width;
    texels[push.to + index] = push.from_width == 0u ? read_pixel(ivec2(x, y)) : finer_mean(x, y);
}
