/* The path pool: every path of a document, parsed once.
 *
 * Path data becomes absolute moves, lines, quadratics, cubics, arcs and closes. H, V, S and T are written out; arcs stay arcs. */
#ifndef PIETRA_SVG_PATH_DATA_H
#define PIETRA_SVG_PATH_DATA_H

#include "base/array.h"
#include "base/text.h"
#include "pietra/pietra.h"

typedef enum svg_verb {
    SVG_VERB_MOVE,            /* x y */
    SVG_VERB_LINE,            /* x y */
    SVG_VERB_QUAD,            /* x1 y1 x y */
    SVG_VERB_CUBIC,           /* x1 y1 x2 y2 x y */
    SVG_VERB_ARC,             /* rx ry rotation large sweep x y */
    SVG_VERB_CLOSE,
} svg_verb;

typedef struct svg_path {
    size_t verb_begin, verb_count;
    size_t number_begin;
} svg_path;

typedef struct svg_path_pool {
    ARRAY(uint8_t) verbs;
    ARRAY(double) numbers;
    ARRAY(svg_path) paths;
} svg_path_pool;

#define SVG_NO_PATH UINT32_MAX

/* Adds the path of a `d` attribute: all up to its first error (SVG 2, 9.5.4), which is also where a coordinate is not finite. Writes its
 * index; SVG_NO_PATH when nothing can be drawn of it. False: out of memory. */
bool svg_path_pool_add_data(svg_path_pool *pool, text data, uint32_t *index);
/* The same for a `points` attribute; an odd last coordinate is dropped. */
bool svg_path_pool_add_points(svg_path_pool *pool, text points, bool closed, uint32_t *index);
void svg_path_pool_free(svg_path_pool *pool);

/* Appends path `index` to `path`, under a transform (NULL: as it is). */
void svg_path_emit(const svg_path_pool *pool, uint32_t index, const pietra_transform *transform, pietra_path *path);
/* Appends an arc as it looks under a transform. */
void svg_arc_emit(const pietra_transform *transform, double rx, double ry, double rotation, bool large, bool sweep, double x, double y,
                  pietra_path *path);

#endif
