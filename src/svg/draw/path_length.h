/* The pathLength attribute. */
#ifndef PIETRA_SVG_DRAW_PATH_LENGTH_H
#define PIETRA_SVG_DRAW_PATH_LENGTH_H

#include "svg/tree/document.h"

/* The true length of a shape, in the space to which *space maps its user space. */
double svg_path_length(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                       const pietra_transform *space);
/* What lengths along a shape are multiplied with, so that its author's pathLength comes out as the true one (SVG 2,
 * 9.6.1); 1 where there is none, or one in error; INFINITY where it is 0. */
double svg_path_length_scale(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                             const pietra_transform *space);

#endif
