/* The properties translate, rotate and scale (CSS Transforms 2, section 5). */
#ifndef PIETRA_SVG_DRAW_INDIVIDUAL_TRANSFORM_H
#define PIETRA_SVG_DRAW_INDIVIDUAL_TRANSFORM_H

#include "svg/tree/document.h"

/* What they do together, in this order, before the transform property does; percentages are of the metrics' viewport. A
 * value in error counts as none. */
pietra_transform svg_individual_transform(const svg_document *document, uint32_t node, const svg_metrics *metrics);

#endif
