/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What opaque fills hide of the elements below them, by cells of a picture: as occluders of tiles do (stage 08), but
 * found from the stream alone, and only where a fill plainly covers a cell. */
#ifndef PIETRA_RENDER_PAINT_COVER_H
#define PIETRA_RENDER_PAINT_COVER_H

#include "pietra/pietra.h"
#include "scene/stream.h"

#define COVER_CELLS 32 /* along either side of a picture, at most */

typedef struct paint_cover {
    double side; /* of a cell, in pixels: whole tiles */
    int columns, rows;
    /* By rows: 1 more than the last element that hides what lies below it there; 0: none does. */
    uint32_t hiders[COVER_CELLS * COVER_CELLS];
} paint_cover;

/* `frame` leads from the scene to pixels. */
void paint_cover_find(const stream_view *view, pietra_transform frame, int width, int height, paint_cover *cover);

/* Returns how many pixels of an element's box, which lies in the picture, are not hidden. */
double paint_cover_shown(const paint_cover *cover, uint32_t element, pietra_box box);

#endif
