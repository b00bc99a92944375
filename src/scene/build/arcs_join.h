/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Corners of strokes with SVG 2's join `arcs` (13.5.4, 13.5.8): the edges of the stroke continue with their curvature
 * at the corner until they meet. Circles and their crossings need more than the arithmetic that all devices share. So
 * the host adds corners to the path as shapes, which the pipeline fills as parts of the stroke. The stroke itself has
 * bevels. */
#ifndef PIETRA_SCENE_BUILD_ARCS_JOIN_H
#define PIETRA_SCENE_BUILD_ARCS_JOIN_H

#include "scene/build/path.h"

/* Adds to `to` the corners of a path under a stroke without dashes. They are closed subpaths that turn as the pen does.
 * As always, the path itself records a lack of memory. */
void arcs_join_add(path_view path, double half_width, double miter_limit, pietra_path *to);

#endif
