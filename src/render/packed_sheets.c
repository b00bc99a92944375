/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/packed_sheets.h"

#include "base/error.h"
#include "render/gpu/effect_jobs.h"
#include "render/sheet/made_stream.h"

/* Sets the bytes and the cost. False: out of memory. */
static bool needs_of(const sheet_plan *plan, sheet_needs *needs)
{
    uint64_t least;
    if (!sheet_runs_least(plan, &least))
        return false;
    needs->bytes = least + sizeof(uint32_t) * plan->texel_count;
    needs->cost = plan->cost;
    return true;
}

pietra_result packed_sheets_measure(const pietra_stream *stream, const frame_config *config, pietra_error *error,
                                    sheet_needs *needs)
{
    sheet_plan plan = {.image_count = 0};
    *needs = (sheet_needs){.bytes = 0};
    bool measured = sheet_plan_make(stream, config, effect_jobs_measure, &plan) && needs_of(&plan, needs);
    sheet_plan_free(&plan);
    return measured ? PIETRA_OK : error_set_memory(error);
}

/* Makes the runs, and the stream, within the budget and within what kernels see. */
static pietra_result make(const gpu_renderer *renderer, const sheet_plan *plan, const part_budget *budget,
                          pietra_error *error, sheet_runs *runs, pietra_stream **made)
{
    const uint64_t bytes = sizeof(uint32_t) * plan->texel_count;
    if (bytes > budget->bytes) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0, "effects show %llu bytes, the budget is %llu",
                         (unsigned long long)bytes, (unsigned long long)budget->bytes);
    }
    const sheet_limits limits = gpu_renderer_sheet_limits(renderer, budget->bytes - bytes);
    pietra_result result = sheet_runs_make(plan, &limits, error, runs);
    if (result == PIETRA_OK)
        result = made_stream_create_packed(plan, true, error, runs, made);
    return result == PIETRA_OK ? gpu_renderer_check_texels(renderer, *made, error) : result;
}

/* Raises the budget until it suffices. So one error can name what later runs and the frame need, too. */
static pietra_result draw_run(gpu_renderer *renderer, sheet_plan *plan, const sheet_runs *runs, const sheet_run *run,
                              part_budget *budget, pietra_error *error, pietra_stats *stats, const pietra_stream *made)
{
    while (true) {
        part_budget own = part_budget_of(budget->bytes);
        own.watch = budget->watch;
        pietra_result result = gpu_renderer_draw_sheets(renderer, made, plan, runs, run, &own, error, stats);
        if (result != PIETRA_ERROR_BUDGET || !part_budget_is_raised(&own))
            return result;
        budget->bytes = own.bytes;
    }
}

static pietra_result draw_runs(gpu_renderer *renderer, sheet_plan *plan, const sheet_runs *runs, part_budget *budget,
                               pietra_error *error, pietra_stats *stats, const pietra_stream *made)
{
    pietra_result result = PIETRA_OK;
    for (size_t i = 0; result == PIETRA_OK && i < runs->runs.count; i++)
        result = draw_run(renderer, plan, runs, &runs->runs.items[i], budget, error, stats, made);
    return result;
}

static pietra_result draw_plan(gpu_renderer *renderer, sheet_plan *plan, part_budget *budget, pietra_error *error,
                               sheet_needs *needs, pietra_stats *stats, pietra_stream **made)
{
    sheet_runs runs = {.totals = {0}};
    pietra_stream *stream = NULL;
    needs->cost = plan->cost;
    pietra_result result = sheet_check_cost(&plan->cost, budget, error);
    if (result == PIETRA_OK)
        result = make(renderer, plan, budget, error, &runs, &stream);
    needs->is_too_large = result == PIETRA_ERROR_BUDGET;
    if (result == PIETRA_OK)
        result = draw_runs(renderer, plan, &runs, budget, error, stats, stream);
    sheet_runs_free(&runs);
    if (result == PIETRA_OK)
        *made = stream;
    else
        pietra_stream_destroy(stream);
    return result;
}

pietra_result packed_sheets_draw(gpu_renderer *renderer, const pietra_stream *stream, const frame_config *config,
                                 part_budget *budget, pietra_error *error, sheet_needs *needs, pietra_stats *stats,
                                 pietra_stream **made)
{
    sheet_plan plan = {.image_count = 0};
    *needs = (sheet_needs){.bytes = 0};
    pietra_result result = sheet_plan_make(stream, config, effect_jobs_measure, &plan)
                               ? draw_plan(renderer, &plan, budget, error, needs, stats, made)
                               : error_set_memory(error);
    sheet_plan_free(&plan);
    return result;
}

pietra_result packed_sheets_draw_roots(gpu_renderer *renderer, const pietra_stream *stream, const sheet_root *roots,
                                       size_t root_count, part_budget *budget, pietra_error *error, sheet_needs *needs,
                                       pietra_stats *stats)
{
    sheet_plan plan = {.image_count = 0};
    pietra_stream *made = NULL;
    *needs = (sheet_needs){.bytes = 0};
    pietra_result result = sheet_plan_make_roots(stream, roots, root_count, effect_jobs_measure, &plan)
                               ? draw_plan(renderer, &plan, budget, error, needs, stats, &made)
                               : error_set_memory(error);
    pietra_stream_destroy(made);
    if (needs->is_too_large && !needs_of(&plan, needs))
        result = error_set_memory(error);
    sheet_plan_free(&plan);
    return result;
}
