/* The path pool: every path of a document, parsed once.
 *
 * Path data becomes absolute moves, lines, quadratics, cubics, arcs and closes. H, V, S and T are written out; arcs
 * stay arcs. */
#ifndef PIETRA_SVG_TREE_PATH_DATA_H
#define PIETRA_SVG_TREE_PATH_DATA_H

#include "base/arena.h"
#include "base/array.h"
#include "base/text.h"
#include "pietra/pietra.h"

/* Those of pietra_verb, with their coordinates as numbers, and one more. */
#define SVG_VERB_ARC 5u /* rx ry rotation large sweep x y */

typedef struct svg_path {
    const uint8_t *verbs; /* pietra_verb or SVG_VERB_ARC */
    const double *numbers;
    size_t verb_count, number_count;
    bool has_arcs;
    bool cut; /* by an error: CSS takes no such path */
} svg_path;

/* One thread at a time. A zero one is empty. */
typedef struct svg_path_pool {
    arena arena; /* of verbs and numbers */
    ARRAY(svg_path) paths;
    ARRAY(uint8_t) verbs;  /* of the path that is being read */
    uint64_t most_numbers; /* of all paths: one ends where there would be more; 0: any */
    uint64_t number_count; /* that have been read */
} svg_path_pool;

#define SVG_NO_PATH UINT32_MAX

typedef enum svg_path_syntax {
    SVG_PATH_DATA,     /* of a `d` attribute */
    SVG_PATH_POLYLINE, /* of a `points` attribute; an odd last coordinate is dropped */
    SVG_PATH_POLYGON,  /* the same, closed */
} svg_path_syntax;

/* Reads a path up to its first error (SVG 2, 9.5.4), which is also where a coordinate is not finite, or to where the
 * pool is full. What it consists of lies in the pool's arena; no verbs: nothing can be drawn of it. False: out of
 * memory. */
bool svg_path_read(svg_path_pool *pool, text source, svg_path_syntax syntax, svg_path *path);
/* The same for one more path of the pool: writes its index, or SVG_NO_PATH when nothing can be drawn of it. */
bool svg_path_pool_add(svg_path_pool *pool, text source, svg_path_syntax syntax, uint32_t *index);
/* The same for a path that has been read already, into an arena that belongs to this pool now. */
bool svg_path_pool_add_read(svg_path_pool *pool, const svg_path *path, uint32_t *index);
void svg_path_pool_free(svg_path_pool *pool);

/* Appends path `index` to `path`, under a transform (NULL: as it is); may refer to what lies in the pool's arena. */
void svg_path_emit(const svg_path_pool *pool, uint32_t index, const pietra_transform *transform, pietra_path *path);
/* Appends an arc as it looks under a transform. */
void svg_arc_emit(const pietra_transform *transform, double rx, double ry, double rotation, bool large, bool sweep,
                  double x, double y, pietra_path *path);

#endif
