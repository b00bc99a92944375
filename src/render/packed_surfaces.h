/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws surfaces for a frame on the GPU, where their texels stay. Those of a level are sheets of one atlas
 * (render/packed_sheets.h), so a frame waits for the device a few times for each level, however many surfaces it has.
 * Texels and sizes are those of render/surfaces.h. */
#ifndef PIETRA_RENDER_PACKED_SURFACES_H
#define PIETRA_RENDER_PACKED_SURFACES_H

#include "render/gpu/gpu_renderer.h"
#include "render/surface_table.h"

/* A surface that an element of the frame shows. */
typedef struct packed_use {
    uint32_t width, height;
} packed_use;

/* The surfaces that were drawn last: they lie in the renderer's buffer of surfaces. Zero bytes are an empty cache. */
typedef struct packed_surface_cache {
    uint64_t stream_id;     /* of the stream that shows them; 0: none */
    pietra_transform frame; /* of the frame that was drawn last; its translation does not matter */
    ARRAY(packed_use) uses; /* by their elements */
    surface_table surfaces; /* that need not be drawn again while the stream stays, and their first texels: they show
                             * no others, so what they show follows from their sizes */
    pietra_stream *drawn;   /* the stream with images in place of its surfaces; their texels lie on the device alone */
    pietra_stream *held;    /* the same with all texels; NULL: nobody has asked for it */
    ARRAY(texel_copy) shown;
    double spent[WORK_KIND_COUNT]; /* on drawing them (frame_work) */
    uint64_t needed_bytes;         /* the budget that this took, if it is more than was allowed */
    uint64_t drawn_count;          /* surfaces that were drawn since the cache was made */
} packed_surface_cache;

void packed_surface_cache_free(packed_surface_cache *cache);

/* Does what surfaces_draw does, on the GPU. While the sizes of all surfaces of a stream stay, none is drawn again; if
 * some change, those are drawn, and those that show other surfaces. The cache is for one renderer. Adds to `stats`. The
 * errors are those of surfaces_draw and of gpu_renderer_draw. */
pietra_result packed_surfaces_draw(packed_surface_cache *cache, gpu_renderer *renderer, const pietra_stream *stream,
                                   const pietra_frame *frame, part_budget *budget, pietra_error *error,
                                   pietra_stats *stats, const pietra_stream **drawn);

/* Gives the stream that packed_surfaces_draw made last with all its texels, which are read from the device once. The
 * cache owns it. */
pietra_result packed_surfaces_hold(packed_surface_cache *cache, gpu_renderer *renderer, pietra_error *error,
                                   const pietra_stream **held);

#endif
