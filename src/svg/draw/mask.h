/* mask: finding the mask and beginning its source. */
#ifndef PIETRA_SVG_DRAW_MASK_H
#define PIETRA_SVG_DRAW_MASK_H

#include "svg/draw/walk.h"

/* Whether a style refers to a mask. A reference in error does not count; a reference that closes a loop is in error. */
bool svg_mask_occurs(const svg_walk *walk, const svg_noninherited *noninherited);
/* Takes the frame at this index, the topmost one, whose box is known, through SVG_PHASE_MASK: begins the source of one
 * mask and pushes the frame of its content, or, when all have been drawn, goes on to the next phase. Through a mask
 * without area nothing is seen: then the frame is skipped. */
pietra_result svg_mask_step(svg_walk *walk, uint32_t frame);

#endif
