/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packs sheets into an atlas. */
#ifndef PIETRA_RENDER_SHEET_PACK_H
#define PIETRA_RENDER_SHEET_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "layout/frame.h"

/* The most columns of an atlas, in tiles, unless a sheet is wider. */
#define ATLAS_COLUMNS_MOST 2048

/* Finds a place for each sheet, whose box is set and not empty, such that none overlaps another. Gives the size of the
 * atlas, in tiles. The same sheets in the same order get the same places. False: out of memory.
 *
 * Sheets stand on shelves, the highest first: E. G. Coffman, M. R. Garey, D. S. Johnson and R. E. Tarjan, "Performance
 * bounds for level-oriented two-dimensional packing algorithms", 1980 (next fit). */
bool sheet_pack(frame_sheet *sheets, size_t count, int *columns, int *rows);

#endif
