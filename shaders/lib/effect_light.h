/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 light: feDiffuseLighting and feSpecularLighting. Alpha is the height of a surface. Its slopes come from the
 * Sobel operator, which is taken from one side where the region ends (W3C, "Filter Effects Module Level 1", 2018,
 * section 10). */
#ifndef PIETRA_LIB_EFFECT_LIGHT_H
#define PIETRA_LIB_EFFECT_LIGHT_H

#include "effect_texel.h"
#include "power.h"

/* Alphas of a texel and its neighbours, of which those outside the region count for nothing. */
STRUCT(effect_heights)
{
    int above_left, above, above_right;
    int left, here, right;
    int below_left, below, below_right;
    bool has_left, has_right, has_above, has_below;
};

STRUCT(effect_vector)
{
    float x, y, z;
};

SHARED_FUNCTION effect_vector effect_vector_of(float x, float y, float z)
{
    effect_vector made;
    made.x = x;
    made.y = y;
    made.z = z;
    return made;
}

SHARED_FUNCTION float effect_dot(effect_vector a, effect_vector b)
{
    PRECISE float sum = a.x * b.x + a.y * b.y;
    sum = sum + a.z * b.z;
    return sum;
}

/* Returns the vector at length 1. One that is too short for a direction becomes 0. */
SHARED_FUNCTION effect_vector effect_unit(effect_vector v)
{
    float square = effect_dot(v, v);
    PRECISE float inverse = square < 1.0e-12f ? 0.0f : reciprocal_sqrt(square);
    PRECISE float x = v.x * inverse;
    PRECISE float y = v.y * inverse;
    PRECISE float z = v.z * inverse;
    return effect_vector_of(x, y, z);
}

/* Returns the sum of three differences, of which the outer ones count if they are there, times 60 over the sum of the
 * weights 1, 2, 1 that count. A difference to one side is as good as half a difference to both. */
SHARED_FUNCTION int effect_slope(int before, bool has_before, int here, int after, bool has_after, bool both_sides)
{
    int sum = 2 * here + (has_before ? before : 0) + (has_after ? after : 0);
    int share = has_before && has_after ? 15 : (has_before || has_after ? 20 : 30);
    return sum * share * (both_sides ? 1 : 2);
}

/* Returns the normal of the surface. */
SHARED_FUNCTION effect_vector effect_normal(effect_light light, effect_heights h)
{
    int above = (h.has_right ? h.above_right : h.above) - (h.has_left ? h.above_left : h.above);
    int middle = (h.has_right ? h.right : h.here) - (h.has_left ? h.left : h.here);
    int below = (h.has_right ? h.below_right : h.below) - (h.has_left ? h.below_left : h.below);
    int across = effect_slope(above, h.has_above, middle, below, h.has_below, h.has_left && h.has_right);
    int left = (h.has_below ? h.below_left : h.left) - (h.has_above ? h.above_left : h.left);
    middle = (h.has_below ? h.below : h.here) - (h.has_above ? h.above : h.here);
    int right = (h.has_below ? h.below_right : h.right) - (h.has_above ? h.above_right : h.right);
    int down = effect_slope(left, h.has_left, middle, right, h.has_right, h.has_above && h.has_below);
    PRECISE float scale = light.surface_scale * (-1.0f / (60.0f * 32640.0f));
    PRECISE float x = TO_FLOAT(across) * scale;
    PRECISE float y = TO_FLOAT(down) * scale;
    return effect_unit(effect_vector_of(x, y, 1.0f));
}

/* Returns the unit vector from the surface towards the light. */
SHARED_FUNCTION effect_vector effect_towards_light(effect_light light, int x, int y, int height)
{
    if (light.kind == EFFECT_LIGHT_DISTANT) {
        return effect_vector_of(light.x, light.y, light.z);
    }
    PRECISE float to_x = light.x - (TO_FLOAT(x) + 0.5f);
    PRECISE float to_y = light.y - (TO_FLOAT(y) + 0.5f);
    PRECISE float to_z = light.z - light.surface_scale * (TO_FLOAT(height) * (1.0f / 32640.0f));
    return effect_unit(effect_vector_of(to_x, to_y, to_z));
}

/* Returns how much of its light a spot sends towards the surface. */
SHARED_FUNCTION float effect_spot(effect_light light, effect_vector towards_light)
{
    if (light.kind != EFFECT_LIGHT_SPOT) {
        return 1.0f;
    }
    float cosine = -effect_dot(towards_light, effect_vector_of(light.spot_x, light.spot_y, light.spot_z));
    return cosine <= 0.0f || cosine < light.spot_cosine ? 0.0f : power(cosine, light.spot_exponent);
}

SHARED_FUNCTION float effect_reflected(effect_light light, effect_vector normal, effect_vector towards_light)
{
    effect_vector half_way = towards_light;
    if (light.specular != 0u) {
        PRECISE float z = towards_light.z + 1.0f;
        half_way = effect_unit(effect_vector_of(towards_light.x, towards_light.y, z));
    }
    float cosine = effect_dot(normal, half_way);
    if (cosine <= 0.0f) {
        return 0.0f;
    }
    PRECISE float amount = light.constant * (light.specular != 0u ? power(cosine, light.exponent) : cosine);
    return amount;
}

/* Returns the texel that lies at (x, y) of the result. */
SHARED_FUNCTION effect_texel effect_lit(effect_light light, effect_heights heights, int x, int y)
{
    effect_vector towards_light = effect_towards_light(light, x, y, heights.here);
    PRECISE float amount = effect_reflected(light, effect_normal(light, heights), towards_light);
    amount = amount * effect_spot(light, towards_light) * 32640.0f;
    PRECISE float red = amount * light.r;
    PRECISE float green = amount * light.g;
    PRECISE float blue = amount * light.b;
    uint r = effect_round(red, EFFECT_ONE);
    uint g = effect_round(green, EFFECT_ONE);
    uint b = effect_round(blue, EFFECT_ONE);
    return effect_texel_of(r, g, b, light.specular != 0u ? uint_max(r, uint_max(g, b)) : EFFECT_ONE);
}

#endif
