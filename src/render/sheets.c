/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/sheets.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "render/effect/run.h"
#include "render/frame/config.h"
#include "render/sheet/made_stream.h"
#include "render/sheet/plan.h"

typedef struct sheet_job {
    const sheet_device *device;
    part_budget *budget;
    pietra_error *error;
    sheet_plan plan;
    pietra_stream *made;
    ARRAY(uint32_t) open; /* effects whose end has not been met */
    uint64_t top;         /* where the result that was made last ends */
} sheet_job;

/* Draws elements on the sheet of a source. The caller frees the pixels. */
static pietra_result draw_source(sheet_job *job, const sheet_effect *effect, const sheet_source *source,
                                 effect_pixels *drawn)
{
    const effect_box box = source->part;
    const uint64_t count = sheet_pixels(box);
    const tile_box tiles = sheet_tiles(box);
    frame_config config;
    *drawn = (effect_pixels){.box = {0, 0, 0, 0}};
    if (count == 0 || source->begin == source->end || !config_of_sheet(&effect->to_sheet, tiles, &config))
        return PIETRA_OK;
    uint32_t *pixels = memory_alloc((size_t)count * sizeof *pixels);
    if (!pixels)
        return error_set_memory(job->error);
    *drawn = (effect_pixels){.memory = pixels,
                             .pixels = pixels + (size_t)(box.top - tiles.y0 * TILE_SIDE) * config.target_pitch +
                                       (box.left - tiles.x0 * TILE_SIDE),
                             .stride = config.target_pitch,
                             .box = box};
    made_stream_show(&job->plan, source->begin, source->end, job->made);
    return job->device->draw(job->device->user, job->made, &config, job->budget, job->error, pixels);
}

static pietra_result draw_sources(sheet_job *job, const sheet_effect *effect, effect_pixels *drawn)
{
    pietra_result result = PIETRA_OK;
    for (uint32_t i = 0; result == PIETRA_OK && i < effect->source_count; i++)
        result = draw_source(job, effect, &job->plan.sources.items[effect->first_source + i], &drawn[i]);
    return result;
}

/* Draws what an effect shows, and puts it in its place. */
static pietra_result draw_effect(sheet_job *job, uint32_t index)
{
    const sheet_effect *effect = &job->plan.effects.items[index];
    const uint32_t count = effect->source_count;
    uint32_t *results = made_stream_results(&job->plan, job->made);
    const effect_pixels result = {.pixels = results + job->top,
                                  .stride = (size_t)(effect->shown.right - effect->shown.left),
                                  .box = effect->shown};
    effect_pixels *drawn = calloc(count, sizeof *drawn);
    pietra_result status = drawn ? cancel_check(job->budget->watch, job->error) : error_set_memory(job->error);
    if (status == PIETRA_OK)
        status = draw_sources(job, effect, drawn);
    if (status == PIETRA_OK && !job->budget->is_trial) {
        bool done = sheet_plan_graph(&job->plan, effect) &&
                    effect_run(&job->plan.graph, job->device->functions, job->device->pool, drawn, &result);
        status = done ? PIETRA_OK : error_set_memory(job->error);
    }
    for (uint32_t i = 0; drawn && i < count; i++)
        free(drawn[i].memory);
    free(drawn);
    made_stream_hold_all(&job->plan, job->made);
    if (status == PIETRA_OK) {
        const uint64_t texels = sheet_texels(effect->shown);
        memmove(results + effect->first_texel, result.pixels, (size_t)texels * sizeof *results);
        job->top = effect->first_texel + texels;
        made_stream_leave_out(&job->plan, index, true, job->made);
        made_stream_put_image(&job->plan, effect, job->made);
    }
    return status;
}

/* Draws effects in the order of their ends, inner ones first. */
static pietra_result draw_effects(sheet_job *job)
{
    const sheet_plan *plan = &job->plan;
    pietra_result result = PIETRA_OK;
    uint32_t next = 0;
    for (uint32_t i = 0; result == PIETRA_OK && i < plan->view.header->element_count; i++) {
        const uint32_t kind = plan->view.elements[i].kind & ELEMENT_KIND_MASK;
        if (kind == ELEMENT_BEGIN_EFFECT) {
            const uint32_t index = next++;
            const sheet_effect *effect = &plan->effects.items[index];
            if (effect->image != NONE) {
                uint32_t *open = array_push(&job->open);
                if (!open)
                    return error_set_memory(job->error);
                *open = index;
                continue;
            }
            while (next < plan->effects.count && plan->effects.items[next].begin < effect->end)
                next++;
            made_stream_leave_out(plan, index, false, job->made);
            i = effect->end;
        } else if (kind == ELEMENT_END_EFFECT) {
            result = draw_effect(job, *array_last(&job->open));
            job->open.count--;
        }
    }
    return result;
}

/* Gives what the results take, and the most that one effect takes while it is drawn. */
static sheet_needs needs_of(const sheet_plan *plan)
{
    uint64_t most = 0;
    for (size_t i = 0; i < plan->effects.count; i++) {
        const sheet_effect *effect = &plan->effects.items[i];
        uint64_t bytes = effect->run.bytes;
        for (uint32_t k = 0; effect->image != NONE && k < effect->source_count; k++)
            bytes += sizeof(uint32_t) * sheet_pixels(plan->sources.items[effect->first_source + k].part);
        most = bytes > most ? bytes : most;
    }
    return (sheet_needs){.bytes = most + sizeof(uint32_t) * plan->texel_count, .cost = plan->cost};
}

static bool make_plan(const pietra_stream *stream, const frame_config *config, sheet_plan *plan)
{
    return sheet_plan_make(stream, config, effect_run_measure, plan) && sheet_plan_stack_results(plan);
}

static pietra_result run_job(sheet_job *job, const pietra_stream *stream, const frame_config *config,
                             sheet_needs *needs)
{
    if (!make_plan(stream, config, &job->plan))
        return error_set_memory(job->error);
    *needs = needs_of(&job->plan);
    pietra_result result = sheet_check_cost(&needs->cost, job->budget, job->error);
    if (result != PIETRA_OK)
        return result;
    if (needs->bytes > job->budget->bytes) {
        needs->is_too_large = true;
        return error_set(job->error, PIETRA_ERROR_BUDGET, 0,
                         "the frame needs %llu bytes for its effects, the budget is %llu",
                         (unsigned long long)needs->bytes, (unsigned long long)job->budget->asked_bytes);
    }
    result = made_stream_create(&job->plan, job->error, &job->made);
    if (result == PIETRA_OK)
        result = draw_effects(job);
    if (result == PIETRA_OK)
        made_stream_show(&job->plan, 0, job->plan.view.header->element_count, job->made);
    return result;
}

pietra_result sheets_measure(const pietra_stream *stream, const frame_config *config, pietra_error *error,
                             sheet_needs *needs)
{
    sheet_plan plan = {.image_count = 0};
    bool made = make_plan(stream, config, &plan);
    if (made)
        *needs = needs_of(&plan);
    sheet_plan_free(&plan);
    return made ? PIETRA_OK : error_set_memory(error);
}

pietra_result sheets_draw(const sheet_device *device, const pietra_stream *stream, const frame_config *config,
                          part_budget *budget, pietra_error *error, sheet_needs *needs, pietra_stream **made)
{
    sheet_job job = {.device = device, .budget = budget, .error = error};
    pietra_result result = run_job(&job, stream, config, needs);
    sheet_plan_free(&job.plan);
    array_free(&job.open);
    if (result == PIETRA_OK)
        *made = job.made;
    else
        pietra_stream_destroy(job.made);
    return result;
}
