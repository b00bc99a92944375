/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "property/random_effect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pietra/pietra_effect.h"

#define STEPS_MOST 6u
#define DEPTH_MOST 3
#define KERNEL_SIDE_MOST 4u
#define TABLE_MOST 5u

typedef struct maker {
    pietra_scene *scene;
    random_source random;
    double side;
} maker;

/* What a step points to, until the scene has copied it. */
typedef struct step_memory {
    pietra_effect_input inputs[4];
    float table[TABLE_MOST];
    float kernel[KERNEL_SIDE_MOST * KERNEL_SIDE_MOST];
    pietra_scene *picture;
} step_memory;

static void demand(pietra_result result, const pietra_error *error)
{
    if (result == PIETRA_OK)
        return;
    fprintf(stderr, "random effect: %s\n", error->message);
    abort();
}

static bool one_in(maker *m, uint32_t count)
{
    return random_below(&m->random, count) == 0;
}

/* Returns a length that is mostly small, and now and then far too large or none. */
static double length(maker *m, double most)
{
    if (one_in(m, 12))
        return one_in(m, 2) ? 0.0 : 1e9;
    return random_between(&m->random, 0.0, most);
}

static float factor(maker *m)
{
    return (float)random_between(&m->random, -1.0, 1.5);
}

static pietra_box box(maker *m)
{
    double x = random_between(&m->random, -0.2, 0.8) * m->side, y = random_between(&m->random, -0.2, 0.8) * m->side;
    return (pietra_box){x, y, x + random_between(&m->random, 0.05, 1.0) * m->side,
                        y + random_between(&m->random, 0.05, 1.0) * m->side};
}

static pietra_color color(maker *m)
{
    return (pietra_color){(float)random_between(&m->random, 0, 1), (float)random_between(&m->random, 0, 1),
                          (float)random_between(&m->random, 0, 1), (float)random_between(&m->random, 0, 1)};
}

static pietra_effect_input input(maker *m, uint32_t step)
{
    return random_below(&m->random, 3 + step);
}

static pietra_effect_function function(maker *m, step_memory *memory)
{
    pietra_effect_function made = {.type = (pietra_effect_function_type)random_below(&m->random, 5)};
    made.values = memory->table;
    made.value_count = random_below(&m->random, TABLE_MOST + 1);
    made.slope = factor(m);
    made.intercept = factor(m);
    made.amplitude = factor(m);
    made.exponent = 2 * factor(m);
    made.offset = factor(m);
    return made;
}

static void add_picture(maker *m, pietra_effect_step *step, step_memory *memory)
{
    memory->picture = random_scene_create(random_below(&m->random, 1u << 30), RANDOM_ANYTHING, m->side);
    step->image.scene = memory->picture;
    step->image.transform = (pietra_transform){0.5, 0.1, -0.1, 0.5, 3, 4};
}

static void make_lighting(maker *m, pietra_effect_step *step)
{
    step->lighting.surface_scale = random_between(&m->random, -2, 8);
    step->lighting.constant = (float)random_between(&m->random, 0, 2);
    step->lighting.exponent = (float)random_between(&m->random, 0.5, 20);
    step->lighting.color = color(m);
    step->lighting.light = (pietra_effect_light)random_below(&m->random, 3);
    step->lighting.azimuth = random_between(&m->random, 0, 360);
    step->lighting.elevation = random_between(&m->random, 0, 90);
    step->lighting.x = random_between(&m->random, 0, m->side);
    step->lighting.y = random_between(&m->random, 0, m->side);
    step->lighting.z = random_between(&m->random, 1, 40);
    step->lighting.at_x = random_between(&m->random, 0, m->side);
    step->lighting.focus = (float)random_between(&m->random, 0, 5);
    step->lighting.cone = one_in(m, 2) ? random_between(&m->random, 5, 60) : 0;
}

static void make_convolution(maker *m, pietra_effect_step *step, step_memory *memory)
{
    step->convolve_matrix.columns = 1 + random_below(&m->random, KERNEL_SIDE_MOST);
    step->convolve_matrix.rows = 1 + random_below(&m->random, KERNEL_SIDE_MOST);
    step->convolve_matrix.target_x = random_below(&m->random, step->convolve_matrix.columns);
    step->convolve_matrix.target_y = random_below(&m->random, step->convolve_matrix.rows);
    step->convolve_matrix.kernel = memory->kernel;
    step->convolve_matrix.divisor = (float)random_between(&m->random, 0.5, 6);
    step->convolve_matrix.bias = one_in(m, 3) ? factor(m) : 0;
    step->convolve_matrix.edge = (pietra_effect_edge)random_below(&m->random, 3);
    step->convolve_matrix.preserves_alpha = one_in(m, 2);
}

static void make_parameters(maker *m, pietra_effect_step *step, uint32_t index, step_memory *memory)
{
    switch (step->kind) {
    case PIETRA_EFFECT_FLOOD:
        step->flood.color = color(m);
        break;
    case PIETRA_EFFECT_OFFSET:
        step->offset.x = length(m, 20) - 10;
        step->offset.y = one_in(m, 2) ? 3 : length(m, 20) - 10;
        break;
    case PIETRA_EFFECT_MERGE:
        for (size_t i = 0; i < 4; i++)
            memory->inputs[i] = input(m, index);
        step->merge.inputs = memory->inputs;
        step->merge.input_count = random_below(&m->random, 5);
        break;
    case PIETRA_EFFECT_COMPOSITE:
        step->composite.operation = (pietra_effect_operator)random_below(&m->random, 7);
        step->composite.k1 = factor(m);
        step->composite.k2 = factor(m);
        step->composite.k3 = factor(m);
        step->composite.k4 = one_in(m, 3) ? factor(m) : 0;
        break;
    case PIETRA_EFFECT_BLEND:
        step->blend.mode = (pietra_blend)random_below(&m->random, PIETRA_BLEND_LUMINOSITY + 1);
        break;
    case PIETRA_EFFECT_COLOR_MATRIX:
        for (size_t i = 0; i < 20; i++)
            step->color_matrix.values[i] = i == 19 && !one_in(m, 4) ? 0 : factor(m);
        break;
    case PIETRA_EFFECT_COMPONENT_TRANSFER:
        step->component_transfer.r = function(m, memory);
        step->component_transfer.g = function(m, memory);
        step->component_transfer.b = function(m, memory);
        step->component_transfer.a = function(m, memory);
        break;
    case PIETRA_EFFECT_DISPLACEMENT_MAP:
        step->displacement_map.x = length(m, 30);
        step->displacement_map.y = length(m, 30);
        step->displacement_map.x_channel = (pietra_effect_channel)random_below(&m->random, 4);
        step->displacement_map.y_channel = (pietra_effect_channel)random_below(&m->random, 4);
        break;
    case PIETRA_EFFECT_DROP_SHADOW:
        step->drop_shadow.sigma_x = length(m, 6);
        step->drop_shadow.sigma_y = length(m, 6);
        step->drop_shadow.x = random_between(&m->random, -9, 9);
        step->drop_shadow.y = random_between(&m->random, -9, 9);
        step->drop_shadow.color = color(m);
        break;
    case PIETRA_EFFECT_GAUSSIAN_BLUR:
        step->gaussian_blur.sigma_x = length(m, 8) - (one_in(m, 9) ? 4 : 0);
        step->gaussian_blur.sigma_y = length(m, 8);
        step->gaussian_blur.edge = (pietra_effect_edge)random_below(&m->random, 3);
        break;
    case PIETRA_EFFECT_CONVOLVE_MATRIX:
        make_convolution(m, step, memory);
        break;
    case PIETRA_EFFECT_MORPHOLOGY:
        step->morphology.radius_x = length(m, 5);
        step->morphology.radius_y = length(m, 5);
        step->morphology.dilates = one_in(m, 2);
        break;
    case PIETRA_EFFECT_DIFFUSE_LIGHTING:
    case PIETRA_EFFECT_SPECULAR_LIGHTING:
        make_lighting(m, step);
        break;
    case PIETRA_EFFECT_TURBULENCE:
        step->turbulence.frequency_x = random_between(&m->random, 0, 0.2);
        step->turbulence.frequency_y = random_between(&m->random, 0, 0.2);
        step->turbulence.seed = random_below(&m->random, 100);
        step->turbulence.octaves = random_below(&m->random, 5);
        step->turbulence.stitches = one_in(m, 2);
        step->turbulence.fractal_noise = one_in(m, 2);
        break;
    case PIETRA_EFFECT_IMAGE:
        add_picture(m, step, memory);
        break;
    default:
        break;
    }
}

static pietra_effect_step make_step(maker *m, uint32_t index, step_memory *memory)
{
    pietra_effect_step step = {.kind = (pietra_effect_kind)random_below(&m->random, PIETRA_EFFECT_IMAGE + 1)};
    step.linear_rgb = one_in(m, 2);
    step.in = input(m, index);
    step.in2 = input(m, index);
    if (one_in(m, 3))
        step.region = box(m);
    for (size_t i = 0; i < TABLE_MOST; i++)
        memory->table[i] = factor(m);
    for (size_t i = 0; i < KERNEL_SIDE_MOST * KERNEL_SIDE_MOST; i++)
        memory->kernel[i] = 2 * factor(m);
    make_parameters(m, &step, index, memory);
    return step;
}

static pietra_transform transform(maker *m)
{
    static const pietra_transform some[] = {
        {1, 0, 0, 1, 0, 0},     {1, 0, 0, 1, 7.25, -3.5},     {-1, 0, 0, 1, 80, 2},        {0, 1, -1, 0, 90, 0},
        {1.5, 0, 0, 0.5, 0, 9}, {0.8, 0.6, -0.6, 0.8, 20, 3}, {1, 0.2, 0.5, 0.9, -10, -8}, {0.25, 0, 0, 0.25, 9, 9}};
    return some[random_below(&m->random, sizeof some / sizeof some[0])];
}

static void add_effect(maker *m, int depth)
{
    step_memory memory[STEPS_MOST];
    pietra_effect_step steps[STEPS_MOST];
    pietra_error error;
    memset(memory, 0, sizeof memory);
    pietra_effect effect = {.steps = steps, .step_count = 1 + random_below(&m->random, STEPS_MOST)};
    for (uint32_t i = 0; i < effect.step_count; i++)
        steps[i] = make_step(m, i, &memory[i]);
    if (!one_in(m, 4))
        effect.region = box(m);
    const pietra_transform placed = transform(m);
    demand(pietra_scene_begin_effect(m->scene, &effect, &placed, &error), &error);
    for (uint32_t i = 0; i < effect.step_count; i++)
        pietra_scene_destroy(memory[i].picture);
    random_scene_add(m->scene, random_below(&m->random, 1u << 30), RANDOM_ANYTHING, m->side);
    if (depth < DEPTH_MOST && one_in(m, 2)) {
        add_effect(m, depth + 1);
        random_scene_add(m->scene, random_below(&m->random, 1u << 30), RANDOM_ANYTHING, m->side);
    }
    demand(pietra_scene_end_effect(m->scene, &error), &error);
}

pietra_scene *random_effect_scene_create(uint64_t seed, double side)
{
    maker m = {.scene = random_scene_create(seed, RANDOM_ANYTHING, side), .random = random_start(seed), .side = side};
    pietra_error error;
    const uint32_t count = 1 + random_below(&m.random, 2);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_grouped = one_in(&m, 2);
        if (is_grouped)
            demand(pietra_scene_begin_group(m.scene, 0.75f, &error), &error);
        add_effect(&m, 0);
        if (is_grouped)
            demand(pietra_scene_end_group(m.scene, &error), &error);
    }
    return m.scene;
}
