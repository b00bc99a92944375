/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws frames on a Vulkan device. The stages are recorded and run. They are run again with more room until everything
 * fits.
 *
 * Only one thread may use a renderer. */
#ifndef PIETRA_RENDER_GPU_GPU_RENDERER_H
#define PIETRA_RENDER_GPU_GPU_RENDERER_H

#include "render/frame/parts.h"
#include "vulkan/device.h"
#include "layout/frame.h"
#include "render/gpu/external_images.h"
#include "render/gpu/frame_buffers.h"
#include "render/gpu/image_target.h"
#include "render/gpu/resident_stream.h"
#include "render/sheet/runs.h"
#include "primitive/primitive.h"
#include "scene/stream.h"

typedef struct gpu_renderer gpu_renderer;

typedef struct gpu_renderer_options {
    uint64_t budget_bytes;   /* limit of a frame's buffers */
    primitive_options waits; /* for tests */
    uint32_t fine_work;      /* 0: as much as the device can take */
    parallel_pool *pool;     /* its threads compile programs; NULL: the caller's thread does */
} gpu_renderer_options;

/* Creates a renderer. The caller owns the device, which must outlive the renderer. */
pietra_result gpu_renderer_create(gpu_device *device, const gpu_renderer_options *options, pietra_error *error,
                                  gpu_renderer **renderer);
void gpu_renderer_destroy(gpu_renderer *renderer); /* NULL is ignored */

/* Draws a frame within a budget, which it raises as parts_draw does; NULL: within that of the options. If a kernel
 * does not see the whole picture, the frame is drawn in windows of rows. After a failure the target is unchanged,
 * unless it may spoil. The errors are those of pietra_render. */
pietra_result gpu_renderer_draw(gpu_renderer *renderer, const pietra_stream *stream, const frame_config *whole,
                                part_budget *budget, const pietra_target *target, pietra_error *error,
                                pietra_stats *stats);

/* A frame that an image takes. */
typedef struct image_frame {
    image_target image;
    const pietra_target *host; /* the target of gpu_renderer_draw that stands for it */
    tile_box part;             /* all of the frame */
    bool is_written;           /* set once the image has the frame */
} image_frame;

/* From now on, a frame that is drawn for image->host, at once and whole, goes to the image and not to the target. If it
 * is drawn otherwise, it goes to the target. NULL ends that. */
void gpu_renderer_take_image(gpu_renderer *renderer, image_frame *image);
/* From now on, frames show these pixels of external images, and the first of them waits for an order's waits, unless it
 * is NULL. NULL: none. */
void gpu_renderer_take_externals(gpu_renderer *renderer, const external_gift *gift, const pietra_vulkan_order *before);
/* Writes an image from a picture in the host's memory, without gaps. */
pietra_result gpu_renderer_write_image(gpu_renderer *renderer, const image_target *image, const uint32_t *picture,
                                       pietra_error *error);

/* Returns what the last frame counted that was drawn in one part, in flight not included. */
const frame_sample *gpu_renderer_sample(const gpu_renderer *renderer);

/* Returns whether a stream lies on the device, with what was drawn there of its effects. */
bool gpu_renderer_holds(const gpu_renderer *renderer, const pietra_stream *stream);

/* Returns the surfaces that lie on the device. Their owner lays them out, and says which of them streams show. */
resident_surfaces *gpu_renderer_surfaces(gpu_renderer *renderer);

/* Draws the effects of a run into the texels of a stream of made_stream_create_packed. Runs come in their order, and a
 * frame of the stream after all of them. The first run puts the stream on the device. A frame of another stream ends
 * that. The run of the plan's roots draws them into the buffer of surfaces instead. Changes plan->graph. The budget and
 * the errors are those of gpu_renderer_draw. */
pietra_result gpu_renderer_draw_sheets(gpu_renderer *renderer, const pietra_stream *stream, sheet_plan *plan,
                                       const sheet_runs *runs, const sheet_run *run, part_budget *budget,
                                       pietra_error *error, pietra_stats *stats);

/* Returns what an atlas may take, within a budget for sheets. */
sheet_limits gpu_renderer_sheet_limits(const gpu_renderer *renderer, uint64_t bytes);
/* Checks that there is room for the texels of a stream. PIETRA_ERROR_BUDGET: fewer may fit. */
pietra_result gpu_renderer_check_texels(const gpu_renderer *renderer, const pietra_stream *stream, pietra_error *error);

/* Copies `bytes` from `offset` on of a buffer of the part that was drawn last. For tests. */
pietra_result gpu_renderer_read(gpu_renderer *renderer, frame_buffer buffer, uint64_t offset, uint64_t bytes,
                                pietra_error *error, void *to);
/* Copies texels of the stream that was drawn last. For tests. */
pietra_result gpu_renderer_read_texels(gpu_renderer *renderer, uint64_t first, uint64_t count, pietra_error *error,
                                       uint32_t *to);
/* Returns the capacity of that part. */
const frame_capacity *gpu_renderer_capacity(const gpu_renderer *renderer);

#endif
