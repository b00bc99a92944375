/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The pyramid of --tiles: one document in many sizes, each cut into tiles (pietra_pyramid.h). */
#ifndef RENDER_TILES_H
#define RENDER_TILES_H

#include "device.h"

/* Draws the only input of the options. A level is drawn block by block, and all threads write the tiles of a block.
 * With --skip-existing, tiles that are there are not written, and blocks that have no others are not drawn. The first
 * failure ends the work; tiles that were written stay. Failures are reported. */
status tiles_draw(device *device);

#endif
