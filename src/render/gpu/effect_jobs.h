/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lists the jobs of stage 11 on the GPU (layout/effect_job.h): the calls of effects, as passes over images that have
 * places in one buffer of work.
 *
 * Jobs of one effect wait for one another: each has a step of its own. */
#ifndef PIETRA_RENDER_GPU_EFFECT_JOBS_H
#define PIETRA_RENDER_GPU_EFFECT_JOBS_H

#include "layout/effect_job.h"
#include "render/effect/calls.h"
#include "render/effect/run.h"

typedef enum effect_stem {
#define EFFECT_STAGE(stem, name, mark, bindings, operations) EFFECT_STEM_##name,
#include "render/frame/effect_stages.def"
    EFFECT_STEM_COUNT,
} effect_stem;

/* An image in the buffer of work, or pixels of 8 bits in the atlas or among the results. */
typedef struct work_image {
    uint64_t first;  /* texels before that of the upper left corner */
    uint32_t stride; /* texels from one row to the next */
    bool has_sums;   /* texels take two places each (effect_matrix_job) */
    effect_content content;
    effect_box box; /* empty: there is none */
} work_image;

typedef struct work_job {
    effect_job job; /* but for what the dispatch decides: first_group, and where its images begin */
    effect_stem stem;
    uint32_t operation; /* EFFECT_JOB_*; of stems that have one only, 0 */
    uint32_t step, groups;
    work_image result, input1, input2;
    uint64_t texels_read; /* taps and all: a measure of its time */
} work_job;

/* A part of the buffer of work that is in use. */
typedef struct work_block {
    uint64_t first, count; /* texels */
} work_block;

typedef struct effect_jobs {
    ARRAY(work_job) jobs;
    ARRAY(uint32_t) words;
    ARRAY(work_block) blocks; /* of the effect that is being listed, by their places */
    effect_calls calls;
    uint64_t base, end; /* texels of the effect */
    uint64_t largest;   /* texels of its largest image */
    uint32_t step;
    bool measures;    /* numbers of noise are not made */
    bool parts_bands; /* every band is a job, for measurements */
} effect_jobs;

void effect_jobs_free(effect_jobs *jobs);

/* Begins an effect, whose images lie from `base` on. */
void effect_jobs_begin(effect_jobs *jobs, uint64_t base);

/* Lists the jobs of an effect. `sources` are pixels of an atlas. False: out of memory. */
bool effect_jobs_add_graph(effect_jobs *jobs, const effect_graph *graph, const work_image *sources,
                           const work_image *result);

/* What effect_jobs_add_graph is made of. Makes an image, or frees it for jobs that are listed later. */
bool effect_jobs_make_image(effect_jobs *jobs, effect_box box, work_image *image);
void effect_jobs_free_image(effect_jobs *jobs, const work_image *image);
/* Lists the jobs of a call. For EFFECT_CALL_LOAD and LOAD_ALPHA, `in` are pixels, whatever its content; for
 * EFFECT_CALL_STORE, `out`. */
bool effect_jobs_add_call(effect_jobs *jobs, const effect_graph *graph, const effect_call *call, const work_image *in,
                          const work_image *in2, const work_image *out);
bool effect_jobs_add_noise(effect_jobs *jobs, const effect_noise *noise, const uint *words, const work_image *out);
/* Lists the job that carries pixels of an atlas to the results. */
bool effect_jobs_add_carry(effect_jobs *jobs, const work_image *in, const work_image *out);

/* Returns the bytes that all jobs take: their images, themselves and their words. */
uint64_t effect_jobs_bytes(const effect_jobs *jobs);

/* Gives what a graph takes on the GPU (effect_measure). */
bool effect_jobs_measure(const effect_graph *graph, effect_needs *needs);

#endif
