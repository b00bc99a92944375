/* A frame by the kernels and by the reference, buffer by buffer. */
#ifndef PIETRA_RENDER_STAGE_COMPARE_H
#define PIETRA_RENDER_STAGE_COMPARE_H

#include "base/parallel.h"
#include "pietra/pietra_explain.h"
#include "render/gpu/gpu_renderer.h"

/* pietra_compare_stages of a stream without surfaces. pool: of the reference; may be NULL. */
pietra_result stage_compare(gpu_renderer *renderer, const pietra_stream *stream, const pietra_frame *frame,
                            uint32_t width, uint32_t height, parallel_pool *pool, pietra_error *error,
                            pietra_stage_difference *difference);

#endif
