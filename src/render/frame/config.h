/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Makes a frame's configuration from what the caller asked for. */
#ifndef PIETRA_RENDER_FRAME_CONFIG_H
#define PIETRA_RENDER_FRAME_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout/frame.h"
#include "pietra/pietra.h"

/* Makes the configuration of a whole frame, or of its region, as one part. Capacities are zero. PIETRA_ERROR_INPUT: a
 * size, a region, a transform or a colour makes no sense. */
pietra_result config_of_frame(const pietra_frame *frame, const pietra_target *target, pietra_error *error,
                              frame_config *config);

/* Makes the configuration of a sheet: pixels of an effect, drawn under a transform from the stream's units. The part
 * may lie anywhere. False: the transform is out of range, and the sheet shows nothing. */
bool config_of_sheet(const pietra_transform *transform, tile_box part, frame_config *config);

/* Returns a transform as frames hold it: its translation in pairs of floats. */
stream_transform config_transform(const pietra_transform *transform);
/* Returns the transform that a frame or a stream holds so. */
pietra_transform config_widened(const stream_transform *transform);

/* Returns the pixels of the configuration's part inside the frame. */
pixel_box config_pixels(const frame_config *config);

/* Returns where the pixel (0, 0) of the frame lies, or would lie, in a picture of those pixels. */
uint8_t *config_origin(const frame_config *config, uint8_t *picture, size_t stride_bytes);

/* Returns a target in which pixels lie where those of the frame do, though it has those of the configuration's part
 * alone: it begins with `pixels`. */
pietra_target config_target(const frame_config *config, const pietra_target *like, void *pixels, size_t stride_bytes);

/* Returns the bytes of the pixels of the configuration's part, without gaps. */
size_t config_picture_bytes(const frame_config *config);

/* Returns the configuration of a part of the frame. The part is given in tiles. What the frame draws of it may be
 * nothing: box_count is 0 then. */
frame_config config_of_part(const frame_config *whole, tile_box part);

/* Lets the frame draw only what lies in these boxes of its part, which are not empty and do not overlap. If it is one,
 * it must be all of the part. */
void config_set_boxes(frame_config *config, const tile_box *boxes, uint32_t count);
/* Returns whether a pixel is drawn. */
bool config_draws(const frame_config *config, int x, int y);
/* Returns the number of a tile that is drawn. */
uint32_t config_tile_number(const frame_config *config, int x, int y);
/* Gives the place of the tile of that number. */
void config_tile_place(const frame_config *config, uint32_t number, int *x, int *y);

/* Returns the pixels of a buffer for the rows of the part, which are padded to whole tiles and lie target_pitch
 * apart. */
uint64_t config_target_pixels(const frame_config *whole);

#endif
