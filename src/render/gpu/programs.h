/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The programs of the stages, made once for a device: by hardware all at once, by software when a frame needs them. */
#ifndef PIETRA_RENDER_GPU_PROGRAMS_H
#define PIETRA_RENDER_GPU_PROGRAMS_H

#include "base/parallel.h"
#include "render/gpu/frame_buffers.h"
#include "primitive/primitive.h"
#include "primitive/sort.h"

/* The steps of a frame, in order, as render/frame/stages.def lists them. */
typedef enum step_kind { STEP_STAGE, STEP_FINE, STEP_SORT, STEP_BARRIER } step_kind;

/* Arguments that have a buffer of their own. */
#define ARGUMENT_OF_BUFFER(buffer) (ARGUMENT_COUNT + BUFFER_##buffer)

typedef struct frame_step {
    step_kind kind;
    const char *stem; /* stem of the entry point; NULL for a sort or a barrier */
    const char *mark; /* the stage of the design whose time it is */
    const uint32_t *spirv;
    size_t word_count;
    uint32_t (*groups)(const frame_capacity *c); /* for DIRECT; else NULL */
    uint32_t argument; /* for INDIRECT a slot, for INDIRECT_BY an ARGUMENT_OF_BUFFER, for DIRECT NONE */
    frame_buffer buffers[GPU_MAX_BINDINGS];
    uint32_t buffer_count;
    bool sorts_tile_commands; /* for STEP_SORT: sorts the tile_commands, else the tile_lines */
} frame_step;

extern const frame_step frame_steps[];
extern const uint32_t frame_step_count;

/* Returns whether a run of this capacity can have something to do in a step that is a stage. */
bool frame_step_may_run(const frame_step *step, const frame_capacity *capacity);

typedef struct stage_programs stage_programs;

/* Makes the programs of all steps, on the threads of a pool (NULL: on the caller's), or on software those of the sorts
 * alone. The options must outlive the programs.
 * PIETRA_ERROR_DEVICE, PIETRA_ERROR_MEMORY. */
pietra_result stage_programs_create(gpu_device *device, const primitive_options *options, parallel_pool *pool,
                                    pietra_error *error, stage_programs **programs);
void stage_programs_destroy(stage_programs *programs); /* NULL is ignored */

/* Makes what is missing for a run of this capacity. `counted` is what the run before it counted; zero: nothing yet.
 * After a failure what is still missing may be made again. The errors are those of stage_programs_create. */
pietra_result stage_programs_make(stage_programs *programs, const frame_capacity *capacity,
                                  const frame_counters *counted, pietra_error *error);
/* Returns whether a run that counted this had all that it dispatched. */
bool stage_programs_suffice(const stage_programs *programs, const frame_capacity *capacity,
                            const frame_counters *counted);

/* Returns NULL if the program is not made, because no run needs it. */
const gpu_program *stage_program(const stage_programs *programs, uint32_t step);
const sort_kernels *stage_sort(const stage_programs *programs);

#endif
