/* Makes a frame's configuration from what the caller asked for. */
#ifndef PIETRA_RENDER_FRAME_CONFIG_H
#define PIETRA_RENDER_FRAME_CONFIG_H

#include "layout/frame.h"
#include "pietra/pietra.h"

/* The whole frame as one part; capacities are zero. PIETRA_ERROR_INPUT: a size, a transform or a colour makes no
 * sense. */
pietra_result config_of_frame(const pietra_frame *frame, const pietra_target *target, pietra_error *error,
                              frame_config *config);

/* The same for a part of it, in tiles. */
frame_config config_of_part(const frame_config *whole, tile_box part);

/* Pixels of the target's buffer, padded to whole tiles: rows of target_pitch. */
uint64_t config_target_pixels(const frame_config *whole);

#endif
