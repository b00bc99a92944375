/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Basic shapes of CSS (CSS Shapes 1, section 3; CSS Masking 1, section 5.1), as clip-path takes them. */
#ifndef PIETRA_SVG_STYLE_CSS_SHAPE_H
#define PIETRA_SVG_STYLE_CSS_SHAPE_H

#include "svg/css/length.h"
#include "svg/tree/path_data.h"
#include "svg/tree/viewport.h"

/* The boxes and sizes to which a shape refers. */
typedef struct css_shape_space {
    svg_metrics metrics;
    double dpi;
    svg_rectangle fill_box, stroke_box, view_box;
} css_shape_space;

/* Returns whether a value looks like a shape, a box, or both. css_shape_build finds out whether it is valid. */
bool css_shape_looks_like(text value);
/* Makes *path the shape. *good becomes false if the value is bad; there is no clip then. An empty path clips
 * everything. The only failure is that memory is short. */
pietra_result css_shape_build(text value, const css_shape_space *space, pietra_path *path, pietra_fill_rule *rule,
                              bool *good);

#endif
