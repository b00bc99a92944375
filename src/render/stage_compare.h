/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws a frame by the kernels and by the reference, and compares buffer by buffer. Of a stream with effects, the runs
 * that draw its sheets come first; the reference does the same runs. */
#ifndef PIETRA_RENDER_STAGE_COMPARE_H
#define PIETRA_RENDER_STAGE_COMPARE_H

#include "base/parallel.h"
#include "pietra/pietra_explain.h"
#include "render/gpu/gpu_renderer.h"

/* A frame to compare. */
typedef struct compared_frame {
    const pietra_frame *frame;
    uint32_t width, height;
    tile_box boxes[DRAWN_BOXES]; /* what is drawn of it, as config_set_boxes takes it; */
    uint32_t box_count;          /* 0: all */
} compared_frame;

/* Does pietra_compare_stages for a stream without surfaces. The reference uses the pool, which may be NULL. */
pietra_result stage_compare(gpu_renderer *renderer, const pietra_stream *stream, const compared_frame *compared,
                            parallel_pool *pool, pietra_error *error, pietra_stage_difference *difference);

#endif
