/* The geometry of shapes. */
#ifndef PIETRA_SVG_SHAPE_H
#define PIETRA_SVG_SHAPE_H

#include "svg/document.h"

bool svg_is_shape(uint8_t element);
/* Makes *path the shape of a node, under a transform (NULL: in its own user space). False: there is nothing to draw. */
bool svg_shape_build(const svg_document *document, uint32_t node, const svg_metrics *metrics, const pietra_transform *transform, pietra_path *path);

#endif
