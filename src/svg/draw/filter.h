/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The property `filter` (Filter Effects 1): effects of the scene around what an element draws.
 *
 * A walk frame first has the pictures drawn that feImage elements of its filters show, one after the other. Then it
 * begins its effects, the last filter of the list outermost. */
#ifndef PIETRA_SVG_DRAW_FILTER_H
#define PIETRA_SVG_DRAW_FILTER_H

#include "svg/draw/walk.h"

/* Returns whether an element of this style has filters. */
bool svg_filter_occurs(const svg_walk *walk, const svg_noninherited *noninherited);
/* Returns whether its filters depend on the box of the element. */
bool svg_filter_needs_extent(const svg_walk *walk, const svg_noninherited *noninherited);
/* Does the next step of SVG_PHASE_FILTER for the walk frame at this index: pushes the walk frame of a picture, or ends
 * the phase. If no filter shows anything, the frame's effects are skipped. */
pietra_result svg_filter_step(svg_walk *walk, uint32_t index);
/* Begins the effects of the walk frame at this index, whose pictures are there. */
pietra_result svg_filter_begin(svg_walk *walk, uint32_t index);
/* Ends the effects that svg_filter_begin has begun for this walk frame, which may be a copy. */
pietra_result svg_filter_end(svg_walk *walk, const svg_walk_frame *frame, const svg_effects *effects);

#endif
