/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Times of stages, from a recording to the caller's figures. */
#ifndef PIETRA_RENDER_GPU_STAGE_TIMES_H
#define PIETRA_RENDER_GPU_STAGE_TIMES_H

#include "vulkan/recorder.h"

/* Adds the times of the recording that was last waited for. */
void stage_times_add(gpu_recorder *recorder, pietra_stats *stats);

#endif
