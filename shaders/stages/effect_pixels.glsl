/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pixels of 8 bits that kernels of stage 11 read, those of an atlas, and that they write, those of results. */
#ifndef EFFECT_PIXELS_GLSL
#define EFFECT_PIXELS_GLSL

layout(scalar, set = 0, binding = 6) readonly buffer pixel_buffer
{
    uint pixels[];
};
layout(scalar, set = 0, binding = 7) writeonly buffer color_buffer
{
    uint colors[];
};

#endif
