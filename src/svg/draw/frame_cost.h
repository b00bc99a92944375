/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Estimates what it costs to draw the scene that a document has made. One walk over the scene counts lines, pixels and
 * so on, at their most or nearly so, and multiplies each count by its cost in steps.def. The estimate is for a picture
 * FRAME_COST_WIDTH pixels wide on the CPU device. Nothing is flattened. */
#ifndef PIETRA_SVG_DRAW_FRAME_COST_H
#define PIETRA_SVG_DRAW_FRAME_COST_H

#include "pietra/pietra.h"
#include "svg/tree/budget.h"

#define FRAME_COST_WIDTH 64.0

/* The cost of a scene that is being made. */
typedef struct svg_frame_cost svg_frame_cost;

/* width, height: the scene's size in its own units. Returns NULL if memory is short. */
svg_frame_cost *svg_frame_cost_create(const pietra_scene *scene, double width, double height);
void svg_frame_cost_destroy(svg_frame_cost *cost);
/* Spends the cost of the elements that were added since the last call that spent, if there are at least `least` of
 * them. `line` is the line of the document from which the newest of them come. PIETRA_ERROR_INPUT: the budget is spent.
 * PIETRA_ERROR_MEMORY. */
pietra_result svg_frame_cost_spend(svg_frame_cost *cost, svg_budget *budget, uint32_t line, size_t least);
/* Returns whether this scene's cost is spent. */
bool svg_frame_cost_is_of(const svg_frame_cost *cost, const pietra_scene *scene);
/* Returns the line of the element that could not be paid for. */
uint32_t svg_frame_cost_line(const svg_frame_cost *cost);
/* Stores in an image what it costs to draw the scene from which it was made, at that size. Returns false if memory is
 * short. */
bool svg_frame_cost_of_image(pietra_image *image, const pietra_scene *scene, double width, double height);

#endif
