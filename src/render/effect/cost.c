/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/cost.h"

#include <math.h>

#include "layout/blend.h"
#include "render/effect/demand.h"
#include "render/effect/wrapped_blur.h"

/* Thousandths of a step. An effect of a few texels takes that long: its frame, its calls, its image in the stream. */
#define COST_OF_EFFECT 50000.0

/* Thousandths of a step for each texel. They are what chains of ten such steps take at 2,000 pixels, rounded up: of
 * each kind the parameters that take longest, but for those that are told apart. */
#define COST_OF_SHEET 5.0
#define COST_OF_LOAD 2.0 /* also of a store */
#define COST_OF_CONVERSION 6.0
#define COST_OF_PLAIN_STEP 5.0
#define COST_OF_MERGED 4.0
#define COST_OF_COMPOSITE 7.0
#define COST_OF_BLEND 12.0
#define COST_OF_WHOLE_BLEND 45.0 /* a mode of all channels together */
#define COST_OF_BLUR 11.0
#define COST_OF_LAID_OUT 25.0 /* for each texel that a blur of a repeated region lays out */
#define COST_OF_SHADOW 6.0
#define COST_OF_MATRIX 9.0
#define COST_OF_TRANSFER 24.0
#define COST_OF_DISPLACEMENT 20.0
#define COST_OF_TAP 0.25
#define COST_OF_KERNEL_ROW 2.5
#define COST_OF_KEPT_ALPHA 7.0
#define COST_OF_EXTREME 20.0
#define COST_OF_DIFFUSE_LIGHT 16.0
#define COST_OF_SPECULAR_LIGHT 26.0
#define COST_OF_NOISE 16.0
#define COST_OF_OCTAVE 7.5
#define COST_OF_STITCHED_OCTAVE 11.0

static double texels_of(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (double)(box.right - box.left) * (double)(box.bottom - box.top);
}

/* Returns how many texels a blur lays out of the region that it repeats: rows, then columns. */
static double laid_out_texels(const effect_call *call)
{
    const effect_box region = call->region, out = call->out.box;
    const effect_box rows = {out.left, region.top, out.right, region.bottom};
    const effect_blur along_x = effect_wrapped_axis(&call->blur->x, false, region.right - region.left);
    const effect_blur along_y = effect_wrapped_axis(&call->blur->y, true, region.bottom - region.top);

    return texels_of(effect_demand_of_blur(&along_x, region, rows)) +
           texels_of(effect_demand_of_blur(&along_y, region, out));
}

static double cost_of_blur(const effect_call *call)
{
    return call->blur->edge == EFFECT_EDGE_WRAP ? COST_OF_LAID_OUT * laid_out_texels(call)
                                                : COST_OF_BLUR * texels_of(call->out.box);
}

static double cost_of_convolution(const effect_node *node)
{
    const effect_convolution *convolution = &node->parameters.convolve.convolution;

    return COST_OF_PLAIN_STEP + COST_OF_TAP * (double)convolution->columns * (double)convolution->rows +
           COST_OF_KERNEL_ROW * (double)convolution->rows +
           (convolution->preserves_alpha != 0 ? COST_OF_KEPT_ALPHA : 0);
}

static double cost_of_noise(const effect_values_turbulence *values)
{
    return COST_OF_NOISE + (values->stitches != 0 ? COST_OF_STITCHED_OCTAVE : COST_OF_OCTAVE) *
                               fmin(values->octaves, (double)EFFECT_OCTAVES_MOST);
}

static double cost_of_step(const effect_node *node)
{
    switch (node->step->kind) {
    case EFFECT_STEP_COMPOSITE:
        return COST_OF_COMPOSITE;
    case EFFECT_STEP_BLEND:
        return node->parameters.mode >= BLEND_HUE ? COST_OF_WHOLE_BLEND : COST_OF_BLEND;
    case EFFECT_STEP_COLOR_MATRIX:
        return COST_OF_MATRIX;
    case EFFECT_STEP_COMPONENT_TRANSFER:
        return COST_OF_TRANSFER;
    case EFFECT_STEP_DISPLACEMENT_MAP:
        return COST_OF_DISPLACEMENT;
    case EFFECT_STEP_CONVOLVE_MATRIX:
        return cost_of_convolution(node);
    case EFFECT_STEP_MORPHOLOGY:
        return COST_OF_EXTREME;
    case EFFECT_STEP_DIFFUSE_LIGHTING:
        return COST_OF_DIFFUSE_LIGHT;
    case EFFECT_STEP_SPECULAR_LIGHTING:
        return COST_OF_SPECULAR_LIGHT;
    case EFFECT_STEP_TURBULENCE:
        return cost_of_noise((const effect_values_turbulence *)node->values);
    default:
        return COST_OF_PLAIN_STEP;
    }
}

static double cost_of_texel(const effect_call *call)
{
    switch (call->kind) {
    case EFFECT_CALL_LOAD:
    case EFFECT_CALL_LOAD_ALPHA:
        return COST_OF_LOAD + (call->linear ? COST_OF_CONVERSION : 0);
    case EFFECT_CALL_TO_LINEAR:
    case EFFECT_CALL_TO_SRGB:
        return COST_OF_CONVERSION;
    case EFFECT_CALL_MERGE: /* what lies below is copied first */
        return COST_OF_MERGED + (call->in2.buffer == call->out.buffer ? 0 : COST_OF_PLAIN_STEP);
    case EFFECT_CALL_SHADOW:
        return COST_OF_SHADOW;
    case EFFECT_CALL_STEP:
        return cost_of_step(call->node);
    default:
        return COST_OF_PLAIN_STEP;
    }
}

static double cost_of_call(const effect_call *call)
{
    switch (call->kind) {
    case EFFECT_CALL_STORE:
        return COST_OF_LOAD * texels_of(call->in.box);
    case EFFECT_CALL_BLUR:
        return cost_of_blur(call);
    default:
        return cost_of_texel(call) * texels_of(call->out.box);
    }
}

double effect_cost(const effect_graph *graph, const effect_calls *calls)
{
    double cost = COST_OF_EFFECT;

    for (size_t i = 0; i < graph->sources.count; i++)
        cost += COST_OF_SHEET * texels_of(graph->sources.items[i].out);
    for (size_t i = 0; i < calls->calls.count; i++)
        cost += cost_of_call(&calls->calls.items[i]);
    return cost;
}
