/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#version 460
/* 11 noise: feTurbulence (lib/effect_noise.h). The lattice is read at places that know no order, so it lies in shared
 * memory. */
#extension GL_GOOGLE_include_directive : require
#include "effect.glsl"
#include "lib/effect_noise.h"

#define LATTICE 15u /* behind an effect_noise */

shared uint lattice[EFFECT_NOISE_WORDS];

uint word_at(uint index)
{
    return lattice[index];
}

effect_noise noise_parameter()
{
    effect_noise made;
    made.start_x_high = parameter(0u);
    made.start_x_low = parameter(1u);
    made.start_y_high = parameter(2u);
    made.start_y_low = parameter(3u);
    made.step_x_high = parameter(4u);
    made.step_x_low = parameter(5u);
    made.step_y_high = parameter(6u);
    made.step_y_low = parameter(7u);
    made.octaves = parameter(8u);
    made.fractal = parameter(9u);
    made.stitches = parameter(10u);
    made.stitch_right = int_parameter(11u);
    made.stitch_bottom = int_parameter(12u);
    made.stitch_width = int_parameter(13u);
    made.stitch_height = int_parameter(14u);
    return made;
}

void main()
{
    uint across, down;
    if (!find_job(across, down)) {
        return;
    }
    for (uint i = 0u; i < EFFECT_NOISE_WORDS; i += EFFECT_INVOCATIONS) {
        lattice[i + gl_LocalInvocationID.x] = parameter(LATTICE + i + gl_LocalInvocationID.x);
    }
    barrier();
    effect_noise noise = noise_parameter();
    int x = job.result.box.left + int(across * EFFECT_TILE_COLUMNS + gl_LocalInvocationID.x % EFFECT_TILE_COLUMNS);
    int y = job.result.box.top + int(down * EFFECT_TILE_ROWS + gl_LocalInvocationID.x / EFFECT_TILE_COLUMNS);
    for (uint row = 0u; row < EFFECT_TILE_ROWS; row += EFFECT_INVOCATIONS / EFFECT_TILE_COLUMNS) {
        if (x < job.result.box.right && y < job.result.box.bottom) {
            set_result(x, y, effect_noise_texel(noise, x, y));
        }
        y += int(EFFECT_INVOCATIONS / EFFECT_TILE_COLUMNS);
    }
}
