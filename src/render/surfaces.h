/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws surfaces, the images that are pictures of streams, for a frame.
 *
 * A surface is drawn before the frame that shows it. The CPU device draws it for every device, so that all get the same
 * texels. Its size follows from the frame: a pixel is at most SURFACE_FINENESS texels wide in each direction, the most
 * that the sampler of shaders/lib/image.h averages exactly. A surface's side is a whole number of texels, whatever its
 * size in pixels. So a repeated surface has no seams, its copies are in their places to a fraction of a texel, and a
 * surface smaller than a pixel appears as its mean. */
#ifndef PIETRA_RENDER_SURFACES_H
#define PIETRA_RENDER_SURFACES_H

#include "render/cpu/cpu.h"
#include "render/frame/parts.h"
#include "scene/stream.h"

#define SURFACE_FINENESS 4.0
#define SURFACE_TEXELS_MOST ((uint64_t)1 << 25) /* in a frame; with more, surfaces are drawn less finely */
/* the same in a surface; else each level of surfaces in surfaces would ask for 16 times as many */
#define SURFACE_INNER_TEXELS_MOST ((uint64_t)1 << 20)

/* The limits of what surfaces may cost. Painting costs one unit for each texel and each time that something is painted
 * on it. Fixed costs count as the texels that take as long. If the surfaces of a stream would cost more than
 * SURFACE_PAINTED_MOST, they are drawn less finely. Surfaces in surfaces get half as many texels each time that
 * SURFACE_PAINTED_HALVING has been painted. Fixed costs may not exceed SURFACE_FIXED_MOST. */
#define SURFACE_PAINTED_MOST 268435456.0
#define SURFACE_PAINTED_HALVING 33554432.0
#define SURFACE_IMAGE_COST 4.0 /* a texel's, painted with an image */
#define SURFACE_DRAWING_COST 4096.0
#define SURFACE_SEGMENT_COST 16.0
#define SURFACE_FIXED_MOST 1073741824.0
/* texels of surfaces in surfaces that may appear again in the frame */
#define SURFACE_KEPT_TEXELS_MOST ((size_t)1 << 24)

/* The surfaces that were drawn last, and the means to draw. Zero bytes are an empty cache. One thread uses it at a
 * time. */
typedef struct surface_cache {
    cpu_device *cpu;        /* owned; made when first needed */
    parallel_pool *pool;    /* its threads, which the owner of the cache owns; NULL: one thread */
    uint64_t stream_id;     /* the stream whose surfaces were drawn last; 0: none */
    pietra_transform frame; /* transform of the frame for which they were drawn; its translation does not matter */
    pietra_stream *drawn;
    uint64_t needed_bytes; /* the budget that this took, if it is more than was allowed */
} surface_cache;

void surface_cache_free(surface_cache *cache);
/* Returns the device that draws, which is made when first needed. NULL: out of memory. */
cpu_device *surface_cache_cpu(surface_cache *cache);

/* Returns in *drawn the stream with images in place of its surfaces, as the frame, which may be NULL, shows them. If
 * the stream has no surfaces, it is the stream itself. Otherwise the cache owns it, and it is valid until the next
 * call. PIETRA_ERROR_MEMORY. If a surface needs more than the budget, this is
 * raised, and the caller must fail. PIETRA_ERROR_BUDGET: what a surface needs was not found, or all surfaces together
 * cost more than SURFACE_FIXED_MOST. */
pietra_result surfaces_draw(surface_cache *cache, const pietra_stream *stream, const pietra_frame *frame,
                            part_budget *budget, pietra_error *error, const pietra_stream **drawn);

#endif
