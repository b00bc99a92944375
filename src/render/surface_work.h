/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the surfaces of a frame cost together, and which surfaces in surfaces need not be drawn again. Sizes depend on
 * it, so all devices count in the same order: surfaces in the order in which a stream shows them, each before those
 * that it shows itself. */
#ifndef PIETRA_RENDER_SURFACE_WORK_H
#define PIETRA_RENDER_SURFACE_WORK_H

#include "render/frame/work.h"
#include "render/surface_sizes.h"
#include "render/surface_table.h"

#define SURFACE_TEXELS_MOST ((uint64_t)1 << 25) /* in a frame; with more, surfaces are drawn less finely */
/* the same in a surface; else each level of surfaces in surfaces would ask for 16 times as many */
#define SURFACE_INNER_TEXELS_MOST ((uint64_t)1 << 20)

/* Surfaces in surfaces get half as many texels each time that SURFACE_PAINTED_HALVING has been painted. Fixed costs may
 * not exceed SURFACE_FIXED_MOST. */
#define SURFACE_PAINTED_HALVING 33554432.0
#define SURFACE_FIXED_MOST 1073741824.0
/* texels of surfaces in surfaces that may appear again in the frame */
#define SURFACE_KEPT_TEXELS_MOST ((uint64_t)1 << 24)

/* All zero but `frame`: nothing was drawn yet. */
typedef struct surface_work {
    double painted, fixed; /* in texels */
    frame_work *frame;     /* spends their strokes and their painting */
    surface_table drawn;   /* a place is whatever the device keeps of a surface */
    uint64_t kept_texels;
} surface_work;

void surface_work_free(surface_work *work);

/* Returns whether an image of a stream has been drawn already, and where it was put. */
bool surface_work_find(const surface_work *work, const surface_sizes *sizes, const surface_image *image,
                       uint64_t *place);

/* Counts an image that is to be drawn. PIETRA_ERROR_BUDGET, or PIETRA_ERROR_INPUT because of its strokes or its
 * painting: a frame may not cost so much. */
pietra_result surface_work_add(surface_work *work, const surface_sizes *sizes, const surface_image *image,
                               pietra_error *error);

/* Returns the most texels of the images that the next surface shows: the more a frame has cost, the fewer. */
uint64_t surface_work_inner_most(const surface_work *work);

/* Makes room for an image that may appear again. Returns whether everything was forgotten for it. */
bool surface_work_make_room(surface_work *work, const surface_image *image);
/* Keeps it. False: out of memory. */
bool surface_work_keep(surface_work *work, const surface_sizes *sizes, const surface_image *image, uint64_t place);

#endif
