/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Parameters of stage 11, the filter primitives (W3C, "Filter Effects Module Level 1", 2018). C and GLSL share this
 * text. The host makes the parameters (src/render/effect/prepare.h), which holds bad values to the rules there.
 *
 * A texel has four channels of 15 bits, premultiplied: 0 to EFFECT_ONE. Eight bits become 15 by a shift, and back.
 * Lengths are texels of filter space, in which texel (x, y) covers the square from (x, y) to (x + 1, y + 1).
 * Coordinates are below 2^28 in magnitude. */
#ifndef PIETRA_LAYOUT_EFFECT_H
#define PIETRA_LAYOUT_EFFECT_H

#include "glue.h"

CONSTANT(EFFECT_ONE, 32640u)
CONSTANT(EFFECT_8_BIT_SHIFT, 7u)

/* What lies outside the texels that a primitive reads (edgeMode). */
CONSTANT(EFFECT_EDGE_NONE, 0u)
CONSTANT(EFFECT_EDGE_DUPLICATE, 1u)
CONSTANT(EFFECT_EDGE_WRAP, 2u)

/* Operators of feComposite. */
CONSTANT(EFFECT_OVER, 0u)
CONSTANT(EFFECT_IN, 1u)
CONSTANT(EFFECT_OUT, 2u)
CONSTANT(EFFECT_ATOP, 3u)
CONSTANT(EFFECT_XOR, 4u)
CONSTANT(EFFECT_LIGHTER, 5u)
CONSTANT(EFFECT_ARITHMETIC, 6u)

/* Types of feFunc. */
CONSTANT(EFFECT_IDENTITY, 0u)
CONSTANT(EFFECT_TABLE, 1u)
CONSTANT(EFFECT_DISCRETE, 2u)
CONSTANT(EFFECT_LINEAR, 3u)
CONSTANT(EFFECT_GAMMA, 4u)

/* A rectangle of texels; right and bottom lie outside. It is empty if right <= left or bottom <= top. */
STRUCT(effect_box)
{
    int left, top, right, bottom;
};

/* One texel. */
STRUCT(effect_texel)
{
    uint r, g, b, a;
};

/* feOffset: whole texels, and fractions in 256ths, by which the picture moves to the right and down. */
STRUCT(effect_offset)
{
    int x, y;
    uint fraction_x, fraction_y; /* 0 to 255 */
};

/* feDropShadow, once its input is blurred: the colour lies where the blurred alpha lies after the offset. */
STRUCT(effect_shadow)
{
    effect_texel color;
    effect_offset offset;
};

/* feComposite. The four numbers are those of EFFECT_ARITHMETIC, for channels from 0 to EFFECT_ONE: k1 is divided by
 * EFFECT_ONE, k4 multiplied by it. */
STRUCT(effect_composite)
{
    uint operation; /* EFFECT_OVER to EFFECT_ARITHMETIC */
    float k1, k2, k3, k4;
};

/* One row of feColorMatrix, for straight channels from 0 to 1. */
STRUCT(effect_matrix_row)
{
    float r, g, b, a, one;
};

STRUCT(effect_color_matrix)
{
    effect_matrix_row r, g, b, a;
};

/* feFuncR, G, B or A. */
STRUCT(effect_function)
{
    uint type;         /* EFFECT_IDENTITY to EFFECT_GAMMA */
    uint first, count; /* EFFECT_TABLE, EFFECT_DISCRETE: among the values that lie beside the parameters; count is at
                        * least 1 and at most EFFECT_VALUES_MOST */
    float slope, intercept;            /* EFFECT_LINEAR */
    float amplitude, exponent, offset; /* EFFECT_GAMMA */
};
CONSTANT(EFFECT_VALUES_MOST, 65536u)

STRUCT(effect_transfer)
{
    effect_function r, g, b, a;
};

/* feDisplacementMap: channels 0 to 3 are R, G, B and A of the map. */
STRUCT(effect_displacement)
{
    float scale_x, scale_y;
    uint channel_x, channel_y;
};

/* One banded matrix along one axis:
 *   out[j] = (sum of weight[t] in[start(j) + t] + 2^14) >> 15, 0 <= t < taps, start(j) = (j * multiply + add) >> shift
 * The weights of one phase, j & phase_mask, sum to 2^15 and lie at first + phase * taps, beside the bands. */
STRUCT(effect_band)
{
    uint vertical; /* 0: along rows, 1: along columns */
    int multiply, add;
    uint shift, taps, phase_mask, first;
};

/* feMorphology: the window is 2 radius + 1 texels wide and high. */
STRUCT(effect_extreme)
{
    int radius_x, radius_y; /* 0 and more */
    uint dilates;
};

/* feConvolveMatrix. The kernel lies beside the parameters, turned by 180 degrees: the texel at (x - left + column,
 * y - top + row) is multiplied by kernel[row * columns + column]. */
STRUCT(effect_convolution)
{
    int columns, rows, left, top;
    float scale; /* 1 / divisor */
    float bias;
    uint edge; /* EFFECT_EDGE_* */
    uint preserves_alpha;
};

CONSTANT(EFFECT_LIGHT_DISTANT, 0u)
CONSTANT(EFFECT_LIGHT_POINT, 1u)
CONSTANT(EFFECT_LIGHT_SPOT, 2u)

/* feDiffuseLighting and feSpecularLighting with their light. Heights are texels. */
STRUCT(effect_light)
{
    uint kind, specular;
    float surface_scale;          /* the height of alpha 1 */
    float constant;               /* kd or ks */
    float exponent;               /* the specular light's */
    float r, g, b;                /* colour of the light, 0 to 1, in the colour space of the primitive */
    float x, y, z;                /* distant: the unit vector towards the light; else the place of the light */
    float spot_x, spot_y, spot_z; /* the unit vector from the spot to where it points */
    float spot_exponent;
    float spot_cosine; /* cosine of the limiting angle; -2: there is none */
};

/* feTurbulence. Places of the lattice are 32.32 bits, of which a pair holds the high and the low word; they wrap
 * around. Beside the parameters lie EFFECT_NOISE_WORDS words: 2 EFFECT_LATTICE selectors, then for each of
 * EFFECT_LATTICE places floats, which are x of the gradients of R, G, B and A, and then y of these. */
STRUCT(effect_noise)
{
    uint start_x_high, start_x_low; /* place of the corner of texel (0, 0) in the first octave */
    uint start_y_high, start_y_low;
    uint step_x_high, step_x_low; /* from one texel to the next, in the first octave */
    uint step_y_high, step_y_low;
    uint octaves; /* 0 to EFFECT_OCTAVES_MOST */
    uint fractal; /* 0: turbulence */
    uint stitches;
    int stitch_right, stitch_bottom, stitch_width, stitch_height; /* lattice cells of the first octave, below 2^16 */
};
CONSTANT(EFFECT_OCTAVES_MOST, 15u)
CONSTANT(EFFECT_LATTICE, 256u)
CONSTANT(EFFECT_NOISE_WORDS, 2560u)

#endif
