/* A pietra_image inside the library: the pyramid of levels as the stream has it, or the stream of a scene. Immutable and counted: whoever
 * keeps one releases it. Any thread may do either. */
#ifndef PIETRA_SCENE_BUILD_IMAGE_H
#define PIETRA_SCENE_BUILD_IMAGE_H

#include <stdatomic.h>
#include <stddef.h>

#include "layout/stream.h"
#include "pietra/pietra.h"

#define IMAGE_LEVELS_MAX 17 /* from IMAGE_SIDE_MAX down to 1 */

struct pietra_image {
    atomic_uint references;
    double width, height;      /* of the rectangle that it fills, in its own units */
    pietra_stream *drawn;      /* what shows it in the unit square, owned, but for the streams of its surfaces; NULL: it has texels */
    const pietra_image **shown; /* the images that these surfaces are, kept */
    uint32_t depth;            /* of images of scenes in one another: 0: it shows none */
    bool is_opaque;
    uint32_t level_count;      /* 0: it has none */
    stream_level levels[IMAGE_LEVELS_MAX]; /* first_texel counts from the image's first */
    size_t texel_count;        /* of all levels */
    uint32_t texels[];         /* premultiplied */
};

const pietra_image *image_keep(const pietra_image *image);
void image_release(const pietra_image *image);

#endif
