/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* At which sizes the surfaces of a stream are drawn.
 *
 * The size of a surface follows from the frame that shows it: a pixel is at most SURFACE_FINENESS texels wide in each
 * direction, the most that the sampler of shaders/lib/image.h averages exactly. A surface's side is a whole number of
 * texels, whatever its size in pixels. So a repeated surface has no seams, its copies are in their places to a fraction
 * of a texel, and a surface smaller than a pixel appears as its mean. */
#ifndef PIETRA_RENDER_SURFACE_SIZES_H
#define PIETRA_RENDER_SURFACE_SIZES_H

#include "base/array.h"
#include "base/hash.h"
#include "scene/stream.h"

#define SURFACE_FINENESS 4.0

/* The limits of what surfaces may cost. Painting costs one unit for each texel and each time that something is painted
 * on it. Fixed costs count as the texels that take as long. If the surfaces of a stream would cost more than
 * SURFACE_PAINTED_MOST, they are drawn less finely. */
#define SURFACE_PAINTED_MOST 268435456.0
#define SURFACE_IMAGE_COST 4.0 /* a texel's, painted with an image */
#define SURFACE_DRAWING_COST 4096.0
#define SURFACE_SEGMENT_COST 16.0

/* A surface drawn at one size. */
typedef struct surface_image {
    uint32_t surface;
    uint32_t width, height;
} surface_image;

/* An element that is painted with a surface. */
typedef struct surface_use {
    uint32_t element;
    double across, down; /* sides of the unit square, in pixels */
    uint32_t image;
} surface_use;

/* The cost of drawing a stream. */
typedef struct surface_cost {
    double overdraw; /* how often each texel is painted on average; SURFACE_IMAGE_COST weights images */
    double fixed;    /* cost that does not depend on the size, in texels */
} surface_cost;

typedef struct surface_sizes {
    stream_view view; /* the stream that shows the surfaces */
    ARRAY(surface_use) uses;
    ARRAY(surface_image) images; /* no two are equal */
    hash_table image_table;
    surface_cost *costs; /* for each surface */
} surface_sizes;

/* Finds the sizes that a frame asks for, in place of zero bytes. Images have at most `texels_most` texels together.
 * PIETRA_ERROR_MEMORY. They must be freed either way. */
pietra_result surface_sizes_make(const stream_view *view, const pietra_transform *frame, uint64_t texels_most,
                                 pietra_error *error, surface_sizes *sizes);
void surface_sizes_free(surface_sizes *sizes);

static inline uint64_t surface_image_texels(const surface_image *image)
{
    return (uint64_t)image->width * image->height;
}
/* Returns the texels of all images. */
uint64_t surface_sizes_texels(const surface_sizes *sizes);

/* Returns the stream that an image shows. */
static inline const uint32_t *surface_image_words(const surface_sizes *sizes, const surface_image *image)
{
    return stream_surface_words(&sizes->view, &sizes->view.surfaces[image->surface]);
}

/* Returns the paint that shows an image of this size, which is a mip level of the stream, in place of a surface. */
stream_paint surface_paint(const stream_paint *paint, uint32_t width, uint32_t height, uint32_t mip_level);

/* Makes a copy of the stream with images in place of its surfaces: each use has a paint of its own, and each image a
 * mip level, in their order behind those that were there. So lie the images' texels, which are zero; if `on_device`,
 * the words end before them. PIETRA_ERROR_MEMORY. */
pietra_result surface_stream_make(const surface_sizes *sizes, bool on_device, pietra_error *error,
                                  pietra_stream **made);

#endif
