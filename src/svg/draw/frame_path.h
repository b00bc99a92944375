/* What of a path decides how many lines it becomes, whatever its scale: sums over its segments. */
#ifndef PIETRA_SVG_DRAW_FRAME_PATH_H
#define PIETRA_SVG_DRAW_FRAME_PATH_H

#include "scene/build/path.h"

typedef struct frame_path {
    double segments, curves;
    double dots; /* segments without length */
    /* sum of the square roots of the curves' second differences: a curve becomes as many pieces, times the root of the
     * scale (G. Wang's bound) */
    double roots;
    double line_length, curve_length; /* of the control polygons, at most a twelfth too long */
    double bends;                     /* curves that turn, somewhere, in less than the pen's radius, */
    double bend_roots;                /* and their share of `roots` */
} frame_path;

/* half_width: of the pen, 0: the path is filled. */
frame_path svg_frame_path(path_view path, double half_width);
/* The same, nearly, of a path to fill whose box is about a pixel, without a look at its points. */
frame_path svg_frame_path_small(path_view path, pietra_box box);
/* The box of all points; x1 < x0: there are none. */
pietra_box svg_frame_path_box(path_view path);

#endif
