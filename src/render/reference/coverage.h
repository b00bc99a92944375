/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The coverage of a tile by one tile_path, from its tile_lines. */
#ifndef PIETRA_RENDER_REFERENCE_COVERAGE_H
#define PIETRA_RENDER_REFERENCE_COVERAGE_H

#include "render/reference/reference.h"

/* Writes a level, 0 to 255, for each of the TILE_PIXELS pixels of the tile_path's tile, row by row. */
void reference_coverage(const reference_frame *frame, const tile_path *r, uint8_t *levels);

#endif
