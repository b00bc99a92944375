/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What it costs to run an effect, by the texels of each call. */
#ifndef PIETRA_RENDER_EFFECT_COST_H
#define PIETRA_RENDER_EFFECT_COST_H

#include "render/effect/calls.h"

/* Returns the cost of a graph and its calls in thousandths of a step: nanoseconds, or so, of one core of a computer of
 * 2023 on the CPU device. Drawing the sheets counts, too. */
double effect_cost(const effect_graph *graph, const effect_calls *calls);

#endif
