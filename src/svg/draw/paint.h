/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The paint of an instance: a colour, a gradient, a pattern, a fallback, or a paint of the element that shows it. */
#ifndef PIETRA_SVG_DRAW_PAINT_H
#define PIETRA_SVG_DRAW_PAINT_H

#include "svg/draw/walk.h"

/* Returns whether painting may take more than one call, because the paint is or may be a pattern. */
bool svg_paint_takes_steps(const svg_walk *walk, const svg_style_paint *paint);
/* Finds the paint of a fill or a stroke. The paint takes `opacity`. `extent` is the element's box; NULL means the box
 * of walk->path. */
pietra_result svg_paint_resolve(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                const svg_style_paint *paint, double opacity, const svg_extent *extent,
                                svg_source *source);

/* Makes the paints of a frame the meaning of context-fill and context-stroke inside it. The box of the frame must be
 * known. */
pietra_result svg_context_begin(svg_walk *walk, uint32_t frame);
/* Does the same for a shape whose path is in walk->path. Writes the number of the context. */
pietra_result svg_context_of_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                   uint32_t *context);

#endif
