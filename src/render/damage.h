/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Boxes in which a picture differs, a few of them: near ones are joined. */
#ifndef PIETRA_RENDER_DAMAGE_H
#define PIETRA_RENDER_DAMAGE_H

#include "base/pixel_box.h"
#include "pietra/pietra_view.h"

typedef struct damage_boxes {
    pietra_pixel_box boxes[PIETRA_DRAWN_BOXES + 1]; /* the last one is only there while one is added */
    uint32_t count;
} damage_boxes;

/* Adds a box, of which an empty one adds nothing. */
void damage_add(damage_boxes *damage, pietra_pixel_box box);
/* Adds what of others lies in a picture of that size. */
void damage_add_all(damage_boxes *damage, const damage_boxes *more, uint32_t width, uint32_t height);
/* Makes boxes that do not overlap of those that may: what one shares with another is cut out of it, or, if that gives
 * too many boxes, the two are joined. */
void damage_separate(damage_boxes *damage);
/* Returns the box around all; empty if there is none. */
pietra_pixel_box damage_around(const damage_boxes *damage);

#endif
