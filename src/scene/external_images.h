/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The external images of a stream: their pixels come with each frame (pietra_image_create_external). */
#ifndef PIETRA_SCENE_EXTERNAL_IMAGES_H
#define PIETRA_SCENE_EXTERNAL_IMAGES_H

#include "base/array.h"
#include "scene/stream.h"

typedef struct external_image {
    uint32_t id, width, height;
    uint32_t first_level, level_count; /* of the stream's mip levels */
    uint64_t first_texel, texel_count; /* of the stream's texels, all levels */
} external_image;

typedef ARRAY(external_image) external_images;

/* Finds them, each once, in the order of their texels. False: out of memory. */
bool stream_find_externals(const pietra_stream *stream, external_images *images);

/* Returns a mip level of an image, with its first texel in the stream. */
stream_mip_level external_level(const external_image *image, uint32_t index);

#endif
