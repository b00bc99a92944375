/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A pietra_image inside the library. It holds its mip levels as the stream has them, or the stream of a scene. It is
 * immutable and counts its references. Whoever keeps an image releases it. Any thread may do either. */
#ifndef PIETRA_SCENE_BUILD_IMAGE_H
#define PIETRA_SCENE_BUILD_IMAGE_H

#include <stdatomic.h>
#include <stddef.h>

#include "layout/stream.h"
#include "pietra/pietra.h"

#define MIP_LEVELS_MAX 17 /* from IMAGE_SIDE_MAX down to 1 */

/* Estimates what it costs to draw a surface, in units of whoever made it: `fixed` for its lines, `texel` for each
 * texel, and for the surfaces in it `inner_texel` for each texel, but at most `inner_most`. */
typedef struct image_cost {
    double fixed, texel, inner_texel, inner_most;
} image_cost;

struct pietra_image {
    atomic_uint references;
    double width, height;       /* size of the rectangle that it fills, in its own units */
    pietra_stream *drawn;       /* the stream that shows it in the unit square, owned, without the streams of its
                                * surfaces; NULL: the image has texels */
    const pietra_image **shown; /* the images that these surfaces stand for; kept */
    uint32_t depth;             /* how deep images of scenes nest in it; 0: it shows none */
    image_cost cost;            /* what drawing it as a surface costs; zero: unknown */
    bool is_opaque;
    uint32_t external_id;     /* 0: it is no external image; else its texels are not here, and all are 0 */
    uint32_t mip_level_count; /* 0: it has no texels */
    stream_mip_level mip_levels[MIP_LEVELS_MAX]; /* first_texel counts from the image's first texel */
    size_t texel_count;                          /* number of texels of all mip levels */
    uint32_t texels[];                           /* premultiplied */
};

const pietra_image *image_keep(const pietra_image *image);
void image_release(const pietra_image *image);

#endif
