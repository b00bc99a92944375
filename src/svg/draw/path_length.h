/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The pathLength attribute. */
#ifndef PIETRA_SVG_DRAW_PATH_LENGTH_H
#define PIETRA_SVG_DRAW_PATH_LENGTH_H

#include "svg/tree/document.h"

/* Returns the true length of a shape, in the space to which *space maps its user space. */
double svg_path_length(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                       const pietra_transform *space);
/* Returns the factor for lengths along a shape that turns the pathLength of the author into the true length (SVG 2,
 * 9.6.1). It is 1 if there is no pathLength or it is in error, and INFINITY if it is 0. */
double svg_path_length_scale(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                             const pietra_transform *space);

#endif
