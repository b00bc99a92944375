/* What it costs to draw a scene that a document has made, estimated from it in one walk: for a picture FRAME_COST_WIDTH
 * pixels wide on the CPU device. Nothing is flattened. What steps.def says of a line, a pixel and so on is multiplied
 * by how many there are at most, or nearly. */
#ifndef PIETRA_SVG_DRAW_FRAME_COST_H
#define PIETRA_SVG_DRAW_FRAME_COST_H

#include "pietra/pietra.h"
#include "svg/tree/budget.h"

#define FRAME_COST_WIDTH 64.0

/* Of a scene that is being made. */
typedef struct svg_frame_cost svg_frame_cost;

/* The scene's size in its own units. NULL: out of memory. */
svg_frame_cost *svg_frame_cost_create(const pietra_scene *scene, double width, double height);
void svg_frame_cost_destroy(svg_frame_cost *cost);
/* Spends what the elements cost that have been added since the last call that spent, if they are as many as `least`.
 * The newest stem from this line of the document.
 * PIETRA_ERROR_INPUT: the budget is spent. PIETRA_ERROR_MEMORY. */
pietra_result svg_frame_cost_spend(svg_frame_cost *cost, svg_budget *budget, uint32_t line, size_t least);
/* Of the element that could not be paid for. */
uint32_t svg_frame_cost_line(const svg_frame_cost *cost);
/* Lets an image know what it costs to draw the scene that it was made of, of that size. False: out of memory. */
bool svg_frame_cost_of_image(pietra_image *image, const pietra_scene *scene, double width, double height);

#endif
