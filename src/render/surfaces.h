/* Images that are pictures of streams, drawn for a frame.
 *
 * A surface is drawn before the frame that shows it, by the CPU device whatever the frame's own device is, so that all
 * get the same texels. Its size follows from the frame: at most SURFACE_FINENESS texels to a pixel in each direction,
 * the most that the sampler of shaders/lib/image.h averages exactly, and a whole number of texels to the surface's side
 * whatever its size in pixels. So a repeated surface has no seams, its tiles stand where they should to a fraction of a
 * texel, and one smaller than a pixel comes out as its mean. */
#ifndef PIETRA_RENDER_SURFACES_H
#define PIETRA_RENDER_SURFACES_H

#include "render/cpu/cpu.h"
#include "scene/stream.h"

#define SURFACE_FINENESS 4.0
#define SURFACE_TEXELS_MOST ((uint64_t)1 << 25) /* of a frame; above it surfaces are drawn less finely */
/* the same of a surface, that each level in it would else ask for 16 times of */
#define SURFACE_INNER_TEXELS_MOST ((uint64_t)1 << 20)

/* What surfaces may cost. Painting is counted in texels, each as often as something is painted on it, and fixed costs
 * in texels that take as long. A stream whose surfaces would cost more has them drawn less finely; so have surfaces in
 * surfaces, half as many texels each time that so much has been painted. Fixed costs have an end. */
#define SURFACE_PAINTED_MOST 268435456.0
#define SURFACE_PAINTED_HALVING 33554432.0
#define SURFACE_IMAGE_COST 4.0 /* of a texel painted with an image */
#define SURFACE_DRAWING_COST 4096.0
#define SURFACE_SEGMENT_COST 16.0
#define SURFACE_FIXED_MOST 1073741824.0
#define SURFACE_KEPT_TEXELS_MOST ((size_t)1 << 24) /* surfaces in surfaces that may be met again in the frame */

/* What was drawn last, and the means to draw. Zero bytes are an empty one. One thread at a time. */
typedef struct surface_cache {
    cpu_device *cpu;        /* owned; made when it is first needed */
    parallel_pool *pool;    /* of it, the owner's; NULL: one thread */
    uint64_t stream_id;     /* whose surfaces were drawn last; 0: none */
    pietra_transform frame; /* for a frame with this transform, but for its translation */
    pietra_stream *drawn;
} surface_cache;

void surface_cache_free(surface_cache *cache);

/* The stream with images in the place of its surfaces, as a frame with this transform shows them: the stream itself
 * where it has none, else one of the cache, valid until its next call. transform: NULL or zero: the identity.
 * PIETRA_ERROR_MEMORY; PIETRA_ERROR_BUDGET: a surface cannot be drawn within the budget, or all of them cost more than
 * SURFACE_FIXED_MOST. */
pietra_result surfaces_draw(surface_cache *cache, const pietra_stream *stream, const pietra_transform *transform,
                            uint64_t budget_bytes, pietra_error *error, const pietra_stream **drawn);

#endif
