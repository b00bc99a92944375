/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The mask property: finds the mask and begins its source. */
#ifndef PIETRA_SVG_DRAW_MASK_H
#define PIETRA_SVG_DRAW_MASK_H

#include "svg/draw/walk.h"

/* Returns whether a style refers to a mask. A reference in error does not count; a reference that closes a loop is in
 * error. */
bool svg_mask_occurs(const svg_walk *walk, const svg_noninherited *noninherited);
/* Takes a step of the frame at this index through SVG_PHASE_MASK. The frame is the topmost one, and its box is known.
 * The step begins the source of one mask and pushes the frame of its content. When all masks have been drawn, it goes
 * on to the next phase. A mask without area hides everything; the frame is then skipped. */
pietra_result svg_mask_step(svg_walk *walk, uint32_t frame);

#endif
