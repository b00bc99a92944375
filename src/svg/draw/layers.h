/* Drawing a shape in steps: fill, stroke and markers by paint-order, of which patterns and markers are walked. */
#ifndef PIETRA_SVG_DRAW_LAYERS_H
#define PIETRA_SVG_DRAW_LAYERS_H

#include "svg/draw/walk.h"

/* True when svg_draw_shape cannot draw it at once. */
bool svg_layers_needed(const svg_walk *walk, const svg_instance *instance, const svg_inherited *style);
/* Goes on with the SHAPE frame at this index, the topmost one: draws a layer, or pushes the frame of a marker or of a tile. */
pietra_result svg_layers_step(svg_walk *walk, uint32_t frame, bool *done);

#endif
