/* What opaque rectangles hide in the whole part, found before anything is flattened: a frame of a million occluders
 * costs little more than the list of them. What occluders hide in single columns of tiles is found band by band
 * (band_occlusion.h). */
#ifndef PIETRA_RENDER_CPU_PART_OCCLUSION_H
#define PIETRA_RENDER_CPU_PART_OCCLUSION_H

#include "render/cpu/frame.h"

/* Removes from the part's elements those of which nothing can be seen. The others keep their order and all else. */
void cpu_cull_occluded(cpu_frame *frame);

#endif
