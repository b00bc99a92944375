/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Devices and rendering, as pietra.h promises. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "render/device.h"
#include "render/frame/config.h"
#include "render/frame/target_format.h"
#include "render/gpu/copy_out.h"
#include "render/reference/reference_renderer.h"
#include "vulkan/import.h"

#define BUDGET_MOST ((uint64_t)4 << 30)
/* Where the device's memory is the host's, the whole process should stay within 2 GiB. */
#define BUDGET_MOST_OF_HOST ((uint64_t)1 << 30)

#define EFFECT_STEPS 4500000u
/* Effects of larger frames may cost more, in proportion to the pixels; so may painting, but with their side first, */
#define EFFECT_PIXELS 16777216.0
#define PAINT_PIXELS 1048576.0
#define PAINT_SIDES 8.0 /* until that is so many times as long */

static pietra_device_info cpu_info(pietra_device_kind kind)
{
    pietra_device_info info = {.kind = kind, .hardware = true, .usable = true};
    snprintf(info.name, sizeof info.name, "%s", kind == PIETRA_DEVICE_CPU ? "CPU" : "reference");
    return info;
}

pietra_result pietra_list_devices(size_t capacity, pietra_error *error, pietra_device_info *infos, size_t *count)
{
    if (!count || (!infos && capacity > 0))
        return error_set_null(error, !count ? "count" : "infos");
    size_t gpu_count;
    pietra_result result =
        gpu_list(capacity > 0 ? capacity - 1 : 0, error, capacity > 0 ? infos + 1 : NULL, &gpu_count);
    if (result != PIETRA_OK)
        return result;
    if (capacity > 0)
        infos[0] = cpu_info(PIETRA_DEVICE_CPU);
    *count = gpu_count + 1;
    return PIETRA_OK;
}

/* Makes what draws on a GPU that is open. */
static pietra_result begin_gpu(pietra_error *error, pietra_device *device)
{
    gpu_get_info(device->gpu, &device->info);
    if (device->budget_bytes == 0) {
        uint64_t half = device->info.memory_bytes / 2, most = device->info.hardware ? BUDGET_MOST : BUDGET_MOST_OF_HOST;
        device->budget_bytes = half < most ? half : most;
    }
    gpu_renderer_options renderer = {.budget_bytes = device->budget_bytes, .pool = device->pool};
    return gpu_renderer_create(device->gpu, &renderer, error, &device->renderer);
}

static pietra_result open_gpu(const pietra_device_options *options, pietra_error *error, pietra_device *device)
{
    pietra_result result = gpu_open(options, error, &device->gpu);
    return result == PIETRA_OK ? begin_gpu(error, device) : result;
}

/* Makes what all devices have. */
static pietra_device *make_device(const pietra_device_options *options)
{
    pietra_device *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    memset(made, 0, offsetof(pietra_device, log.outcomes));
    made->budget_bytes = options->memory_budget_bytes;
    made->effect_steps = options->effect_steps != 0 ? options->effect_steps : EFFECT_STEPS;
    made->pool = parallel_pool_create(options->threads);
    made->surfaces.pool = made->pool;
    if (!made->pool) {
        pietra_device_destroy(made);
        return NULL;
    }
    return made;
}

pietra_result pietra_device_create(const pietra_device_options *options, pietra_error *error, pietra_device **device)
{
    static const pietra_device_options defaults = {.kind = PIETRA_DEVICE_AUTO};
    const pietra_device_options *asked = options ? options : &defaults;
    if (!device)
        return error_set_null(error, "device");
    pietra_result known = error_check_enumerator(error, "a device's kind", asked->kind, PIETRA_DEVICE_REFERENCE);
    if (known != PIETRA_OK)
        return known;
    pietra_device *made = make_device(asked);
    if (!made)
        return error_set_memory(error);
    pietra_error absent = {.message = ""};
    if (asked->kind == PIETRA_DEVICE_GPU || asked->kind == PIETRA_DEVICE_AUTO) {
        /* If the CPU will do, a missing GPU is no failure. */
        pietra_result result = open_gpu(asked, asked->kind == PIETRA_DEVICE_GPU ? error : &absent, made);
        if (result == PIETRA_OK) {
            *device = made;
            return PIETRA_OK;
        }
        if (asked->kind == PIETRA_DEVICE_GPU) {
            pietra_device_destroy(made);
            return result;
        }
        gpu_close(made->gpu);
        made->gpu = NULL;
    }
    made->info = cpu_info(asked->kind == PIETRA_DEVICE_REFERENCE ? PIETRA_DEVICE_REFERENCE : PIETRA_DEVICE_CPU);
    snprintf(made->info.missing, sizeof made->info.missing, "%s", absent.message);
    if (asked->memory_budget_bytes == 0)
        made->budget_bytes = BUDGET_MOST_OF_HOST;
    if (made->info.kind == PIETRA_DEVICE_CPU) {
        made->cpu = cpu_device_create(made->pool, NULL);
        if (!made->cpu) {
            pietra_device_destroy(made);
            return error_set_memory(error);
        }
        cpu_device_set_trace(made->cpu, (trace){asked->span, asked->span_user});
    }
    *device = made;
    return PIETRA_OK;
}

pietra_result device_import(const pietra_device_options *options, const pietra_vulkan_device *vulkan,
                            pietra_error *error, pietra_device **device)
{
    pietra_device *made = make_device(options);
    if (!made)
        return error_set_memory(error);
    pietra_result result = gpu_import(options, vulkan, error, &made->gpu);
    if (result == PIETRA_OK)
        result = begin_gpu(error, made);
    if (result == PIETRA_OK)
        *device = made;
    else
        pietra_device_destroy(made);
    return result;
}

void pietra_device_destroy(pietra_device *device)
{
    if (!device)
        return;
    cpu_device_destroy(device->host);
    parallel_pool_destroy(device->host_pool);
    surface_cache_free(&device->surfaces);
    packed_surface_cache_free(&device->packed_surfaces);
    sheet_cache_free(&device->sheets);
    sheet_cache_free(&device->packed_sheets);
    gpu_renderer_destroy(device->renderer);
    gpu_close(device->gpu);
    cpu_device_destroy(device->cpu);
    parallel_pool_destroy(device->pool);
    free(device->image_pixels);
    free(device);
}

void pietra_device_get_info(const pietra_device *device, pietra_device_info *info)
{
    if (!device || !info)
        return;
    *info = device->info;
}

part_budget device_budget(const pietra_device *device, cancel_watch *watch)
{
    part_budget budget = part_budget_of(device->budget_bytes);
    budget.watch = watch;
    return budget;
}

pietra_result device_check(const pietra_stream *stream, const pietra_frame *frame, const pietra_target *target,
                           pietra_error *error, frame_config *config)
{
    if (!stream || !target)
        return error_set_null(error, !stream ? "stream" : "target");
    if (!target->pixels)
        return error_set_null(error, "target.pixels");
    return config_of_frame(frame, target, error, config);
}

pietra_result device_hold_surfaces(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   part_budget *budget, pietra_error *error, const pietra_stream **drawn)
{
    pietra_stats stats = {.elements = 0};
    if (!device->renderer)
        return surfaces_draw(&device->surfaces, stream, frame, budget, error, drawn);
    pietra_result result =
        packed_surfaces_draw(&device->packed_surfaces, device->renderer, stream, frame, budget, error, &stats, drawn);
    if (result != PIETRA_OK || *drawn == stream)
        return result;
    return packed_surfaces_hold(&device->packed_surfaces, device->renderer, error, drawn);
}

/* Returns how many times as much painting may cost as in a small frame. Drawings of lines cost more by the side of a
 * frame, and few drawings fill it so often that their pixels matter more. */
static double paint_growth(double pixels)
{
    const double times = fmax(pixels / PAINT_PIXELS, 1);
    return fmax(sqrt(times), times / PAINT_SIDES);
}

/* Bounds a frame of a composition by the sums of what it shows: every call of it makes another stream, of which no work
 * is known. */
static bool bound_composed(const pietra_stream *stream, const frame_config *config, frame_bounds *bounds)
{
    const stream_sums *sums = stream_sums_of_composed(stream);
    if (!sums || !sums->is_bounded)
        return false;
    *bounds = frame_bounds_of(sums, config);
    return true;
}

pietra_result device_begin_work(pietra_device *device, const pietra_stream *stream, const frame_config *config,
                                const frame_bounds *bounds, frame_work *work, pietra_error *error)
{
    frame_bounds composed;
    if (!bounds && bound_composed(stream, config, &composed))
        bounds = &composed;
    /* What an effect costs in a region may grow with all of the picture. */
    const double pixels = (double)config->width * config->height, most = 1000 * (double)device->effect_steps;
    *work = (frame_work){.most = {[WORK_STROKES] = most * fmax(pixels / EFFECT_PIXELS, 1),
                                  [WORK_PAINTING] = most * paint_growth(pixels),
                                  [WORK_EFFECTS] = most * fmax(pixels / EFFECT_PIXELS, 1)}};
    return stream_work_spend_frame(&device->work, stream, config, bounds, work, error);
}

pietra_result device_hold_images(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                 const frame_config *config, part_budget *budget, pietra_error *error,
                                 const pietra_stream **drawn)
{
    pietra_result result = device_begin_work(device, stream, config, NULL, &budget->work, error);
    if (result == PIETRA_OK)
        result = device_hold_surfaces(device, stream, frame, budget, error, drawn);
    budget->labelled = stream;
    if (result == PIETRA_OK)
        result = sheet_frame_make(device, *drawn, config, budget, error, drawn);
    return result == PIETRA_OK && part_budget_is_raised(budget) ? part_budget_error(budget, error) : result;
}

static pietra_result draw_prepared(pietra_device *device, const pietra_stream *stream, const frame_config *config,
                                   part_budget *budget, const pietra_target *target, pietra_error *error,
                                   pietra_stats *stats)
{
    if (device->renderer)
        return gpu_renderer_draw(device->renderer, stream, config, budget, target, error, stats);
    if (device->cpu)
        return cpu_renderer_draw(device->cpu, stream, config, budget, target, error, stats);
    uint32_t *pixels;
    pietra_result result = reference_draw(stream, config, budget, NULL, NULL, error, stats, &pixels);
    if (result == PIETRA_OK) {
        copy_out(config, config->part, pixels, target);
        free(pixels);
    }
    return result;
}

/* Finds what a frame needs whose surfaces need more than the budget. Draws it elsewhere, and fails. */
static pietra_result search_need(pietra_device *device, const pietra_stream *stream, const frame_config *config,
                                 part_budget *budget, const pietra_target *target, pietra_error *error,
                                 pietra_stats *stats)
{
    void *pixels = malloc(config_picture_bytes(config));
    if (!pixels)
        return error_set_memory(error);
    const pietra_target elsewhere = config_target(config, target, pixels, 4 * (size_t)target->width);
    pietra_result result = sheet_frame_draw(device, stream, config, budget, &elsewhere, draw_prepared, error, stats);
    free(pixels);
    return result == PIETRA_OK ? part_budget_error(budget, error) : result;
}

/* Gives the stream with its surfaces drawn, each device by its own means. */
static pietra_result draw_surfaces(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   part_budget *budget, pietra_error *error, pietra_stats *stats,
                                   const pietra_stream **drawn)
{
    if (device->renderer)
        return packed_surfaces_draw(&device->packed_surfaces, device->renderer, stream, frame, budget, error, stats,
                                    drawn);
    return surfaces_draw(&device->surfaces, stream, frame, budget, error, drawn);
}

pietra_result device_draw(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                          const pietra_target *target, image_frame *image, pietra_error *error, pietra_stats *stats)
{
    if (!device)
        return error_set_null(error, "device");
    frame_config config;
    cancel_watch watch = {.canceller = frame ? frame->canceller : NULL};
    part_budget budget = device_budget(device, &watch);
    pietra_stats collected = {.elements = 0};
    const pietra_stream *drawn;
    pietra_result result = device_check(stream, frame, target, error, &config);
    if (result == PIETRA_OK)
        result = device_begin_work(device, stream, &config, NULL, &budget.work, error);
    if (result == PIETRA_OK)
        result = draw_surfaces(device, stream, frame, &budget, error, &collected, &drawn);
    if (result != PIETRA_OK)
        return result;
    budget.labelled = stream;
    collected.elements = stream_get_header(stream)->element_count;
    collected.segments = stream_get_header(stream)->segment_count;
    if (part_budget_is_raised(&budget))
        return search_need(device, drawn, &config, &budget, target, error, &collected);
    const size_t stride = target->stride_bytes ? target->stride_bytes : 4 * (size_t)target->width;
    const pietra_target placed = config_target(&config, target, target->pixels, stride);
    if (image) {
        image->host = &placed;
        image->part = config.part;
        gpu_renderer_take_image(device->renderer, image);
    }
    result = sheet_frame_draw(device, drawn, &config, &budget, &placed, draw_prepared, error, &collected);
    if (image)
        gpu_renderer_take_image(device->renderer, NULL);
    if (result == PIETRA_OK && !device->cpu)
        target_format_finish(target);
    if (result == PIETRA_OK && stats)
        *stats = collected;
    return result;
}

pietra_result pietra_render(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                            const pietra_target *target, pietra_error *error, pietra_stats *stats)
{
    pietra_error own = {.result = PIETRA_OK};
    return error_pass_on(error, device_draw(device, stream, frame, target, NULL, &own, stats), &own);
}
