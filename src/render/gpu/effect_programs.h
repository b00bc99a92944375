/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The programs of stage 11, made once for a device, when the first effect is drawn. */
#ifndef PIETRA_RENDER_GPU_EFFECT_PROGRAMS_H
#define PIETRA_RENDER_GPU_EFFECT_PROGRAMS_H

#include "primitive/primitive.h"
#include "render/gpu/effect_jobs.h"

typedef struct effect_programs {
    gpu_program *programs[EFFECT_STEM_COUNT]; /* NULL: not made yet */
} effect_programs;

/* The push constants of all of them. */
typedef struct effect_push {
    uint32_t first_job, job_count, group_count;
} effect_push;

/* Makes the programs, in place of zero bytes, unless they are there. `stages` says whether 11_band and 11_matrix stage
 * what they read in shared memory, as they do but for measurements. `options` may be NULL. PIETRA_ERROR_DEVICE,
 * PIETRA_ERROR_MEMORY; they must be destroyed even then. */
pietra_result effect_programs_make(gpu_device *device, const primitive_options *options, bool stages,
                                   pietra_error *error, effect_programs *programs);
void effect_programs_destroy(effect_programs *programs);

/* Returns the stage of the design whose time a stem's is. */
const char *effect_stem_mark(effect_stem stem);

#endif
