/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Text elements in the walk: each is a walk frame that draws its pieces one after another. */
#ifndef PIETRA_SVG_DRAW_TEXT_ELEMENT_H
#define PIETRA_SVG_DRAW_TEXT_ELEMENT_H

#include "svg/draw/text_layout.h"

/* Returns whether text is drawn. If no fonts were given, it is left out with a warning. */
bool svg_text_is_drawn(const svg_walk *walk);
/* Opens a walk frame for a text element, or in BOX mode adds its box to that of the gatherer. */
pietra_result svg_text_visit(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                             uint32_t shown_by, uint32_t gatherer, bool around_only);
/* Draws the next piece of the topmost walk frame. */
pietra_result svg_text_step(svg_walk *walk, uint32_t index, bool *done);

#endif
