/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The property `backdrop-filter` (Filter Effects 2): what lies below an element is filtered inside of its shape. */
#ifndef PIETRA_SVG_DRAW_BACKDROP_H
#define PIETRA_SVG_DRAW_BACKDROP_H

#include "svg/draw/walk.h"

/* Returns whether an element filters its backdrop. The outermost svg has nothing below it. */
bool svg_backdrop_occurs(const svg_instance *instance);
/* Filters what the scene has painted so far. The shape is walk->path in the user space of the instance. */
pietra_result svg_backdrop_draw(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                pietra_fill_rule rule);

#endif
