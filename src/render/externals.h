/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The external images of a stream: their pixels come with each frame (pietra_view.h). */
#ifndef PIETRA_RENDER_EXTERNALS_H
#define PIETRA_RENDER_EXTERNALS_H

#include "base/array.h"
#include "pietra/pietra_view.h"
#include "scene/stream.h"

typedef struct external_image {
    uint32_t id;
    uint32_t first_level, level_count; /* of the stream's mip levels */
    uint64_t first_texel, texel_count; /* of the stream's texels */
} external_image;

typedef ARRAY(external_image) external_images;

/* Finds them, each once, in the order of their texels. False: out of memory. */
bool externals_find(const pietra_stream *stream, external_images *images);

/* Checks pixels in memory for the external images of a stream, which were found. PIETRA_ERROR_INPUT. */
pietra_result externals_check(const pietra_stream *stream, const external_images *images,
                              const pietra_external *externals, size_t count, pietra_error *error);
/* Checks the size of pixels, of memory or not, for the images with an id. PIETRA_ERROR_INPUT. */
pietra_result externals_check_size(const pietra_stream *stream, const external_images *images, uint32_t id,
                                   uint32_t width, uint32_t height, pietra_error *error);

/* A stream with the pixels of its external images. All zero: there is none. */
typedef struct filled_stream {
    pietra_stream *stream;
    size_t word_capacity;
    uint64_t source; /* the id of the stream that it is a copy of */
    external_images images;
} filled_stream;

/* Gives the stream with pixels that were checked, or the stream itself if it has no external images for them. It is
 * valid until the next call. Where no pixels are given, images are transparent. PIETRA_ERROR_MEMORY. */
pietra_result externals_fill(const pietra_stream *stream, const pietra_external *externals, size_t count,
                             pietra_error *error, filled_stream *filled, const pietra_stream **drawn);
void filled_stream_free(filled_stream *filled);

#endif
