/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The `image` element: places its content. */
#ifndef PIETRA_SVG_DRAW_IMAGE_ELEMENT_H
#define PIETRA_SVG_DRAW_IMAGE_ELEMENT_H

#include "svg/draw/walk.h"

/* Makes walk->path the rectangle that an image element fills, under a transform (NULL: none). Returns false if there is
 * no rectangle. */
bool svg_image_element_build(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                             const pietra_transform *transform);
/* Draws an image element, without its opacity. A missing or broken image is left out with a warning. */
pietra_result svg_image_element_draw(svg_walk *walk, const svg_instance *instance, const svg_inherited *style);

#endif
