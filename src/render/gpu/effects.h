/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stage 11 after a run that drew sheets: from an atlas on the device to the texels of results on the device.
 *
 * The steps run on the CPU, by the functions that the renderer was given. */
#ifndef PIETRA_RENDER_GPU_EFFECTS_H
#define PIETRA_RENDER_GPU_EFFECTS_H

#include "render/effect/effect.h"
#include "render/frame/cancel.h"
#include "render/sheet/runs.h"
#include "vulkan/recorder.h"

/* What runs the steps, and memory that is kept from run to run. */
typedef struct gpu_effects {
    gpu_device *device;
    gpu_recorder *recorder;
    const effect_functions *functions;
    parallel_pool *pool;       /* NULL: one thread */
    gpu_buffer pixels, texels; /* on the host: the atlas, and results */
} gpu_effects;

/* Where a run finds its pixels, and where its results belong. */
typedef struct gpu_effect_places {
    gpu_range atlas;   /* premultiplied RGBA8, in rows as long as the run's atlas is wide */
    gpu_range results; /* premultiplied RGBA8: those of all effects of the plan, each from its first_texel on */
} gpu_effect_places;

/* Makes the results of the effects of a run. It changes plan->graph. PIETRA_CANCELLED, PIETRA_ERROR_MEMORY,
 * PIETRA_ERROR_BUDGET, PIETRA_ERROR_DEVICE. */
pietra_result gpu_effects_run(gpu_effects *effects, sheet_plan *plan, const sheet_runs *runs, const sheet_run *run,
                              const gpu_effect_places *places, cancel_watch *watch, pietra_error *error);

void gpu_effects_free(gpu_effects *effects);

#endif
