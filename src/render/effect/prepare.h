/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From the numbers of a document, in texels, to the parameters of a primitive. Numbers may be anything, NaN and
 * infinities too; each function holds them to the rules that its comment states. */
#ifndef PIETRA_RENDER_EFFECT_PREPARE_H
#define PIETRA_RENDER_EFFECT_PREPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout/effect.h"
#include "render/effect/blur.h"

/* What the numbers make of a primitive. */
typedef enum effect_outcome {
    EFFECT_RUNS,        /* the parameters are made */
    EFFECT_PASSES,      /* the result is the (first) input */
    EFFECT_TRANSPARENT, /* the result is transparent black */
} effect_outcome;

/* Returns a colour of straight sRGB channels from 0 to 255, for a primitive in sRGB or (linear) in linearRGB. opacity
 * is held to 0 to 1; NaN is 0. */
effect_texel effect_color_of(uint8_t r, uint8_t g, uint8_t b, double opacity, bool linear);

/* Holds the offset to 2^27 texels; NaN is 0. An offset of no texels passes its input. */
effect_outcome effect_offset_of(double x, double y, effect_offset *offset);

/* sigma in texels of each axis. Negative or NaN: passes. Too small to change a texel, which is below 0.21, along both
 * axes: passes. */
effect_outcome effect_blur_of(double sigma_x, double sigma_y, uint32_t edge, effect_blur *blur);

/* NaN is 0; numbers are held to +-2^60. operation is one of EFFECT_*. */
void effect_composite_of(uint32_t operation, double k1, double k2, double k3, double k4, effect_composite *composite);

/* `values` are the 20 numbers of type matrix, in rows. Any that is not finite: passes, as a wrong count does. */
effect_outcome effect_color_matrix_of(const double values[20], effect_color_matrix *matrix);
/* saturate: negative or not finite: passes. hue_rotate: not finite: passes. */
effect_outcome effect_saturate_of(double amount, effect_color_matrix *matrix);
effect_outcome effect_hue_rotate_of(double degrees, effect_color_matrix *matrix);
void effect_luminance_to_alpha_of(effect_color_matrix *matrix);

/* The functions of one channel. Numbers that are not finite are held to +-2^60, NaN is 0. */
effect_function effect_identity_function(void);
effect_function effect_linear_function(double slope, double intercept);
effect_function effect_gamma_function(double amplitude, double exponent, double offset);
/* type is EFFECT_TABLE or EFFECT_DISCRETE. No values: identity. The caller holds the count to EFFECT_VALUES_MOST. */
effect_function effect_table_function(uint32_t type, uint32_t first, uint32_t count);

/* A scale of 0 along both axes: passes. NaN is 0; a scale is held to 2^27 texels. channel_* are 0 to 3. */
effect_outcome effect_displacement_of(double scale_x, double scale_y, uint32_t channel_x, uint32_t channel_y,
                                      effect_displacement *displacement);

/* Radii in texels, rounded to whole ones. Both below 1/2, or one negative or NaN: passes. They are held to 2^27. */
effect_outcome effect_extreme_of(double radius_x, double radius_y, bool dilates, effect_extreme *extreme);

/* What a document says of feConvolveMatrix. */
typedef struct effect_kernel {
    double columns, rows;  /* order */
    const double *numbers; /* kernelMatrix */
    size_t count;
    const double *divisor;             /* NULL: the sum of the numbers, or 1 if that is 0 */
    const double *target_x, *target_y; /* NULL: the middle */
    double bias;
    uint32_t edge; /* EFFECT_EDGE_* */
    bool preserves_alpha;
} effect_kernel;

/* Writes kernel->count floats to `turned`. An order of which a side is not a whole number above 0, or which does not
 * make up the count; a target outside the kernel; a divisor of 0; a number that is not finite: transparent. */
effect_outcome effect_convolution_of(const effect_kernel *kernel, effect_convolution *convolution, float *turned);

/* What a document says of feDiffuseLighting or feSpecularLighting and its light, in texels. */
typedef struct effect_lamp {
    uint32_t kind; /* EFFECT_LIGHT_* */
    bool specular;
    double surface_scale, constant, exponent; /* exponent: specularExponent of the primitive */
    uint8_t r, g, b;                          /* lighting-color, straight sRGB */
    bool linear;                              /* the primitive works in linearRGB */
    double azimuth, elevation;                /* degrees, of a distant light */
    double x, y, z;                           /* of the others */
    double points_x, points_y, points_z;      /* of a spot, as what follows */
    double spot_exponent;
    const double *cone_angle; /* degrees; NULL: there is no cone */
} effect_lamp;

/* A specular exponent outside 1 to 128, or NaN: transparent. A constant below 0 counts as 0. NaN is 0; other numbers
 * are held to 2^28. A spot's exponent below 0 counts as 1, and the sign of its angle for nothing. A spot that points
 * to where it stands lights nothing. */
effect_outcome effect_light_of(const effect_lamp *lamp, effect_light *light);

/* What a document says of feTurbulence, in user space, and where filter space lies in that. */
typedef struct effect_turbulence {
    double frequency_x, frequency_y;
    double octaves, seed;
    bool fractal, stitches;
    double left, top, width, height; /* the primitive's subregion, of which stitched noise repeats the edges */
    double origin_x, origin_y;       /* of the corner of texel (0, 0) */
    double texel_x, texel_y;         /* size of a texel */
} effect_turbulence;

/* Writes EFFECT_NOISE_WORDS to `words`. A frequency that is negative or not finite: transparent. Octaves are held to
 * 0 to EFFECT_OCTAVES_MOST; more add less than half a step of 15 bits. Places beyond 2^31 of the lattice wrap
 * around. */
effect_outcome effect_noise_of(const effect_turbulence *turbulence, effect_noise *noise, uint *words);

#endif
