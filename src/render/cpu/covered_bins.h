/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tile bins of a part that opaque rectangles cover, as stage 03 finds them. The CPU device looks for what is hidden
 * box by box, which hides more. But the number of visible dashes is limited, and all devices must count the same. */
#ifndef PIETRA_RENDER_CPU_COVERED_BINS_H
#define PIETRA_RENDER_CPU_COVERED_BINS_H

#include "render/cpu/frame.h"

#define COVERED_BINS_SIDE 128 /* bins of the largest frame */

typedef struct covered_bins {
    bin_grid grid;
    int width, height; /* the frame's, in pixels */
    uint64_t rows[COVERED_BINS_SIDE][COVERED_BINS_SIDE / 64];
} covered_bins;

/* Returns no covered bins. */
covered_bins covered_bins_of(const frame_config *config);
/* Adds the bins that an occluder covers. `inside` is what the occluder is sure to replace, in pixels of the frame. */
void covered_bins_add(covered_bins *bins, pixel_box inside);
/* Returns whether all bins are covered that these tiles touch. */
bool covered_bins_hold(const covered_bins *bins, tile_box tiles);

#endif
