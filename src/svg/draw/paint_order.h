/* Drawing a shape in steps: fill, stroke and markers by paint-order, of which patterns and markers are walked. */
#ifndef PIETRA_SVG_DRAW_PAINT_ORDER_H
#define PIETRA_SVG_DRAW_PAINT_ORDER_H

#include "svg/draw/walk.h"

/* True when svg_draw_shape cannot draw it at once. */
bool svg_paint_order_is_needed(const svg_walk *walk, const svg_instance *instance, const svg_inherited *style);
/* Goes on with the SHAPE frame at this index, the topmost one: paints a step, or pushes the frame of a marker or of a
 * cell. */
pietra_result svg_paint_order_step(svg_walk *walk, uint32_t frame, bool *done);

#endif
