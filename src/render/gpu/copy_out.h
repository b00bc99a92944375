/* Copies pixels as renderers keep them to the caller's. */
#ifndef PIETRA_RENDER_GPU_COPY_OUT_H
#define PIETRA_RENDER_GPU_COPY_OUT_H

#include "layout/frame.h"
#include "pietra/pietra.h"

/* Copies the rows of a window, which are config->target_pitch words apart; what lies beyond the target is left out. The
 * window, in tiles, is as wide as the frame. */
void copy_out(const frame_config *config, tile_box window, const uint32_t *pixels, const pietra_target *target);

#endif
