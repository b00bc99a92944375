/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The boxes of a document's elements, gathered while they are drawn. */
#ifndef PIETRA_SVG_DRAW_BOXES_H
#define PIETRA_SVG_DRAW_BOXES_H

#include "svg/draw/walk.h"

typedef struct svg_box {
    uint32_t node;
    svg_extent extent; /* in the scene */
} svg_box;

typedef struct svg_boxes {
    pietra_svg_box_function *function;
    void *user;
    size_t counted;      /* position in the scene up to which elements have been added to a box */
    ARRAY(svg_box) open; /* elements that are being drawn, the innermost last */
    ARRAY(svg_box) found;
} svg_boxes;

/* The functions that take a walk do nothing if walk->boxes is NULL. These two enclose the drawing of an element. */
bool svg_boxes_begin(svg_walk *walk, uint32_t node);
bool svg_boxes_end(svg_walk *walk);
/* What is added to the scene between these two calls counts as `box`. If box is NULL, it counts as nothing. */
void svg_boxes_hide(svg_walk *walk);
void svg_boxes_show(svg_walk *walk, const pietra_box *box);
/* Reports the boxes of all elements with an id, in the order of the document. */
void svg_boxes_report(svg_boxes *boxes, const svg_document *document);
void svg_boxes_free(svg_boxes *boxes);

#endif
