/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/effects.h"

#include "render/sheet/results.h"

static pietra_result submit_and_wait(const gpu_effects *effects, pietra_error *error)
{
    pietra_result result = gpu_recorder_submit(effects->recorder, error);
    return result != PIETRA_OK ? result : gpu_recorder_wait(effects->recorder, error);
}

static pietra_result read_atlas(gpu_effects *effects, gpu_range atlas, pietra_error *error)
{
    pietra_result result =
        gpu_buffer_ensure(effects->device, atlas.bytes, GPU_MEMORY_READBACK, error, &effects->pixels);
    if (result == PIETRA_OK)
        result = gpu_recorder_begin(effects->recorder, error);
    if (result != PIETRA_OK)
        return result;
    gpu_copy(effects->recorder, atlas, (gpu_range){.buffer = &effects->pixels});
    return submit_and_wait(effects, error);
}

/* Copies what was made on the host to the device. */
static pietra_result write_results(const gpu_effects *effects, const sheet_plan *plan, const sheet_runs *runs,
                                   const sheet_run *run, gpu_range results, pietra_error *error)
{
    pietra_result result = gpu_recorder_begin(effects->recorder, error);
    if (result != PIETRA_OK)
        return result;
    for (uint32_t i = 0; i < run->effect_count; i++) {
        const sheet_effect *effect = sheet_run_effect(plan, runs, run, i);
        const uint64_t offset = sizeof(uint32_t) * effect->first_texel;
        const uint64_t bytes = sizeof(uint32_t) * sheet_texels(effect->shown);
        gpu_copy(effects->recorder, (gpu_range){.buffer = &effects->texels, .offset = offset, .bytes = bytes},
                 (gpu_range){.buffer = results.buffer, .offset = results.offset + offset, .bytes = bytes});
    }
    return submit_and_wait(effects, error);
}

pietra_result gpu_effects_run(gpu_effects *effects, sheet_plan *plan, const sheet_runs *runs, const sheet_run *run,
                              const gpu_effect_places *places, cancel_watch *watch, pietra_error *error)
{
    const gpu_range results = places->results;
    uint32_t *texels = results.buffer->mapped;
    pietra_result result = run->sheet_count > 0 ? read_atlas(effects, places->atlas, error) : PIETRA_OK;
    if (result == PIETRA_OK && !texels)
        result = gpu_buffer_ensure(effects->device, results.bytes, GPU_MEMORY_UPLOAD, error, &effects->texels);
    if (result != PIETRA_OK)
        return result;
    const bool is_mapped = texels != NULL;
    texels = is_mapped ? texels + results.offset / sizeof *texels : effects->texels.mapped;
    result = sheet_results_make(plan, runs, run, effects->functions, effects->pool, effects->pixels.mapped, watch,
                                error, texels);
    return result == PIETRA_OK && !is_mapped ? write_results(effects, plan, runs, run, results, error) : result;
}

void gpu_effects_free(gpu_effects *effects)
{
    gpu_buffer_destroy(effects->device, &effects->pixels);
    gpu_buffer_destroy(effects->device, &effects->texels);
}
