/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/graph.h"

#include <math.h>

#include "base/transform.h"

void effect_graph_free(effect_graph *graph)
{
    array_free(&graph->nodes);
    array_free(&graph->sources);
    array_free(&graph->numbers);
}

/* ---- Parameters ---- */

effect_box effect_graph_region_of_input(const effect_graph *graph, uint32_t input)
{
    return input < EFFECT_INPUT_RESULT(0) ? graph->region : graph->nodes.items[input - EFFECT_INPUT_RESULT(0)].region;
}

/* Returns the edge mode that a step's input has. Where the input has no edge along an axis, there is none to repeat. */
static uint32_t edge_of_input(const effect_graph *graph, const effect_node *node, uint32_t edge)
{
    const effect_box region = effect_graph_region_of_input(graph, node->step->in1);
    const bool is_endless = region.left == -EFFECT_COORDINATE_MOST || region.top == -EFFECT_COORDINATE_MOST ||
                            region.right == EFFECT_COORDINATE_MOST || region.bottom == EFFECT_COORDINATE_MOST;
    return is_endless ? EFFECT_EDGE_NONE : edge;
}

/* Returns whether there is something that an edge mode may repeat. */
static bool has_edges(const effect_graph *graph, const effect_node *node, uint32_t edge)
{
    return edge == EFFECT_EDGE_NONE || !effect_box_is_empty(effect_graph_region_of_input(graph, node->step->in1));
}

static uint8_t byte_of(float channel)
{
    return (uint8_t)(255.0f * channel + 0.5f);
}

static effect_texel color_of(const effect_values_flood *color, bool linear)
{
    return effect_color_of(byte_of(color->r), byte_of(color->g), byte_of(color->b), (double)color->a, linear);
}

/* The length of a user unit along no axis in particular, in texels. */
static double mean_scale(const effect_space *space)
{
    return sqrt(0.5 * (space->scale_x * space->scale_x + space->scale_y * space->scale_y));
}

static effect_outcome prepare_flood(const effect_node *node, effect_texel *flood)
{
    *flood = color_of((const effect_values_flood *)node->values, node->step->linear != 0);
    return flood->a > 0 ? EFFECT_RUNS : EFFECT_TRANSPARENT;
}

static effect_outcome prepare_composite(const effect_node *node, effect_composite *composite)
{
    const effect_values_composite *values = (const effect_values_composite *)node->values;
    effect_composite_of(values->operation, (double)values->k1, (double)values->k2, (double)values->k3,
                        (double)values->k4, composite);
    return EFFECT_RUNS;
}

static effect_outcome prepare_matrix(const effect_node *node, effect_color_matrix *matrix)
{
    double numbers[20];
    for (size_t i = 0; i < 20; i++)
        numbers[i] = (double)FLOAT_OF_BITS(node->values[i]);
    return effect_color_matrix_of(numbers, matrix);
}

/* Makes one of the four functions. `at` is where its count stands among the step's values, and is moved behind its
 * values. */
static effect_function function_of(const effect_node *node, const effect_values_function *values, uint32_t *at)
{
    uint32_t count = node->values[*at], first = *at + 1;
    *at += 1 + count;
    switch (values->type) {
    case EFFECT_TABLE:
    case EFFECT_DISCRETE:
        return effect_table_function(values->type, first, count);
    case EFFECT_LINEAR:
        return effect_linear_function((double)values->slope, (double)values->intercept);
    case EFFECT_GAMMA:
        return effect_gamma_function((double)values->amplitude, (double)values->exponent, (double)values->offset);
    default:
        return effect_identity_function();
    }
}

static effect_outcome prepare_transfer(const effect_node *node, effect_transfer *transfer)
{
    const effect_values_component_transfer *values = (const effect_values_component_transfer *)node->values;
    uint32_t at = sizeof *values / sizeof(uint32_t);
    transfer->r = function_of(node, &values->r, &at);
    transfer->g = function_of(node, &values->g, &at);
    transfer->b = function_of(node, &values->b, &at);
    transfer->a = function_of(node, &values->a, &at);
    return EFFECT_RUNS;
}

static effect_outcome prepare_displacement(const effect_graph *graph, const effect_node *node,
                                           effect_displacement *displacement)
{
    const effect_values_displacement_map *values = (const effect_values_displacement_map *)node->values;
    return effect_displacement_of((double)values->x * graph->space.scale_x, (double)values->y * graph->space.scale_y,
                                  values->x_channel, values->y_channel, displacement);
}

/* A shadow whose blur passes its input on lies where it would lie after a blur of 0. */
static effect_outcome prepare_shadow(const effect_graph *graph, effect_node *node)
{
    const effect_values_drop_shadow *values = (const effect_values_drop_shadow *)node->values;
    effect_shadow *shadow = &node->parameters.shadow.shadow;
    shadow->color = color_of(&values->color, node->step->linear != 0);
    (void)effect_offset_of((double)values->x * graph->space.scale_x, (double)values->y * graph->space.scale_y,
                           &shadow->offset);
    if (effect_blur_of((double)values->sigma_x * graph->space.scale_x, (double)values->sigma_y * graph->space.scale_y,
                       EFFECT_EDGE_NONE, &node->parameters.shadow.blur) != EFFECT_RUNS) {
        node->parameters.shadow.blur = (effect_blur){.edge = EFFECT_EDGE_NONE};
    }
    return shadow->color.a > 0 ? EFFECT_RUNS : EFFECT_PASSES;
}

static effect_outcome prepare_blur(const effect_graph *graph, const effect_node *node, effect_blur *blur)
{
    const effect_values_gaussian_blur *values = (const effect_values_gaussian_blur *)node->values;
    const uint32_t edge = edge_of_input(graph, node, values->edge);
    effect_outcome outcome = effect_blur_of((double)values->sigma_x * graph->space.scale_x,
                                            (double)values->sigma_y * graph->space.scale_y, edge, blur);
    return outcome == EFFECT_RUNS && !has_edges(graph, node, edge) ? EFFECT_TRANSPARENT : outcome;
}

/* Makes the kernel's numbers behind those of the graph. False: out of memory. */
static bool prepare_convolution(effect_graph *graph, effect_node *node)
{
    const effect_values_convolve_matrix *values = (const effect_values_convolve_matrix *)node->values;
    const uint32_t *sizes = node->values + sizeof *values / sizeof(uint32_t);
    const size_t count = (size_t)sizes[0] * sizes[1];
    ARRAY(double) numbers = {.count = 0};
    node->parameters.convolve.first_number = graph->numbers.count;
    if (!array_reserve(&numbers, count + 1) || !array_reserve(&graph->numbers, count + 1)) {
        array_free(&numbers);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        numbers.items[i] = (double)FLOAT_OF_BITS(sizes[4 + i]);
    const double divisor = (double)values->divisor, target_x = sizes[2], target_y = sizes[3];
    effect_kernel kernel = {.columns = sizes[0],
                            .rows = sizes[1],
                            .numbers = numbers.items,
                            .count = count,
                            .divisor = &divisor,
                            .target_x = &target_x,
                            .target_y = &target_y,
                            .bias = (double)values->bias,
                            .edge = edge_of_input(graph, node, values->edge),
                            .preserves_alpha = values->preserves_alpha != 0};
    node->outcome = effect_convolution_of(&kernel, &node->parameters.convolve.convolution,
                                          graph->numbers.items + graph->numbers.count);
    graph->numbers.count += count;
    array_free(&numbers);
    if (!has_edges(graph, node, kernel.edge))
        node->outcome = EFFECT_TRANSPARENT;
    return true;
}

static effect_outcome prepare_extreme(const effect_graph *graph, const effect_node *node, effect_extreme *extreme)
{
    const effect_values_morphology *values = (const effect_values_morphology *)node->values;
    return effect_extreme_of((double)values->radius_x * graph->space.scale_x,
                             (double)values->radius_y * graph->space.scale_y, values->dilates != 0, extreme);
}

/* Slopes are those of heights over texels, as in Safari and resvg: surface_scale is not a length. */
static effect_outcome prepare_light(const effect_graph *graph, const effect_node *node, effect_light *light)
{
    const effect_values_lighting *values = (const effect_values_lighting *)node->values;
    const double scale = mean_scale(&graph->space), cone = (double)values->cone;
    double x = (double)values->x, y = (double)values->y, at_x = (double)values->at_x, at_y = (double)values->at_y;
    transform_point(graph->space.from_user, &x, &y);
    transform_point(graph->space.from_user, &at_x, &at_y);
    effect_lamp lamp = {
        .kind = values->light,
        .specular = node->step->kind == EFFECT_STEP_SPECULAR_LIGHTING,
        .surface_scale = (double)values->surface_scale,
        .constant = (double)values->constant,
        .exponent = (double)values->exponent,
        .r = byte_of(values->r),
        .g = byte_of(values->g),
        .b = byte_of(values->b),
        .linear = node->step->linear != 0,
        .azimuth = (double)values->x,
        .elevation = (double)values->y,
        .x = x,
        .y = y,
        .z = (double)values->z * scale,
        .points_x = at_x,
        .points_y = at_y,
        .points_z = (double)values->at_z * scale,
        .spot_exponent = (double)values->focus,
        .cone_angle = cone != 0.0 ? &cone : NULL,
    };
    return effect_light_of(&lamp, light);
}

effect_outcome effect_graph_noise(const effect_graph *graph, const effect_node *node, effect_noise *noise, uint *words)
{
    const effect_values_turbulence *values = (const effect_values_turbulence *)node->values;
    const effect_space *space = &graph->space;
    pietra_transform to_user;
    if (!transform_invert(space->from_user, &to_user))
        return EFFECT_TRANSPARENT;
    pietra_box region = transform_box(
        to_user, (pietra_box){node->region.left, node->region.top, node->region.right, node->region.bottom});
    effect_turbulence turbulence = {
        .frequency_x = (double)values->frequency_x,
        .frequency_y = (double)values->frequency_y,
        .octaves = values->octaves,
        .seed = (double)values->seed,
        .fractal = values->fractal_noise != 0,
        .stitches = values->stitches != 0,
        .left = region.x0,
        .top = region.y0,
        .width = region.x1 - region.x0,
        .height = region.y1 - region.y0,
        .origin_x = to_user.e,
        .origin_y = to_user.f,
        .texel_x = to_user.a,
        .texel_y = to_user.d,
    };
    return effect_noise_of(&turbulence, noise, words);
}

static effect_box reach_of_input(const effect_graph *graph, uint32_t input)
{
    return input < EFFECT_INPUT_RESULT(0) ? graph->sources.items[0].reach
                                          : graph->nodes.items[input - EFFECT_INPUT_RESULT(0)].reach;
}

static bool prepare(effect_graph *graph, effect_node *node)
{
    effect_parameters *parameters = &node->parameters;
    switch (node->step->kind) {
    case EFFECT_STEP_FLOOD:
        node->outcome = prepare_flood(node, &parameters->flood);
        break;
    case EFFECT_STEP_OFFSET: {
        const effect_values_offset *values = (const effect_values_offset *)node->values;
        node->outcome = effect_offset_of((double)values->x * graph->space.scale_x,
                                         (double)values->y * graph->space.scale_y, &parameters->offset);
        break;
    }
    case EFFECT_STEP_COMPOSITE:
        node->outcome = prepare_composite(node, &parameters->composite);
        break;
    case EFFECT_STEP_BLEND:
        parameters->mode = ((const effect_values_blend *)node->values)->mode;
        break;
    case EFFECT_STEP_COLOR_MATRIX:
        node->outcome = prepare_matrix(node, &parameters->matrix);
        break;
    case EFFECT_STEP_COMPONENT_TRANSFER:
        node->outcome = prepare_transfer(node, &parameters->transfer);
        break;
    case EFFECT_STEP_TILE:
        parameters->tile = effect_graph_region_of_input(graph, node->step->in1);
        node->outcome = effect_box_is_empty(parameters->tile) ? EFFECT_TRANSPARENT : EFFECT_RUNS;
        break;
    case EFFECT_STEP_DISPLACEMENT_MAP:
        node->outcome = prepare_displacement(graph, node, &parameters->displacement);
        break;
    case EFFECT_STEP_DROP_SHADOW:
        node->outcome = prepare_shadow(graph, node);
        break;
    case EFFECT_STEP_GAUSSIAN_BLUR:
        node->outcome = prepare_blur(graph, node, &parameters->blur);
        break;
    case EFFECT_STEP_CONVOLVE_MATRIX:
        return prepare_convolution(graph, node);
    case EFFECT_STEP_MORPHOLOGY:
        node->outcome = prepare_extreme(graph, node, &parameters->extreme);
        break;
    case EFFECT_STEP_DIFFUSE_LIGHTING:
    case EFFECT_STEP_SPECULAR_LIGHTING:
        node->outcome = prepare_light(graph, node, &parameters->light);
        break;
    default:
        break;
    }
    return true;
}

/* ---- Reach ---- */

static effect_box reach_of_merge(const effect_graph *graph, const effect_node *node)
{
    effect_box reach = {0, 0, 0, 0};
    for (uint32_t i = 0; i < node->step->value_count; i++)
        reach = effect_box_join(reach, reach_of_input(graph, node->values[i]));
    return reach;
}

static effect_box reach_of_composite(const effect_node *node, effect_box in, effect_box in2)
{
    const effect_composite *composite = &node->parameters.composite;
    switch (composite->operation) {
    case EFFECT_IN:
        return effect_box_meet(in, in2);
    case EFFECT_OUT:
        return in;
    case EFFECT_ATOP:
        return in2;
    case EFFECT_ARITHMETIC:
        return composite->k4 > 0.0f ? node->region : effect_box_join(in, in2);
    default:
        return effect_box_join(in, in2);
    }
}

/* Returns whether a transfer function may make something of an alpha of 0. */
static bool lifts_zero(const effect_function *function)
{
    return function->type != EFFECT_IDENTITY && !(function->type == EFFECT_LINEAR && function->intercept <= 0.0f);
}

static effect_box reach_of_convolution(const effect_node *node, effect_box in)
{
    const effect_convolution *convolution = &node->parameters.convolve.convolution;
    if (convolution->bias > 0.0f || convolution->edge != EFFECT_EDGE_NONE)
        return node->region;
    if (effect_box_is_empty(in))
        return in;
    effect_box wide = effect_box_grow(in, convolution->columns, convolution->rows);
    return wide;
}

static effect_box reach_of_shadow(const effect_node *node, effect_box in)
{
    effect_box blurred = effect_reach_of_blur(&node->parameters.shadow.blur, in);
    return effect_box_join(in, effect_reach_of_offset(node->parameters.shadow.shadow.offset, blurred));
}

/* Returns where a step that runs may leave something that is not transparent. */
static effect_box reach_of_step(const effect_graph *graph, const effect_node *node)
{
    const effect_parameters *parameters = &node->parameters;
    const effect_box in = reach_of_input(graph, node->step->in1);
    switch (node->step->kind) {
    case EFFECT_STEP_OFFSET:
        return effect_reach_of_offset(parameters->offset, in);
    case EFFECT_STEP_MERGE:
        return reach_of_merge(graph, node);
    case EFFECT_STEP_COMPOSITE:
        return reach_of_composite(node, in, reach_of_input(graph, node->step->in2));
    case EFFECT_STEP_BLEND:
        return effect_box_join(in, reach_of_input(graph, node->step->in2));
    case EFFECT_STEP_COLOR_MATRIX:
        return parameters->matrix.a.one > 0.0f ? node->region : in;
    case EFFECT_STEP_COMPONENT_TRANSFER:
        return lifts_zero(&parameters->transfer.a) ? node->region : in;
    case EFFECT_STEP_TILE:
        return effect_box_is_empty(effect_box_meet(in, parameters->tile)) ? (effect_box){0, 0, 0, 0} : node->region;
    case EFFECT_STEP_DISPLACEMENT_MAP:
        /* What a texel reads lies as far away as where a texel shows. */
        return effect_demand_of_displacement(&parameters->displacement, in);
    case EFFECT_STEP_DROP_SHADOW:
        return reach_of_shadow(node, in);
    case EFFECT_STEP_GAUSSIAN_BLUR:
        return parameters->blur.edge == EFFECT_EDGE_NONE ? effect_reach_of_blur(&parameters->blur, in) : node->region;
    case EFFECT_STEP_CONVOLVE_MATRIX:
        return reach_of_convolution(node, in);
    case EFFECT_STEP_MORPHOLOGY:
        return effect_reach_of_extreme(&parameters->extreme, in);
    case EFFECT_STEP_IMAGE:
        return graph->sources.items[1 + parameters->picture].reach;
    default:
        return node->region;
    }
}

static effect_box reach_of_node(const effect_graph *graph, const effect_node *node)
{
    effect_box reach = {0, 0, 0, 0};
    if (node->outcome == EFFECT_RUNS)
        reach = reach_of_step(graph, node);
    else if (node->outcome == EFFECT_PASSES)
        reach = reach_of_input(graph, node->step->in1);
    return effect_box_meet(reach, node->region);
}

static effect_box texels_of_user_box(const effect_space *space, pietra_box box)
{
    return effect_texels_of(transform_box(space->from_user, box));
}

static bool make_node(effect_graph *graph, const stream_effect_step *step, const uint32_t *values, uint32_t *pictures)
{
    effect_node *node = &graph->nodes.items[graph->nodes.count];
    pietra_box box = {(double)step->x0, (double)step->y0, (double)step->x1, (double)step->y1};
    *node = (effect_node){.step = step, .values = values + step->first_value};
    node->region = effect_box_meet(texels_of_user_box(&graph->space, box), graph->region);
    if (step->kind == EFFECT_STEP_IMAGE)
        node->parameters.picture = (*pictures)++;
    if (!prepare(graph, node))
        return false;
    node->reach = reach_of_node(graph, node);
    graph->nodes.count++;
    return true;
}

bool effect_graph_make(const stream_effect *effect, const stream_effect_step *steps, const uint32_t *values,
                       const effect_space *space, pietra_box region, const effect_box *reaches, effect_graph *graph)
{
    graph->space = *space;
    graph->region = texels_of_user_box(space, region);
    graph->nodes.count = graph->sources.count = graph->numbers.count = 0;
    if (!array_reserve(&graph->nodes, effect->step_count) || !array_reserve(&graph->sources, effect->picture_count + 1))
        return false;
    for (uint32_t i = 0; i <= effect->picture_count; i++)
        graph->sources.items[graph->sources.count++] =
            (effect_source){.reach = effect_box_meet(reaches[i], graph->region)};
    uint32_t pictures = 0;
    for (uint32_t i = 0; i < effect->step_count; i++)
        if (!make_node(graph, &steps[effect->first_step + i], values, &pictures))
            return false;
    return true;
}

/* ---- Work ---- */

static bool repeats(const effect_node *node)
{
    return node->step->kind == EFFECT_STEP_GAUSSIAN_BLUR && node->outcome == EFFECT_RUNS &&
           node->parameters.blur.edge == EFFECT_EDGE_WRAP;
}

effect_box effect_graph_work(const effect_graph *graph, const effect_node *node)
{
    effect_box work = node->out;
    if (repeats(node) && !effect_box_is_empty(work)) {
        const effect_box region = effect_graph_region_of_input(graph, node->step->in1);
        work.top = region.top;
        work.bottom = region.bottom;
    }
    return work;
}

/* ---- Demand ---- */

/* Adds to what is needed of an input. */
static void need_input(effect_graph *graph, uint32_t input, effect_box box)
{
    effect_box reach = reach_of_input(graph, input);
    effect_box *out = input < EFFECT_INPUT_RESULT(0) ? &graph->sources.items[0].out
                                                     : &graph->nodes.items[input - EFFECT_INPUT_RESULT(0)].out;
    *out = effect_box_join(*out, effect_box_meet(box, reach));
}

static void need_inputs(effect_graph *graph, const effect_node *node)
{
    const stream_effect_step *step = node->step;
    const effect_parameters *parameters = &node->parameters;
    const effect_box out = node->out;
    if (node->outcome == EFFECT_PASSES) {
        need_input(graph, step->in1, out);
        return;
    }
    switch (step->kind) {
    case EFFECT_STEP_OFFSET:
        need_input(graph, step->in1, effect_demand_of_offset(parameters->offset, out));
        break;
    case EFFECT_STEP_MERGE:
        for (uint32_t i = 0; i < step->value_count; i++)
            need_input(graph, node->values[i], out);
        break;
    case EFFECT_STEP_COMPOSITE:
    case EFFECT_STEP_BLEND:
        need_input(graph, step->in1, out);
        need_input(graph, step->in2, out);
        break;
    case EFFECT_STEP_COLOR_MATRIX:
    case EFFECT_STEP_COMPONENT_TRANSFER:
        need_input(graph, step->in1, out);
        break;
    case EFFECT_STEP_TILE:
        need_input(graph, step->in1, parameters->tile);
        break;
    case EFFECT_STEP_DISPLACEMENT_MAP:
        need_input(graph, step->in1, effect_demand_of_displacement(&parameters->displacement, out));
        need_input(graph, step->in2, out);
        break;
    case EFFECT_STEP_DROP_SHADOW:
        need_input(graph, step->in1, out);
        need_input(graph, step->in1,
                   effect_demand_of_blur(&parameters->shadow.blur, effect_graph_region_of_input(graph, step->in1),
                                         effect_demand_of_offset(parameters->shadow.shadow.offset, out)));
        break;
    case EFFECT_STEP_GAUSSIAN_BLUR:
        need_input(graph, step->in1,
                   effect_demand_of_blur(&parameters->blur, effect_graph_region_of_input(graph, step->in1), out));
        break;
    case EFFECT_STEP_CONVOLVE_MATRIX:
        need_input(graph, step->in1,
                   effect_demand_of_convolution(&parameters->convolve.convolution,
                                                effect_graph_region_of_input(graph, step->in1), out));
        break;
    case EFFECT_STEP_MORPHOLOGY:
        need_input(graph, step->in1, effect_demand_of_extreme(&parameters->extreme, out));
        break;
    case EFFECT_STEP_DIFFUSE_LIGHTING:
    case EFFECT_STEP_SPECULAR_LIGHTING:
        need_input(graph, step->in1, effect_demand_of_light(node->region, out));
        break;
    case EFFECT_STEP_IMAGE: {
        effect_source *picture = &graph->sources.items[1 + parameters->picture];
        picture->out = effect_box_join(picture->out, out);
        break;
    }
    default:
        break;
    }
}

effect_box effect_graph_demand(effect_graph *graph, effect_box shown)
{
    const effect_box nothing = {0, 0, 0, 0};
    for (size_t i = 0; i < graph->sources.count; i++)
        graph->sources.items[i].out = nothing;
    for (size_t i = 0; i < graph->nodes.count; i++)
        graph->nodes.items[i].out = nothing;
    if (graph->nodes.count == 0)
        return nothing;
    effect_node *last = array_last(&graph->nodes);
    last->out = effect_box_meet(shown, last->reach);
    for (size_t i = graph->nodes.count; i-- > 0;)
        if (!effect_box_is_empty(graph->nodes.items[i].out))
            need_inputs(graph, &graph->nodes.items[i]);
    return last->out;
}
