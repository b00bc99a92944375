/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws a large picture in bands of rows, each of which becomes indices of colours before the next one is drawn. So a
 * text of a hundred pages takes a byte a pixel, and not four. */
#ifndef RENDER_BANDS_H
#define RENDER_BANDS_H

#include "pietra/pietra.h"
#include "png/png_indexed.h"

typedef struct banded {
    pietra_device *device;
    const pietra_stream *stream;
    const pietra_frame *frame;
    uint32_t width, height;
    uint32_t rows; /* of a band; bands_suit chooses it */
} banded;

/* Returns whether bands cost hardly any time: the picture is large, nothing in it goes through effects, and few
 * segments lie in several bands. Chooses how high they are. */
bool bands_suit(banded *banded);

/* Draws into `indexed`, or, if there are too many colours, into `canvas`; both are empty. Neither is changed by a
 * failure but for what is to be destroyed. Gives figures of all bands together. */
pietra_result bands_draw(const banded *banded, png_indexed *indexed, png_canvas *canvas, pietra_error *error,
                         pietra_stats *stats);

#endif
