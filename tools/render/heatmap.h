/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* --heatmap: a picture of what the tiles of the picture hold, in its place. */
#ifndef RENDER_HEATMAP_H
#define RENDER_HEATMAP_H

#include "device.h"
#include "placement.h"

#define HEATMAP_NAMES "lines, tile_lines, tile_commands or layers"

/* Makes a heat map of the picture that the placement and the stream describe, and puts it in the place of both. The
 * device is open. Failures are reported, and leave them as they are. `input` is for messages. */
status heatmap_take_place(const device *device, const char *input, placement *placement, pietra_stream **stream);

#endif
