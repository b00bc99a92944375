/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the parts of the renderer share, and nobody else uses. */
#ifndef PIETRA_RENDER_GPU_RENDERER_STATE_H
#define PIETRA_RENDER_GPU_RENDERER_STATE_H

#include "base/array.h"
#include "render/gpu/effects.h"
#include "render/gpu/gpu_renderer.h"
#include "render/gpu/programs.h"
#include "vulkan/recorder.h"

struct gpu_renderer {
    gpu_device *device;
    gpu_renderer_options options;
    gpu_recorder *recorder;
    stage_programs *programs;

    resident_stream stream;
    resident_surfaces surfaces;
    gpu_effects effects;
    gpu_buffer config, sheets, frame, target, atlas;
    gpu_buffer counters;         /* what a run counted, and ENDED_LOOPS */
    ARRAY(gpu_buffer) readbacks; /* one for each window */
    part_budget budget;          /* budget of the frame that is drawn */
    frame_capacity learned;      /* what the stream needed; fine_passes is 0 if nothing is known yet */
    frame_sample drawn;          /* the last frame in one part */
    frame_layout layout;         /* layout of `frame` */
    frame_capacity capacity;
    frame_config part;
    frame_config whole;
    stream_header header;      /* of the stream, with the totals of what is drawn */
    const gpu_buffer *picture; /* what is drawn into: the target or the atlas, */
    tile_box window;           /* which holds this part of the whole */
    frame_counters counted;
    pietra_stats *stats;
    image_writer images;
    image_frame *image; /* NULL: frames go to the host's memory */
#ifdef PIETRA_DEV
    uint64_t stamp; /* when the sources of the programs were last written */
#endif
};

/* Returns the bytes of the target for the rows of tiles from y0 to y1. */
uint64_t renderer_target_bytes(const gpu_renderer *renderer, int y0, int y1);
/* Returns the bytes by which the target begins before its first pixel: kernels write a pixel at its place in the row of
 * the frame, but the target's rows are as wide as the part alone. */
uint64_t renderer_target_lead(const gpu_renderer *renderer);

gpu_range renderer_range(const gpu_renderer *renderer, frame_buffer buffer);

/* Draws a part of what is drawn: `user` is the renderer. PIETRA_ERROR_BUDGET: a smaller part may fit. */
pietra_result renderer_draw_part(void *user, tile_box box, pietra_error *error);

#endif
