/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/effects.h"

#include <string.h>

#include "base/error.h"
#include "render/effect/tables.h"
#include "render/gpu/stage_times.h"

/* A batch ends with the effect that reaches one of these. */
#define BATCH_JOBS 65536u
#define BATCH_WORDS ((size_t)1 << 22)

/* Behind the words: 11_point reads the words of an offset before it knows what it does. */
#define PADDING_WORDS 4u

/* A submission ends with the dispatch that reaches one of these: marks of a recording are limited, and a device must
 * not be held up for long. */
#define SUBMISSION_DISPATCHES (GPU_MAX_MARKS / 2)
#define SUBMISSION_TEXELS_HARDWARE ((uint64_t)1 << 36)
#define SUBMISSION_TEXELS_SOFTWARE ((uint64_t)1 << 27)

/* Bindings of shaders/stages/effect.glsl and 11_point. */
enum {
    BINDING_JOBS,
    BINDING_WORDS,
    BINDING_INPUT1,
    BINDING_INPUT2,
    BINDING_RESULT,
    BINDING_TABLES,
    BINDING_PIXELS,
    BINDING_COLORS,
    BINDING_COUNT
};

/* ---- What lies on the device ---- */

static pietra_result copy_tables(gpu_effects *effects, pietra_error *error)
{
    const size_t bytes = sizeof *effect_color_tables();
    gpu_buffer upload = {.bytes = 0};
    pietra_result result = gpu_buffer_create(effects->device, bytes, GPU_MEMORY_UPLOAD, error, &upload);
    if (result == PIETRA_OK)
        result = gpu_recorder_begin(effects->recorder, error);
    if (result == PIETRA_OK) {
        memcpy(upload.mapped, effect_color_tables(), bytes);
        gpu_copy(effects->recorder, (gpu_range){.buffer = &upload}, (gpu_range){.buffer = &effects->tables});
        result = gpu_recorder_submit_and_wait(effects->recorder, error);
    }
    gpu_buffer_destroy(effects->device, &upload);
    return result;
}

static pietra_result make_tables(gpu_effects *effects, pietra_error *error)
{
    const bool is_local = gpu_get_limits(effects->device)->upload_is_local;
    const size_t bytes = sizeof *effect_color_tables();
    if (effects->tables.bytes > 0)
        return PIETRA_OK;
    pietra_result result = gpu_buffer_create(effects->device, bytes, is_local ? GPU_MEMORY_UPLOAD : GPU_MEMORY_DEVICE,
                                             error, &effects->tables);
    if (result != PIETRA_OK)
        return result;
    if (is_local) {
        memcpy(effects->tables.mapped, effect_color_tables(), bytes);
        return PIETRA_OK;
    }
    result = copy_tables(effects, error);
    if (result != PIETRA_OK)
        gpu_buffer_destroy(effects->device, &effects->tables);
    return result;
}

/* Returns where words begin behind the jobs. */
static uint64_t words_offset(const gpu_effects *effects)
{
    const uint64_t bytes = sizeof(effect_job) * effects->jobs.jobs.count;
    return (bytes + EFFECT_ALIGNMENT - 1) / EFFECT_ALIGNMENT * EFFECT_ALIGNMENT;
}

static uint64_t list_bytes(const gpu_effects *effects)
{
    return words_offset(effects) + sizeof(uint32_t) * (effects->jobs.words.count + PADDING_WORDS);
}

static pietra_result check_lists(const gpu_effects *effects, pietra_error *error)
{
    const uint64_t most = gpu_get_limits(effects->device)->max_binding_bytes;
    if (list_bytes(effects) <= most)
        return PIETRA_OK;
    return error_set(error, PIETRA_ERROR_BUDGET, 0,
                     "the parameters of effects take %llu bytes; the device's kernels can see %llu at once",
                     (unsigned long long)list_bytes(effects), (unsigned long long)most);
}

static pietra_result make_room(gpu_effects *effects, pietra_error *error)
{
    const uint64_t texels = effects->jobs.end > 0 ? effects->jobs.end : 1;
    pietra_result result = check_lists(effects, error);
    if (result == PIETRA_OK)
        result = make_tables(effects, error);
    for (size_t i = 0; result == PIETRA_OK && i < effects->dispatches.dispatches.count; i++) {
        const effect_dispatch *dispatch = &effects->dispatches.dispatches.items[i];
        result = effect_program_make(effects->device, effects->options, dispatch->stem, dispatch->operation, error,
                                     &effects->programs);
    }
    if (result == PIETRA_OK)
        result =
            gpu_buffer_ensure(effects->device, 4 * sizeof(uint16_t) * texels, GPU_MEMORY_DEVICE, error, &effects->work);
    if (result == PIETRA_OK)
        result = gpu_buffer_ensure(effects->device, list_bytes(effects), GPU_MEMORY_UPLOAD, error, &effects->upload);
    if (result == PIETRA_OK && !gpu_get_limits(effects->device)->upload_is_local)
        result = gpu_buffer_ensure(effects->device, list_bytes(effects), GPU_MEMORY_DEVICE, error, &effects->lists);
    return result;
}

static void write_lists(const gpu_effects *effects)
{
    effect_job *jobs = effects->upload.mapped;
    for (size_t i = 0; i < effects->dispatches.jobs.count; i++)
        jobs[i] = effects->dispatches.jobs.items[i].job;
    if (effects->jobs.words.count > 0)
        memcpy((uint8_t *)effects->upload.mapped + words_offset(effects), effects->jobs.words.items,
               sizeof(uint32_t) * effects->jobs.words.count);
}

/* ---- Dispatches ---- */

static gpu_range bound(const gpu_buffer *buffer, byte_range range)
{
    const bool is_empty = range.from == range.end;
    return (gpu_range){
        .buffer = buffer, .offset = range.from, .bytes = is_empty ? sizeof(uint32_t) : range.end - range.from};
}

static void record_dispatch(const gpu_effects *effects, const gpu_effect_places *places,
                            const effect_dispatch *dispatch)
{
    const gpu_buffer *lists = effects->lists.bytes > 0 ? &effects->lists : &effects->upload;
    const uint64_t words = words_offset(effects);
    gpu_range ranges[BINDING_COUNT] = {
        [BINDING_JOBS] = {.buffer = lists, .bytes = words},
        [BINDING_WORDS] = {.buffer = lists, .offset = words, .bytes = list_bytes(effects) - words},
        [BINDING_INPUT1] = bound(&effects->work, dispatch->ranges[ROLE_INPUT1]),
        [BINDING_INPUT2] = bound(&effects->work, dispatch->ranges[ROLE_INPUT2]),
        [BINDING_RESULT] = bound(&effects->work, dispatch->ranges[ROLE_RESULT]),
        [BINDING_TABLES] = {.buffer = &effects->tables},
        [BINDING_PIXELS] = places->atlas.bytes > 0 ? places->atlas : bound(&effects->work, (byte_range){0, 0}),
        [BINDING_COLORS] = bound(places->results.buffer, dispatch->ranges[ROLE_COLORS]),
    };
    const primitive_grid grid = primitive_grid_of(dispatch->group_count);
    const effect_push push = {dispatch->first_job, dispatch->job_count, dispatch->group_count};
    gpu_dispatch(effects->recorder, effects->programs.programs[dispatch->stem][dispatch->operation], ranges, &push,
                 grid.x, grid.y, 1);
}

/* Records dispatches from `first` on. Returns the one after the last. All wait for one another, those too of which no
 * image overlaps: what is bound does, and synchronization is checked by what is bound. A mark takes a microsecond of an
 * H200, so dispatches of a kernel that follow one another share one. */
static size_t record_some(const gpu_effects *effects, const gpu_effect_places *places, size_t first)
{
    const uint64_t most =
        gpu_get_limits(effects->device)->hardware ? SUBMISSION_TEXELS_HARDWARE : SUBMISSION_TEXELS_SOFTWARE;
    uint64_t texels = 0;
    size_t i = first;
    for (; i < effects->dispatches.dispatches.count && i < first + SUBMISSION_DISPATCHES && texels < most; i++) {
        const effect_dispatch *dispatch = &effects->dispatches.dispatches.items[i];
        if (i > first)
            gpu_barrier_dispatches(effects->recorder);
        if (i > first && dispatch->stem != dispatch[-1].stem)
            gpu_mark(effects->recorder, effect_stem_mark(dispatch[-1].stem));
        record_dispatch(effects, places, dispatch);
        texels += dispatch->texels_read;
    }
    gpu_mark(effects->recorder, effect_stem_mark(effects->dispatches.dispatches.items[i - 1].stem));
    return i;
}

static void copy_lists(const gpu_effects *effects)
{
    if (effects->lists.bytes == 0)
        return;
    gpu_copy(effects->recorder, (gpu_range){.buffer = &effects->upload, .bytes = list_bytes(effects)},
             (gpu_range){.buffer = &effects->lists});
    gpu_barrier(effects->recorder);
}

static pietra_result run_dispatches(gpu_effects *effects, const gpu_effect_places *places, cancel_watch *watch,
                                    pietra_error *error, pietra_stats *stats)
{
    for (size_t next = 0; next < effects->dispatches.dispatches.count;) {
        pietra_result result = cancel_check(watch, error);
        if (result == PIETRA_OK)
            result = gpu_recorder_begin(effects->recorder, error);
        if (result != PIETRA_OK)
            return result;
        if (next == 0)
            copy_lists(effects);
        next = record_some(effects, places, next);
        if ((result = gpu_recorder_submit_and_wait(effects->recorder, error)) != PIETRA_OK)
            return result;
        stage_times_add(effects->recorder, stats);
    }
    return cancel_check(watch, error);
}

pietra_result gpu_effects_run_jobs(gpu_effects *effects, const gpu_effect_places *places, cancel_watch *watch,
                                   pietra_error *error, pietra_stats *stats)
{
    const uint64_t most = gpu_get_limits(effects->device)->max_binding_bytes;
    pietra_result result = PIETRA_OK;
    if (!effect_dispatches_make(&effects->jobs, places->results.offset, most, &effects->dispatches))
        result = error_set_memory(error);
    if (result == PIETRA_OK)
        result = make_room(effects, error);
    if (result == PIETRA_OK) {
        const uint64_t used = places->atlas.bytes + effect_jobs_bytes(&effects->jobs);
        stats->memory_bytes = used > stats->memory_bytes ? used : stats->memory_bytes;
        write_lists(effects);
        result = run_dispatches(effects, places, watch, error, stats);
    }
    effects->jobs.jobs.count = effects->jobs.words.count = 0;
    effects->jobs.end = 0;
    return result;
}

/* ---- Batches ---- */

typedef struct effects_run {
    gpu_effects *effects;
    sheet_plan *plan;
    const sheet_runs *runs;
    const sheet_run *run;
    const gpu_effect_places *places;
} effects_run;

/* Returns pixels of a sheet, as they lie in the atlas. */
static work_image atlas_image(const effects_run *r, const frame_sheet *sheet, effect_box box)
{
    const uint32_t pitch = (uint32_t)r->run->columns * TILE_SIDE;
    const uint64_t x = (uint64_t)(box.left + sheet->x * TILE_SIDE), y = (uint64_t)(box.top + sheet->y * TILE_SIDE);
    return (work_image){.first = y * pitch + x, .stride = pitch, .box = box};
}

/* Returns those of a source. */
static work_image pixels_of(const effects_run *r, uint32_t source)
{
    const uint32_t number = r->runs->source_sheets.items[source];
    if (number == SHEET_NONE)
        return (work_image){.box = {0, 0, 0, 0}};
    return atlas_image(r, &r->runs->sheets.items[number - 1], r->plan->sources.items[source].part);
}

/* Lists the jobs of an effect behind those that are listed. False: out of memory. */
static bool list_effect(const effects_run *r, const sheet_effect *effect)
{
    gpu_effects *effects = r->effects;
    const work_image result = {.first = effect->first_texel,
                               .stride = (uint32_t)(effect->shown.right - effect->shown.left),
                               .box = effect->shown};
    effects->sources.count = 0;
    if (!array_reserve(&effects->sources, effect->source_count))
        return false;
    for (uint32_t i = 0; i < effect->source_count; i++)
        effects->sources.items[effects->sources.count++] = pixels_of(r, effect->first_source + i);
    effect_jobs_begin(&effects->jobs, effects->jobs.end);
    return sheet_plan_graph(r->plan, effect) &&
           effect_jobs_add_graph(&effects->jobs, &r->plan->graph, effects->sources.items, &result);
}

static bool batch_is_full(const effects_run *r)
{
    const effect_jobs *jobs = &r->effects->jobs;
    return effect_jobs_bytes(jobs) > r->places->work_bytes || jobs->jobs.count > BATCH_JOBS ||
           jobs->words.count > BATCH_WORDS ||
           jobs->end > gpu_get_limits(r->effects->device)->max_allocation_bytes / (4 * sizeof(uint16_t));
}

/* Lists effects from `first` on until there is no more room. Returns the one after the last; with no room for one,
 * `first`. False: out of memory. */
static bool list_batch(const effects_run *r, uint32_t first, uint32_t *next)
{
    effect_jobs *jobs = &r->effects->jobs;
    for (*next = first; *next < r->run->effect_count; (*next)++) {
        const size_t job_count = jobs->jobs.count, word_count = jobs->words.count;
        const uint64_t end = jobs->end;
        if (!list_effect(r, sheet_run_effect(r->plan, r->runs, r->run, *next)))
            return false;
        if (batch_is_full(r) && *next > first) {
            jobs->jobs.count = job_count;
            jobs->words.count = word_count;
            jobs->end = end;
            return true;
        }
    }
    return true;
}

/* ---- Roots ---- */

/* Lists the job that carries a root, which waits for no other. False: out of memory. */
static bool list_root(const effects_run *r, const sheet_root *root, const frame_sheet *sheet)
{
    effect_jobs *jobs = &r->effects->jobs;
    const effect_box box = sheet_root_pixels(root);
    const uint32_t stride = (uint32_t)root->width;
    const work_image pixels = atlas_image(r, sheet, box);
    const work_image result = {
        .first = root->first_texel + (uint64_t)box.top * stride + (uint64_t)box.left, .stride = stride, .box = box};
    effect_jobs_begin(jobs, jobs->end);
    return effect_jobs_add_carry(jobs, &pixels, &result);
}

static bool list_roots(const effects_run *r)
{
    const frame_sheet *sheets = r->runs->sheets.items + r->run->first_sheet - 1;
    for (uint32_t i = 0; i < r->run->root_count; i++)
        if (!list_root(r, &r->plan->roots[i], &sheets[i]))
            return false;
    return true;
}

pietra_result gpu_effects_run(gpu_effects *effects, sheet_plan *plan, const sheet_runs *runs, const sheet_run *run,
                              const gpu_effect_places *places, cancel_watch *watch, pietra_error *error,
                              pietra_stats *stats)
{
    const effects_run r = {effects, plan, runs, run, places};
    if (run->root_count > 0)
        return list_roots(&r) ? gpu_effects_run_jobs(effects, places, watch, error, stats) : error_set_memory(error);
    for (uint32_t next = 0; next < run->effect_count;) {
        if (!list_batch(&r, next, &next))
            return error_set_memory(error);
        pietra_result result = gpu_effects_run_jobs(effects, places, watch, error, stats);
        if (result != PIETRA_OK)
            return result;
    }
    return PIETRA_OK;
}

void gpu_effects_free(gpu_effects *effects)
{
    gpu_buffer *buffers[] = {&effects->tables, &effects->work, &effects->upload, &effects->lists};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        gpu_buffer_destroy(effects->device, buffers[i]);
    effect_programs_destroy(&effects->programs);
    effect_jobs_free(&effects->jobs);
    effect_dispatches_free(&effects->dispatches);
    array_free(&effects->sources);
}
