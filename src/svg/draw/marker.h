/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Markers. */
#ifndef PIETRA_SVG_DRAW_MARKER_H
#define PIETRA_SVG_DRAW_MARKER_H

#include "svg/draw/walk.h"

/* Returns whether a style asks for a marker that exists. */
bool svg_marker_occurs(const svg_walk *walk, const svg_inherited *style);
/* Finds the vertices of the shape of a frame. The path of the shape is in walk->path. svg_marker_push then visits the
 * vertices. */
pietra_result svg_marker_begin(svg_walk *walk, uint32_t frame);
/* Pushes the frame of the marker at the shape's next vertex, if there is one. */
pietra_result svg_marker_push(svg_walk *walk, uint32_t frame);

#endif
