/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames that are recorded into commands of the caller. He alone knows when these run, so nothing here waits for them,
 * and nothing else is submitted before he says that they are done. */
#include "base/error.h"
#include "render/gpu/renderer_state.h"

flight_frame *flight_recorded(gpu_renderer *renderer)
{
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT; i++)
        if (renderer->flight[i].number != 0 && renderer->flight[i].is_recorded)
            return &renderer->flight[i];
    return NULL;
}

pietra_result flight_recorded_error(const flight_frame *frame, pietra_error *error)
{
    return error_set(
        error, PIETRA_ERROR_INPUT, 0,
        "frame %llu was recorded into the caller's commands; pietra_view_finish_recorded has not said that "
        "they are done",
        (unsigned long long)frame->number);
}

static pietra_result check_room(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                                uint32_t most, pietra_error *error)
{
    if (flight_count(renderer) >= most) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0, "%u frames are not done, as many as may be",
                         flight_count(renderer));
    }
    if (plan && flight_oldest(renderer) && !gpu_flight_has_room(renderer, plan, image)) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0,
                         "the device's memory has to grow for this frame, and %u frames that use it are not done",
                         flight_count(renderer));
    }
    return PIETRA_OK;
}

/* Records a frame behind what can fail. */
static pietra_result record(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                            flight_frame *frame, VkCommandBuffer commands, pietra_error *error)
{
    gpu_recorder *recorder = frame->slot.recorder;
    bool is_new = false;
    pietra_result result = PIETRA_OK;
    if (plan)
        result = flight_prepare(renderer, plan, image, frame, error, &is_new);
    else
        flight_begin(frame);
    if (result != PIETRA_OK && is_new)
        renderer->stream->id = 0;
    if (result != PIETRA_OK)
        return result;
    gpu_recorder_begin_in(recorder, commands);
    if (plan) {
        flight_record(renderer, plan, is_new);
        flight_record_image(renderer, frame, recorder, image);
    } else {
        gpu_pass_image(recorder, image->target);
    }
    gpu_recorder_leave(recorder);
    if (plan)
        renderer_end_frame(renderer);
    frame->is_recorded = true;
    return PIETRA_OK;
}

pietra_result gpu_flight_record(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                                uint32_t most, VkCommandBuffer commands, pietra_error *error, uint64_t *number)
{
    flight_frame *frame = NULL;
    uint64_t done;
    pietra_result result = gpu_flight_wait(renderer, 0, 0, error, &done);
    if (result == PIETRA_OK)
        result = check_room(renderer, plan, image, most, error);
    if (result == PIETRA_OK)
        result = flight_find_free(renderer, error, &frame);
    if (result == PIETRA_OK)
        result = record(renderer, plan, image, frame, commands, error);
    if (result == PIETRA_OK)
        *number = frame->number = ++renderer->log.submitted;
    renderer->slot = &renderer->own;
    renderer->stats = NULL;
    return result;
}

pietra_result gpu_flight_return(gpu_renderer *renderer, uint64_t number, pietra_error *error)
{
    pietra_result result = PIETRA_OK;
    bool done;
    for (flight_frame *oldest; result == PIETRA_OK && (oldest = flight_oldest(renderer)) && oldest->number <= number;) {
        if (oldest->is_recorded) {
            gpu_recorder_return(oldest->slot.recorder);
            flight_take(renderer, oldest);
        } else {
            result = flight_finish(renderer, oldest, UINT64_MAX, error, &done);
        }
    }
    return result;
}

void gpu_flight_discard(gpu_renderer *renderer)
{
    flight_frame *frame = flight_recorded(renderer);
    frame_outcome outcome = {.result = PIETRA_CANCELLED};
    (void)error_set(&outcome.error, PIETRA_CANCELLED, 0, "the commands into which the frame was recorded never ran");
    if (!frame)
        return;
    while (!(frame = flight_oldest(renderer))->is_recorded) /* numbers are done in their order */
        (void)gpu_flight_return(renderer, frame->number, NULL);
    for (; (frame = flight_oldest(renderer)) != NULL; frame->number = 0) {
        if (frame->stream)
            frame->stream->id = 0; /* its copy has not run */
        outcome.stats = frame->stats;
        frame_log_set(&renderer->log, frame->number, &outcome);
    }
}
