/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/sheet/runs.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/transform.h"
#include "render/frame/config.h"
#include "render/sheet/pack.h"

/* An atlas has no more rows than that: places of its tiles take 16 bits and a sign. */
#define ATLAS_ROWS_MOST 16384

/* Halvings of up to 2^30 effects, of which each leaves one half waiting. */
#define WAITING_MAX 32

typedef struct effect_range {
    size_t begin, end;
} effect_range;

typedef struct runs_job {
    const sheet_plan *plan;
    const sheet_limits *limits;
    sheet_runs *runs;
    pietra_error *error;
} runs_job;

/* ---- Effects by depth ---- */

static uint32_t depth_most(const sheet_plan *plan)
{
    uint32_t most = 0;
    for (size_t i = 0; i < plan->effects.count; i++)
        if (plan->effects.items[i].image != NONE && plan->effects.items[i].depth > most)
            most = plan->effects.items[i].depth;
    return most;
}

/* Lists the effects that are shown by falling depth, those of one depth in the order of the stream. Writes where each
 * depth begins: depth d at starts[most - d]. */
static void sort_effects(const sheet_plan *plan, uint32_t most, size_t *starts, uint32_t *effects)
{
    for (size_t i = 0; i < plan->effects.count; i++)
        if (plan->effects.items[i].image != NONE)
            starts[most - plan->effects.items[i].depth + 1]++;
    for (uint32_t i = 0; i < most; i++)
        starts[i + 1] += starts[i];
    /* Each start moves on to the next one while its effects are put in their places. */
    for (size_t i = 0; i < plan->effects.count; i++)
        if (plan->effects.items[i].image != NONE)
            effects[starts[most - plan->effects.items[i].depth]++] = (uint32_t)i;
    for (uint32_t i = most; i > 0; i--)
        starts[i] = starts[i - 1];
    starts[0] = 0;
}

/* ---- Runs ---- */

/* Adds a sheet for each source of an effect that shows something. */
static bool add_sheets(runs_job *job, const sheet_effect *effect)
{
    const stream_transform transform = config_transform(&effect->to_sheet);
    frame_config config;
    if (!array_reserve(&job->runs->sheets, effect->source_count))
        return false;
    for (uint32_t i = 0; i < effect->source_count; i++) {
        const sheet_source *source = &job->plan->sources.items[effect->first_source + i];
        const tile_box box = sheet_tiles(source->part);
        if (source->begin == source->end || sheet_pixels(source->part) == 0 ||
            !config_of_sheet(&effect->to_sheet, box, &config))
            continue;
        job->runs->sheets.items[job->runs->sheets.count++] = (frame_sheet){.transform = transform, .box = box};
        job->runs->source_sheets.items[effect->first_source + i] = (uint32_t)job->runs->sheets.count;
    }
    return true;
}

/* Packs the sheets from the run's first one on. False: out of memory. */
static bool pack_sheets(sheet_runs *runs, sheet_run *run)
{
    run->sheet_count = (uint32_t)runs->sheets.count + 1 - run->first_sheet;
    return sheet_pack(runs->sheets.items + run->first_sheet - 1, run->sheet_count, &run->columns, &run->rows);
}

/* Returns whether there is room for an atlas beside what steps take. */
static bool atlas_fits(const runs_job *job, const sheet_run *run, uint64_t work)
{
    const uint64_t bytes = sheet_run_bytes(run);
    return bytes <= job->limits->range_bytes && bytes + work <= job->limits->bytes && run->rows <= ATLAS_ROWS_MOST &&
           run->sheet_count * sizeof(frame_sheet) <= job->limits->range_bytes && job->runs->sheets.count < SHEET_NONE;
}

/* Packs the sheets of some effects, which get the next numbers. Returns whether there is room for them. */
static pietra_result pack(runs_job *job, effect_range range, sheet_run *run, bool *fits)
{
    sheet_runs *runs = job->runs;
    uint64_t work = 0, image = 0;
    *run = (sheet_run){.first_sheet = (uint32_t)runs->sheets.count + 1,
                       .first_effect = (uint32_t)range.begin,
                       .effect_count = (uint32_t)(range.end - range.begin)};
    for (size_t i = range.begin; i < range.end; i++) {
        const sheet_effect *effect = &job->plan->effects.items[runs->effects.items[i]];
        work = effect->run.bytes > work ? effect->run.bytes : work;
        image = effect->run.image_bytes > image ? effect->run.image_bytes : image;
        if (!add_sheets(job, effect))
            return error_set_memory(job->error);
    }
    if (!pack_sheets(job->runs, run))
        return error_set_memory(job->error);
    *fits = atlas_fits(job, run, work) && image <= job->limits->range_bytes;
    return PIETRA_OK;
}

/* Makes the runs of one depth. What does not fit an atlas is halved. */
static pietra_result add_runs(runs_job *job, effect_range all)
{
    effect_range waiting[WAITING_MAX] = {all};
    int waiting_count = 1;
    while (waiting_count > 0) {
        const effect_range range = waiting[--waiting_count];
        const size_t sheets = job->runs->sheets.count;
        bool fits;
        sheet_run *run = array_push(&job->runs->runs);
        if (!run)
            return error_set_memory(job->error);
        pietra_result result = pack(job, range, run, &fits);
        if (result != PIETRA_OK)
            return result;
        if (fits)
            continue;
        if (range.end - range.begin == 1) {
            return error_set(job->error, PIETRA_ERROR_BUDGET, 0,
                             "an effect needs an atlas of %llu bytes and images, more than there is room for",
                             (unsigned long long)sheet_run_bytes(run));
        }
        job->runs->runs.count--;
        job->runs->sheets.count = sheets;
        const size_t middle = range.begin + (range.end - range.begin) / 2;
        waiting[waiting_count++] = (effect_range){middle, range.end};
        waiting[waiting_count++] = (effect_range){range.begin, middle};
    }
    return PIETRA_OK;
}

/* Adds a run with a sheet for each root. */
static pietra_result add_roots(runs_job *job)
{
    const sheet_plan *plan = job->plan;
    sheet_run *run = array_push(&job->runs->runs);
    frame_sheet *sheets = array_push_many(&job->runs->sheets, plan->root_count);
    if (!run || !sheets)
        return error_set_memory(job->error);
    for (size_t i = 0; i < plan->root_count; i++) {
        const pietra_transform scale = transform_scale(plan->roots[i].width, plan->roots[i].height);
        sheets[i] = (frame_sheet){.transform = config_transform(&scale), .box = plan->roots[i].part};
    }
    job->runs->first_root_sheet = (uint32_t)(job->runs->sheets.count - plan->root_count + 1);
    *run = (sheet_run){.first_sheet = job->runs->first_root_sheet, .root_count = (uint32_t)plan->root_count};
    if (!pack_sheets(job->runs, run))
        return error_set_memory(job->error);
    if (atlas_fits(job, run, 0))
        return PIETRA_OK;
    return error_set(job->error, PIETRA_ERROR_BUDGET, 0,
                     "pictures in the picture need an atlas of %llu bytes, more than there is room for",
                     (unsigned long long)sheet_run_bytes(run));
}

static pietra_result make_runs(runs_job *job)
{
    const sheet_plan *plan = job->plan;
    sheet_runs *runs = job->runs;
    const uint32_t most = depth_most(plan);
    size_t *starts = calloc((size_t)most + 2, sizeof *starts);
    pietra_result result = PIETRA_OK;
    if (!starts || !array_reserve(&runs->effects, plan->image_count) ||
        !array_reserve(&runs->source_sheets, plan->sources.count)) {
        result = error_set_memory(job->error);
    } else {
        runs->effects.count = plan->image_count;
        runs->source_sheets.count = plan->sources.count;
        for (size_t i = 0; i < plan->sources.count; i++)
            runs->source_sheets.items[i] = SHEET_NONE;
        sort_effects(plan, most, starts, runs->effects.items);
    }
    for (uint32_t i = 0; result == PIETRA_OK && i < most; i++)
        if (starts[i] < starts[i + 1])
            result = add_runs(job, (effect_range){starts[i], starts[i + 1]});
    free(starts);
    return result == PIETRA_OK && plan->root_count > 0 ? add_roots(job) : result;
}

pietra_result sheet_runs_make(const sheet_plan *plan, const sheet_limits *limits, pietra_error *error, sheet_runs *runs)
{
    runs_job job = {.plan = plan, .limits = limits, .runs = runs, .error = error};
    return make_runs(&job);
}

void sheet_runs_free(sheet_runs *runs)
{
    array_free(&runs->runs);
    array_free(&runs->sheets);
    array_free(&runs->effects);
    array_free(&runs->source_sheets);
}

bool sheet_runs_least(const sheet_plan *plan, uint64_t *bytes)
{
    sheet_runs alone = {.totals = {0}};
    const sheet_limits limits = {.bytes = UINT64_MAX, .range_bytes = UINT64_MAX};
    runs_job job = {.plan = plan, .limits = &limits, .runs = &alone};
    uint64_t most = 0;
    bool done = array_reserve(&alone.source_sheets, plan->sources.count) && array_reserve(&alone.effects, 1);
    for (size_t i = 0; done && i < plan->effects.count; i++) {
        sheet_run run;
        bool fits;
        if (plan->effects.items[i].image == NONE)
            continue;
        alone.effects.items[0] = (uint32_t)i;
        alone.sheets.count = 0;
        done = pack(&job, (effect_range){0, 1}, &run, &fits) == PIETRA_OK;
        const uint64_t needed = done ? sheet_run_bytes(&run) + plan->effects.items[i].run.bytes : 0;
        most = needed > most ? needed : most;
    }
    if (done && plan->root_count > 0) {
        done = add_roots(&job) == PIETRA_OK;
        const uint64_t needed = done ? sheet_run_bytes(array_last(&alone.runs)) : 0;
        most = needed > most ? needed : most;
    }
    sheet_runs_free(&alone);
    *bytes = most;
    return done;
}

frame_config sheet_run_config(const sheet_run *run)
{
    const pietra_transform unused = TRANSFORM_IDENTITY;
    frame_config config;
    (void)config_of_sheet(&unused, (tile_box){0, 0, run->columns, run->rows}, &config);
    config.first_sheet = run->first_sheet;
    config.last_sheet = run->first_sheet + run->sheet_count - 1;
    return config;
}

uint64_t sheet_run_bytes(const sheet_run *run)
{
    return sizeof(uint32_t) * (uint64_t)run->columns * (uint64_t)run->rows * TILE_PIXELS;
}
