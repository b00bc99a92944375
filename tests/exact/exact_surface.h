/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Surfaces by their definition. The exact renderer draws the picture of a stream's unit square with many texels to a
 * pixel. The picture is repeated as the paint says, and averaged over each pixel. */
#ifndef TESTS_EXACT_SURFACE_H
#define TESTS_EXACT_SURFACE_H

#include "exact/exact.h"
#include "exact/exact_path.h"

typedef struct exact_surface {
    float *pixels; /* premultiplied RGBA; the caller frees them */
    uint32_t width, height;
} exact_surface;

/* Draws the surface of a paint of the stream. The matrix leads from path space to pixels. Returns false if memory is
 * exhausted. */
bool exact_surface_draw(const exact_stream *stream, const stream_paint *paint, exact_matrix matrix,
                        exact_surface *surface);
/* Gives the mean over the pixel (x, y). */
void exact_surface_color(const exact_surface *surface, const stream_paint *paint, exact_matrix matrix, uint32_t x,
                         uint32_t y, float *color);

/* Does what exact_render does, for the words of a stream. It is the renderer's own part. */
bool exact_render_words(const uint32_t *words, pietra_transform frame, uint32_t width, uint32_t height, float *pixels);

#endif
