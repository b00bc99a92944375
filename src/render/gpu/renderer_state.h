/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the parts of the renderer share, and nobody else uses. */
#ifndef PIETRA_RENDER_GPU_RENDERER_STATE_H
#define PIETRA_RENDER_GPU_RENDERER_STATE_H

#include "base/array.h"
#include "render/gpu/buffer_use.h"
#include "render/gpu/effects.h"
#include "render/gpu/external_images.h"
#include "render/gpu/flight.h"
#include "render/gpu/gpu_renderer.h"
#include "render/gpu/programs.h"
#include "vulkan/recorder.h"

/* What a frame has to itself while the device works on it. */
typedef struct renderer_slot {
    gpu_recorder *recorder;
    gpu_buffer config;
    gpu_buffer counters; /* what a run counted, and ENDED_LOOPS */
} renderer_slot;

#define RESIDENT_STREAMS (FRAMES_IN_FLIGHT + 1) /* those that frames in flight read, and one more */
#define RESIDENT_BYTES ((uint64_t)16 << 20)     /* of several streams; a single one may take more */

/* A frame in flight: it was submitted, and nobody has waited for it yet. */
typedef struct flight_frame {
    renderer_slot slot;
    gpu_recorder *image_recorder; /* writes the image once its semaphores have come; NULL: none was needed yet */
    gpu_buffer pixels;            /* that the host drew; no bytes: it has drawn none yet */
    uint64_t number;              /* of the frame; 0: there is none */
    bool has_order;               /* the image is written by image_recorder */
    bool is_guess;                /* the image keeps its picture if the capacity does not suffice */
    bool is_recorded;             /* into commands of the caller, who submits them and says when they are done */
    resident_stream *stream;      /* NULL: the device draws nothing */
    frame_config part;
    frame_capacity capacity;
    uint32_t stream_tasks; /* stream_header.task_count */
    pietra_stats stats;
    double submitted_ms; /* by the host's clock */
} flight_frame;

struct gpu_renderer {
    gpu_device *device;
    gpu_renderer_options options;
    renderer_slot own;   /* of frames that are waited for */
    renderer_slot *slot; /* of the frame that is drawn */
    stage_programs *programs;

    flight_frame flight[FRAMES_IN_FLIGHT];
    frame_log log;
    resident_stream *stream; /* of the frame that is drawn */
    resident_stream streams[RESIDENT_STREAMS];
    uint64_t stream_count; /* how often one was drawn */
    resident_surfaces surfaces;
    gpu_effects effects;
    gpu_buffer sheets, frame, target, atlas;
    buffer_use frame_use, target_use, atlas_use;
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
    tile_box window;           /* it holds this part of the whole */
    frame_counters counted;
    pietra_stats *stats;
    image_writer images;
    image_frame *image; /* NULL: frames go to the host's memory */
    external_reader externals;
    external_gift gift;                /* of the frame that is drawn */
    const pietra_vulkan_order *before; /* what the gift has to wait for; NULL: nothing, or it was waited for */
#ifdef PIETRA_DEV
    uint64_t stamp; /* when the sources of the programs were last written */
#endif
};

pietra_result renderer_slot_create(gpu_device *device, pietra_error *error, renderer_slot *slot);
/* Destroys what there is of a slot. */
void renderer_slot_destroy(gpu_device *device, renderer_slot *slot);

/* Returns the bytes of the target for the rows of tiles from y0 to y1. */
uint64_t renderer_target_bytes(const gpu_renderer *renderer, int y0, int y1);
/* Returns the bytes by which the target begins before its first pixel: kernels write a pixel at its place in the row of
 * the frame, but the target's rows are as wide as the part alone. */
uint64_t renderer_target_lead(const gpu_renderer *renderer);

/* Makes a stream's place on the device the one that is drawn from: the place where it lies, or that of the stream that
 * was drawn longest ago and that no frame in flight reads. Small streams take a place that is empty. */
void renderer_choose_stream(gpu_renderer *renderer, const pietra_stream *stream);

/* Makes room for the part with this capacity, within the budget and within what a kernel can see. */
pietra_result renderer_make_room(gpu_renderer *renderer, const frame_capacity *capacity, pietra_error *error);
/* Records all stages, and copies to the slot what they count. */
void renderer_record(gpu_renderer *renderer);
/* Takes what the slot's last run counted. PIETRA_ERROR_DEVICE: the device cannot draw the part. */
pietra_result renderer_take_counters(const renderer_slot *slot, frame_counters *counted, pietra_error *error);

/* Notes that a frame was drawn or submitted. */
void renderer_end_frame(gpu_renderer *renderer);
/* Gives memory back that no frame has needed for long. Waits for frames in flight only if the budget has no room for a
 * buffer beside the one that it replaces. */
void renderer_shrink(gpu_renderer *renderer);
/* Destroys buffers that only frames used which are done. */
void renderer_release(gpu_renderer *renderer);

/* ---- Frames in flight ---- */

/* Returns the oldest frame that is not done, or NULL. */
flight_frame *flight_oldest(gpu_renderer *renderer);
/* Returns how many frames are not done. */
uint32_t flight_count(const gpu_renderer *renderer);
/* Gives a frame that is none; there must be one. */
pietra_result flight_find_free(gpu_renderer *renderer, pietra_error *error, flight_frame **free);
/* Does the same, and waits until fewer than `most` frames are in flight. */
pietra_result flight_take_free(gpu_renderer *renderer, uint32_t most, pietra_error *error, flight_frame **free);
/* Gives back what frames have not needed for long, unless this one does. */
void flight_give_back(gpu_renderer *renderer, const flight_plan *plan);
/* Notes what a frame needs of the buffers that frames share. */
void flight_note_needs(gpu_renderer *renderer, const flight_plan *plan);
/* Begins a frame that draws nothing, or of which that is not known yet. */
void flight_begin(flight_frame *frame);
/* Does what can fail before a frame is recorded. Afterwards renderer->slot is the frame's. *is_new: the stream was
 * written now, and its copy must be recorded. */
pietra_result flight_prepare(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                             flight_frame *frame, pietra_error *error, bool *is_new);
/* Records a frame up to its pixels, and the copy of these to the image. */
void flight_record(gpu_renderer *renderer, const flight_plan *plan, bool is_new);
void flight_record_image(gpu_renderer *renderer, const flight_frame *frame, gpu_recorder *recorder,
                         const image_target *image);
/* Takes what a frame has become that is done. */
void flight_take(gpu_renderer *renderer, flight_frame *frame);
/* Takes it if the frame is done within the time. */
pietra_result flight_finish(gpu_renderer *renderer, flight_frame *frame, uint64_t timeout_ns, pietra_error *error,
                            bool *done);
/* Returns a frame in commands of the caller that are not known to be done, or NULL. */
flight_frame *flight_recorded(gpu_renderer *renderer);
/* Returns the error that such a frame is in the way. */
pietra_result flight_recorded_error(const flight_frame *frame, pietra_error *error);

gpu_range renderer_range(const gpu_renderer *renderer, frame_buffer buffer);

/* Draws a part of what is drawn: `user` is the renderer. PIETRA_ERROR_BUDGET: a smaller part may fit. */
pietra_result renderer_draw_part(void *user, tile_box box, pietra_error *error);

#endif
