/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws a frame by the reference and records what happens at one pixel, on the sheets of its effects too.
 *
 * The steps of a source of an effect stand between a begin and an end, in the order of elements. They are those of the
 * texel at the same place as the pixel. What the effect makes of the source is painted after them. */
#ifndef PIETRA_RENDER_PIXEL_TRACE_H
#define PIETRA_RENDER_PIXEL_TRACE_H

#include "base/array.h"
#include "base/parallel.h"
#include "layout/frame.h"
#include "pietra/pietra_explain.h"
#include "render/frame/parts.h"
#include "scene/stream.h"

/* Steps without labels, in the order in which they are reported. Zero bytes are none. */
typedef struct pixel_trace {
    ARRAY(pietra_pixel_step) steps;
} pixel_trace;

/* Draws a stream without surfaces. x and y are a pixel of the whole picture. The caller frees the pixels, which are
 * those of reference_draw, and the trace, whatever is returned. The errors are those of pietra_render. */
pietra_result pixel_trace_draw(const pietra_stream *stream, const frame_config *config, part_budget *budget,
                               parallel_pool *pool, int x, int y, pietra_error *error, pixel_trace *trace,
                               uint32_t **pixels);
void pixel_trace_free(pixel_trace *trace);

#endif
