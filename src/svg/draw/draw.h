/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fill and stroke of a shape. */
#ifndef PIETRA_SVG_DRAW_DRAW_H
#define PIETRA_SVG_DRAW_DRAW_H

#include "svg/draw/walk.h"

/* Draws walk->path with the instance's opacity. The paint of a single fill or a single stroke takes the opacity, which
 * gives the same picture as a group of one element and costs nothing. */
pietra_result svg_draw_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style);

/* Finds the stroke of a style. The walk holds its dashes until the next stroke. *some becomes false if there is nothing
 * to stroke. */
pietra_result svg_stroke_resolve(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                 pietra_stroke *outline, bool *some);
/* Draw the fill or the stroke of walk->path. A stroke that does not scale applies to the shape in the scene's space,
 * and walk->path becomes that shape. */
pietra_result svg_draw_fill(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                            const pietra_paint *paint);
pietra_result svg_draw_stroke(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                              const pietra_stroke *outline, const pietra_paint *paint);

/* Returns whether the edges of an instance are aliased, and what is inside of its outline. Text has properties of its
 * own. */
bool svg_edges_are_aliased(const svg_instance *instance, const svg_inherited *style);
pietra_fill_rule svg_fill_rule_of(const svg_instance *instance, const svg_inherited *style);

#endif
