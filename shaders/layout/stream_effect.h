/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Effects in a stream. Kernels never see them: what an effect shows is drawn before the frame, and an image of it
 * stands in its place (src/render/sheets.h). */
#ifndef PIETRA_LAYOUT_STREAM_EFFECT_H
#define PIETRA_LAYOUT_STREAM_EFFECT_H

#include "effect.h"

#define EFFECT_STEP(name, number, inputs, values) CONSTANT(EFFECT_STEP_##name, number)
#include "effects.def"

/* What a step reads. */
#define EFFECT_INPUT_SOURCE 0u
#define EFFECT_INPUT_SOURCE_ALPHA 1u
#define EFFECT_INPUT_RESULT(step) ((step) + 2u) /* of an earlier step of the effect */

STRUCT(stream_effect)
{
    uint first_step, step_count; /* behind those of the effect before it */
    uint picture_count;          /* steps that are EFFECT_STEP_IMAGE */
};

STRUCT(stream_effect_step)
{
    uint kind;   /* EFFECT_STEP_* */
    uint linear; /* 1: it computes in linearRGB */
    uint in1, in2;
    float x0, y0, x1, y1;          /* what it may show, in user units; x1 <= x0: nothing */
    uint first_value, value_count; /* behind those of the step before it */
};

/* The values of a step, each a word. Lengths are user units. */
STRUCT(effect_values_flood)
{
    float r, g, b, a; /* straight sRGB, 0 to 1 */
};
STRUCT(effect_values_offset)
{
    float x, y;
};
/* EFFECT_STEP_MERGE has its inputs as values. */
STRUCT(effect_values_composite)
{
    uint operation;
    float k1, k2, k3, k4;
};
STRUCT(effect_values_blend)
{
    uint mode;
};
STRUCT(effect_values_color_matrix)
{
    float r[5], g[5], b[5], a[5];
};
STRUCT(effect_values_function)
{
    uint type;
    float slope, intercept;
    float amplitude, exponent, offset;
};
/* Behind it follow, for R, G, B and A, a count and so many floats. */
STRUCT(effect_values_component_transfer)
{
    effect_values_function r, g, b, a;
};
STRUCT(effect_values_displacement_map)
{
    float x, y;
    uint x_channel, y_channel;
};
STRUCT(effect_values_drop_shadow)
{
    float sigma_x, sigma_y;
    float x, y;
    effect_values_flood color;
};
STRUCT(effect_values_gaussian_blur)
{
    float sigma_x, sigma_y;
    uint edge;
};
/* Behind it follow columns, rows, target_x and target_y, and the kernel, columns * rows floats. */
STRUCT(effect_values_convolve_matrix)
{
    float divisor, bias;
    uint edge;
    uint preserves_alpha;
};
STRUCT(effect_values_morphology)
{
    float radius_x, radius_y;
    uint dilates;
};
STRUCT(effect_values_lighting)
{
    float surface_scale;
    float constant;
    float exponent;
    float r, g, b; /* straight sRGB, 0 to 1 */
    uint light;
    float x, y, z; /* distant: azimuth and elevation in degrees, and 0 */
    float at_x, at_y, at_z;
    float focus;
    float cone; /* degrees; 0: none */
};
STRUCT(effect_values_turbulence)
{
    float frequency_x, frequency_y;
    float seed;
    uint stitches;
    uint fractal_noise;
    uint octaves; /* held to EFFECT_OCTAVES_MOST */
};

#endif
