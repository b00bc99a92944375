/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/sheet_device.h"

#include <stdlib.h>
#include <string.h>

#include "render/cpu/cpu_renderer.h"
#include "render/cpu/effects.h"
#include "render/frame/config.h"
#include "render/reference/effect_reference.h"
#include "render/reference/reference_renderer.h"

pietra_result draw_on_cpu(cpu_device *cpu, const pietra_stream *stream, const frame_config *config, part_budget *budget,
                          const pietra_target *target, pietra_error *error)
{
    while (true) {
        pietra_stats stats = {.parts = 0};
        part_budget own = part_budget_of(budget->bytes);
        own.watch = budget->watch;
        own.is_trial = budget->is_trial;
        pietra_result result = cpu_renderer_draw(cpu, stream, config, &own, target, error, &stats);
        if (result != PIETRA_ERROR_BUDGET || !part_budget_is_raised(&own))
            return result;
        budget->bytes = own.bytes;
    }
}

static pietra_result draw_sheet_on_cpu(void *user, const pietra_stream *stream, const frame_config *config,
                                       part_budget *budget, pietra_error *error, uint32_t *pixels)
{
    const size_t stride = 4 * (size_t)config->target_pitch;
    const pietra_target target = {.width = config->target_pitch,
                                  .height = (uint32_t)(config->part.y1 - config->part.y0) * TILE_SIDE,
                                  .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED,
                                  .pixels = config_origin(config, (uint8_t *)pixels, stride),
                                  .stride_bytes = stride,
                                  .may_spoil = true};
    return draw_on_cpu(user, stream, config, budget, &target, error);
}

sheet_device sheet_device_of_cpu(cpu_device *cpu, parallel_pool *pool)
{
    return (sheet_device){.draw = draw_sheet_on_cpu, .user = cpu, .functions = effect_cpu(), .pool = pool};
}

static pietra_result draw_sheet_by_reference(void *user, const pietra_stream *stream, const frame_config *config,
                                             part_budget *budget, pietra_error *error, uint32_t *pixels)
{
    (void)user;
    pietra_stats stats = {.parts = 0};
    part_budget own = part_budget_of(budget->bytes);
    own.watch = budget->watch;
    uint32_t *drawn;
    pietra_result result = reference_draw(stream, config, &own, NULL, NULL, error, &stats, &drawn);
    if (result != PIETRA_OK)
        return result;
    memcpy(pixels, drawn, (size_t)config_target_pixels(config) * sizeof *pixels);
    free(drawn);
    return PIETRA_OK;
}

sheet_device sheet_device_of_reference(void)
{
    return (sheet_device){.draw = draw_sheet_by_reference, .functions = effect_reference()};
}
