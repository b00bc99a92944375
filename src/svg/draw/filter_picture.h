/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pictures of elements that feImage shows. Each is a scene of its own, in the units of the scene around it. */
#ifndef PIETRA_SVG_DRAW_FILTER_PICTURE_H
#define PIETRA_SVG_DRAW_FILTER_PICTURE_H

#include "svg/draw/filter_parts.h"

/* Begins the picture of this feImage and pushes the walk frame that draws it. `function` is the place of its filter in
 * the list. */
pietra_result svg_filter_begin_picture(const svg_filter_build *build, uint32_t node, uint32_t function,
                                       const svg_rectangle *subregion);
/* Ends the picture whose walk frame closes. */
void svg_filter_end_picture(svg_walk *walk);
/* Frees the pictures from this one on. */
void svg_filter_free_pictures(svg_walk *walk, size_t first);

#endif
