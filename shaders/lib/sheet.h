/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sheets, and where they lie in the atlas of a run. Places are integers and never enter a float. */
#ifndef PIETRA_LIB_SHEET_H
#define PIETRA_LIB_SHEET_H

#include "../layout/frame.h"
#include "../layout/stream.h"

/* Returns the sheet on which an element is drawn; 0: the frame. */
SHARED_FUNCTION uint sheet_of(stream_element element)
{
    return element.opacity >> ELEMENT_SHEET_SHIFT;
}

/* Returns whether this run draws it. */
SHARED_FUNCTION bool sheet_is_drawn(frame_config frame, uint sheet)
{
    return sheet >= frame.first_sheet && sheet <= frame.last_sheet;
}

/* Packs the way from a sheet to its place in the atlas, in tiles: to the right in the low half of a word, down in the
 * high one. */
SHARED_FUNCTION uint sheet_place(int x, int y)
{
    return (TO_UINT(x) & 0xffffu) | TO_UINT(y) << 16;
}

SHARED_FUNCTION int place_x(uint place)
{
    return TO_INT(place << 16) >> 16;
}

SHARED_FUNCTION int place_y(uint place)
{
    return TO_INT(place) >> 16;
}

/* Returns tiles of the atlas as tiles of a sheet. */
SHARED_FUNCTION tile_box tiles_in_sheet(tile_box tiles, uint place)
{
    tiles.x0 -= place_x(place);
    tiles.x1 -= place_x(place);
    tiles.y0 -= place_y(place);
    tiles.y1 -= place_y(place);
    return tiles;
}

#endif
