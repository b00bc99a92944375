/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What image elements show: raster images, and SVG in SVG. The content is loaded once for each reference, whichever
 * documents show it. */
#ifndef PIETRA_SVG_DRAW_IMAGE_CONTENT_H
#define PIETRA_SVG_DRAW_IMAGE_CONTENT_H

#include "svg/draw/walk.h"

struct svg_image_content {
    text reference;      /* as the first that shows it has it, whose document outlives this */
    uint32_t place;      /* PLACE_..., or else the file in which the reference stands */
    bool waits;          /* it is a document, to be loaded for a place that is not too deep */
    pietra_image *image; /* NULL: it is a document, or it is broken */
    svg_document *document;
    svg_walk *walk; /* the walk through the document, from when it was last drawn; NULL: it was not */
    double walk_width, walk_height;
    double width, height;
};

/* Finds the content of an image element, and loads it first if it is new. NULL: the element has no reference, or shows
 * nothing at this depth of documents. If neither an image nor a document is there, a warning was given. */
pietra_result svg_image_content_find(svg_walk *walk, uint32_t node, svg_image_content **content);
/* Does the same for a reference of the node. */
pietra_result svg_image_content_of(svg_walk *walk, uint32_t node, text reference, svg_image_content **content);
/* Draws a document at a size of its own, under a transform to the scene. `seen` is the box in which something of it can
 * be seen. */
pietra_result svg_image_content_draw_document(svg_walk *walk, uint32_t node, svg_image_content *content,
                                              svg_rectangle own, pietra_transform transform, pietra_box seen);
/* Returns how an element of this style samples images. */
pietra_filter svg_image_filter(const svg_inherited *style);
/* Frees all content. The parts of its documents to which scenes refer go to `paths`. */
void svg_image_contents_free(svg_common *common, arena *paths);

#endif
