/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Filter space: the grid of texels on which an effect works. Its axes are those of the user units, its texels have the
 * size of pixels, and where it lies depends on the frame and the stream alone, not on the part that is drawn. So any
 * part has the same texels.
 *
 * Where the frame only moves, scales, mirrors or turns by quarters, texels are whole pixels. Elsewhere the result is
 * resampled: the map from user units to pixels is a scale to texels, followed by columns of length 1. */
#ifndef PIETRA_RENDER_EFFECT_SPACE_H
#define PIETRA_RENDER_EFFECT_SPACE_H

#include <stdbool.h>

#include "layout/effect.h"
#include "pietra/pietra.h"

typedef struct effect_space {
    double scale_x, scale_y;    /* texels in a user unit */
    pietra_transform from_user; /* user units to texels */
    pietra_transform to_pixels; /* texels to pixels */
    bool is_exact;              /* texels are whole pixels */
    bool is_pixels;             /* they are even the pixels of the same place */
} effect_space;

/* Makes the space of an effect. (center_x, center_y) is the pixel near which texels get small coordinates. Each halving
 * makes texels twice as large. False: the map is singular, and nothing is seen through it. */
bool effect_space_of(pietra_transform user_to_pixels, double center_x, double center_y, unsigned halvings,
                     effect_space *space);

/* Makes a space whose texels are the pixels, whatever the map is. Under one that turns or skews, lengths are those that
 * user units have along the axes of the pixels. False: the map is singular. */
bool effect_space_of_pixels(pietra_transform user_to_pixels, effect_space *space);

/* Returns the texels that a box touches, held to EFFECT_COORDINATE_MOST. What reaches less than 1/256 of a texel into
 * one does not touch it. */
effect_box effect_texels_of(pietra_box box);

#endif
