/* Surfaces by their definition: the picture of a stream's unit square, drawn by the exact renderer with many texels to a pixel, repeated as
 * the paint has it, and averaged over each pixel. */
#ifndef TESTS_EXACT_SURFACE_H
#define TESTS_EXACT_SURFACE_H

#include "exact/exact.h"
#include "exact/exact_path.h"

typedef struct exact_surface {
    float *pixels;        /* premultiplied RGBA; to be freed */
    uint32_t width, height;
} exact_surface;

/* For a paint of the stream under this matrix, from path space to pixels. False: out of memory. */
bool exact_surface_draw(const exact_stream *stream, const stream_paint *paint, exact_matrix matrix, exact_coverage mode, exact_surface *surface);
/* The mean over the pixel (x, y). */
void exact_surface_color(const exact_surface *surface, const stream_paint *paint, exact_matrix matrix, uint32_t x, uint32_t y, float *color);

/* The renderer's own part: exact_render for the words of a stream. */
bool exact_render_words(const uint32_t *words, pietra_transform frame, exact_coverage mode, uint32_t width, uint32_t height, float *pixels);

#endif
