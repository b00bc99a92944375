/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Images as layers of a mask: gradients of CSS, raster images, and documents. */
#ifndef PIETRA_SVG_DRAW_MASK_IMAGE_H
#define PIETRA_SVG_DRAW_MASK_IMAGE_H

#include "svg/draw/walk.h"

/* Returns whether the image of a layer may be read at all. If not, a warning was given, and the layer is left out. */
bool svg_mask_image_is_read(const svg_walk *walk, const svg_mask_layer *layer);
/* Draws the image of a layer for the frame at this index, whose box is known. An image that cannot be shown is left out
 * with a warning: the mask then lets everything through, unless the layer is not alone but added to others. */
pietra_result svg_mask_image_draw(svg_walk *walk, uint32_t frame, const svg_mask_layer *layer, bool alone);

#endif
