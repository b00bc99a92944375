/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#version 460
/* 11 light: feDiffuseLighting and feSpecularLighting (lib/effect_light.h). */
#extension GL_GOOGLE_include_directive : require
#include "effect.glsl"
#include "lib/effect_light.h"

#define REGION 16u /* behind an effect_light */

effect_light light_parameter()
{
    effect_light made;
    made.kind = parameter(0u);
    made.specular = parameter(1u);
    made.surface_scale = float_parameter(2u);
    made.constant = float_parameter(3u);
    made.exponent = float_parameter(4u);
    made.r = float_parameter(5u);
    made.g = float_parameter(6u);
    made.b = float_parameter(7u);
    made.x = float_parameter(8u);
    made.y = float_parameter(9u);
    made.z = float_parameter(10u);
    made.spot_x = float_parameter(11u);
    made.spot_y = float_parameter(12u);
    made.spot_z = float_parameter(13u);
    made.spot_exponent = float_parameter(14u);
    made.spot_cosine = float_parameter(15u);
    return made;
}

int alpha_at(int x, int y)
{
    return int(input1_packed(x, y).y >> 16);
}

effect_heights heights_at(effect_box region, int x, int y)
{
    effect_heights made;
    made.above_left = alpha_at(x - 1, y - 1);
    made.above = alpha_at(x, y - 1);
    made.above_right = alpha_at(x + 1, y - 1);
    made.left = alpha_at(x - 1, y);
    made.here = alpha_at(x, y);
    made.right = alpha_at(x + 1, y);
    made.below_left = alpha_at(x - 1, y + 1);
    made.below = alpha_at(x, y + 1);
    made.below_right = alpha_at(x + 1, y + 1);
    made.has_left = x > region.left;
    made.has_right = x + 1 < region.right;
    made.has_above = y > region.top;
    made.has_below = y + 1 < region.bottom;
    return made;
}

void main()
{
    uint across, down;
    if (!find_job(across, down)) {
        return;
    }
    effect_light light = light_parameter();
    effect_box region = box_parameter(REGION);
    int x = job.result.box.left + int(across * EFFECT_TILE_COLUMNS + gl_LocalInvocationID.x % EFFECT_TILE_COLUMNS);
    int y = job.result.box.top + int(down * EFFECT_TILE_ROWS + gl_LocalInvocationID.x / EFFECT_TILE_COLUMNS);
    for (uint row = 0u; row < EFFECT_TILE_ROWS; row += EFFECT_INVOCATIONS / EFFECT_TILE_COLUMNS) {
        if (x < job.result.box.right && y < job.result.box.bottom) {
            bool lit = x >= region.left && x < region.right && y >= region.top && y < region.bottom;
            set_result(x, y, lit ? effect_lit(light, heights_at(region, x, y), x, y) : effect_texel_of(0u, 0u, 0u, 0u));
        }
        y += int(EFFECT_INVOCATIONS / EFFECT_TILE_COLUMNS);
    }
}
