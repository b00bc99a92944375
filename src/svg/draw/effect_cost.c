/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/effect_cost.h"

#include "svg/tree/budget.h"

#define BLEND_PRIMITIVES 4.0 /* how many others a blend mode of all channels together costs */

static double cost_of_step(const stream_effect_step *step, const uint32_t *values)
{
    switch (step->kind) {
    case EFFECT_STEP_MERGE:
        return SVG_STEP_primitive_pixel + SVG_STEP_merge_pixel * (double)step->value_count;
    case EFFECT_STEP_BLEND:
        return SVG_STEP_primitive_pixel * BLEND_PRIMITIVES;
    case EFFECT_STEP_CONVOLVE_MATRIX: /* nearly all values are the kernel */
        return SVG_STEP_primitive_pixel + SVG_STEP_tap * (double)step->value_count;
    case EFFECT_STEP_TURBULENCE:
        return SVG_STEP_octave * (double)((const effect_values_turbulence *)values)->octaves;
    default:
        return SVG_STEP_primitive_pixel;
    }
}

double svg_effect_pixel_cost(const pietra_scene *scene, uint32_t index)
{
    const stream_effect *effect = &scene->effects.items[index].effect;
    double cost = SVG_STEP_effect_pixel;
    for (uint32_t i = 0; i < effect->step_count; i++) {
        const stream_effect_step *step = &scene->effect_steps.items[effect->first_step + i];
        cost += cost_of_step(step, step->value_count ? scene->effect_values.items + step->first_value : NULL);
    }
    return cost;
}
