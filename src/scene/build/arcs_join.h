/* Corners of strokes in the join `arcs` of SVG 2 (13.5.4, 13.5.8): the edges of the stroke run on with the curvature that they have at the
 * corner until they meet. Circles and their crossings need more than the pipeline's arithmetic, so corners are shapes that the host adds to
 * the path; the pipeline fills them as parts of the stroke, which itself has bevels. */
#ifndef PIETRA_SCENE_BUILD_ARCS_JOIN_H
#define PIETRA_SCENE_BUILD_ARCS_JOIN_H

#include "scene/build/path.h"

/* Adds to `to` the corners of a path under a stroke without dashes: closed subpaths that turn as the pen does. Whether there was room
 * is told by the path, as ever. */
void arcs_join_add(path_view path, double half_width, double miter_limit, pietra_path *to);

#endif
