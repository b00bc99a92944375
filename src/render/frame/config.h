/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Makes a frame's configuration from what the caller asked for. */
#ifndef PIETRA_RENDER_FRAME_CONFIG_H
#define PIETRA_RENDER_FRAME_CONFIG_H

#include "layout/frame.h"
#include "pietra/pietra.h"

/* Makes the configuration of a whole frame as one part. Capacities are zero. PIETRA_ERROR_INPUT: a size, a transform or
 * a colour makes no sense. */
pietra_result config_of_frame(const pietra_frame *frame, const pietra_target *target, pietra_error *error,
                              frame_config *config);

/* Returns the configuration of a part of the frame. The part is given in tiles. */
frame_config config_of_part(const frame_config *whole, tile_box part);

/* Returns the pixels of the target's buffer, which is padded to whole tiles and has rows of target_pitch. */
uint64_t config_target_pixels(const frame_config *whole);

#endif
