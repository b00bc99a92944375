/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The `image` element: raster images, and SVG in SVG. The content is loaded once for each reference, whichever
 * documents show it. */
#ifndef PIETRA_SVG_DRAW_IMAGE_ELEMENT_H
#define PIETRA_SVG_DRAW_IMAGE_ELEMENT_H

#include "svg/draw/walk.h"

/* Makes walk->path the rectangle that an image element fills, under a transform (NULL: none). Returns false if there is
 * no rectangle. */
bool svg_image_element_build(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                             const pietra_transform *transform);
/* Draws an image element, without its opacity. A missing or broken image is left out with a warning. */
pietra_result svg_image_element_draw(svg_walk *walk, const svg_instance *instance, const svg_inherited *style);
/* Frees the content of all image elements. The parts of their documents to which scenes refer go to `paths`. */
void svg_image_contents_free(svg_common *common, arena *paths);

#endif
