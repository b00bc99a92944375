/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames that nobody waits for. A frame whose counts are bounded (render/bounds) is recorded and submitted once, with
 * room for all that it can count, and drawn into an image of the caller. Frames in flight are drawn one after the
 * other: each has a command buffer and what the host writes and reads to itself, and they share all else.
 *
 * What frames in flight use must neither be written by the host nor destroyed. Functions of gpu_renderer.h wait for all
 * of them first. */
#ifndef PIETRA_RENDER_GPU_FLIGHT_H
#define PIETRA_RENDER_GPU_FLIGHT_H

#include "pietra/pietra.h"
#include "render/bounds/bounds.h"
#include "render/gpu/capacity.h"
#include "render/gpu/external_images.h"
#include "render/gpu/image_target.h"
#include "scene/stream.h"

#define FRAMES_IN_FLIGHT 8u /* at most */
#define FRAME_OUTCOMES 32u  /* of how many frames it is known what became of them */

struct gpu_renderer;

/* What became of a frame that is done. */
typedef struct frame_outcome {
    pietra_result result;
    pietra_error error; /* if it failed */
    pietra_stats stats;
    bool is_kept;       /* it found too little room, so its image keeps its picture */
    frame_sample drawn; /* of a frame whose plan was a guess */
} frame_outcome;

/* The frames of a device. */
typedef struct frame_log {
    uint64_t submitted, done;         /* numbers of the last frames that were submitted, and that were waited for */
    uint64_t failed;                  /* number of the last one that failed and is not kept; 0: none */
    uint64_t numbers[FRAME_OUTCOMES]; /* of the frames of the outcomes; 0: there is none */
    /* By the numbers of their frames. Many pages, which stay untouched until they are set, so they may be any bytes. */
    frame_outcome outcomes[FRAME_OUTCOMES];
} frame_log;

void frame_log_set(frame_log *log, uint64_t number, const frame_outcome *outcome);
/* Returns NULL if the frame is not done, or that was long ago. */
const frame_outcome *frame_log_get(const frame_log *log, uint64_t number);

/* A frame to submit. */
typedef struct flight_plan {
    const pietra_stream *stream;
    const stream_sums *sums; /* the stream's */
    external_gift gift;
    bool has_stage_times; /* in its stats */
    frame_config whole;
    /* Set by gpu_flight_fits and gpu_flight_guess: */
    bool is_guess; /* the capacity may not suffice */
    frame_bounds bounds;
    frame_capacity capacity; /* that it is recorded with */
    uint64_t bytes;          /* of its buffers but the target */
} flight_plan;

/* Says whether a frame can be submitted so: its stream is bounded, and it fits the bytes, one window and one part. */
bool gpu_flight_fits(const struct gpu_renderer *renderer, flight_plan *plan, uint64_t bytes);

/* Says whether room can be guessed for a frame that may not fit, by what frames counted lately, within the device's
 * budget. Its image must have a view for storage: it is written only if there was room for everything. */
bool gpu_flight_guess(const struct gpu_renderer *renderer, const frame_sample *lately, flight_plan *plan);

/* Returns whether memory need not grow for a frame that fits. */
bool gpu_flight_has_room(const struct gpu_renderer *renderer, const flight_plan *plan, const image_target *image);

/* Submits a frame that fits, and gives its number, which grows by one for each. Waits only if `most` frames are in
 * flight, if the device's memory has to grow, or if programs have to be made. If the plan is NULL, nothing is drawn:
 * the image comes and goes as with any frame, and the order is kept. */
pietra_result gpu_flight_submit(struct gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                                uint32_t most, pietra_error *error, uint64_t *number);

/* The most pixels of a frame that the host draws, unless a view says otherwise. */
#define PIXELS_OF_HOST 16384u

/* Draws the pixels of a frame, without gaps. After a failure they may be anything. */
typedef pietra_result flight_painter(void *user, uint32_t *pixels, pietra_error *error, pietra_stats *stats);

/* Submits a frame that fits, and whose pixels the host draws in this call, and gives its number. The image is written
 * whole, or its boxes. Waits only if `most` frames are in flight, or for more memory. */
pietra_result gpu_flight_submit_pixels(struct gpu_renderer *renderer, const flight_plan *plan,
                                       const image_target *image, uint32_t most, flight_painter *painter, void *user,
                                       pietra_error *error, uint64_t *number);

/* Records a frame that fits into commands of the caller, who executes them after all that was submitted before, and
 * says when that is done. Nothing else may be submitted until then. Waits for nothing. The plan may be NULL, as above.
 * After a failure nothing was recorded. PIETRA_ERROR_BUDGET: the device's memory would have to grow. */
pietra_result gpu_flight_record(struct gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                                uint32_t most, VkCommandBuffer commands, pietra_error *error, uint64_t *number);
/* Takes what recorded frames up to a number have become. */
pietra_result gpu_flight_return(struct gpu_renderer *renderer, uint64_t number, pietra_error *error);
/* Fails all recorded frames: their commands will never be executed. */
void gpu_flight_discard(struct gpu_renderer *renderer);
/* Makes room and programs for a frame that fits, so that recording it does not have to. */
pietra_result gpu_flight_reserve(struct gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                                 pietra_error *error);

/* Takes what frames have become that are done. Waits for those up to a number, at most so long. Returns the number of
 * the last frame that is done. PIETRA_ERROR_INPUT: one of them was recorded, and only the caller can wait for it. */
pietra_result gpu_flight_wait(struct gpu_renderer *renderer, uint64_t number, uint64_t timeout_ns, pietra_error *error,
                              uint64_t *done);
/* Waits for all frames. */
pietra_result gpu_flight_settle(struct gpu_renderer *renderer, pietra_error *error);

frame_log *gpu_flight_log(struct gpu_renderer *renderer);

/* Destroys what frames had. Nothing may be in flight, unless the device is lost. */
void gpu_flight_free(struct gpu_renderer *renderer);

#endif
