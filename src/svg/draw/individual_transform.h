/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The properties translate, rotate and scale (CSS Transforms 2, section 5). */
#ifndef PIETRA_SVG_DRAW_INDIVIDUAL_TRANSFORM_H
#define PIETRA_SVG_DRAW_INDIVIDUAL_TRANSFORM_H

#include "svg/tree/document.h"

/* Returns the transform of all three, in this order. It applies before the transform property. Percentages refer to the
 * viewport of the metrics. A value in error is ignored. */
pietra_transform svg_individual_transform(const svg_document *document, uint32_t node, const svg_metrics *metrics);

#endif
