/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stage 11 after a run that drew sheets: from an atlas on the device to the texels of results on the device. */
#ifndef PIETRA_RENDER_GPU_EFFECTS_H
#define PIETRA_RENDER_GPU_EFFECTS_H

#include "render/frame/cancel.h"
#include "render/gpu/effect_dispatches.h"
#include "render/gpu/effect_programs.h"
#include "render/sheet/runs.h"
#include "vulkan/recorder.h"

/* Programs, and memory that is kept from run to run. */
typedef struct gpu_effects {
    gpu_device *device;
    gpu_recorder *recorder;
    const primitive_options *options;
    effect_programs programs;
    effect_jobs jobs;
    effect_dispatches dispatches;
    ARRAY(work_image) sources;
    gpu_buffer tables; /* effect_tables */
    gpu_buffer work;   /* images */
    gpu_buffer upload; /* the jobs and their words; */
    gpu_buffer lists;  /* where uploads do not lie on the device, their copy */
} gpu_effects;

/* Where a run finds its pixels, and where its results belong. */
typedef struct gpu_effect_places {
    gpu_range atlas;     /* premultiplied RGBA8, in rows as long as the run's atlas is wide */
    gpu_range results;   /* premultiplied RGBA8: those of all effects of the plan, each from its first_texel on; of the
                          * run of roots, all surfaces */
    uint64_t work_bytes; /* what images, jobs and words may take */
} gpu_effect_places;

/* Makes the results of the effects of a run, as many at a time as there is room for. Changes plan->graph. Of the run of
 * a plan's roots it carries what is drawn of them: each picture row by row from its first_texel on. Adds times to
 * `stats`. An effect that needs more than work_bytes gets what it needs. PIETRA_CANCELLED, PIETRA_ERROR_MEMORY,
 * PIETRA_ERROR_DEVICE; PIETRA_ERROR_BUDGET: the device has no room. */
pietra_result gpu_effects_run(gpu_effects *effects, sheet_plan *plan, const sheet_runs *runs, const sheet_run *run,
                              const gpu_effect_places *places, cancel_watch *watch, pietra_error *error,
                              pietra_stats *stats);

/* Runs the jobs in effects->jobs, and empties them. */
pietra_result gpu_effects_run_jobs(gpu_effects *effects, const gpu_effect_places *places, cancel_watch *watch,
                                   pietra_error *error, pietra_stats *stats);

void gpu_effects_free(gpu_effects *effects);

#endif
