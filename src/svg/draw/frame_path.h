/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sums over a path's segments that determine how many lines the path becomes at any scale. */
#ifndef PIETRA_SVG_DRAW_FRAME_PATH_H
#define PIETRA_SVG_DRAW_FRAME_PATH_H

#include "scene/build/path.h"

typedef struct frame_path {
    double segments, curves;
    double dots; /* segments without length */
    /* sum of the square roots of the curves' second differences: a curve becomes as many pieces, times the root of the
     * scale (G. Wang's bound) */
    double roots;
    double line_length, curve_length; /* lengths of the control polygons, at most a twelfth too long */
    double bends;                     /* curves whose radius of curvature is somewhere less than the pen's radius, */
    double bend_roots;                /* the share of bends in `roots` */
} frame_path;

/* half_width: half of the pen's width; 0 if the path is filled. */
frame_path svg_frame_path(path_view path, double half_width);
/* Counts the curves that may turn in less than the pen's radius inside a box, in the space of the path. */
double svg_frame_path_bends_in(path_view path, double half_width, pietra_box box);
/* Gives nearly the same for a filled path whose box is about a pixel. It does not read the points. */
frame_path svg_frame_path_small(path_view path, pietra_box box);
/* Returns the box of all points. x1 < x0 means that there are none. */
pietra_box svg_frame_path_box(path_view path);

#endif
