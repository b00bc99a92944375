/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What it costs to run an effect, by the texels that are needed of each step. */
#ifndef PIETRA_RENDER_EFFECT_COST_H
#define PIETRA_RENDER_EFFECT_COST_H

#include "render/effect/graph.h"

/* Returns the cost in thousandths of a step: nanoseconds, or so, of one core of a computer of 2023 on the CPU device.
 * The demand of the graph is known (effect_graph_demand). Drawing the sheets counts by their texels. */
double effect_graph_cost(const effect_graph *graph);

#endif
