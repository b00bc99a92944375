/* Fill and stroke of a shape. */
#ifndef PIETRA_SVG_DRAW_H
#define PIETRA_SVG_DRAW_H

#include "svg/walk.h"

/* Draws walk->path with the instance's opacity. Opacity over a fill alone or a stroke alone goes into its paint, which gives the same
 * picture as a group of one and costs nothing. */
pietra_result svg_draw_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style);

#endif
