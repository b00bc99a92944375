/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The geometry of shapes. */
#ifndef PIETRA_SVG_DRAW_SHAPE_H
#define PIETRA_SVG_DRAW_SHAPE_H

#include "svg/tree/document.h"

bool svg_is_shape(uint16_t element);

/* The values of the attributes of a rect, a circle, an ellipse or a line. */
typedef struct svg_geometry {
    double x, y;          /* a corner, a centre, the first point */
    double width, height; /* a rect's */
    double rx, ry;        /* a rect's: both 0 or neither */
    double x2, y2;        /* a line's last point */
} svg_geometry;

/* Returns false if there is nothing to draw. */
bool svg_shape_rect(const svg_document *document, uint32_t node, const svg_metrics *metrics, svg_geometry *geometry);
bool svg_shape_ellipse(const svg_document *document, uint32_t node, const svg_metrics *metrics, svg_geometry *geometry);
void svg_shape_line(const svg_document *document, uint32_t node, const svg_metrics *metrics, svg_geometry *geometry);
/* Makes *path the shape of a node, under a transform (NULL: in its own user space). Returns false if there is nothing
 * to draw. */
bool svg_shape_build(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                     const pietra_transform *transform, pietra_path *path);

#endif
