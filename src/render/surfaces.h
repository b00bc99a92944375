/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws surfaces, the images that are pictures of streams, for a frame, on the CPU.
 *
 * A surface is drawn before the frame that shows it. The CPU device does that for itself and for the reference. A GPU
 * draws its own (render/packed_surfaces.h). All get the same texels. */
#ifndef PIETRA_RENDER_SURFACES_H
#define PIETRA_RENDER_SURFACES_H

#include "render/cpu/cpu.h"
#include "render/frame/parts.h"
#include "scene/stream.h"

/* The surfaces that were drawn last, and the means to draw. Zero bytes are an empty cache. One thread uses it at a
 * time. */
typedef struct surface_cache {
    cpu_device *cpu;        /* owned; made when first needed */
    parallel_pool *pool;    /* its threads, which the owner of the cache owns; NULL: one thread */
    uint64_t stream_id;     /* the stream whose surfaces were drawn last; 0: none */
    pietra_transform frame; /* transform of the frame for which they were drawn; its translation does not matter */
    pietra_stream *drawn;
    double spent[WORK_KIND_COUNT]; /* on drawing them (frame_work) */
    uint64_t needed_bytes;         /* the budget that this took, if it is more than was allowed */
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
