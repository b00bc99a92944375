/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the filter primitives are measured with, on the CPU device and on GPUs: the same light, noise and kernel. */
#ifndef PIETRA_TOOLS_EFFECT_INPUTS_H
#define PIETRA_TOOLS_EFFECT_INPUTS_H

#include "render/effect/prepare.h"

#define KERNEL_MOST ((size_t)(15 * 15)) /* numbers of a kernel */

/* Makes a convolution with a square kernel. `turned` has room for KERNEL_MOST numbers. Returns how many there are. */
static inline size_t make_convolution(double side, effect_convolution *convolution, float *turned)
{
    double numbers[KERNEL_MOST];
    effect_kernel kernel = {.columns = side, .rows = side, .numbers = numbers, .count = (size_t)(side * side)};
    for (size_t i = 0; i < kernel.count; i++)
        numbers[i] = 1 + (double)(i % 5);
    kernel.edge = EFFECT_EDGE_DUPLICATE;
    effect_convolution_of(&kernel, convolution, turned);
    return kernel.count;
}

/* Makes a point light; specular if there is an exponent, else diffuse. */
static inline void make_light(double exponent, effect_light *light)
{
    const effect_lamp lamp = {.kind = EFFECT_LIGHT_POINT,
                              .specular = exponent > 0.0,
                              .exponent = exponent,
                              .surface_scale = 5,
                              .constant = 1,
                              .r = 255,
                              .g = 200,
                              .b = 150,
                              .x = 500,
                              .y = 300,
                              .z = 200};
    effect_light_of(&lamp, light);
}

/* Makes a noise. `words` has room for EFFECT_NOISE_WORDS. */
static inline void make_noise(double octaves, effect_noise *noise, uint *words)
{
    const effect_turbulence turbulence = {
        .frequency_x = 0.02, .frequency_y = 0.03, .octaves = octaves, .texel_x = 1, .texel_y = 1};
    effect_noise_of(&turbulence, noise, words);
}

#endif
