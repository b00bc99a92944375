/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Patterns: the attributes of a `pattern` element. Its cells are in cell.h. */
#ifndef PIETRA_SVG_DRAW_PATTERN_H
#define PIETRA_SVG_DRAW_PATTERN_H

#include "svg/draw/walk.h"

typedef enum svg_pattern_state {
    SVG_PATTERN_PAINTS,
    SVG_PATTERN_PAINTS_NOTHING,
    SVG_PATTERN_FALLS_BACK
} svg_pattern_state;

/* Works out source->pattern for walk->path, stroked with this outline, or filled if the outline is NULL. */
pietra_result svg_pattern_resolve(svg_walk *walk, const svg_instance *instance, const svg_source *source,
                                  const pietra_stroke *outline, svg_cell_grid *grid, svg_pattern_state *state);

#endif
