/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Copies pixels from a renderer's buffer to the caller's. */
#ifndef PIETRA_RENDER_GPU_COPY_OUT_H
#define PIETRA_RENDER_GPU_COPY_OUT_H

#include "layout/frame.h"
#include "pietra/pietra.h"

/* Copies the rows of a window, which lie config->target_pitch words apart and begin with its first pixel. Pixels
 * outside the frame are left out. The window is given in tiles. The target's pixels lie where the frame's do
 * (config_target). */
void copy_out(const frame_config *config, tile_box window, const uint32_t *pixels, const pietra_target *target);

#endif
