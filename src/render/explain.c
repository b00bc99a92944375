/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Explains one pixel and compares stages, as pietra_explain.h promises. */
#include <stdlib.h>

#include "base/error.h"
#include "pietra/pietra_explain.h"
#include "render/device.h"
#include "render/frame/config.h"
#include "render/frame/target_format.h"
#include "render/gpu/copy_out.h"
#include "render/pixel_trace.h"
#include "render/stage_compare.h"

static uint32_t label_of(const pietra_stream *stream, uint32_t element)
{
    return element == PIETRA_NO_ELEMENT ? 0u : stream_label(stream, element);
}

static bool paints_scene(const pietra_stream *stream, const pietra_pixel_step *step)
{
    stream_view view = stream_view_of(stream_words(stream));
    return step->event == PIETRA_PIXEL_PAINTS && step->kind != PIETRA_PIXEL_EFFECT &&
           view.paints[view.elements[step->element].paint].kind == PAINT_SURFACE;
}

/* Reports the steps to the caller. `stream` is the caller's; the stream that was drawn has images in place of its
 * scenes. */
static void report_steps(const pietra_stream *stream, const pixel_trace *trace, pietra_pixel_step_function *function,
                         void *user)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        pietra_pixel_step step = trace->steps.items[i];
        step.label = label_of(stream, step.element);
        step.other_label = label_of(stream, step.other);
        step.paints_scene = paints_scene(stream, &step);
        function(user, &step);
    }
}

static void place_pixels(const frame_config *config, const uint32_t *pixels, const pietra_target *target)
{
    const size_t stride = target->stride_bytes ? target->stride_bytes : 4 * (size_t)target->width;
    const pietra_target placed = config_target(config, target, target->pixels, stride);
    copy_out(config, config->part, pixels, &placed);
}

/* Draws a stream whose surfaces are drawn already. */
static pietra_result draw_traced(pietra_device *device, const pietra_stream *stream, const frame_config *config,
                                 part_budget *budget, const pietra_target *target, uint32_t x, uint32_t y,
                                 pixel_trace *trace, pietra_error *error)
{
    const int left = config->part.x0 * TILE_SIDE, top = config->part.y0 * TILE_SIDE;
    uint32_t *pixels;
    pietra_result result =
        pixel_trace_draw(stream, config, budget, device->pool, left + (int)x, top + (int)y, error, trace, &pixels);
    if (result != PIETRA_OK)
        return result;
    place_pixels(config, pixels, target);
    target_format_finish(target);
    free(pixels);
    return PIETRA_OK;
}

static pietra_result explain_pixel(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   const pietra_target *target, uint32_t x, uint32_t y,
                                   pietra_pixel_step_function *step, void *user, pietra_error *error)
{
    if (!device || !step)
        return error_set_null(error, !device ? "device" : "step");
    frame_config config;
    const pietra_stream *drawn = NULL;
    cancel_watch watch = {.canceller = frame ? frame->canceller : NULL};
    part_budget budget = device_budget(device, &watch);
    pietra_result result = device_check(stream, frame, target, error, &config);
    if (result == PIETRA_OK)
        result = device_begin_work(device, stream, &config, NULL, &budget.work, error);
    if (result == PIETRA_OK)
        result = device_hold_surfaces(device, stream, frame, &budget, error, &drawn);
    if (result != PIETRA_OK)
        return result;
    budget.labelled = stream;
    if (x >= target->width || y >= target->height) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the pixel %u, %u lies outside the picture of %u x %u", x, y,
                         target->width, target->height);
    }
    pixel_trace trace = {.steps = {.count = 0}};
    result = draw_traced(device, drawn, &config, &budget, target, x, y, &trace, error);
    if (result == PIETRA_OK)
        report_steps(stream, &trace, step, user);
    pixel_trace_free(&trace);
    return result;
}

pietra_result pietra_explain_pixel(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   const pietra_target *target, uint32_t x, uint32_t y,
                                   pietra_pixel_step_function *step, void *user, pietra_error *error)
{
    pietra_error own = {.result = PIETRA_OK};
    return error_pass_on(error, explain_pixel(device, stream, frame, target, x, y, step, user, &own), &own);
}

static pietra_result compare_stages(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                    uint32_t width, uint32_t height, pietra_error *error,
                                    pietra_stage_difference *difference)
{
    if (!device || !stream || !difference)
        return error_set_null(error, !device ? "device" : !stream ? "stream" : "difference");
    if (!device->renderer) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "stages are compared on a GPU, not on the device \"%s\"",
                         device->info.name);
    }
    const pietra_stream *drawn;
    part_budget budget = part_budget_of(device->budget_bytes);
    pietra_result result = device_hold_surfaces(device, stream, frame, &budget, error, &drawn);
    if (result == PIETRA_OK && part_budget_is_raised(&budget))
        result = part_budget_error(&budget, error);
    if (result != PIETRA_OK)
        return result;
    pietra_stage_difference found;
    const compared_frame compared = {.frame = frame, .width = width, .height = height};
    result = stage_compare(device->renderer, drawn, &compared, device->pool, error, &found);
    if (result == PIETRA_OK)
        *difference = found;
    return result;
}

pietra_result pietra_compare_stages(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                    uint32_t width, uint32_t height, pietra_error *error,
                                    pietra_stage_difference *difference)
{
    pietra_error own = {.result = PIETRA_OK};
    return error_pass_on(error, compare_stages(device, stream, frame, width, height, &own, difference), &own);
}
