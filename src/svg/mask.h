/* mask: finding the mask and beginning its source. */
#ifndef PIETRA_SVG_MASK_H
#define PIETRA_SVG_MASK_H

#include "svg/walk.h"

/* The mask that a style refers to. SVG_NO_NODE: none; also when the reference is in error, as the one that closes a
 * loop is. */
uint32_t svg_mask_target(const svg_walk *walk, const svg_other *other);
/* Begins the source of the mask of the frame at this index, the topmost one, whose box is known, and pushes the frame of its content. Through
 * a mask without area nothing is seen: then nothing begins and the frame is skipped. */
pietra_result svg_mask_begin(svg_walk *walk, uint32_t frame);

#endif
