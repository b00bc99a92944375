/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Boxes of pixels of a picture. */
#ifndef PIETRA_BASE_PIXEL_BOX_H
#define PIETRA_BASE_PIXEL_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "pietra/pietra.h"

#define PIXEL_BOX_OF_EVERYTHING ((pietra_pixel_box){0, 0, UINT32_MAX, UINT32_MAX})

static inline bool pixel_box_is_empty(pietra_pixel_box box)
{
    return box.x0 >= box.x1 || box.y0 >= box.y1;
}

/* Returns the smallest box around two, of which an empty one adds nothing. */
static inline pietra_pixel_box pixel_box_join(pietra_pixel_box a, pietra_pixel_box b)
{
    if (pixel_box_is_empty(a) || pixel_box_is_empty(b))
        return pixel_box_is_empty(a) ? b : a;
    return (pietra_pixel_box){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0, a.x1 > b.x1 ? a.x1 : b.x1,
                              a.y1 > b.y1 ? a.y1 : b.y1};
}

/* Returns what lies in both, which may be empty. */
static inline pietra_pixel_box pixel_box_overlap(pietra_pixel_box a, pietra_pixel_box b)
{
    return (pietra_pixel_box){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                              a.y1 < b.y1 ? a.y1 : b.y1};
}

#endif
