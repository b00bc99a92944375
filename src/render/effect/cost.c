/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/cost.h"

#include <math.h>

#include "layout/blend.h"
#include "render/effect/demand.h"
#include "render/effect/wrapped_blur.h"

/* Thousandths of a step for each texel. They are what the program `effects` measures, rounded up, with the changes
 * between sRGB and linearRGB that a step may need. */
#define COST_OF_SOURCE 6.0
#define COST_OF_STEP 5.0 /* also what others cost beside their own */
#define COST_OF_MERGED 4.0
#define COST_OF_BLEND 8.0
#define COST_OF_WHOLE_BLEND 20.0 /* a mode of all channels together */
#define COST_OF_BLUR 8.0
#define COST_OF_LAID_OUT 25.0 /* for each texel that a blur of a repeated region lays out */
#define COST_OF_TRANSFER 14.0
#define COST_OF_DISPLACEMENT 10.0
#define COST_OF_TAP 0.3
#define COST_OF_KERNEL_ROW 2.5
#define COST_OF_EXTREME 10.0
#define COST_OF_LIGHT 14.0
#define COST_OF_NOISE 8.0
#define COST_OF_OCTAVE 6.0

static double texels_of(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (double)(box.right - box.left) * (double)(box.bottom - box.top);
}

/* Returns how many texels a blur lays out of the region that it repeats: rows, then columns. */
static double laid_out_texels(const effect_graph *graph, const effect_node *node)
{
    const effect_box region = effect_graph_region_of_input(graph, node->step->in1);
    const effect_blur *blur = &node->parameters.blur;
    const effect_blur along_x = effect_wrapped_axis(&blur->x, false, region.right - region.left);
    const effect_blur along_y = effect_wrapped_axis(&blur->y, true, region.bottom - region.top);

    return texels_of(effect_demand_of_blur(&along_x, region, effect_graph_work(graph, node))) +
           texels_of(effect_demand_of_blur(&along_y, region, node->out));
}

static double cost_of_texel(const effect_node *node)
{
    switch (node->step->kind) {
    case EFFECT_STEP_MERGE:
        return COST_OF_MERGED * (double)node->step->value_count;
    case EFFECT_STEP_BLEND:
        return node->parameters.mode >= BLEND_HUE ? COST_OF_WHOLE_BLEND : COST_OF_BLEND;
    case EFFECT_STEP_GAUSSIAN_BLUR:
    case EFFECT_STEP_DROP_SHADOW:
        return COST_OF_BLUR;
    case EFFECT_STEP_COMPONENT_TRANSFER:
        return COST_OF_TRANSFER;
    case EFFECT_STEP_DISPLACEMENT_MAP:
        return COST_OF_DISPLACEMENT;
    case EFFECT_STEP_CONVOLVE_MATRIX: /* nearly all values are the kernel */
        return COST_OF_TAP * (double)node->step->value_count +
               COST_OF_KERNEL_ROW * (double)node->parameters.convolve.convolution.rows;
    case EFFECT_STEP_MORPHOLOGY:
        return COST_OF_EXTREME;
    case EFFECT_STEP_DIFFUSE_LIGHTING:
    case EFFECT_STEP_SPECULAR_LIGHTING:
        return COST_OF_LIGHT;
    case EFFECT_STEP_TURBULENCE:
        return COST_OF_NOISE + COST_OF_OCTAVE * fmin(((const effect_values_turbulence *)node->values)->octaves,
                                                     (double)EFFECT_OCTAVES_MOST);
    default:
        return 0;
    }
}

double effect_graph_cost(const effect_graph *graph)
{
    double cost = 0;
    for (size_t i = 0; i < graph->sources.count; i++)
        cost += COST_OF_SOURCE * texels_of(graph->sources.items[i].out);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const effect_node *node = &graph->nodes.items[i];
        if (effect_box_is_empty(node->out))
            continue;
        if (effect_node_repeats(node))
            cost += COST_OF_LAID_OUT * laid_out_texels(graph, node);
        else
            cost += (COST_OF_STEP + (node->outcome == EFFECT_RUNS ? cost_of_texel(node) : 0)) *
                    texels_of(effect_graph_work(graph, node));
    }
    return cost;
}
