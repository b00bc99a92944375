/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames whose pixels the host draws. The device copies them from memory that both see. */
#include "render/gpu/flight.h"

#include "render/gpu/renderer_state.h"

/* Small pictures take as much as most do at most, so that a few frames are enough for the memory to be there. */
static uint64_t pixel_bytes(const image_target *image)
{
    const uint64_t count = (uint64_t)image->target->width * image->target->height;
    return sizeof(uint32_t) * (count > PIXELS_OF_HOST ? count : PIXELS_OF_HOST);
}

static pietra_result submit(gpu_renderer *renderer, const image_target *image, flight_painter *painter, void *user,
                            flight_frame *frame, pietra_error *error)
{
    flight_begin(frame);
    pietra_result result =
        gpu_buffer_ensure(renderer->device, pixel_bytes(image), GPU_MEMORY_UPLOAD, error, &frame->pixels);
    if (result == PIETRA_OK)
        result = painter(user, frame->pixels.mapped, error, &frame->stats);
    if (result == PIETRA_OK)
        result = image_make_room(&renderer->images, image->target, false, error);
    if (result == PIETRA_OK)
        result = gpu_recorder_begin(frame->slot.recorder, error);
    if (result != PIETRA_OK)
        return result;
    image_record(&renderer->images, frame->slot.recorder, image, (gpu_range){.buffer = &frame->pixels},
                 image->target->width, NULL);
    return gpu_recorder_submit_ordered(frame->slot.recorder, image->order, error);
}

pietra_result gpu_flight_submit_pixels(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                                       uint32_t most, flight_painter *painter, void *user, pietra_error *error,
                                       uint64_t *number)
{
    flight_frame *frame = NULL;
    pietra_result result = flight_take_free(renderer, most, error, &frame);
    if (result == PIETRA_OK && !image_has_room(&renderer->images, image->target))
        result = gpu_flight_settle(renderer, error);
    if (result != PIETRA_OK)
        return result;
    flight_give_back(renderer, plan);
    gpu_recorder_skip_marks(frame->slot.recorder, !plan->has_stage_times);
    result = submit(renderer, image, painter, user, frame, error);
    if (result != PIETRA_OK)
        return result;
    /* It counts as what the device would need: buffers shrink as far as if the device had drawn it. */
    flight_note_needs(renderer, plan);
    renderer_end_frame(renderer);
    *number = frame->number = ++renderer->log.submitted;
    return PIETRA_OK;
}
