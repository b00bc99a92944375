/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 12 store: the words of a picture, within some boxes, into an image of the caller.
 * Reads: picture. Writes: image. Dispatch: IMAGE_INVOCATIONS pixels a workgroup. */
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_image_load_formatted : require

#include "lib/image_target.h"

layout(push_constant, scalar) uniform push_block
{
    image_store_push push;
};

#define IMAGE_BINDING 1
#define STORE_PUSH push
#include "store.glsl"

void main()
{
    store_pixel();
}
