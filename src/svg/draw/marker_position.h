/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The vertices of a shape, at which markers stand, and the directions of the path there. */
#ifndef PIETRA_SVG_DRAW_MARKER_POSITION_H
#define PIETRA_SVG_DRAW_MARKER_POSITION_H

#include "base/array.h"
#include "svg/tree/document.h"

typedef struct svg_marker_position {
    double x, y;
    double angle; /* angle of a marker with orient="auto", in degrees */
} svg_marker_position;

typedef ARRAY(svg_marker_position) svg_marker_positions;

/* Appends the vertices of a node's shape, in its user space. Each end of a segment is a vertex (SVG 2, 13.7.4). Returns
 * false if memory is short. */
bool svg_marker_positions_add(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                              svg_marker_positions *positions);

#endif
