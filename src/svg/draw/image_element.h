/* The `image` element: raster images, and SVG within SVG. A picture is loaded once for each reference, whichever
 * documents show it. */
#ifndef PIETRA_SVG_DRAW_IMAGE_ELEMENT_H
#define PIETRA_SVG_DRAW_IMAGE_ELEMENT_H

#include "svg/draw/walk.h"

/* Makes walk->path the rectangle that an image element fills, under a transform (NULL: none). False: there is none. */
bool svg_image_element_build(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                             const pietra_transform *transform);
/* Draws an image element, without its opacity. What is missing or broken is left out, with a warning. */
pietra_result svg_image_element_draw(svg_walk *walk, const svg_instance *instance, const svg_inherited *style);
/* Frees all pictures. What scenes refer to of their documents goes to `paths`. */
void svg_image_contents_free(svg_common *common, arena *paths);

#endif
