/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Gradients. */
#ifndef PIETRA_SVG_DRAW_GRADIENT_H
#define PIETRA_SVG_DRAW_GRADIENT_H

#include "svg/draw/walk.h"

bool svg_is_gradient(uint16_t element);

typedef enum svg_gradient_state {
    SVG_GRADIENT_PAINTS,
    SVG_GRADIENT_PAINTS_NOTHING,
    SVG_GRADIENT_FALLS_BACK
} svg_gradient_state;

/* Makes the paint of an instance whose box is `extent`, without changing the opacity of the paint. The stops belong to
 * the walk. */
svg_gradient_state svg_gradient_make(svg_walk *walk, uint32_t node, const svg_instance *instance,
                                     const svg_extent *extent, pietra_paint *paint, pietra_result *result);

#endif
