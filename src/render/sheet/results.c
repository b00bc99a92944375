/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/sheet/results.h"

#include "base/error.h"
#include "render/effect/run.h"

typedef struct results_job {
    sheet_plan *plan;
    const sheet_runs *runs;
    const sheet_run *run;
    const effect_functions *functions;
    parallel_pool *pool;
    uint32_t *atlas, *texels;
    ARRAY(effect_pixels) sources; /* of one effect */
} results_job;

/* Returns the pixels of a source, as they lie in the atlas. */
static effect_pixels pixels_of(const results_job *job, uint32_t source)
{
    const uint32_t number = job->runs->source_sheets.items[source];
    const effect_box box = job->plan->sources.items[source].part;
    const size_t pitch = (size_t)job->run->columns * TILE_SIDE;
    if (number == SHEET_NONE)
        return (effect_pixels){.box = {0, 0, 0, 0}};
    const frame_sheet *sheet = &job->runs->sheets.items[number - 1];
    const size_t x = (size_t)(box.left + sheet->x * TILE_SIDE), y = (size_t)(box.top + sheet->y * TILE_SIDE);
    return (effect_pixels){.pixels = job->atlas + y * pitch + x, .stride = pitch, .box = box};
}

/* False: out of memory. */
static bool make_result(results_job *job, const sheet_effect *effect)
{
    const effect_pixels result = {.pixels = job->texels + effect->first_texel,
                                  .stride = (size_t)(effect->shown.right - effect->shown.left),
                                  .box = effect->shown};
    job->sources.count = 0;
    if (!array_reserve(&job->sources, effect->source_count))
        return false;
    for (uint32_t i = 0; i < effect->source_count; i++)
        job->sources.items[job->sources.count++] = pixels_of(job, effect->first_source + i);
    return sheet_plan_graph(job->plan, effect) &&
           effect_run(&job->plan->graph, job->functions, job->pool, job->sources.items, &result);
}

pietra_result sheet_results_make(sheet_plan *plan, const sheet_runs *runs, const sheet_run *run,
                                 const effect_functions *functions, parallel_pool *pool, uint32_t *atlas,
                                 cancel_watch *watch, pietra_error *error, uint32_t *texels)
{
    results_job job = {
        .plan = plan, .runs = runs, .run = run, .functions = functions, .pool = pool, .atlas = atlas, .texels = texels};
    pietra_result result = PIETRA_OK;
    for (uint32_t i = 0; result == PIETRA_OK && i < run->effect_count; i++) {
        result = cancel_check(watch, error);
        if (result == PIETRA_OK && !make_result(&job, sheet_run_effect(plan, runs, run, i)))
            result = error_set_memory(error);
    }
    array_free(&job.sources);
    return result;
}
