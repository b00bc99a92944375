/* Basic shapes of CSS (CSS Shapes 1, section 3; CSS Masking 1, section 5.1), as clip-path takes them. */
#ifndef PIETRA_SVG_STYLE_CSS_SHAPE_H
#define PIETRA_SVG_STYLE_CSS_SHAPE_H

#include "svg/css/length.h"
#include "svg/tree/path_data.h"
#include "svg/tree/viewport.h"

/* What a shape refers to. */
typedef struct css_shape_space {
    svg_metrics metrics;
    double dpi;
    svg_rectangle fill_box, stroke_box, view_box;
} css_shape_space;

/* True when a value is a shape, a box, or both; whether it is a good one css_shape_build finds. */
bool css_shape_looks_like(text value);
/* Makes *path the shape. *good is false where the value is bad: there is no clip then. An empty path clips all. Fails
 * for lack of memory alone. */
pietra_result css_shape_build(text value, const css_shape_space *space, pietra_path *path, pietra_fill_rule *rule,
                              bool *good);

#endif
