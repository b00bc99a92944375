/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds what opaque rectangles hide in the whole part, before anything is flattened. So a frame of a million occluders
 * costs little more than the list of them. band_occlusion.h finds, band by band, what occluders hide in single columns
 * of tiles. */
#ifndef PIETRA_RENDER_CPU_PART_OCCLUSION_H
#define PIETRA_RENDER_CPU_PART_OCCLUSION_H

#include "render/cpu/frame.h"

/* Removes the part's elements that cannot be seen at all. The others keep their order and stay unchanged. */
void cpu_cull_occluded(cpu_frame *frame);

#endif
