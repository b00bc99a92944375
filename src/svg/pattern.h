/* Patterns: their tiles are drawn one by one, each in its exact place, as far as they are in sight. */
#ifndef PIETRA_SVG_PATTERN_H
#define PIETRA_SVG_PATTERN_H

#include "svg/walk.h"

#define SVG_MOST_TILES 200000 /* of one fill or stroke; with more of them in sight a pattern paints nothing, and a warning tells so */

typedef enum svg_pattern_state { SVG_PATTERN_PAINTS, SVG_PATTERN_PAINTS_NOTHING, SVG_PATTERN_FALLS_BACK } svg_pattern_state;

/* Finds the tiles of source->pattern that walk->path, filled or with this outline (NULL: filled), shows. */
pietra_result svg_pattern_resolve(svg_walk *walk, const svg_instance *instance, const svg_source *source, const pietra_stroke *outline,
                                  svg_tiling *tiling, svg_pattern_state *state);
/* Pushes the frame of the next tile. */
pietra_result svg_pattern_push_tile(svg_walk *walk, svg_tiling *tiling);

#endif
