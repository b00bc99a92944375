/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/host_frame.h"

#include "base/error.h"
#include "render/frame/config.h"
#include "render/frame/parts.h"

/* Nanoseconds of an AMD EPYC. Bounds are far above what is counted where large shapes have few of their lines in the
 * box: a caret over a dashboard is bounded by 35 us and takes 9. */
#define COST_OF_ELEMENT 15.0 /* that is looked at, and mostly passed over */
#define COST_OF_LINE 50.0
#define COST_OF_TILE_LINE 10.0
#define COST_OF_TILE_COMMAND 250.0
#define COST_MOST 75000.0 /* as long as a device with its barriers takes for nothing */

bool host_frame_is_cheap(const flight_plan *plan)
{
    const frame_bounds *bounds = &plan->bounds;
    return COST_OF_ELEMENT * stream_get_header(plan->stream)->element_count + COST_OF_LINE * bounds->lines +
               COST_OF_TILE_LINE * bounds->tile_lines + COST_OF_TILE_COMMAND * bounds->tile_commands <=
           COST_MOST;
}

typedef struct host_painting {
    pietra_device *device;
    const flight_plan *plan;
    const pietra_frame *frame;
    const image_target *image;
} host_painting;

/* The device beside a GPU has one thread: others would take longer to wake. */
static pietra_result make_cpu(pietra_device *device, pietra_error *error)
{
    if (!device->host_pool)
        device->host_pool = parallel_pool_create(1);
    if (device->host_pool && !device->host)
        device->host = cpu_device_create(device->host_pool, NULL);
    return device->host ? PIETRA_OK : error_set_memory(error);
}

static pietra_result paint(void *user, uint32_t *pixels, pietra_error *error, pietra_stats *stats)
{
    const host_painting *painting = user;
    const pietra_vulkan_target *part = painting->image->target;
    const pietra_target target = {.width = part->width,
                                  .height = part->height,
                                  .pixels = pixels,
                                  .stride_bytes = sizeof *pixels * (size_t)part->width,
                                  .format = part->straight ? PIETRA_FORMAT_RGBA8_STRAIGHT
                                                           : PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
    cancel_watch watch = {.canceller = painting->frame->canceller};
    part_budget budget = device_budget(painting->device, &watch);
    frame_config config;
    const stream_header *header = stream_get_header(painting->plan->stream);
    stats->elements = header->element_count;
    stats->segments = header->segment_count;
    pietra_result result = config_of_frame(painting->frame, &target, error, &config);
    if (result == PIETRA_OK)
        result = make_cpu(painting->device, error);
    if (result != PIETRA_OK)
        return result;
    const pietra_target placed = config_target(&config, &target, pixels, target.stride_bytes);
    result = cpu_renderer_draw(painting->device->host, painting->plan->stream, &config, &budget, &placed, error, stats);
    stats->stage_count = painting->plan->has_stage_times ? stats->stage_count : 0;
    return result;
}

pietra_result host_frame_submit(pietra_device *device, const flight_plan *plan, const pietra_frame *frame,
                                const image_target *image, uint32_t most, pietra_error *error, uint64_t *number)
{
    host_painting painting = {device, plan, frame, image};
    return gpu_flight_submit_pixels(device->renderer, plan, image, most, paint, &painting, error, number);
}
