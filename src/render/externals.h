/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The pixels of external images, which come with each frame (pietra_view.h). */
#ifndef PIETRA_RENDER_EXTERNALS_H
#define PIETRA_RENDER_EXTERNALS_H

#include "pietra/pietra_view.h"
#include "scene/external_images.h"

/* Checks the size of pixels, of memory or not, for the images with an id. PIETRA_ERROR_INPUT. */
pietra_result externals_check_size(const external_images *images, uint32_t id, uint32_t width, uint32_t height,
                                   pietra_error *error);

/* A stream with the pixels of its external images. All zero: there is none. */
typedef struct filled_stream {
    pietra_stream *stream;
    size_t word_capacity;
    uint64_t source; /* the id of the stream that it is a copy of */
    external_images images;
} filled_stream;

/* Gives the stream with pixels, or the stream itself if it has no external images for them. It is valid until the next
 * call. Where no pixels are given, images are transparent. PIETRA_ERROR_INPUT: pixels do not fit their images.
 * PIETRA_ERROR_MEMORY. */
pietra_result externals_fill(const pietra_stream *stream, const pietra_external *externals, size_t count,
                             pietra_error *error, filled_stream *filled, const pietra_stream **drawn);
void filled_stream_free(filled_stream *filled);

#endif
