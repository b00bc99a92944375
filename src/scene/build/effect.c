/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/effect.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/transform.h"
#include "layout/blend.h"
#include "scene/limit.h"

#define VALUES_MOST 65536u   /* of a transfer function */
#define KERNEL_MOST 1048576u /* numbers of a convolution's kernel */
#define STEPS_MOST (UINT32_MAX / 4)

#define EFFECT_STEP(name, number, inputs, values) \
    _Static_assert((int)PIETRA_EFFECT_##name == (int)EFFECT_STEP_##name, "callers and streams number steps alike");
#include "layout/effects.def"

static const uint32_t input_counts[] = {
#define EFFECT_STEP(name, number, inputs, values) [EFFECT_STEP_##name] = inputs,
#include "layout/effects.def"
};

/* A step on its way into the scene. */
typedef struct effect_writer {
    pietra_scene *scene;
    pietra_error *error;
    uint32_t step; /* of the effect */
    pietra_result result;
} effect_writer;

static void writer_fail(effect_writer *writer, const char *what)
{
    if (writer->result == PIETRA_OK) {
        writer->result =
            error_set(writer->error, PIETRA_ERROR_INPUT, 0, "step %u of an effect: %s", writer->step, what);
    }
}

static void put_words(effect_writer *writer, const void *words, size_t count)
{
    if (writer->result != PIETRA_OK || count == 0)
        return;
    if (count > STREAM_MAX_COUNT - writer->scene->effect_values.count) {
        writer_fail(writer, "the effects of the scene have too many numbers");
        return;
    }
    uint32_t *added = array_push_many(&writer->scene->effect_values, count);
    if (added)
        memcpy(added, words, count * sizeof *added);
    else
        writer->result = error_set_memory(writer->error);
}

#define PUT_VALUES(writer, values) put_words(writer, &(values), sizeof(values) / sizeof(uint32_t))

/* Narrows a number to a float of the stream. Numbers that are not finite are an error. */
static float narrow(effect_writer *writer, double number)
{
    if (!isfinite(number))
        writer_fail(writer, "a number is not finite");
    return limit_to_float(number);
}

static uint32_t enumerator(effect_writer *writer, const char *what, unsigned value, unsigned most)
{
    if (writer->result == PIETRA_OK)
        writer->result = error_check_enumerator(writer->error, what, value, most);
    return value;
}

static effect_values_flood color_values(effect_writer *writer, const pietra_color *color)
{
    return (effect_values_flood){
        fminf(fmaxf(narrow(writer, color->r), 0.0f), 1.0f), fminf(fmaxf(narrow(writer, color->g), 0.0f), 1.0f),
        fminf(fmaxf(narrow(writer, color->b), 0.0f), 1.0f), fminf(fmaxf(narrow(writer, color->a), 0.0f), 1.0f)};
}

static uint32_t input_of(effect_writer *writer, pietra_effect_input input)
{
    if (input == PIETRA_EFFECT_PREVIOUS)
        return writer->step == 0 ? EFFECT_INPUT_SOURCE : EFFECT_INPUT_RESULT(writer->step - 1u);
    uint32_t stream_input = input - PIETRA_EFFECT_SOURCE;
    if (stream_input >= EFFECT_INPUT_RESULT(writer->step))
        writer_fail(writer, "an input is the result of no earlier step");
    return stream_input;
}

static void put_floats(effect_writer *writer, const float *values, size_t count)
{
    if (!values && count > 0) {
        writer_fail(writer, "a pointer to numbers is NULL");
        return;
    }
    for (size_t i = 0; i < count && writer->result == PIETRA_OK; i++) {
        float value = narrow(writer, (double)values[i]);
        PUT_VALUES(writer, value);
    }
}

static void put_merge(effect_writer *writer, const pietra_effect_step *step)
{
    if (!step->merge.inputs && step->merge.input_count > 0)
        writer_fail(writer, "a merge's inputs are NULL");
    for (size_t i = 0; i < step->merge.input_count && writer->result == PIETRA_OK; i++) {
        uint32_t input = input_of(writer, step->merge.inputs[i]);
        PUT_VALUES(writer, input);
    }
}

static void put_composite(effect_writer *writer, const pietra_effect_step *step)
{
    effect_values_composite values = {
        .operation = enumerator(writer, "an effect's operator", step->composite.operation, PIETRA_EFFECT_ARITHMETIC),
        .k1 = narrow(writer, (double)step->composite.k1),
        .k2 = narrow(writer, (double)step->composite.k2),
        .k3 = narrow(writer, (double)step->composite.k3),
        .k4 = narrow(writer, (double)step->composite.k4),
    };
    PUT_VALUES(writer, values);
}

static bool function_has_values(const pietra_effect_function *function)
{
    return function->type == PIETRA_EFFECT_TABLE || function->type == PIETRA_EFFECT_DISCRETE;
}

static effect_values_function function_values(effect_writer *writer, const pietra_effect_function *function)
{
    if (function_has_values(function) && function->value_count > VALUES_MOST)
        writer_fail(writer, "a transfer function has too many values");
    effect_values_function values = {
        .type = enumerator(writer, "a transfer function's type", function->type, PIETRA_EFFECT_GAMMA)};
    if (function->type == PIETRA_EFFECT_LINEAR) {
        values.slope = narrow(writer, (double)function->slope);
        values.intercept = narrow(writer, (double)function->intercept);
    }
    if (function->type == PIETRA_EFFECT_GAMMA) {
        values.amplitude = narrow(writer, (double)function->amplitude);
        values.exponent = narrow(writer, (double)function->exponent);
        values.offset = narrow(writer, (double)function->offset);
    }
    return values;
}

static void put_component_transfer(effect_writer *writer, const pietra_effect_step *step)
{
    const pietra_effect_function *functions[] = {&step->component_transfer.r, &step->component_transfer.g,
                                                 &step->component_transfer.b, &step->component_transfer.a};
    for (size_t i = 0; i < 4; i++) {
        effect_values_function values = function_values(writer, functions[i]);
        PUT_VALUES(writer, values);
    }
    for (size_t i = 0; i < 4; i++) {
        uint32_t count = function_has_values(functions[i]) ? (uint32_t)functions[i]->value_count : 0u;
        PUT_VALUES(writer, count);
        put_floats(writer, functions[i]->values, count);
    }
}

static void put_displacement_map(effect_writer *writer, const pietra_effect_step *step)
{
    effect_values_displacement_map values = {
        .x = narrow(writer, step->displacement_map.x),
        .y = narrow(writer, step->displacement_map.y),
        .x_channel = enumerator(writer, "a channel", step->displacement_map.x_channel, PIETRA_EFFECT_ALPHA),
        .y_channel = enumerator(writer, "a channel", step->displacement_map.y_channel, PIETRA_EFFECT_ALPHA),
    };
    PUT_VALUES(writer, values);
}

static void put_drop_shadow(effect_writer *writer, const pietra_effect_step *step)
{
    effect_values_drop_shadow values = {
        .sigma_x = narrow(writer, step->drop_shadow.sigma_x),
        .sigma_y = narrow(writer, step->drop_shadow.sigma_y),
        .x = narrow(writer, step->drop_shadow.x),
        .y = narrow(writer, step->drop_shadow.y),
        .color = color_values(writer, &step->drop_shadow.color),
    };
    PUT_VALUES(writer, values);
}

static void put_gaussian_blur(effect_writer *writer, const pietra_effect_step *step)
{
    effect_values_gaussian_blur values = {
        .sigma_x = narrow(writer, step->gaussian_blur.sigma_x),
        .sigma_y = narrow(writer, step->gaussian_blur.sigma_y),
        .edge = enumerator(writer, "an edge mode", step->gaussian_blur.edge, PIETRA_EFFECT_EDGE_WRAP),
    };
    PUT_VALUES(writer, values);
}

/* A kernel that makes no sense has no columns and rows in the stream. */
static void put_convolve_matrix(effect_writer *writer, const pietra_effect_step *step)
{
    effect_values_convolve_matrix values = {
        .divisor = narrow(writer, (double)step->convolve_matrix.divisor),
        .bias = narrow(writer, (double)step->convolve_matrix.bias),
        .edge = enumerator(writer, "an edge mode", step->convolve_matrix.edge, PIETRA_EFFECT_EDGE_WRAP),
        .preserves_alpha = step->convolve_matrix.preserves_alpha,
    };
    uint32_t columns = step->convolve_matrix.columns, rows = step->convolve_matrix.rows;
    bool is_kernel = columns > 0 && rows > 0 && (uint64_t)columns * rows <= KERNEL_MOST &&
                     step->convolve_matrix.target_x < columns && step->convolve_matrix.target_y < rows;
    const uint32_t sizes[4] = {is_kernel ? columns : 0, is_kernel ? rows : 0,
                               is_kernel ? step->convolve_matrix.target_x : 0,
                               is_kernel ? step->convolve_matrix.target_y : 0};
    PUT_VALUES(writer, values);
    PUT_VALUES(writer, sizes);
    put_floats(writer, step->convolve_matrix.kernel, (size_t)sizes[0] * sizes[1]);
}

static void put_morphology(effect_writer *writer, const pietra_effect_step *step)
{
    effect_values_morphology values = {
        .radius_x = narrow(writer, step->morphology.radius_x),
        .radius_y = narrow(writer, step->morphology.radius_y),
        .dilates = step->morphology.dilates,
    };
    PUT_VALUES(writer, values);
}

static void put_lighting(effect_writer *writer, const pietra_effect_step *step)
{
    bool is_distant = step->lighting.light == PIETRA_EFFECT_LIGHT_DISTANT;
    bool is_spot = step->lighting.light == PIETRA_EFFECT_LIGHT_SPOT;
    effect_values_flood color = color_values(writer, &step->lighting.color);
    effect_values_lighting values = {
        .surface_scale = narrow(writer, step->lighting.surface_scale),
        .constant = narrow(writer, (double)step->lighting.constant),
        .exponent = narrow(writer, (double)step->lighting.exponent),
        .r = color.r,
        .g = color.g,
        .b = color.b,
        .light = enumerator(writer, "a light", step->lighting.light, PIETRA_EFFECT_LIGHT_SPOT),
        .x = narrow(writer, is_distant ? step->lighting.azimuth : step->lighting.x),
        .y = narrow(writer, is_distant ? step->lighting.elevation : step->lighting.y),
        .z = narrow(writer, is_distant ? 0.0 : step->lighting.z),
        .at_x = narrow(writer, is_spot ? step->lighting.at_x : 0.0),
        .at_y = narrow(writer, is_spot ? step->lighting.at_y : 0.0),
        .at_z = narrow(writer, is_spot ? step->lighting.at_z : 0.0),
        .focus = narrow(writer, is_spot ? (double)step->lighting.focus : 0.0),
        .cone = narrow(writer, is_spot ? step->lighting.cone : 0.0),
    };
    PUT_VALUES(writer, values);
}

static void put_turbulence(effect_writer *writer, const pietra_effect_step *step)
{
    uint32_t octaves = step->turbulence.octaves;
    effect_values_turbulence values = {
        .frequency_x = narrow(writer, step->turbulence.frequency_x),
        .frequency_y = narrow(writer, step->turbulence.frequency_y),
        .seed = narrow(writer, step->turbulence.seed),
        .stitches = step->turbulence.stitches,
        .fractal_noise = step->turbulence.fractal_noise,
        .octaves = octaves < EFFECT_OCTAVES_MOST ? octaves : EFFECT_OCTAVES_MOST,
    };
    PUT_VALUES(writer, values);
}

static void check_image(effect_writer *writer, const pietra_effect_step *step)
{
    const pietra_scene *scene = step->image.scene;
    if (scene == writer->scene)
        writer_fail(writer, "its image is the scene itself");
    else if (scene && scene->open.count > 0)
        writer_fail(writer, "the scene of its image must be balanced");
}

static void put_values(effect_writer *writer, const pietra_effect_step *step)
{
    switch (step->kind) {
    case PIETRA_EFFECT_FLOOD: {
        effect_values_flood values = color_values(writer, &step->flood.color);
        PUT_VALUES(writer, values);
        break;
    }
    case PIETRA_EFFECT_OFFSET: {
        effect_values_offset values = {narrow(writer, step->offset.x), narrow(writer, step->offset.y)};
        PUT_VALUES(writer, values);
        break;
    }
    case PIETRA_EFFECT_MERGE:
        put_merge(writer, step);
        break;
    case PIETRA_EFFECT_COMPOSITE:
        put_composite(writer, step);
        break;
    case PIETRA_EFFECT_BLEND: {
        effect_values_blend values = {enumerator(writer, "a blend mode", step->blend.mode, BLEND_LUMINOSITY)};
        PUT_VALUES(writer, values);
        break;
    }
    case PIETRA_EFFECT_COLOR_MATRIX:
        put_floats(writer, step->color_matrix.values, 20);
        break;
    case PIETRA_EFFECT_COMPONENT_TRANSFER:
        put_component_transfer(writer, step);
        break;
    case PIETRA_EFFECT_TILE:
        break;
    case PIETRA_EFFECT_DISPLACEMENT_MAP:
        put_displacement_map(writer, step);
        break;
    case PIETRA_EFFECT_DROP_SHADOW:
        put_drop_shadow(writer, step);
        break;
    case PIETRA_EFFECT_GAUSSIAN_BLUR:
        put_gaussian_blur(writer, step);
        break;
    case PIETRA_EFFECT_CONVOLVE_MATRIX:
        put_convolve_matrix(writer, step);
        break;
    case PIETRA_EFFECT_MORPHOLOGY:
        put_morphology(writer, step);
        break;
    case PIETRA_EFFECT_DIFFUSE_LIGHTING:
    case PIETRA_EFFECT_SPECULAR_LIGHTING:
        put_lighting(writer, step);
        break;
    case PIETRA_EFFECT_TURBULENCE:
        put_turbulence(writer, step);
        break;
    case PIETRA_EFFECT_IMAGE:
        check_image(writer, step);
        break;
    }
}

static void narrow_region(effect_writer *writer, pietra_box region, stream_effect_step *made)
{
    if (!isfinite(region.x0) || !isfinite(region.y0) || !isfinite(region.x1) || !isfinite(region.y1))
        writer_fail(writer, "a region has a number that is not finite");
    bool is_empty = box_is_empty(region);
    made->x0 = is_empty ? -STREAM_BOX_LIMIT : limit_to_float(region.x0);
    made->y0 = is_empty ? -STREAM_BOX_LIMIT : limit_to_float(region.y0);
    made->x1 = is_empty ? STREAM_BOX_LIMIT : limit_to_float(region.x1);
    made->y1 = is_empty ? STREAM_BOX_LIMIT : limit_to_float(region.y1);
}

static pietra_result add_step(pietra_scene *scene, const pietra_effect_step *step, uint32_t index, pietra_error *error)
{
    effect_writer writer = {.scene = scene, .error = error, .step = index};
    (void)enumerator(&writer, "an effect's kind", step->kind, PIETRA_EFFECT_IMAGE);
    if (writer.result != PIETRA_OK)
        return writer.result;
    stream_effect_step made = {
        .kind = (uint32_t)step->kind, .linear = step->linear_rgb, .first_value = (uint32_t)scene->effect_values.count};
    made.in1 = input_counts[step->kind] > 0 ? input_of(&writer, step->in) : EFFECT_INPUT_SOURCE;
    made.in2 = input_counts[step->kind] > 1 ? input_of(&writer, step->in2) : EFFECT_INPUT_SOURCE;
    narrow_region(&writer, step->region, &made);
    put_values(&writer, step);
    made.value_count = (uint32_t)scene->effect_values.count - made.first_value;
    stream_effect_step *added = writer.result == PIETRA_OK ? array_push(&scene->effect_steps) : NULL;
    if (writer.result != PIETRA_OK)
        return writer.result;
    if (!added)
        return error_set_memory(error);
    *added = made;
    return PIETRA_OK;
}

pietra_result effect_add(pietra_scene *scene, const pietra_effect *effect, pietra_error *error, uint32_t *index)
{
    if (!effect->steps && effect->step_count > 0)
        return error_set_null(error, "effect.steps");
    if (effect->step_count > STEPS_MOST - scene->effect_steps.count || scene->effects.count >= STEPS_MOST)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many steps of effects");
    const pietra_box *region = &effect->region;
    if (!isfinite(region->x0) || !isfinite(region->y0) || !isfinite(region->x1) || !isfinite(region->y1))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "an effect's region has a number that is not finite");
    scene_effect *added = array_push(&scene->effects);
    if (!added)
        return error_set_memory(error);
    *added = (scene_effect){.region = *region};
    added->effect.first_step = (uint32_t)scene->effect_steps.count;
    added->effect.step_count = (uint32_t)effect->step_count;
    *index = (uint32_t)(scene->effects.count - 1);
    for (size_t i = 0; i < effect->step_count; i++) {
        pietra_result result = add_step(scene, &effect->steps[i], (uint32_t)i, error);
        if (result != PIETRA_OK)
            return result;
        added->effect.picture_count += effect->steps[i].kind == PIETRA_EFFECT_IMAGE;
    }
    return PIETRA_OK;
}

static pietra_effect_step matrix_of(const double values[20])
{
    pietra_effect_step step = {.kind = PIETRA_EFFECT_COLOR_MATRIX};
    for (size_t i = 0; i < 20; i++)
        step.color_matrix.values[i] = (float)values[i];
    return step;
}

/* The matrices are those of the specification, feColorMatrix. */
pietra_effect_step pietra_effect_saturate(float amount)
{
    double s = amount >= 0.0f ? (double)amount : 1.0;
    const double values[20] = {
        0.213 + 0.787 * s,
        0.715 - 0.715 * s,
        0.072 - 0.072 * s,
        0,
        0, /* R */
        0.213 - 0.213 * s,
        0.715 + 0.285 * s,
        0.072 - 0.072 * s,
        0,
        0, /* G */
        0.213 - 0.213 * s,
        0.715 - 0.715 * s,
        0.072 + 0.928 * s,
        0,
        0, /* B */
        0,
        0,
        0,
        1,
        0,
    };
    return matrix_of(values);
}

pietra_effect_step pietra_effect_hue_rotate(double degrees)
{
    pietra_transform turn = pietra_rotate(degrees);
    double c = turn.a, s = turn.b;
    const double values[20] = {
        0.213 + 0.787 * c - 0.213 * s,
        0.715 - 0.715 * c - 0.715 * s,
        0.072 - 0.072 * c + 0.928 * s,
        0,
        0, /* R */
        0.213 - 0.213 * c + 0.143 * s,
        0.715 + 0.285 * c + 0.140 * s,
        0.072 - 0.072 * c - 0.283 * s,
        0,
        0, /* G */
        0.213 - 0.213 * c - 0.787 * s,
        0.715 - 0.715 * c + 0.715 * s,
        0.072 + 0.928 * c + 0.072 * s,
        0,
        0, /* B */
        0,
        0,
        0,
        1,
        0,
    };
    return matrix_of(values);
}

pietra_effect_step pietra_effect_luminance_to_alpha(void)
{
    static const double values[20] = {[15] = 0.2125, [16] = 0.7154, [17] = 0.0721};
    return matrix_of(values);
}
