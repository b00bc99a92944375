/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Puts the jobs of stage 11 into dispatches, which run one after the other. Jobs of an effect follow one another, and
 * the effects go side by side: a dispatch has the jobs of the program for which most effects wait, as far as a kernel
 * can see all of their images at once. */
#ifndef PIETRA_RENDER_GPU_EFFECT_DISPATCHES_H
#define PIETRA_RENDER_GPU_EFFECT_DISPATCHES_H

#include "render/gpu/effect_programs.h"

/* Where what is bound begins: at a multiple of what any device asks for. */
#define EFFECT_ALIGNMENT 256u

/* What images are bound as. Pixels of the atlas are bound as a whole. */
typedef enum effect_role { ROLE_INPUT1, ROLE_INPUT2, ROLE_RESULT, ROLE_COLORS, ROLE_COUNT } effect_role;

/* Bytes of a buffer; none if from == end. */
typedef struct byte_range {
    uint64_t from, end;
} byte_range;

typedef struct effect_dispatch {
    effect_stem stem;
    uint32_t operation;
    uint32_t first_job, job_count, group_count;
    byte_range ranges[ROLE_COUNT]; /* of the buffer of work; ROLE_COLORS: of the buffer of results */
    uint64_t texels_read;
} effect_dispatch;

/* The jobs of an effect that are in no dispatch yet. */
typedef struct waiting_effect {
    uint32_t next, end;
} waiting_effect;

typedef struct effect_dispatches {
    ARRAY(effect_dispatch) dispatches;
    ARRAY(work_job) jobs; /* in the order of the dispatches */
    ARRAY(waiting_effect) waiting;
} effect_dispatches;

/* Makes the dispatches of jobs, in place of those that were there, and sets what they decide of the jobs. `colors` is
 * where results begin in their buffer, in bytes. No range is longer than `most` bytes, if no image takes more than that
 * less EFFECT_ALIGNMENT. False: out of memory. */
bool effect_dispatches_make(const effect_jobs *jobs, uint64_t colors, uint64_t most, effect_dispatches *dispatches);
void effect_dispatches_free(effect_dispatches *dispatches);

#endif
