/* Paint of an instance: colours, gradients, fallbacks. */
#ifndef PIETRA_SVG_GRADIENT_H
#define PIETRA_SVG_GRADIENT_H

#include "svg/walk.h"

/* What a fill or a stroke of the shape in walk->path is painted with; `opacity` goes into the paint. *painted is false when nothing is to
 * be painted. The stops belong to the walk. */
pietra_result svg_paint_resolve(svg_walk *walk, const svg_instance *instance, const svg_inherited *style, const svg_style_paint *source,
                                double opacity, pietra_paint *paint, bool *painted);

#endif
