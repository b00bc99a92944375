/* Fill and stroke of a shape. */
#ifndef PIETRA_SVG_DRAW_DRAW_H
#define PIETRA_SVG_DRAW_DRAW_H

#include "svg/draw/walk.h"

/* Draws walk->path with the instance's opacity. Opacity over a fill alone or a stroke alone goes into its paint, which
 * gives the same picture as a group of one and costs nothing. */
pietra_result svg_draw_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style);

/* The stroke of a style; its dashes lie in the walk, until the next one. *some is false when there is nothing to be
 * stroked. */
pietra_result svg_stroke_resolve(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                 pietra_stroke *outline, bool *some);
/* One of both, of walk->path; a stroke that does not scale is of the shape as the scene has it, and makes walk->path
 * that. */
pietra_result svg_draw_fill(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                            const pietra_paint *paint);
pietra_result svg_draw_stroke(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                              const pietra_stroke *outline, const pietra_paint *paint);

#endif
