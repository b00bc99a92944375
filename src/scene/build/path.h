/* What a pietra_path is inside the library: verbs with their points, in double precision.
 *
 * Every subpath starts with PATH_MOVE, also where the caller left it out, so a reader needs no memory of closed subpaths. */
#ifndef PIETRA_SCENE_BUILD_PATH_H
#define PIETRA_SCENE_BUILD_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "pietra/pietra.h"

/* The public verbs as bytes. */
#define PATH_CLOSE ((uint8_t)PIETRA_VERB_CLOSE)
#define PATH_LINE ((uint8_t)PIETRA_VERB_LINE)
#define PATH_QUAD ((uint8_t)PIETRA_VERB_QUAD)
#define PATH_CUBIC ((uint8_t)PIETRA_VERB_CUBIC)
#define PATH_MOVE ((uint8_t)PIETRA_VERB_MOVE)

typedef struct path_point {
    double x, y;
} path_point;

/* Read-only sight of a path, of a pietra_path or of one within a scene's pools. */
typedef struct path_view {
    const uint8_t *verbs;
    size_t verb_count;
    const path_point *points;
    size_t point_count;
    size_t corner_verb_count;  /* of the last verbs, whole subpaths: a stroke fills them, they are its corners */
} path_view;

struct pietra_path {
    ARRAY(uint8_t) verbs;
    ARRAY(path_point) points;
    path_view referred;        /* the caller's arrays, of which it consists as long as nothing is added; no verbs: there are none */
    path_point start;          /* of the current subpath */
    path_point current;
    bool open;                 /* a subpath is under way */
    pietra_result result;      /* once not PIETRA_OK it stays, and further calls do nothing */
};

static inline size_t path_verb_points(uint8_t verb) { return verb == PATH_MOVE ? 1u : verb; }

static inline bool path_is_referred(const pietra_path *path) { return path->referred.verb_count > 0; }

static inline path_view path_view_of(const pietra_path *path)
{
    if (path_is_referred(path)) {
        return path->referred;
    }
    return (path_view){ path->verbs.items, path->verbs.count, path->points.items, path->points.count, 0 };
}

/* Adds a cubic; for arc.c. */
void path_add_cubic(pietra_path *path, path_point first, path_point second, path_point end);

/* The exact box of the path under a transform: extrema of the curves, no control points. A move that nothing follows does not
 * count, one that is closed at once does. False: there is nothing. */
bool path_bounds(path_view path, pietra_transform transform, pietra_box *box);

#endif
