/* Viewports: viewBox, preserveAspectRatio, and the spaces that they make. */
#ifndef PIETRA_SVG_TREE_VIEWPORT_H
#define PIETRA_SVG_TREE_VIEWPORT_H

#include "svg/tree/document.h"

typedef enum svg_view_box { SVG_VIEW_BOX_NONE, SVG_VIEW_BOX_GOOD, SVG_VIEW_BOX_EMPTY } svg_view_box;

typedef struct svg_rectangle {
    double x, y, width, height;
} svg_rectangle;

/* NONE also when the attribute is in error: a negative size, not four numbers. EMPTY: a size of zero, nothing is
 * drawn. */
svg_view_box svg_view_box_parse(const svg_document *document, uint32_t node, svg_rectangle *box);
/* The transform that fits a viewBox into a viewport of width x height at the origin, by the node's
 * preserveAspectRatio. */
pietra_transform svg_view_box_fit(const svg_document *document, uint32_t node, svg_rectangle box, double width,
                                  double height);

/* refX or refY, `name`, of a marker or a symbol whose space is `box`: a word or a length; 0 where there is none.
 * metrics: of that space. */
double svg_reference(const svg_document *document, uint32_t node, svg_name name, const svg_metrics *metrics,
                     svg_rectangle box);

/* What an svg or a symbol puts between its children's space and the one around it. */
typedef struct svg_inner_space {
    svg_rectangle view; /* in the space around it */
    pietra_transform inward;
    double width, height; /* of the viewport that it is to its children */
} svg_inner_space;

/* shown_by: the `use` that shows it, or SVG_NO_NODE. False: the viewport is empty, which disables the element. */
bool svg_viewport_inner(const svg_document *document, uint32_t node, uint32_t shown_by, const svg_metrics *metrics,
                        svg_inner_space *inner);

/* How a `use` moves what it shows. */
pietra_transform svg_use_offset(const svg_document *document, uint32_t node, const svg_metrics *metrics);

/* The size of the outermost svg in CSS pixels, by its width, height and viewBox. asked_width, asked_height: what
 * percentages refer to, 0: not known; font_size: what em is. False: it is not positive, or not finite. */
bool svg_viewport_outermost(const svg_document *document, double asked_width, double asked_height, double font_size,
                            double *width, double *height);
/* Whether an outermost svg is a picture of some size or shape: it has a viewBox, or a width and a height that are no
 * percentages. */
bool svg_viewport_is_definite(const svg_document *document);

#endif
