/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compares a frame by the kernels with one by the reference, for a test. */
#ifndef PIETRA_RENDER_GPU_STAGE_CHECK_H
#define PIETRA_RENDER_GPU_STAGE_CHECK_H

#include "render/stage_compare.h"

/* Compares all stages (render/stage_compare.h). Prints the first difference, after `name`, and returns false. */
bool stages_agree(gpu_renderer *renderer, const pietra_stream *stream, const pietra_frame *frame, uint32_t width,
                  uint32_t height, const char *name);
/* Does the same for a frame of which some boxes alone are drawn. */
bool stages_agree_in(gpu_renderer *renderer, const pietra_stream *stream, const compared_frame *compared,
                     const char *name);

#endif
