/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The caller's Vulkan device and images, as pietra_vulkan.h promises. */
#include <stdlib.h>

#include "base/error.h"
#include "render/device.h"
#include "render/frame/config.h"
#include "vulkan/import.h"

pietra_result pietra_vulkan_get_needs(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance, VkPhysicalDevice gpu,
                                      pietra_error *error, pietra_vulkan_needs *needs)
{
    if (!get_proc || !instance || !gpu || !needs)
        return error_set_null(error, !get_proc ? "get_proc" : !instance ? "instance" : !gpu ? "gpu" : "needs");
    return gpu_get_needs(get_proc, instance, gpu, error, needs);
}

pietra_result pietra_device_create_vulkan(const pietra_device_options *options, const pietra_vulkan_device *vulkan,
                                          pietra_error *error, pietra_device **device)
{
    static const pietra_device_options defaults = {.kind = PIETRA_DEVICE_GPU};
    if (!vulkan || !device)
        return error_set_null(error, !vulkan ? "vulkan" : "device");
    if (!vulkan->get_proc || !vulkan->instance || !vulkan->gpu || !vulkan->device || !vulkan->queue) {
        return error_set_null(error, !vulkan->get_proc   ? "vulkan.get_proc"
                                     : !vulkan->instance ? "vulkan.instance"
                                     : !vulkan->gpu      ? "vulkan.gpu"
                                     : !vulkan->device   ? "vulkan.device"
                                                         : "vulkan.queue");
    }
    if (!vulkan->lock != !vulkan->unlock)
        return error_set_null(error, !vulkan->lock ? "vulkan.lock" : "vulkan.unlock");
    return device_import(options ? options : &defaults, vulkan, error, device);
}

/* ---- Frames ---- */

static pietra_result check_semaphores(const pietra_vulkan_semaphore *semaphores, uint32_t count, const char *name,
                                      pietra_error *error)
{
    if (count > PIETRA_VULKAN_SEMAPHORES) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%u %s: at most %u are taken", count, name,
                         PIETRA_VULKAN_SEMAPHORES);
    }
    if (count > 0 && !semaphores)
        return error_set_null(error, name);
    for (uint32_t i = 0; i < count; i++)
        if (!semaphores[i].semaphore)
            return error_set_null(error, name);
    return PIETRA_OK;
}

static pietra_result check_target(const pietra_device *device, const pietra_vulkan_target *target, pietra_error *error)
{
    if (!device->renderer || !gpu_is_imported(device->gpu)) {
        return error_set(error, PIETRA_ERROR_INPUT, 0,
                         "images are drawn by a device of pietra_device_create_vulkan, not by \"%s\"",
                         device->info.name);
    }
    if (!target->image)
        return error_set_null(error, "target.image");
    return image_target_check(target, error);
}

/* Makes room for a frame that may have to go through the host's memory. Pages that are not written cost nothing. */
static bool ensure_pixels(pietra_device *device, uint64_t count)
{
    if (device->image_pixel_count >= count)
        return true;
    free(device->image_pixels);
    device->image_pixels = malloc((size_t)count * sizeof *device->image_pixels);
    device->image_pixel_count = device->image_pixels ? count : 0;
    return device->image_pixels;
}

pietra_result device_draw_image(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                const image_target *image, pietra_error *error, pietra_stats *stats)
{
    const pietra_vulkan_target *target = image->target;
    pietra_target host = {.width = target->width,
                          .height = target->height,
                          .format = target->straight ? PIETRA_FORMAT_RGBA8_STRAIGHT : PIETRA_FORMAT_RGBA8_PREMULTIPLIED,
                          .may_spoil = true};
    frame_config config; /* made for its checks, before memory is taken for so many pixels */
    pietra_result result = config_of_frame(frame, &host, error, &config);
    if (result != PIETRA_OK)
        return result;
    if (!ensure_pixels(device, (uint64_t)target->width * target->height))
        return error_set_memory(error);
    host.pixels = device->image_pixels;
    image_frame taken = {.image = *image};
    result = device_draw(device, stream, frame, &host, &taken, error, stats);
    if (result != PIETRA_OK || taken.is_written)
        return result;
    return gpu_renderer_write_image(device->renderer, image, device->image_pixels, error);
}

pietra_result device_check_image(const pietra_device *device, const image_target *image, pietra_error *error)
{
    pietra_result result = check_target(device, image->target, error);
    if (result == PIETRA_OK)
        result = check_semaphores(image->order->waits, image->order->wait_count, "order.waits", error);
    if (result == PIETRA_OK)
        result = check_semaphores(image->order->signals, image->order->signal_count, "order.signals", error);
    return result;
}

static pietra_result render(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                            const pietra_vulkan_target *target, const pietra_vulkan_order *order, pietra_error *error,
                            pietra_stats *stats)
{
    static const pietra_vulkan_order nothing = {.wait_count = 0};
    const image_target image = {.target = target, .order = order ? order : &nothing};
    if (!device || !stream || !target)
        return error_set_null(error, !device ? "device" : !stream ? "stream" : "target");
    pietra_result result = device_check_image(device, &image, error);
    return result == PIETRA_OK ? device_draw_image(device, stream, frame, &image, error, stats) : result;
}

pietra_result pietra_render_vulkan(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   const pietra_vulkan_target *target, const pietra_vulkan_order *order,
                                   pietra_error *error, pietra_stats *stats)
{
    pietra_error own = {.result = PIETRA_OK};
    return error_pass_on(error, render(device, stream, frame, target, order, &own, stats), &own);
}
