/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The transform-origin property. */
#ifndef PIETRA_SVG_DRAW_TRANSFORM_ORIGIN_H
#define PIETRA_SVG_DRAW_TRANSFORM_ORIGIN_H

#include "svg/tree/document.h"

/* Returns the transform about the node's transform-origin. Percentages refer to the viewport of the metrics
 * (transform-box: view-box, the initial value). A value in error counts as the initial one. That is 0 0, but for the
 * outermost svg, which is a box of CSS, it is the middle (SVG 2, user agent style sheet). */
pietra_transform svg_transform_about_origin(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                                            pietra_transform transform);

#endif
