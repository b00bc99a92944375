/* The pathLength attribute. */
#ifndef PIETRA_SVG_PATH_LENGTH_H
#define PIETRA_SVG_PATH_LENGTH_H

#include "svg/document.h"

/* What lengths along a shape are multiplied with, so that its author's pathLength comes out as the true one (SVG 2, 9.6.1); 1 where there is
 * none, or one in error. */
double svg_path_length_scale(const svg_document *document, uint32_t node, const svg_metrics *metrics);

#endif
