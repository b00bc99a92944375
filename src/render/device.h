/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A pietra_device inside the library. */
#ifndef PIETRA_RENDER_DEVICE_H
#define PIETRA_RENDER_DEVICE_H

#include "base/parallel.h"
#include "pietra/pietra.h"
#include "pietra/pietra_vulkan.h"
#include "render/cpu/cpu_renderer.h"
#include "render/gpu/flight.h"
#include "render/gpu/gpu_renderer.h"
#include "render/packed_surfaces.h"
#include "render/sheet_frame.h"
#include "render/stream_work.h"
#include "render/surfaces.h"

struct pietra_device {
    pietra_device_info info;
    uint64_t budget_bytes;
    uint64_t effect_steps; /* pietra_device_options */
    parallel_pool *pool;   /* for the CPU device, and for the one beside a GPU; the reference has one thread */
    cpu_device *cpu;       /* NULL: the device is the reference or a GPU */
    gpu_device *gpu;       /* NULL: the device is a CPU */
    gpu_renderer *renderer;
    parallel_pool *host_pool;             /* of the one thread of `host` */
    cpu_device *host;                     /* beside a GPU, for frames of views (host_frame.h); NULL: none yet */
    surface_cache surfaces;               /* of frames on the CPU */
    packed_surface_cache packed_surfaces; /* of frames on the GPU */
    sheet_cache sheets, packed_sheets;
    stream_work_cache work;
    uint32_t *image_pixels; /* of a frame for an image that has to go through the host's memory; NULL: none yet */
    uint64_t image_pixel_count;
    frame_log log; /* of frames of views; a GPU's renderer has its own. The last one, see make_device */
};

/* Returns the log of the device's frames. */
frame_log *device_log(pietra_device *device);
/* Counts a frame that is done, after all before it. Returns its number. */
uint64_t device_count_frame(pietra_device *device, const pietra_stats *stats);

/* Does what pietra_device_create_vulkan promises. No pointer is NULL. */
pietra_result device_import(const pietra_device_options *options, const pietra_vulkan_device *vulkan,
                            pietra_error *error, pietra_device **device);

/* Checks an image and its order. PIETRA_ERROR_INPUT: the device draws no images, or not this one. */
pietra_result device_check_image(const pietra_device *device, const image_target *image, pietra_error *error);
/* Does what pietra_render_vulkan promises of a frame whose image was checked. frame may be NULL. */
pietra_result device_draw_image(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                const image_target *image, pietra_error *error, pietra_stats *stats);

/* Does what pietra_render promises. If `image` is not NULL, the device is a GPU, and the frame goes to the image, or to
 * the target if image->is_written is false afterwards. */
pietra_result device_draw(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                          const pietra_target *target, image_frame *image, pietra_error *error, pietra_stats *stats);

/* Returns the budget of a frame. */
part_budget device_budget(const pietra_device *device, cancel_watch *watch);

/* Says what the work of a frame may cost, and spends what its stream alone tells. bounds may be NULL: they tell sooner
 * that it costs little. The errors are those of pietra_render. */
pietra_result device_begin_work(pietra_device *device, const pietra_stream *stream, const frame_config *config,
                                const frame_bounds *bounds, frame_work *work, pietra_error *error);

/* Gives the stream with its surfaces drawn as frames of the device draw them, with all texels. If these need more than
 * the budget, it is raised, and the caller must fail. The errors are those of pietra_render. */
pietra_result device_hold_surfaces(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   part_budget *budget, pietra_error *error, const pietra_stream **drawn);

/* Checks what says what to draw, and gives the configuration of the frame. The errors are those of pietra_render. */
pietra_result device_check(const pietra_stream *stream, const pietra_frame *frame, const pietra_target *target,
                           pietra_error *error, frame_config *config);

/* Gives the stream that the stages see: with images in place of its surfaces and its effects, and all texels. The
 * errors are those of pietra_render. */
pietra_result device_hold_images(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                 const frame_config *config, part_budget *budget, pietra_error *error,
                                 const pietra_stream **drawn);

#endif
