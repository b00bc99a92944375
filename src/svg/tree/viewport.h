/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Viewports: viewBox, preserveAspectRatio, and the spaces that they establish. */
#ifndef PIETRA_SVG_TREE_VIEWPORT_H
#define PIETRA_SVG_TREE_VIEWPORT_H

#include "svg/tree/document.h"

typedef enum svg_view_box { SVG_VIEW_BOX_NONE, SVG_VIEW_BOX_GOOD, SVG_VIEW_BOX_EMPTY } svg_view_box;

typedef struct svg_rectangle {
    double x, y, width, height;
} svg_rectangle;

/* Reads the viewBox of a node. Returns NONE if there is none or it is in error: a negative size, or not four numbers.
 * Returns EMPTY if a size is zero, which means that nothing is drawn. */
svg_view_box svg_view_box_parse(const svg_document *document, uint32_t node, svg_rectangle *box);
/* Returns the transform that fits a viewBox into a viewport of width x height at the origin, by the preserveAspectRatio
 * of the node. */
pietra_transform svg_view_box_fit(const svg_document *document, uint32_t node, svg_rectangle box, double width,
                                  double height);

/* Returns the value of refX or refY of a marker or a symbol whose space is `box`. `name` says which of the two. The
 * value is a word or a length. Returns 0 if there is none. `metrics` are those of that space. */
double svg_reference(const svg_document *document, uint32_t node, svg_name name, const svg_metrics *metrics,
                     svg_rectangle box);

/* The viewport of an svg or a symbol, and the transform between the space around it and that of its children. */
typedef struct svg_inner_space {
    svg_rectangle view; /* in the space around it */
    pietra_transform inward;
    double width, height; /* viewport of the children, in their units */
} svg_inner_space;

/* shown_by: the `use` that shows it, or SVG_NO_NODE. Returns false if the viewport is empty, which disables the
 * element. */
bool svg_viewport_inner(const svg_document *document, uint32_t node, uint32_t shown_by, const svg_metrics *metrics,
                        svg_inner_space *inner);

/* Returns the translation that a `use` applies to its target. */
pietra_transform svg_use_offset(const svg_document *document, uint32_t node, const svg_metrics *metrics);

/* Finds the size of the outermost svg in CSS pixels from its width, height and viewBox. Percentages refer to
 * asked_width and asked_height; 0 means that the size is not known. font_size is the size of an em. Returns false if
 * the result is not positive or not finite. */
bool svg_viewport_outermost(const svg_document *document, double asked_width, double asked_height, double font_size,
                            double *width, double *height);
/* Returns whether an outermost svg has a definite size or shape: it has a viewBox, or a width and a height that are not
 * percentages. */
bool svg_viewport_is_definite(const svg_document *document);

#endif
