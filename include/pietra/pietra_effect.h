/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Effects on groups: graphs of the filter primitives of W3C, "Filter Effects Module Level 1", 2018. What stands between
 * pietra_scene_begin_effect and pietra_scene_end_effect is drawn apart, goes through the graph, and the result of its
 * last step is painted in its place. Every device gives the same bytes.
 *
 * Lengths are user units of the effect's transform. Steps work on premultiplied colours of 15 bits in a grid of texels
 * of the size of pixels, along the axes of the user units. A frame that only moves and scales the user units shows
 * these texels as they are; one that turns or skews them resamples the result.
 *
 * Out of range means less than here: numbers that a step cannot use have the result that the specification names for
 * them, as below. Only numbers that are not finite, and enumerators and inputs that do not exist, are refused. */
#ifndef PIETRA_EFFECT_H
#define PIETRA_EFFECT_H

#include "pietra/pietra.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pietra_effect_kind {
    PIETRA_EFFECT_FLOOD = 0,
    PIETRA_EFFECT_OFFSET,
    PIETRA_EFFECT_MERGE,
    PIETRA_EFFECT_COMPOSITE,
    PIETRA_EFFECT_BLEND,
    PIETRA_EFFECT_COLOR_MATRIX,
    PIETRA_EFFECT_COMPONENT_TRANSFER,
    PIETRA_EFFECT_TILE,
    PIETRA_EFFECT_DISPLACEMENT_MAP,
    PIETRA_EFFECT_DROP_SHADOW,
    PIETRA_EFFECT_GAUSSIAN_BLUR,
    PIETRA_EFFECT_CONVOLVE_MATRIX,
    PIETRA_EFFECT_MORPHOLOGY,
    PIETRA_EFFECT_DIFFUSE_LIGHTING,
    PIETRA_EFFECT_SPECULAR_LIGHTING,
    PIETRA_EFFECT_TURBULENCE,
    PIETRA_EFFECT_IMAGE, /* a scene as an input */
} pietra_effect_kind;

/* What a step reads. PIETRA_EFFECT_RESULT(i) is the result of step i, which stands earlier. */
typedef uint32_t pietra_effect_input;
#define PIETRA_EFFECT_PREVIOUS 0u     /* the result of the step before it; of the first step: the source */
#define PIETRA_EFFECT_SOURCE 1u       /* what stands in the effect */
#define PIETRA_EFFECT_SOURCE_ALPHA 2u /* black with the source's alpha */
#define PIETRA_EFFECT_RESULT(step) ((pietra_effect_input)(step) + 3u)

/* What lies outside the texels that a step reads. */
typedef enum pietra_effect_edge {
    PIETRA_EFFECT_EDGE_NONE = 0, /* transparent black */
    PIETRA_EFFECT_EDGE_DUPLICATE,
    PIETRA_EFFECT_EDGE_WRAP,
} pietra_effect_edge;

typedef enum pietra_effect_operator {
    PIETRA_EFFECT_OVER = 0,
    PIETRA_EFFECT_IN,
    PIETRA_EFFECT_OUT,
    PIETRA_EFFECT_ATOP,
    PIETRA_EFFECT_XOR,
    PIETRA_EFFECT_LIGHTER,
    PIETRA_EFFECT_ARITHMETIC, /* k1 in in2 + k2 in + k3 in2 + k4 */
} pietra_effect_operator;

typedef enum pietra_effect_function_type {
    PIETRA_EFFECT_IDENTITY = 0,
    PIETRA_EFFECT_TABLE,
    PIETRA_EFFECT_DISCRETE,
    PIETRA_EFFECT_LINEAR,
    PIETRA_EFFECT_GAMMA,
} pietra_effect_function_type;

/* The transfer function of a channel. Fields that the type does not use are ignored. */
typedef struct pietra_effect_function {
    pietra_effect_function_type type;
    const float *values; /* table, discrete: copied; without values the function is the identity */
    size_t value_count;  /* at most 65,536 */
    float slope, intercept;
    float amplitude, exponent, offset;
} pietra_effect_function;

typedef enum pietra_effect_channel {
    PIETRA_EFFECT_RED = 0,
    PIETRA_EFFECT_GREEN,
    PIETRA_EFFECT_BLUE,
    PIETRA_EFFECT_ALPHA,
} pietra_effect_channel;

typedef enum pietra_effect_light {
    PIETRA_EFFECT_LIGHT_DISTANT = 0,
    PIETRA_EFFECT_LIGHT_POINT,
    PIETRA_EFFECT_LIGHT_SPOT,
} pietra_effect_light;

/* A filter primitive. Zero bytes are a flood of transparent black; each kind uses the member of its name. */
typedef struct pietra_effect_step {
    pietra_effect_kind kind;
    bool linear_rgb;             /* it computes in linearRGB, not in sRGB */
    pietra_effect_input in, in2; /* in2: blend, composite, displacement map */
    pietra_box region;           /* what the step may show, in user units; empty: what the effect may */
    union {
        struct {
            pietra_color color;
        } flood;
        struct {
            double x, y;
        } offset;
        struct {
            const pietra_effect_input *inputs; /* the lowest first; copied; PREVIOUS may be among them */
            size_t input_count;                /* 0: transparent black */
        } merge;
        struct {
            pietra_effect_operator operation;
            float k1, k2, k3, k4;
        } composite;
        struct {
            pietra_blend mode; /* one of the sixteen modes; `in` is the source, in2 the destination */
        } blend;
        struct {
            float values[20]; /* rows for R, G, B, A, each with factors of R, G, B, A and 1 */
        } color_matrix;
        struct {
            pietra_effect_function r, g, b, a;
        } component_transfer;
        struct {
            double x, y;                                /* scale; where both are 0, the result is `in` */
            pietra_effect_channel x_channel, y_channel; /* channels of in2, which is read as straight colours */
        } displacement_map;
        struct {
            double sigma_x, sigma_y; /* as of the blur */
            double x, y;
            pietra_color color;
        } drop_shadow;
        struct {
            double sigma_x, sigma_y; /* standard deviation; where one is negative, the result is `in` */
            pietra_effect_edge edge;
        } gaussian_blur;
        struct {
            uint32_t columns, rows;      /* 0, or more than 1,048,576 numbers: transparent black */
            uint32_t target_x, target_y; /* outside the kernel: transparent black */
            const float *kernel;         /* rows of numbers as feConvolveMatrix has them; copied */
            float divisor;               /* 0: transparent black */
            float bias;
            pietra_effect_edge edge;
            bool preserves_alpha;
        } convolve_matrix;
        struct {
            double radius_x, radius_y; /* where one is negative or both are 0, the result is transparent black */
            bool dilates;
        } morphology;
        struct {
            double surface_scale;
            float constant;     /* kd or ks; negative: transparent black */
            float exponent;     /* for specular lighting; outside 1 to 128: transparent black */
            pietra_color color; /* without alpha */
            pietra_effect_light light;
            double azimuth, elevation; /* for a distant light, degrees */
            double x, y, z;            /* place of a point light or a spot */
            double at_x, at_y, at_z;   /* where a spot points */
            float focus;               /* exponent of a spot */
            double cone;               /* limiting angle of a spot, degrees; 0: none */
        } lighting;                    /* diffuse and specular; `in` gives the heights by its alpha */
        struct {
            double frequency_x, frequency_y; /* for a unit; negative: transparent black */
            double seed;
            uint32_t octaves;
            bool stitches, fractal_noise;
        } turbulence;
        struct {
            const pietra_scene *scene;  /* balanced; copied by the call; NULL: transparent black */
            pietra_transform transform; /* from its units to the user units */
        } image;
    };
} pietra_effect_step;

typedef struct pietra_effect {
    const pietra_effect_step *steps; /* copied, in the order in which they work; may be NULL only if step_count is 0 */
    size_t step_count;               /* 0: nothing is drawn */
    pietra_box region; /* what the effect may show, in user units; the source is cut to it. Empty: no limit */
} pietra_effect;

/* Begins an effect under a transform from user units to the scene's. It isolates its content, as a group does. A clip's
 * source takes no effects. PIETRA_ERROR_INPUT: a step is bad, or an image's scene has something open or is this
 * scene. */
PIETRA_API pietra_result pietra_scene_begin_effect(pietra_scene *scene, const pietra_effect *effect,
                                                   const pietra_transform *transform, pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_effect(pietra_scene *scene, pietra_error *error);

/* Filters what lies below, inside of a path: what the innermost group, mask or effect around has painted so far, or the
 * scene if there is none. Clips isolate here too. Inside of the path, by coverage and times the opacity, 0 to 1,
 * clamped, the result of the effect stands in place of its source. The background of a frame is no part of that.
 * What lies beside the path takes part, such as in a blur. The effect's region limits its steps. The transform leads
 * from the units of the path and of the effect to the scene's.
 *
 * Pixels that the path leaves out stay as they are, whatever the frame's transform is: the effect works on the pixels
 * of the frame. In frames that turn or skew its user units, steps with a direction keep to the axes of the pixels.
 *
 * Each call makes all that lies below it go through an effect as large as the picture: n calls in one place cost n
 * pictures, in time and in memory, which the memory budget bounds. An appended scene keeps its own backdrops. The call
 * is refused in a clip's source. */
PIETRA_API pietra_result pietra_scene_filter_backdrop(pietra_scene *scene, const pietra_effect *effect,
                                                      const pietra_path *path, const pietra_transform *transform,
                                                      pietra_fill_rule rule, float opacity, pietra_error *error);

/* Make colour matrices of feColorMatrix's other types. An amount below 0 makes the identity. */
PIETRA_API pietra_effect_step pietra_effect_saturate(float amount);
PIETRA_API pietra_effect_step pietra_effect_hue_rotate(double degrees);
PIETRA_API pietra_effect_step pietra_effect_luminance_to_alpha(void);

#ifdef __cplusplus
}
#endif

#endif
