/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws a shape in steps: fill, stroke and markers in the order of paint-order. The walk visits patterns and
 * markers. */
#ifndef PIETRA_SVG_DRAW_PAINT_ORDER_H
#define PIETRA_SVG_DRAW_PAINT_ORDER_H

#include "svg/draw/walk.h"

/* Returns whether svg_draw_shape cannot draw the shape in one call. */
bool svg_paint_order_is_needed(const svg_walk *walk, const svg_instance *instance, const svg_inherited *style);
/* Takes the next step of the SHAPE frame at this index, which is the topmost one. Paints, or pushes the frame of a
 * marker or a cell. */
pietra_result svg_paint_order_step(svg_walk *walk, uint32_t frame, bool *done);

#endif
