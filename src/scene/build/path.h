/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A pietra_path inside the library: verbs with their points, in double precision.
 *
 * Every subpath starts with PATH_MOVE, even where the caller left it out, so a reader need not remember closed
 * subpaths. */
#ifndef PIETRA_SCENE_BUILD_PATH_H
#define PIETRA_SCENE_BUILD_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/bend.h"
#include "pietra/pietra.h"

/* The public verbs, as bytes. */
#define PATH_CLOSE ((uint8_t)PIETRA_VERB_CLOSE)
#define PATH_LINE ((uint8_t)PIETRA_VERB_LINE)
#define PATH_QUAD ((uint8_t)PIETRA_VERB_QUAD)
#define PATH_CUBIC ((uint8_t)PIETRA_VERB_CUBIC)
#define PATH_MOVE ((uint8_t)PIETRA_VERB_MOVE)

typedef bend_point path_point;

/* A read-only view of a pietra_path or of a path in a scene's pools. */
typedef struct path_view {
    const uint8_t *verbs;
    size_t verb_count;
    const path_point *points;
    size_t point_count;
    size_t corner_verb_count; /* number of verbs at the end that form whole subpaths: the corners of a stroke, which
                                * fills them */
} path_view;

struct pietra_path {
    ARRAY(uint8_t) verbs;
    ARRAY(path_point) points;
    path_view referred; /* the caller's arrays, which are the path as long as nothing is added; without verbs:
                                * none */
    path_point start;   /* first point of the current subpath */
    path_point current;
    bool open;            /* a subpath is open */
    pietra_result result; /* once it is not PIETRA_OK it stays so, and further calls do nothing */
};

static inline size_t path_verb_points(uint8_t verb)
{
    return verb == PATH_MOVE ? 1u : verb;
}

static inline bool path_is_referred(const pietra_path *path)
{
    return path->referred.verb_count > 0;
}

static inline path_view path_view_of(const pietra_path *path)
{
    if (path_is_referred(path))
        return path->referred;
    return (path_view){path->verbs.items, path->verbs.count, path->points.items, path->points.count, 0};
}

/* Adds a cubic. This serves arc.c. */
void path_add_cubic(pietra_path *path, path_point first, path_point second, path_point end);

/* Gives the exact box of the path under a transform, with the extrema of curves and without control points. A move that
 * nothing follows does not count; one that is closed at once does. False: the path is empty. */
bool path_bounds(path_view path, pietra_transform transform, pietra_box *box);

#endif
