/* Paint of an instance: colours, gradients, patterns, the paints of what shows it, fallbacks. */
#ifndef PIETRA_SVG_DRAW_PAINT_H
#define PIETRA_SVG_DRAW_PAINT_H

#include "svg/draw/walk.h"

/* True when painting with this takes more than one call: a pattern, or what may turn out to be one. */
bool svg_paint_takes_steps(const svg_walk *walk, const svg_style_paint *paint);
/* What a fill or a stroke is painted with; `opacity` goes into the paint. `extent` is the box of the element; NULL:
 * that of walk->path. */
pietra_result svg_paint_resolve(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                const svg_style_paint *paint, double opacity, const svg_extent *extent,
                                svg_source *source);

/* Makes the paints of a frame, whose box is known, what context-fill and context-stroke mean inside of it. */
pietra_result svg_context_begin(svg_walk *walk, uint32_t frame);
/* The same for a shape whose path is in walk->path, and the number of the context. */
pietra_result svg_context_of_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                   uint32_t *context);

#endif
