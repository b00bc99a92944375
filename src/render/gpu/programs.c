/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/programs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "layout/primitive.h"
#include "lib/element.h"

/* Includes static const uint32_t spv_<stem>[] for every entry point of shaders/stages. */
#include "spv/pipeline_arrays.inc"

#define WORDS(stem) sizeof spv_##stem / sizeof spv_##stem[0]

/* Defines the number of workgroups of each DIRECT stage, as a function named after its stem. */
#define DIRECT(items, partition) return (uint32_t)(((uint64_t)(items) + (partition)-1) / (partition));
#define INDIRECT(slot) \
    (void)c; \
    return 0;
#define INDIRECT_BY(buffer) INDIRECT(buffer)
#define STAGE(stem, mark, dispatch, ...) \
    static uint32_t groups_##stem(const frame_capacity *c) \
    { \
        dispatch \
    }
#define FINE(stem, mark, dispatch, ...) STAGE(stem, mark, dispatch, __VA_ARGS__)
#define SORT(mark, which)
#define BARRIER()
#include "render/frame/stages.def"
#undef DIRECT
#undef INDIRECT
#undef INDIRECT_BY
#undef STAGE
#undef FINE
#undef SORT
#undef BARRIER

/* Turns BUFFERS(A, B, ...) into BUFFER_A, BUFFER_B, ... */
#define B1(a) BUFFER_##a
#define B2(a, ...) BUFFER_##a, B1(__VA_ARGS__)
#define B3(a, ...) BUFFER_##a, B2(__VA_ARGS__)
#define B4(a, ...) BUFFER_##a, B3(__VA_ARGS__)
#define B5(a, ...) BUFFER_##a, B4(__VA_ARGS__)
#define B6(a, ...) BUFFER_##a, B5(__VA_ARGS__)
#define B7(a, ...) BUFFER_##a, B6(__VA_ARGS__)
#define B8(a, ...) BUFFER_##a, B7(__VA_ARGS__)
#define B9(a, ...) BUFFER_##a, B8(__VA_ARGS__)
#define B10(a, ...) BUFFER_##a, B9(__VA_ARGS__)
#define B11(a, ...) BUFFER_##a, B10(__VA_ARGS__)
#define B12(a, ...) BUFFER_##a, B11(__VA_ARGS__)
#define B13(a, ...) BUFFER_##a, B12(__VA_ARGS__)
#define B14(a, ...) BUFFER_##a, B13(__VA_ARGS__)
#define B15(a, ...) BUFFER_##a, B14(__VA_ARGS__)
#define B16(a, ...) BUFFER_##a, B15(__VA_ARGS__)
#define B17(a, ...) BUFFER_##a, B16(__VA_ARGS__)
#define B18(a, ...) BUFFER_##a, B17(__VA_ARGS__)
#define B19(a, ...) BUFFER_##a, B18(__VA_ARGS__)
#define B20(a, ...) BUFFER_##a, B19(__VA_ARGS__)
#define PICK(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, name, ...) name
#define BUFFERS(...) \
    PICK(__VA_ARGS__, B20, B19, B18, B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, 0) \
    (__VA_ARGS__)
#define BUFFER_NUMBER(...) PICK(__VA_ARGS__, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

#define DIRECT(items, partition) NONE
#define INDIRECT(slot) slot
#define INDIRECT_BY(buffer) ARGUMENT_OF_BUFFER(buffer)
#define ROW(step, stem_, mark_, dispatch, ...) \
    {.kind = step, \
     .stem = #stem_, \
     .mark = mark_, \
     .spirv = spv_##stem_, \
     .word_count = WORDS(stem_), \
     .groups = groups_##stem_, \
     .argument = dispatch, \
     .buffers = {BUFFERS(__VA_ARGS__)}, \
     .buffer_count = BUFFER_NUMBER(__VA_ARGS__)},
#define STAGE(stem, mark, dispatch, ...) ROW(STEP_STAGE, stem, mark, dispatch, __VA_ARGS__)
#define FINE(stem, mark, dispatch, ...) ROW(STEP_FINE, stem, mark, dispatch, __VA_ARGS__)
#define SORTS_TILE_LINE false
#define SORTS_TILE_COMMAND true
#define SORT(mark_, which) {.kind = STEP_SORT, .mark = mark_, .sorts_tile_commands = SORTS_##which},
#define BARRIER() {.kind = STEP_BARRIER},
const frame_step frame_steps[] = {
#include "render/frame/stages.def"
};
const uint32_t frame_step_count = sizeof frame_steps / sizeof frame_steps[0];

struct stage_programs {
    gpu_device *device;
    const primitive_options *options;
    gpu_program *programs[sizeof frame_steps / sizeof frame_steps[0]]; /* NULL: not made yet */
    sort_kernels *sort;
};

/* Stage 02 has partitions of CLIP_PARTITION clip events. On a GPU with wide subgroups each invocation has one of
 * them: a frame has few, so there is room for all. In software, invocations run one after the other. */
static primitive_shape stage_shape(const frame_step *step, const gpu_limits *limits)
{
    if (strcmp(step->stem, "02_clip") != 0)
        return (primitive_shape){0};
    bool wide = limits->hardware && primitive_subgroup_least(limits) >= 32u &&
                tuning_stack_fits(limits, CLIP_PARTITION, 1, CLIP_LOOK_AHEAD, sizeof(clip_step), true);
    uint32_t items = wide ? 1u : 4u;
    return (primitive_shape){.invocations = CLIP_PARTITION / items, .items = items};
}

/* Hardware takes compiled programs from a cache, and no frame of an animation shall wait for its compiler. Software
 * reads some kernels for a second each whether it has compiled them before or not, and most frames do not run these. A
 * build for developers has to know that all kernels are right before it gives up the old ones. */
static bool makes_all_at_once(const gpu_limits *limits)
{
#ifdef PIETRA_DEV
    (void)limits;
    return true;
#else
    return limits->hardware;
#endif
}

static pietra_result make_program(stage_programs *programs, uint32_t index, pietra_error *error)
{
    const frame_step *step = &frame_steps[index];
    const primitive_program_info info = {
        .name = step->stem, .spirv = step->spirv, .word_count = step->word_count, .buffer_count = step->buffer_count};
    return primitive_program_create_shaped(programs->device, &info, stage_shape(step, gpu_get_limits(programs->device)),
                                           programs->options, error, &programs->programs[index]);
}

/* What several threads make: the programs of the steps, and after the last step those of the sort. */
typedef struct program_jobs {
    stage_programs *programs;
    _Atomic uint32_t next; /* no thread has taken it yet */
    pietra_result results[sizeof frame_steps / sizeof frame_steps[0] + 1];
    pietra_error errors[sizeof frame_steps / sizeof frame_steps[0] + 1];
} program_jobs;

static pietra_result make_job(stage_programs *programs, uint32_t index, pietra_error *error)
{
    if (index == frame_step_count)
        return sort_create(programs->device, &sort_u32_pairs, programs->options, error, &programs->sort);
    return frame_steps[index].stem ? make_program(programs, index, error) : PIETRA_OK;
}

static void make_jobs(void *user, uint32_t worker, uint32_t count)
{
    program_jobs *jobs = user;
    (void)worker;
    (void)count;
    for (uint32_t i; (i = atomic_fetch_add(&jobs->next, 1)) <= frame_step_count;)
        jobs->results[i] = make_job(jobs->programs, i, &jobs->errors[i]);
}

/* A driver compiles each program on the thread that asks for it: all take an H100 15 s on one thread. Who observes
 * programs gets one at a time. */
static pietra_result make_all(stage_programs *programs, parallel_pool *pool, pietra_error *error)
{
    const bool is_observed = programs->options && programs->options->observe;
    program_jobs *jobs = calloc(1, sizeof *jobs);
    pietra_result result = PIETRA_OK;
    if (!jobs)
        return error_set_memory(error);
    jobs->programs = programs;
    parallel_pool_run(pool, is_observed ? 1 : parallel_pool_threads(pool), make_jobs, jobs);
    for (uint32_t i = 0; i <= frame_step_count && result == PIETRA_OK; i++) {
        result = jobs->results[i];
        if (result != PIETRA_OK && error)
            *error = jobs->errors[i];
    }
    free(jobs);
    return result;
}

pietra_result stage_programs_create(gpu_device *device, const primitive_options *options, parallel_pool *pool,
                                    pietra_error *error, stage_programs **programs)
{
    stage_programs *made = calloc(1, sizeof *made);
    if (!made)
        return error_set_memory(error);
    made->device = device;
    made->options = options;
    pietra_result result = makes_all_at_once(gpu_get_limits(device)) ? make_all(made, pool, error)
                                                                     : make_job(made, frame_step_count, error);
    if (result != PIETRA_OK) {
        stage_programs_destroy(made);
        return result;
    }
    *programs = made;
    return PIETRA_OK;
}

void stage_programs_destroy(stage_programs *programs)
{
    if (!programs)
        return;
    for (uint32_t i = 0; i < frame_step_count; i++)
        gpu_program_destroy(programs->programs[i]);
    sort_destroy(programs->sort);
    free(programs);
}

/* Without dashes the least capacity is 1. */
static bool has_dashes(const frame_capacity *capacity)
{
    return capacity->measures > 1;
}

static bool has_class(const frame_capacity *capacity, uint32_t class)
{
    return !(capacity->no_classes >> class & 1);
}

bool frame_step_may_run(const frame_step *step, const frame_capacity *capacity)
{
    if (step->argument == NONE)
        return step->groups(capacity) > 0;
    switch (step->argument) {
    case ARGUMENT_MEASURE:
        return has_dashes(capacity);
    case ARGUMENT_FLATTEN:
        return has_dashes(capacity) || capacity->tasks > FLATTEN_FEW;
    case ARGUMENT_FINE_LAYERS:
        return has_class(capacity, TILE_CLASS_LAYERS);
    case ARGUMENT_FINE_COMPLEX:
        return has_class(capacity, TILE_CLASS_COMPLEX);
    default:
        return true;
    }
}

/* Returns whether a run needs the program of a step. What the host cannot know before a run, the run before it has
 * counted. */
static bool is_needed(const frame_step *step, const frame_capacity *capacity, const frame_counters *counted)
{
    const bool may_run = frame_step_may_run(step, capacity);
    if (step->argument == ARGUMENT_FINE_LAYERS)
        return may_run && counted->class_count[TILE_CLASS_LAYERS] > 0;
    if (step->argument == ARGUMENT_FINE_COMPLEX)
        return may_run && counted->class_count[TILE_CLASS_COMPLEX] > 0;
    return may_run;
}

static bool is_missing(const stage_programs *programs, uint32_t index, const frame_capacity *capacity,
                       const frame_counters *counted)
{
    const frame_step *step = &frame_steps[index];
    return step->stem && !programs->programs[index] && is_needed(step, capacity, counted);
}

pietra_result stage_programs_make(stage_programs *programs, const frame_capacity *capacity,
                                  const frame_counters *counted, pietra_error *error)
{
    pietra_result result = PIETRA_OK;
    for (uint32_t i = 0; i < frame_step_count && result == PIETRA_OK; i++)
        if (is_missing(programs, i, capacity, counted))
            result = make_program(programs, i, error);
    return result;
}

bool stage_programs_suffice(const stage_programs *programs, const frame_capacity *capacity,
                            const frame_counters *counted)
{
    for (uint32_t i = 0; i < frame_step_count; i++)
        if (is_missing(programs, i, capacity, counted))
            return false;
    return true;
}

const gpu_program *stage_program(const stage_programs *programs, uint32_t step)
{
    return programs->programs[step];
}

const sort_kernels *stage_sort(const stage_programs *programs)
{
    return programs->sort;
}
