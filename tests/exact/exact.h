/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The exact renderer: the slow judge of our pictures.
 *
 * It draws an element stream by the definitions alone, in double precision, and shares no code and no method with the
 * pipeline:
 *   - curves are exact to 1/1000 px; nothing is snapped;
 *   - a fill's winding is evaluated on EXACT_ROWS lines in each pixel row and, along each line, over exact intervals;
 *   - a stroke is the union of its pieces by definition: the region that the normal sweeps, joins, caps; dashes by arc
 *     length. Where a curve turns at one point (a cusp) the normal sweeps a half disc;
 *   - each begin opens a whole layer; a clip's layer is multiplied by the clip's coverage, a group's by its opacity.
 *     Layers are premultiplied RGBA8, rounded whenever something is composited onto them: that is part of what a
 *     picture means, and in deep nests it adds up;
 *   - gradients are evaluated at the middle of each pixel, surfaces averaged over it. */
#ifndef TESTS_EXACT_H
#define TESTS_EXACT_H

#include <pietra/pietra.h>

#define EXACT_ROWS 64

/* Draws the stream, which must be valid (this is asserted, not checked), into width * height pixels of premultiplied
 * RGBA, each 0 to 1. Returns false if memory is exhausted. A NULL frame means the identity on a
 * transparent background. */
bool exact_render(const pietra_stream *stream, const pietra_frame *frame, uint32_t width, uint32_t height,
                  float *pixels);

typedef struct exact_difference {
    double greatest; /* in levels of 255, over all channels, premultiplied */
    double mean;     /* in levels, over all channels of pixels that are not transparent in both pictures */
    uint32_t above;  /* number of pixels with a channel beyond the limit */
    uint32_t x, y;   /* where the greatest difference is */
} exact_difference;

/* Compares RGBA8 pixels, which are straight or premultiplied in rows without gaps, with those of exact_render. */
exact_difference exact_compare(uint32_t width, uint32_t height, const float *exact, const uint8_t *pixels,
                               bool straight, double limit);

#endif
