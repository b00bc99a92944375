/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The path pool: every path of a document, parsed once.
 *
 * Path data becomes absolute moves, lines, quadratics, cubics, arcs and closes. H and V become lines, S and T become
 * curves with all their control points. Arcs stay arcs. */
#ifndef PIETRA_SVG_TREE_PATH_DATA_H
#define PIETRA_SVG_TREE_PATH_DATA_H

#include "base/arena.h"
#include "base/array.h"
#include "base/text.h"
#include "pietra/pietra.h"

/* The verbs are those of pietra_verb, with their coordinates as numbers, and this one. */
#define SVG_VERB_ARC 5u /* rx ry rotation large sweep x y */

typedef struct svg_path {
    const uint8_t *verbs; /* pietra_verb or SVG_VERB_ARC */
    const double *numbers;
    size_t verb_count, number_count;
    bool has_arcs;
    bool cut; /* an error has ended it early; CSS does not accept such a path */
} svg_path;

/* One thread at a time may use a pool. Zero bytes are an empty pool. */
typedef struct svg_path_pool {
    arena arena; /* verbs and numbers */
    ARRAY(svg_path) paths;
    ARRAY(uint8_t) verbs;  /* verbs of the path that is being read */
    uint64_t most_numbers; /* limit for all paths together, where a path is cut; 0: no limit */
    uint64_t number_count; /* numbers that have been read */
} svg_path_pool;

#define SVG_NO_PATH UINT32_MAX

typedef enum svg_path_syntax {
    SVG_PATH_DATA,     /* a `d` attribute */
    SVG_PATH_POLYLINE, /* a `points` attribute; an odd last coordinate is dropped */
    SVG_PATH_POLYGON,  /* the same, closed */
} svg_path_syntax;

/* Reads a path up to its first error (SVG 2, 9.5.4) or up to where the pool is full. A coordinate that is not finite is
 * an error, too. The parts of the path lie in the arena of the pool. A path without verbs draws nothing. Returns false
 * if memory is short. */
bool svg_path_read(svg_path_pool *pool, text source, svg_path_syntax syntax, svg_path *path);
/* Reads a path as svg_path_read does and adds it to the pool. Writes its index, or SVG_NO_PATH if the path draws
 * nothing. */
bool svg_path_pool_add(svg_path_pool *pool, text source, svg_path_syntax syntax, uint32_t *index);
/* Adds a path that has been read already, into an arena that now belongs to this pool. */
bool svg_path_pool_add_read(svg_path_pool *pool, const svg_path *path, uint32_t *index);
void svg_path_pool_free(svg_path_pool *pool);

/* Appends path `index` to `path`, under a transform, or unchanged if the transform is NULL. The result may refer to the
 * arena of the pool. */
void svg_path_emit(const svg_path_pool *pool, uint32_t index, const pietra_transform *transform, pietra_path *path);
/* Appends an arc under a transform. */
void svg_arc_emit(const pietra_transform *transform, double rx, double ry, double rotation, bool large, bool sweep,
                  double x, double y, pietra_path *path);

#endif
