/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/flight.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "lib/frame_room.h"
#include "render/frame/config.h"
#include "render/gpu/renderer_state.h"
#include "render/gpu/stage_times.h"

/* ---- What fits ---- */

static uint64_t target_bytes(const frame_config *whole)
{
    const tile_box part = whole->part;
    return sizeof(uint32_t) *
           ((uint64_t)part.x0 * TILE_SIDE + (uint64_t)(part.y1 - part.y0) * TILE_SIDE * whole->target_pitch);
}

/* Lays a frame out with a capacity, of which the learned group is given. */
static bool fits_with(const gpu_renderer *renderer, const frame_capacity *needed, uint64_t bytes, flight_plan *plan)
{
    const gpu_limits *limits = gpu_get_limits(renderer->device);
    plan->capacity = capacity_of_part(stream_get_header(plan->stream), &plan->whole, needed);
    const frame_layout layout = frame_layout_of(&plan->capacity, limits->storage_alignment);
    plan->bytes = layout.total_bytes;
    return target_bytes(&plan->whole) <= gpu_limits_whole_bytes(limits) && layout.total_bytes <= bytes &&
           layout.total_bytes <= renderer->options.budget_bytes && layout.largest_bytes <= limits->max_binding_bytes &&
           layout.total_bytes <= limits->max_allocation_bytes;
}

bool gpu_flight_fits(const gpu_renderer *renderer, flight_plan *plan, uint64_t bytes)
{
    frame_capacity needed;
    if (!plan->sums->is_bounded)
        return false;
    plan->whole.fine_work = renderer->options.fine_work;
    plan->bounds = frame_bounds_of(plan->sums, &plan->whole);
    return capacity_of_bounds(&plan->bounds, stream_get_header(plan->stream), &plan->whole, plan->sums, &needed) &&
           fits_with(renderer, &needed, bytes, plan);
}

bool gpu_flight_guess(const gpu_renderer *renderer, const frame_sample *lately, flight_plan *plan)
{
    frame_capacity needed;
    if (!plan->sums->is_bounded)
        return false;
    plan->is_guess = true;
    plan->whole.fine_work = renderer->options.fine_work;
    return capacity_of_sample(lately, stream_get_header(plan->stream), &plan->whole, plan->sums, &needed) &&
           fits_with(renderer, &needed, UINT64_MAX, plan);
}

/* ---- What is done ---- */

void frame_log_set(frame_log *log, uint64_t number, const frame_outcome *outcome)
{
    log->numbers[number % FRAME_OUTCOMES] = number;
    log->outcomes[number % FRAME_OUTCOMES] = *outcome;
    if (outcome->result != PIETRA_OK && !outcome->is_kept)
        log->failed = number;
    log->done = number;
}

const frame_outcome *frame_log_get(const frame_log *log, uint64_t number)
{
    const uint64_t place = number % FRAME_OUTCOMES;
    return number != 0 && log->numbers[place] == number ? &log->outcomes[place] : NULL;
}

frame_log *gpu_flight_log(gpu_renderer *renderer)
{
    return &renderer->log;
}

/* Checks that the bounds of a frame held. They are proven for exact numbers, and floats are rounded. */
static pietra_result check_counters(const flight_frame *frame, const frame_counters *counted, pietra_error *error)
{
    frame_capacity grown;
    if (counted->overflow == 0 && capacity_sufficed(&frame->capacity, counted, &frame->part, 0, &grown))
        return PIETRA_OK;
    return error_set(error, PIETRA_ERROR_DEVICE, 0,
                     "a frame counted more than its bounds; pietra_render_vulkan draws it");
}

/* Takes what a frame has drawn whose plan was a guess. */
static pietra_result take_guess(const flight_frame *frame, const frame_counters *counted, pietra_error *error,
                                frame_outcome *outcome)
{
    const frame_room room = capacity_room(&frame->capacity, &frame->part);
    outcome->drawn = (frame_sample){.stream_tasks = frame->stream_tasks, .tiles = frame->part.tile_count};
    outcome->drawn.counters = *counted;
    outcome->is_kept = !frame_had_room(*counted, room);
    if (!outcome->is_kept)
        return check_counters(frame, counted, error);
    return error_set(error, PIETRA_ERROR_BUDGET, 0,
                     "the frame needed more room than those before it, so its image keeps its picture");
}

/* Takes what a frame has drawn. */
static pietra_result take_drawn(flight_frame *frame, pietra_error *error, frame_outcome *outcome)
{
    frame_counters counted = {.line_count = 0};
    pietra_result result = renderer_take_counters(&frame->slot, &counted, error);
    if (result == PIETRA_OK)
        result = frame->is_guess ? take_guess(frame, &counted, error, outcome) : check_counters(frame, &counted, error);
    frame->stats.passes = frame->stats.parts = 1;
    frame->stats.lines = counted.line_count;
    frame->stats.tile_lines = counted.tile_line_count;
    frame->stats.tile_commands = counted.tile_command_count;
    return result;
}

void flight_take(gpu_renderer *renderer, flight_frame *frame)
{
    frame_outcome outcome = {.result = PIETRA_OK};
    if (frame->stream)
        outcome.result = take_drawn(frame, &outcome.error, &outcome);
    frame->stats.frame_ms = clock_ms() - frame->submitted_ms;
    stage_times_add(frame->slot.recorder, &frame->stats);
    if (frame->has_order)
        stage_times_add(frame->image_recorder, &frame->stats);
    outcome.stats = frame->stats;
    frame_log_set(&renderer->log, frame->number, &outcome);
    frame->number = 0;
}

pietra_result flight_finish(gpu_renderer *renderer, flight_frame *frame, uint64_t timeout_ns, pietra_error *error,
                            bool *done)
{
    gpu_recorder *last = frame->has_order ? frame->image_recorder : frame->slot.recorder;
    pietra_result result = timeout_ns == UINT64_MAX ? gpu_recorder_wait(last, error)
                                                    : gpu_recorder_wait_for(last, timeout_ns, error, done);
    *done = *done || timeout_ns == UINT64_MAX;
    if (result == PIETRA_OK && *done && frame->has_order)
        result = gpu_recorder_wait(frame->slot.recorder, error);
    if (result == PIETRA_OK && *done)
        flight_take(renderer, frame);
    return result;
}

flight_frame *flight_oldest(gpu_renderer *renderer)
{
    flight_frame *oldest = NULL;
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT; i++) {
        flight_frame *frame = &renderer->flight[i];
        if (frame->number != 0 && (!oldest || frame->number < oldest->number))
            oldest = frame;
    }
    return oldest;
}

/* Ends all frames: the device is lost, or does not answer. */
static void fail_frames(gpu_renderer *renderer, pietra_result result, const pietra_error *error)
{
    for (flight_frame *frame; (frame = flight_oldest(renderer)) != NULL; frame->number = 0) {
        gpu_recorder_give_up(frame->slot.recorder);
        gpu_recorder_give_up(frame->image_recorder);
        frame_log_set(&renderer->log, frame->number,
                      &(frame_outcome){.result = result, .error = *error, .stats = frame->stats});
    }
}

/* Returns what is left of a time that ends then, by the host's clock. */
static uint64_t time_left(uint64_t timeout_ns, double begin_ms)
{
    const double left = (double)timeout_ns - 1e6 * (clock_ms() - begin_ms);
    return timeout_ns == UINT64_MAX ? UINT64_MAX : left > 0 ? (uint64_t)left : 0;
}

pietra_result gpu_flight_wait(gpu_renderer *renderer, uint64_t number, uint64_t timeout_ns, pietra_error *error,
                              uint64_t *done)
{
    const double begin = clock_ms();
    pietra_error own = {.result = PIETRA_OK};
    pietra_result result = PIETRA_OK;
    bool goes_on = true;
    for (flight_frame *oldest; goes_on && (oldest = flight_oldest(renderer)) != NULL;) {
        goes_on = false;
        if (oldest->is_recorded) {
            result = oldest->number <= number && timeout_ns > 0 ? flight_recorded_error(oldest, error) : PIETRA_OK;
            *done = renderer->log.done;
            return result;
        }
        result = flight_finish(renderer, oldest, oldest->number <= number ? time_left(timeout_ns, begin) : 0, &own,
                               &goes_on);
        goes_on = goes_on && result == PIETRA_OK;
    }
    if (result != PIETRA_OK)
        fail_frames(renderer, result, &own);
    *done = renderer->log.done;
    renderer_release(renderer);
    return error_pass_on(error, result, &own);
}

pietra_result gpu_flight_settle(gpu_renderer *renderer, pietra_error *error)
{
    uint64_t done;
    return gpu_flight_wait(renderer, UINT64_MAX, UINT64_MAX, error, &done);
}

/* ---- Submission ---- */

uint32_t flight_count(const gpu_renderer *renderer)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT; i++)
        count += renderer->flight[i].number != 0;
    return count;
}

pietra_result flight_find_free(gpu_renderer *renderer, pietra_error *error, flight_frame **free)
{
    *free = renderer->flight;
    while ((*free)->number != 0)
        ++*free;
    if ((*free)->slot.recorder)
        return PIETRA_OK;
    const pietra_result result = renderer_slot_create(renderer->device, error, &(*free)->slot);
    if (result != PIETRA_OK)
        renderer_slot_destroy(renderer->device, &(*free)->slot);
    return result;
}

pietra_result flight_take_free(gpu_renderer *renderer, uint32_t most, pietra_error *error, flight_frame **free)
{
    uint64_t done;
    pietra_result result = gpu_flight_wait(renderer, 0, 0, error, &done);
    if (result == PIETRA_OK && flight_recorded(renderer))
        return flight_recorded_error(flight_recorded(renderer), error);
    while (result == PIETRA_OK && flight_count(renderer) >= most)
        result = gpu_flight_wait(renderer, renderer->log.done + 1, UINT64_MAX, error, &done);
    return result == PIETRA_OK ? flight_find_free(renderer, error, free) : result;
}

bool gpu_flight_has_room(const gpu_renderer *renderer, const flight_plan *plan, const image_target *image)
{
    return renderer->frame.bytes >= plan->bytes && renderer->target.bytes >= target_bytes(&plan->whole) &&
           image_has_room(&renderer->images, image->target);
}

/* Memory that frames share grows behind the last of them. It grows to more than one frame needs, since the next may
 * need a little more. */
static pietra_result grow(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                          pietra_error *error)
{
    const uint64_t target = target_bytes(&plan->whole);
    if (gpu_flight_has_room(renderer, plan, image))
        return PIETRA_OK;
    pietra_result result = gpu_flight_settle(renderer, error);
    if (result == PIETRA_OK)
        result = gpu_buffer_ensure(renderer->device, target, GPU_MEMORY_DEVICE, error, &renderer->target);
    if (result == PIETRA_OK && renderer->frame.bytes < plan->bytes &&
        plan->bytes + plan->bytes / 2 <= renderer->options.budget_bytes &&
        gpu_buffer_ensure(renderer->device, plan->bytes + plan->bytes / 2, GPU_MEMORY_DEVICE, NULL, &renderer->frame) ==
            PIETRA_OK)
        return PIETRA_OK;
    return result == PIETRA_OK
               ? gpu_buffer_ensure(renderer->device, plan->bytes, GPU_MEMORY_DEVICE, error, &renderer->frame)
               : result;
}

/* Makes the programs that the frame may dispatch. */
static pietra_result make_programs(gpu_renderer *renderer, const flight_plan *plan, pietra_error *error)
{
    frame_counters counted = {.line_count = 0};
    for (uint32_t class = 0; class < sizeof counted.class_count / sizeof counted.class_count[0]; class ++)
        counted.class_count[class] = 1; /* of those that the capacity does not rule out */
    return stage_programs_make(renderer->programs, &plan->capacity, &counted, error);
}

/* Puts the stream where no frame in flight reads. *is_new says whether it was written now. */
static pietra_result put_stream(gpu_renderer *renderer, const pietra_stream *stream, pietra_error *error, bool *is_new)
{
    const double start = clock_ms();
    renderer_choose_stream(renderer, stream);
    *is_new = renderer->stream->id != stream_id(stream);
    if (!*is_new)
        return PIETRA_OK;
    pietra_result result = resident_stream_write(renderer->device, stream, error, renderer->stream);
    renderer->learned = (frame_capacity){.fine_passes = 0};
    renderer->stats->upload_ms = clock_ms() - start;
    renderer->stats->upload_bytes = resident_stream_written(renderer->stream);
    return result;
}

/* Sets what recording reads of the renderer. */
static pietra_result set_frame(gpu_renderer *renderer, const flight_plan *plan, flight_frame *frame,
                               pietra_error *error)
{
    renderer->slot = &frame->slot;
    renderer->whole = plan->whole;
    renderer->window = plan->whole.part;
    renderer->part = plan->whole;
    renderer->picture = &renderer->target;
    renderer->header = *stream_get_header(plan->stream);
    renderer->budget = part_budget_of(renderer->options.budget_bytes);
    pietra_result result = renderer_make_room(renderer, &plan->capacity, error);
    frame->part = renderer->part;
    frame->capacity = plan->capacity;
    frame->is_guess = plan->is_guess;
    frame->stream_tasks = renderer->header.task_count;
    frame->stream = renderer->stream;
    return result;
}

/* Makes room and programs for a frame. */
static pietra_result reserve(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                             pietra_error *error)
{
    flight_note_needs(renderer, plan);
    pietra_result result = grow(renderer, plan, image, error);
    if (result == PIETRA_OK)
        result = image_make_room(&renderer->images, image->target, plan->is_guess, error);
    return result == PIETRA_OK ? make_programs(renderer, plan, error) : result;
}

void flight_give_back(gpu_renderer *renderer, const flight_plan *plan)
{
    buffer_use_expect(&renderer->frame_use, plan->bytes, renderer->frame.bytes);
    buffer_use_expect(&renderer->target_use, target_bytes(&plan->whole), renderer->target.bytes);
    renderer_shrink(renderer);
}

void flight_note_needs(gpu_renderer *renderer, const flight_plan *plan)
{
    buffer_use_add(&renderer->frame_use, plan->bytes);
    buffer_use_add(&renderer->target_use, target_bytes(&plan->whole));
}

void flight_begin(flight_frame *frame)
{
    frame->is_recorded = frame->has_order = frame->is_guess = false;
    frame->stream = NULL;
    frame->stats = (pietra_stats){.elements = 0};
    frame->submitted_ms = clock_ms();
}

pietra_result gpu_flight_reserve(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                                 pietra_error *error)
{
    flight_give_back(renderer, plan);
    return reserve(renderer, plan, image, error);
}

pietra_result flight_prepare(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                             flight_frame *frame, pietra_error *error, bool *is_new)
{
    *is_new = false;
    flight_begin(frame);
    gpu_recorder_skip_marks(frame->slot.recorder, !plan->has_stage_times);
    frame->stats = (pietra_stats){.elements = stream_get_header(plan->stream)->element_count,
                                  .segments = stream_get_header(plan->stream)->segment_count};
    renderer->stats = &frame->stats;
    pietra_result result = reserve(renderer, plan, image, error);
    if (result == PIETRA_OK)
        result = put_stream(renderer, plan->stream, error, is_new);
    if (result == PIETRA_OK)
        result = external_prepare(&renderer->externals, renderer->stream, &plan->gift, error);
    if (result == PIETRA_OK)
        result = set_frame(renderer, plan, frame, error);
    frame->submitted_ms = clock_ms();
    return result;
}

void flight_record(gpu_renderer *renderer, const flight_plan *plan, bool is_new)
{
    if (is_new)
        resident_stream_record(renderer->device, renderer->slot->recorder, renderer->stream);
    external_record(&renderer->externals, renderer->slot->recorder, renderer->stream, &plan->gift);
    renderer_record(renderer);
}

void flight_record_image(gpu_renderer *renderer, const flight_frame *frame, gpu_recorder *recorder,
                         const image_target *image)
{
    const gpu_range picture = {.buffer = &renderer->target, .offset = renderer_target_lead(renderer)};
    const image_guard guard = {.counters = renderer_range(renderer, BUFFER_COUNTERS),
                               .room = capacity_room(&frame->capacity, &frame->part)};
    image_record(&renderer->images, recorder, image, picture, renderer->whole.target_pitch,
                 frame->is_guess ? &guard : NULL);
}

/* Records and submits the copy to the image by itself: it alone waits for the image's semaphores. */
static pietra_result submit_image(gpu_renderer *renderer, const flight_plan *plan, flight_frame *frame,
                                  const image_target *image, pietra_error *error)
{
    gpu_recorder_skip_marks(frame->image_recorder, !plan->has_stage_times);
    pietra_result result = gpu_recorder_begin(frame->image_recorder, error);
    if (result != PIETRA_OK)
        return result;
    flight_record_image(renderer, frame, frame->image_recorder, image);
    return gpu_recorder_submit_ordered(frame->image_recorder, image->order, error);
}

static pietra_result record_and_submit(gpu_renderer *renderer, const flight_plan *plan, bool is_new,
                                       flight_frame *frame, const image_target *image, pietra_error *error)
{
    gpu_recorder *recorder = frame->slot.recorder;
    /* What reads images of the caller waits for them, too. */
    frame->has_order =
        image->order->wait_count > 0 && (renderer->stream->externals.count == 0 || plan->gift.count == 0);
    pietra_result result = PIETRA_OK;
    if (frame->has_order && !frame->image_recorder)
        result = gpu_recorder_create(renderer->device, error, &frame->image_recorder);
    if (result == PIETRA_OK)
        result = gpu_recorder_begin(recorder, error);
    if (result != PIETRA_OK)
        return result;
    flight_record(renderer, plan, is_new);
    if (frame->has_order) {
        result = gpu_recorder_submit(recorder, error);
        if (result != PIETRA_OK || (result = submit_image(renderer, plan, frame, image, error)) == PIETRA_OK)
            return result;
        (void)gpu_recorder_wait(recorder, NULL); /* nothing of the frame may be left on the device */
        return result;
    }
    flight_record_image(renderer, frame, recorder, image);
    return gpu_recorder_submit_ordered(recorder, image->order, error);
}

/* Submits what keeps the order of a frame that draws nothing. */
static pietra_result submit_nothing(flight_frame *frame, const image_target *image, pietra_error *error)
{
    flight_begin(frame);
    pietra_result result = gpu_recorder_begin(frame->slot.recorder, error);
    if (result != PIETRA_OK)
        return result;
    gpu_pass_image(frame->slot.recorder, image->target);
    return gpu_recorder_submit_ordered(frame->slot.recorder, image->order, error);
}

static pietra_result submit(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                            flight_frame *frame, pietra_error *error)
{
    bool is_new;
    if (!plan)
        return submit_nothing(frame, image, error);
    flight_give_back(renderer, plan);
    pietra_result result = flight_prepare(renderer, plan, image, frame, error, &is_new);
    if (result == PIETRA_OK)
        result = record_and_submit(renderer, plan, is_new, frame, image, error);
    if (result != PIETRA_OK && is_new)
        renderer->stream->id = 0; /* its copy may not have run */
    if (result == PIETRA_OK)
        renderer_end_frame(renderer);
    renderer->slot = &renderer->own;
    return result;
}

pietra_result gpu_flight_submit(gpu_renderer *renderer, const flight_plan *plan, const image_target *image,
                                uint32_t most, pietra_error *error, uint64_t *number)
{
    flight_frame *frame = NULL;
    pietra_result result = flight_take_free(renderer, most, error, &frame);
    if (result == PIETRA_OK)
        result = submit(renderer, plan, image, frame, error);
    renderer->stats = NULL;
    if (result == PIETRA_OK)
        *number = frame->number = ++renderer->log.submitted;
    return result;
}

void gpu_flight_free(gpu_renderer *renderer)
{
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT; i++) {
        renderer_slot_destroy(renderer->device, &renderer->flight[i].slot);
        gpu_recorder_destroy(renderer->flight[i].image_recorder);
        gpu_buffer_destroy(renderer->device, &renderer->flight[i].pixels);
    }
}
