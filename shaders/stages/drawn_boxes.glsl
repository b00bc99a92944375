/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The numbers of tiles, and where they lie. Nearly all frames have one box, which is the part, and look nothing up. */
#ifndef DRAWN_BOXES_GLSL
#define DRAWN_BOXES_GLSL

#include "lib/drawn_box.h"

struct tile_place {
    int x, y; /* in tiles of the frame */
};

/* Returns the number of a tile; that of one that is in no box means nothing. */
uint number_of(int x, int y)
{
    if (config.tile_pitch != 0u)
        return uint(y - config.part.y0) * config.tile_pitch + uint(x - config.part.x0);
    uint i = 0u;
    while (i + 1u < config.box_count && !drawn_box_has(config.boxes[i], x, y))
        i++;
    return drawn_box_number(config.boxes[i], x, y);
}

tile_place place_of(uint number)
{
    if (config.tile_pitch != 0u)
        return tile_place(config.part.x0 + int(number % config.tile_pitch),
                          config.part.y0 + int(number / config.tile_pitch));
    uint i = config.box_count - 1u;
    while (number < config.boxes[i].first_tile)
        i--;
    return tile_place(drawn_box_x(config.boxes[i], number), drawn_box_y(config.boxes[i], number));
}

#endif
