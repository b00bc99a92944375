/* The vertices of a shape, where markers stand, and the directions of the path there. */
#ifndef PIETRA_SVG_DRAW_VERTEX_H
#define PIETRA_SVG_DRAW_VERTEX_H

#include "base/array.h"
#include "svg/tree/document.h"

typedef struct svg_vertex {
    double x, y;
    double angle;             /* of a marker with orient="auto", degrees */
} svg_vertex;

typedef ARRAY(svg_vertex) svg_vertices;

/* Appends the vertices of a node's shape, in its user space: each end of a segment (SVG 2, 13.7.4). False: out of memory. */
bool svg_vertices_add(const svg_document *document, uint32_t node, const svg_metrics *metrics, svg_vertices *vertices);

#endif
