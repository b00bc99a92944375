/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Makes the results of the effects of a run on the host. */
#ifndef PIETRA_RENDER_SHEET_RESULTS_H
#define PIETRA_RENDER_SHEET_RESULTS_H

#include "render/effect/effect.h"
#include "render/frame/cancel.h"
#include "render/sheet/runs.h"

/* Makes the results of a run's effects by the functions of a device. `atlas` has the pixels of the run, in rows as long
 * as its atlas is wide; a run without sheets needs none. `texels` are those of all effects of the plan, each from its
 * first_texel on. It changes plan->graph. PIETRA_CANCELLED, PIETRA_ERROR_MEMORY. */
pietra_result sheet_results_make(sheet_plan *plan, const sheet_runs *runs, const sheet_run *run,
                                 const effect_functions *functions, parallel_pool *pool, uint32_t *atlas,
                                 cancel_watch *watch, pietra_error *error, uint32_t *texels);

#endif
