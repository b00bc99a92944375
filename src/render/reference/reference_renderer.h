/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws frames by the reference: by all stages in C, part by part within the budget. */
#ifndef PIETRA_RENDER_REFERENCE_REFERENCE_RENDERER_H
#define PIETRA_RENDER_REFERENCE_REFERENCE_RENDERER_H

#include "base/parallel.h"
#include "layout/frame.h"
#include "render/frame/parts.h"
#include "pietra/pietra.h"
#include "scene/stream.h"

struct reference_frame;
struct reference_trace;

/* Draws a frame. The caller frees the pixels, which are config_target_pixels words. The pool may be NULL. trace follows
 * one pixel of the frame; NULL: no trace. The errors are those of pietra_render. */
pietra_result reference_draw(const pietra_stream *stream, const frame_config *whole, part_budget *budget,
                             parallel_pool *pool, struct reference_trace *trace, pietra_error *error,
                             pietra_stats *stats, uint32_t **pixels);

/* Receives a part of a frame, of which all stages before 10 have run. `frame` is valid during the call. */
typedef void reference_tiles_function(void *user, const struct reference_frame *frame);

/* Runs the stages before 10 over a frame, and reports its parts: all of them once, if it does not fail. The errors are
 * those of pietra_render. */
pietra_result reference_visit_tiles(const pietra_stream *stream, const frame_config *whole, part_budget *budget,
                                    reference_tiles_function *visit, void *user, pietra_error *error);

#endif
