/* A frame by the kernels and by the reference, buffer by buffer. */
#ifndef PIETRA_RENDER_GPU_STAGE_COMPARE_H
#define PIETRA_RENDER_GPU_STAGE_COMPARE_H

#include "render/gpu/gpu_renderer.h"

#include <pietra/pietra.h>

/* Draws the stream on both and compares every buffer that the stages leave behind, exactly. Prints the first difference, after
 * `name`, and returns false. */
bool stage_compare(gpu_renderer *renderer, const pietra_stream *stream, const pietra_frame *frame, uint32_t width, uint32_t height,
                   uint32_t fine_work, const char *name);

#endif
