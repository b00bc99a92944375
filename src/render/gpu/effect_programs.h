/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The programs of stage 11, each made for a device when it is first needed. */
#ifndef PIETRA_RENDER_GPU_EFFECT_PROGRAMS_H
#define PIETRA_RENDER_GPU_EFFECT_PROGRAMS_H

#include "primitive/primitive.h"
#include "render/gpu/effect_jobs.h"

#define EFFECT_OPERATIONS_MOST 16

/* Zero bytes: none is made yet. */
typedef struct effect_programs {
    gpu_program *programs[EFFECT_STEM_COUNT][EFFECT_OPERATIONS_MOST];
    bool reads_memory; /* 11_band and 11_matrix stage nothing in shared memory, for measurements */
} effect_programs;

/* The push constants of all of them. */
typedef struct effect_push {
    uint32_t first_job, job_count, group_count;
} effect_push;

/* Makes a program, unless it is there. `options` may be NULL. PIETRA_ERROR_DEVICE, PIETRA_ERROR_MEMORY. */
pietra_result effect_program_make(gpu_device *device, const primitive_options *options, effect_stem stem,
                                  uint32_t operation, pietra_error *error, effect_programs *programs);
void effect_programs_destroy(effect_programs *programs);

/* Returns how many operations a stem has, and the stage of the design whose time is its. */
uint32_t effect_stem_operations(effect_stem stem);
const char *effect_stem_mark(effect_stem stem);

#endif
