/* The `image` element: raster images, and SVG within SVG. */
#ifndef PIETRA_SVG_PICTURE_H
#define PIETRA_SVG_PICTURE_H

#include "svg/walk.h"

/* What an image element refers to, loaded once for each reference. */
typedef struct svg_picture svg_picture;

/* Makes walk->path the rectangle that an image element fills, under a transform (NULL: none). False: there is none. */
bool svg_picture_build(svg_walk *walk, const svg_instance *instance, const svg_inherited *style, const pietra_transform *transform);
/* Draws an image element, without its opacity. What is missing or broken is left out, with a warning. */
pietra_result svg_picture_draw(svg_walk *walk, const svg_instance *instance, const svg_inherited *style);
void svg_picture_free_all(svg_walk *walk);

#endif
