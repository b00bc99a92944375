/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/sheet_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "render/device.h"
#include "render/frame/config.h"
#include "render/packed_sheets.h"
#include "render/sheet_device.h"

/* The most bands that wait: each halving leaves one, and eleven of 2,048 rows of tiles leave one row. */
#define WAITING_MAX 16

/* The most budgets that are tried before an error names one. Sheets and frames seldom ask for more in turn. */
#define TRIALS_MAX 4

/* How many times as much as at once effects may cost in bands, on the CPU device. */
#define SLOWEST_BANDS 4.0

typedef struct band_job {
    pietra_device *device;
    const pietra_stream *stream;
    const frame_config *config;
    part_budget *budget;
    frame_work work; /* as it was before the frame's effects */
    const pietra_target *target;
    sheet_frame_function *draw;
    pietra_stats *stats;
    double most_cost; /* what effects may cost in all bands, in thousandths of a step */
    bool measures;    /* bands are measured, not drawn */
    uint32_t bands;   /* that were drawn */
} band_job;

void sheet_cache_free(sheet_cache *cache)
{
    pietra_stream_destroy(cache->made);
    *cache = (sheet_cache){.stream_id = 0};
}

/* The device that draws sheets one after the other: for the GPU it is the CPU device beside it. */
static pietra_result find_device(pietra_device *device, pietra_error *error, sheet_device *sheets)
{
    if (device->info.kind == PIETRA_DEVICE_REFERENCE) {
        *sheets = sheet_device_of_reference();
        return PIETRA_OK;
    }
    cpu_device *cpu = device->cpu ? device->cpu : surface_cache_cpu(&device->surfaces);
    if (!cpu)
        return error_set_memory(error);
    *sheets = sheet_device_of_cpu(cpu, device->pool);
    return PIETRA_OK;
}

static bool cache_has(const sheet_cache *cache, const pietra_stream *stream, const frame_config *config)
{
    return cache->stream_id == stream_id(stream) && memcmp(&cache->config, config, sizeof *config) == 0;
}

static void cache_keep(sheet_cache *cache, const pietra_stream *stream, const frame_config *config, pietra_stream *made)
{
    sheet_cache_free(cache);
    *cache = (sheet_cache){stream_id(stream), *config, made};
}

/* Makes a stream with all its texels. */
static pietra_result make_apart(pietra_device *device, const pietra_stream *stream, const frame_config *config,
                                part_budget *budget, pietra_error *error, sheet_needs *needs,
                                const pietra_stream **made)
{
    sheet_cache *cache = &device->sheets;
    if (!cache_has(cache, stream, config)) {
        sheet_device sheets;
        pietra_stream *drawn;
        pietra_result result = find_device(device, error, &sheets);
        if (result == PIETRA_OK)
            result = sheets_draw(&sheets, stream, config, budget, error, needs, &drawn);
        if (result != PIETRA_OK)
            return result;
        cache_keep(cache, stream, config, drawn);
        if (budget->is_trial)
            cache->stream_id = 0; /* its results were not painted, so no other frame may show them */
    }
    *made = cache->made;
    return PIETRA_OK;
}

/* Makes a stream whose results lie on the GPU. */
static pietra_result make_packed(pietra_device *device, const pietra_stream *stream, const frame_config *config,
                                 part_budget *budget, pietra_error *error, sheet_needs *needs, pietra_stats *stats,
                                 const pietra_stream **made)
{
    sheet_cache *cache = &device->packed_sheets;
    if (!cache_has(cache, stream, config) || !gpu_renderer_holds(device->renderer, cache->made)) {
        pietra_stream *drawn;
        pietra_result result =
            packed_sheets_draw(device->renderer, stream, config, budget, error, needs, stats, &drawn);
        if (result != PIETRA_OK)
            return result;
        cache_keep(cache, stream, config, drawn);
    }
    *made = cache->made;
    return PIETRA_OK;
}

pietra_result sheet_frame_make(pietra_device *device, const pietra_stream *stream, const frame_config *config,
                               part_budget *budget, pietra_error *error, const pietra_stream **made)
{
    sheet_needs needs;
    *made = stream;
    if (stream_get_header(stream)->effect_count == 0)
        return PIETRA_OK;
    return make_apart(device, stream, config, budget, error, &needs, made);
}

static void add_stats(pietra_stats *total, const pietra_stats *band)
{
    total->lines += band->lines;
    total->tile_lines += band->tile_lines;
    total->tile_commands += band->tile_commands;
    total->passes += band->passes;
    total->parts += band->parts;
    total->upload_ms += band->upload_ms;
    total->frame_ms += band->frame_ms;
    total->gpu_ms += band->gpu_ms;
    total->read_ms += band->read_ms;
    total->memory_bytes = band->memory_bytes > total->memory_bytes ? band->memory_bytes : total->memory_bytes;
    total->stage_count = band->stage_count;
    for (uint32_t i = 0; i < band->stage_count; i++) {
        total->stages[i].name = band->stages[i].name;
        total->stages[i].milliseconds += band->stages[i].milliseconds;
        total->stages[i].bytes =
            band->stages[i].bytes > total->stages[i].bytes ? band->stages[i].bytes : total->stages[i].bytes;
    }
}

static size_t row_bytes(const frame_config *config)
{
    const pixel_box all = config_pixels(config);
    return 4 * (size_t)(all.x1 - all.x0);
}

/* Finds what a band needs of which a sheet needs more than the budget. Draws it elsewhere, and fails. */
static pietra_result search_need(const band_job *job, const pietra_stream *made, const frame_config *config,
                                 pietra_error *error)
{
    pietra_stats stats = {.parts = 0};
    void *pixels = malloc(config_picture_bytes(config));
    if (!pixels)
        return error_set_memory(error);
    const pietra_target elsewhere = config_target(config, job->target, pixels, row_bytes(config));
    pietra_result result = job->draw(job->device, made, config, job->budget, &elsewhere, error, &stats);
    free(pixels);
    return result == PIETRA_OK ? part_budget_error(job->budget, error) : result;
}

static pietra_result find_needs(const band_job *job, const frame_config *config, pietra_error *error,
                                sheet_needs *needs)
{
    return job->device->renderer ? packed_sheets_measure(job->stream, config, error, needs)
                                 : sheets_measure(job->stream, config, error, needs);
}

/* Returns PIETRA_ERROR_BUDGET, which names the bytes to which the budget was raised. */
static pietra_result effects_error(const band_job *job, pietra_error *error)
{
    return error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame needs %llu bytes for its effects, the budget is %llu",
                     (unsigned long long)job->budget->bytes, (unsigned long long)job->budget->asked_bytes);
}

/* Returns PIETRA_ERROR_BUDGET, which names what the sheets of any row of tiles need. `error` has what was wrong with
 * one of them, which stays if the budget suffices for all. */
static pietra_result refuse(const band_job *job, pietra_error *error)
{
    uint64_t most = 0;
    for (int y = job->config->part.y0; y < job->config->part.y1; y++) {
        const frame_config config =
            config_of_part(job->config, (tile_box){job->config->part.x0, y, job->config->part.x1, y + 1});
        sheet_needs needs;
        pietra_result result = find_needs(job, &config, error, &needs);
        if (result != PIETRA_OK)
            return result;
        most = needs.bytes > most ? needs.bytes : most;
    }
    if (most <= job->budget->bytes)
        return PIETRA_ERROR_BUDGET;
    job->budget->bytes = most;
    return effects_error(job, error);
}

/* Adds what a band costs. The errors are those of draw_band that are known before anything is drawn. */
static pietra_result measure_band(const band_job *job, const frame_config *config, pietra_error *error,
                                  sheet_needs *needs)
{
    pietra_result result = find_needs(job, config, error, needs);
    if (result != PIETRA_OK)
        return result;
    result = sheet_check_cost(&needs->cost, job->budget, error);
    if (result != PIETRA_OK)
        return result;
    needs->is_too_large = needs->bytes > job->budget->bytes;
    job->budget->work.spent[WORK_EFFECTS] += needs->is_too_large ? 0 : needs->cost.all;
    return needs->is_too_large ? PIETRA_ERROR_BUDGET : PIETRA_OK;
}

/* Draws a band, or measures it. With PIETRA_ERROR_BUDGET, `needs` says whether a smaller one may take less. */
static pietra_result draw_band(band_job *job, tile_box band, pietra_error *error, sheet_needs *needs)
{
    const frame_config config = config_of_part(job->config, band);
    pietra_stats stats = {.parts = 0};
    if (job->measures)
        return measure_band(job, &config, error, needs);
    const pietra_stream *made;
    *needs = (sheet_needs){.bytes = 0};
    pietra_result result =
        job->device->renderer ? make_packed(job->device, job->stream, &config, job->budget, error, needs, &stats, &made)
                              : make_apart(job->device, job->stream, &config, job->budget, error, needs, &made);
    if (result != PIETRA_OK)
        return result;
    needs->is_too_large = false;
    if (part_budget_is_raised(job->budget))
        return search_need(job, made, &config, error);
    result = job->draw(job->device, made, &config, job->budget, job->target, error, &stats);
    if (result == PIETRA_OK) {
        job->budget->work.spent[WORK_EFFECTS] += needs->cost.all;
        add_stats(job->stats, &stats);
        job->bands++;
    }
    return result;
}

static pietra_result walk_bands(band_job *job, pietra_error *error)
{
    tile_box waiting[WAITING_MAX] = {job->config->part};
    int waiting_count = 1;
    while (waiting_count > 0) {
        const tile_box band = waiting[--waiting_count];
        const int rows = band.y1 - band.y0;
        sheet_needs needs;
        pietra_result result = draw_band(job, band, error, &needs);
        if (needs.is_too_large && rows == 1)
            return refuse(job, error);
        if (result != PIETRA_OK && !needs.is_too_large)
            return result;
        if (result == PIETRA_OK)
            continue;
        waiting[waiting_count++] = (tile_box){band.x0, band.y0 + rows / 2, band.x1, band.y1};
        waiting[waiting_count++] = (tile_box){band.x0, band.y0, band.x1, band.y0 + rows / 2};
    }
    return PIETRA_OK;
}

/* Measures all bands. If they cost too much together, raises the budget to one within which they do not. */
static pietra_result measure_bands(band_job *job, pietra_error *error)
{
    const uint64_t bytes = job->budget->bytes;
    const double spent = job->budget->work.spent[WORK_EFFECTS];
    pietra_result result;
    bool is_too_slow;
    job->measures = true;
    do {
        result = walk_bands(job, error);
        is_too_slow = result == PIETRA_OK && job->budget->work.spent[WORK_EFFECTS] - spent > job->most_cost;
        job->budget->work.spent[WORK_EFFECTS] = spent;
        job->budget->bytes *= is_too_slow ? 2 : 1;
    } while (is_too_slow);
    job->measures = false;
    return result == PIETRA_OK && job->budget->bytes != bytes ? effects_error(job, error) : result;
}

/* Bands share what lies between them, so they may cost far more than the whole, or a late one may not fit. So all are
 * measured before the first is drawn. */
static pietra_result draw_bands(band_job *job, pietra_error *error)
{
    pietra_result result = measure_bands(job, error);
    return result == PIETRA_OK ? walk_bands(job, error) : result;
}

/* Draws bands into a picture of their own, since a later one may fail. */
static pietra_result draw_apart(band_job *job, pietra_error *error)
{
    const pietra_target *target = job->target;
    const pixel_box all = config_pixels(job->config);
    const size_t row = row_bytes(job->config);
    uint8_t *pixels = malloc(config_picture_bytes(job->config));
    if (!pixels)
        return error_set_memory(error);
    pietra_target apart = config_target(job->config, target, pixels, row);
    apart.may_spoil = true;
    job->target = &apart;
    pietra_result result = draw_bands(job, error);
    for (int y = all.y0; result == PIETRA_OK && y < all.y1; y++)
        memcpy((uint8_t *)target->pixels + (ptrdiff_t)y * (ptrdiff_t)target->stride_bytes + (ptrdiff_t)all.x0 * 4,
               pixels + (size_t)(y - all.y0) * row, row);
    free(pixels);
    return result;
}

static pietra_result draw_frame(band_job *job, pietra_error *error)
{
    pietra_error own = {.result = PIETRA_OK};
    sheet_needs needs;
    pietra_result result = draw_band(job, job->config->part, &own, &needs);
    if (!needs.is_too_large)
        return error_pass_on(error, result, &own);
    job->most_cost = job->device->cpu ? SLOWEST_BANDS * needs.cost.all : INFINITY;
    return job->target->may_spoil ? draw_bands(job, error) : draw_apart(job, error);
}

/* Tries the budget that an error names, elsewhere, because what sheets need and what their frame needs are found one
 * without the other. Returns PIETRA_ERROR_BUDGET, which names a budget that draws. */
static pietra_result name_what_suffices(const band_job *job, pietra_target *elsewhere, pietra_error *error)
{
    const uint64_t named_first = job->budget->bytes;
    for (int i = 0; i < TRIALS_MAX; i++) {
        part_budget named = part_budget_of(job->budget->bytes);
        pietra_stats stats = {.parts = 0};
        pietra_error other = {.result = PIETRA_OK};
        band_job trial = *job;
        named.watch = job->budget->watch;
        named.is_trial = true;
        named.work = job->work;
        named.labelled = job->budget->labelled;
        trial.budget = &named;
        trial.target = elsewhere;
        trial.stats = &stats;
        pietra_result result = draw_frame(&trial, &other);
        if (result != PIETRA_OK && result != PIETRA_ERROR_BUDGET)
            return error_pass_on(error, result, &other);
        if (result == PIETRA_OK || !part_budget_is_raised(&named))
            break;
        job->budget->bytes = named.bytes;
    }
    return job->budget->bytes == named_first ? PIETRA_ERROR_BUDGET : part_budget_error(job->budget, error);
}

pietra_result sheet_frame_draw(pietra_device *device, const pietra_stream *stream, const frame_config *config,
                               part_budget *budget, const pietra_target *target, sheet_frame_function *draw,
                               pietra_error *error, pietra_stats *stats)
{
    band_job job = {.device = device,
                    .stream = stream,
                    .config = config,
                    .budget = budget,
                    .work = budget->work,
                    .target = target,
                    .draw = draw,
                    .stats = stats};
    if (stream_get_header(stream)->effect_count == 0)
        return draw(device, stream, config, budget, target, error, stats);
    pietra_result result = draw_frame(&job, error);
    if (result != PIETRA_ERROR_BUDGET || !part_budget_is_raised(budget))
        return result;
    void *pixels = malloc(config_picture_bytes(config));
    if (!pixels)
        return error_set_memory(error);
    pietra_target elsewhere = config_target(config, target, pixels, row_bytes(config));
    elsewhere.may_spoil = true;
    job.target = target;
    result = name_what_suffices(&job, &elsewhere, error);
    free(pixels);
    return result;
}
