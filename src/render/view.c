/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Views, as pietra_view.h promises. */
#include "render/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pixel_box.h"

#define IN_FLIGHT 2u
#define CERTAIN_BYTES ((uint64_t)256 << 20)

_Static_assert(PIETRA_FRAMES_IN_FLIGHT == FRAMES_IN_FLIGHT, "the header says how many there are");

pietra_result pietra_view_create(pietra_device *device, const pietra_view_options *options, pietra_error *error,
                                 pietra_view **view)
{
    static const pietra_view_options defaults = {.in_flight = 0};
    const pietra_view_options *asked = options ? options : &defaults;
    if (!device || !view)
        return error_set_null(error, !device ? "device" : "view");
    if (asked->in_flight > PIETRA_FRAMES_IN_FLIGHT) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%u frames in flight: at most %u are", asked->in_flight,
                         PIETRA_FRAMES_IN_FLIGHT);
    }
    pietra_view *made = calloc(1, sizeof *made);
    if (!made)
        return error_set_memory(error);
    made->device = device;
    made->options = *asked;
    made->options.in_flight = asked->in_flight ? asked->in_flight : IN_FLIGHT;
    made->options.certain_bytes = asked->certain_bytes ? asked->certain_bytes : CERTAIN_BYTES;
    *view = made;
    return PIETRA_OK;
}

void pietra_view_destroy(pietra_view *view)
{
    uint64_t done;
    if (!view)
        return;
    if (view->device->renderer)
        (void)gpu_flight_wait(view->device->renderer, view->last, UINT64_MAX, NULL, &done);
    for (uint32_t i = 0; i < VIEW_STREAMS; i++)
        stream_sums_free(&view->sums[i]);
    filled_stream_free(&view->filled);
    array_free(&view->externals);
    free(view);
}

/* ---- Frames of a device ---- */

frame_log *device_log(pietra_device *device)
{
    return device->renderer ? gpu_flight_log(device->renderer) : &device->log;
}

uint64_t device_count_frame(pietra_device *device, const pietra_stats *stats)
{
    frame_log *log = device_log(device);
    if (device->renderer)
        (void)gpu_flight_settle(device->renderer, NULL); /* numbers are done in their order */
    frame_log_set(log, ++log->submitted, PIETRA_OK, NULL, stats);
    return log->submitted;
}

static pietra_result wait_for(pietra_view *view, uint64_t number, uint64_t timeout_ns, pietra_error *error, bool *done,
                              pietra_stats *stats)
{
    if (!view)
        return error_set_null(error, "view");
    frame_log *log = device_log(view->device);
    const uint64_t asked = number ? number : log->submitted;
    uint64_t last = log->done;
    if (asked > log->submitted) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "frame %llu: the last one was %llu", (unsigned long long)asked,
                         (unsigned long long)log->submitted);
    }
    pietra_result result = PIETRA_OK;
    if (last < asked)
        result = gpu_flight_wait(view->device->renderer, asked, timeout_ns, error, &last);
    if (done)
        *done = last >= asked;
    const frame_outcome *outcome = frame_log_get(log, asked);
    if (stats && last >= asked)
        *stats = outcome ? outcome->stats : (pietra_stats){.elements = 0};
    return result == PIETRA_OK && outcome ? error_pass_on(error, outcome->result, &outcome->error) : result;
}

pietra_result pietra_view_wait(pietra_view *view, uint64_t number, uint64_t timeout_ns, pietra_error *error, bool *done,
                               pietra_stats *stats)
{
    pietra_error own = {.result = PIETRA_OK};
    return error_pass_on(error, wait_for(view, number, timeout_ns, &own, done, stats), &own);
}

/* ---- Damage ---- */

static pietra_pixel_box cut(pietra_pixel_box box, uint32_t width, uint32_t height)
{
    return pixel_box_overlap(box, (pietra_pixel_box){0, 0, width, height});
}

static bool is_same_look(const view_look *a, const view_look *b)
{
    return a->width == b->width && a->height == b->height && a->kind == b->kind &&
           memcmp(&a->transform, &b->transform, sizeof a->transform) == 0 &&
           memcmp(&a->background, &b->background, sizeof a->background) == 0;
}

static pietra_pixel_box damage_of(const pietra_view *view, const pietra_submission *submission, const view_look *look)
{
    const pietra_pixel_box all = {0, 0, look->width, look->height};
    if (!submission->damage || !is_same_look(&view->look, look))
        return all;
    pietra_pixel_box sum = cut(view->pending, look->width, look->height);
    for (size_t i = 0; i < submission->damage_count; i++)
        sum = pixel_box_join(sum, cut(submission->damage[i], look->width, look->height));
    return sum;
}

/* Adds what the frames have changed that the target has missed. */
static pietra_pixel_box drawn_of(const pietra_view *view, const pietra_submission *submission, const view_look *look,
                                 pietra_pixel_box damage)
{
    if (submission->age == 0 || submission->age > VIEW_AGES || submission->age > view->frames)
        return (pietra_pixel_box){0, 0, look->width, look->height};
    for (uint64_t missed = 0; missed + 1 < submission->age; missed++)
        damage =
            pixel_box_join(damage, cut(view->damage[(view->frames - missed) % VIEW_AGES], look->width, look->height));
    return damage;
}

/* Moves sides outward to where a region may have them. */
static pietra_pixel_box region_around(pietra_pixel_box box, uint32_t width, uint32_t height)
{
    const uint32_t step = PIETRA_REGION_STEP;
    if (pixel_box_is_empty(box))
        return (pietra_pixel_box){0, 0, 0, 0};
    return cut((pietra_pixel_box){box.x0 / step * step, box.y0 / step * step, (box.x1 + step - 1) / step * step,
                                  (box.y1 + step - 1) / step * step},
               width, height);
}

static bool has_region(const pietra_region *region)
{
    return (region->x | region->y | region->picture_width | region->picture_height) != 0;
}

pietra_result view_begin(const pietra_view *view, const pietra_submission *submission, uint32_t width, uint32_t height,
                         uint32_t kind, pietra_error *error, view_frame *begun)
{
    if (!submission->stream)
        return error_set_null(error, "submission.stream");
    if (!submission->damage && submission->damage_count > 0)
        return error_set_null(error, "submission.damage");
    if (has_region(&submission->frame.region))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a submission's frame has a region: a view finds its own");
    begun->look = (view_look){.width = width, .height = height, .kind = kind};
    begun->look.transform = submission->frame.transform;
    begun->look.background = submission->frame.background;
    begun->damage = damage_of(view, submission, &begun->look);
    begun->drawn = region_around(drawn_of(view, submission, &begun->look, begun->damage), width, height);
    begun->frame = submission->frame;
    begun->frame.region = (pietra_region){begun->drawn.x0, begun->drawn.y0, width, height};
    return PIETRA_OK;
}

pietra_result view_fill(pietra_view *view, const pietra_submission *submission, pietra_error *error,
                        const pietra_stream **drawn)
{
    if (!submission->externals && submission->external_count > 0)
        return error_set_null(error, "submission.externals");
    return externals_fill(submission->stream, submission->externals, submission->external_count, error, &view->filled,
                          drawn);
}

void view_miss(pietra_view *view)
{
    view->pending = PIXEL_BOX_OF_EVERYTHING;
}

void view_end(pietra_view *view, const view_frame *begun, pietra_result result)
{
    if (result != PIETRA_OK) {
        /* Boxes of a frame of another size say nothing of what differs beyond it. */
        view->pending = is_same_look(&view->look, &begun->look) ? pixel_box_join(view->pending, begun->damage)
                                                                : PIXEL_BOX_OF_EVERYTHING;
        return;
    }
    view->pending = (pietra_pixel_box){0, 0, 0, 0};
    view->look = begun->look;
    view->frames++;
    view->damage[view->frames % VIEW_AGES] = begun->damage;
}

/* ---- Sums ---- */

/* Returns where a stream's sums are made: where those of one with the same shapes are. */
static stream_sums *find_sums(pietra_view *view, const pietra_stream *stream)
{
    for (uint32_t i = 0; i < VIEW_STREAMS; i++)
        if (view->sums[i].shapes == stream->shapes)
            return &view->sums[i];
    stream_sums *sums = &view->sums[view->next_sums];
    view->next_sums = (view->next_sums + 1) % VIEW_STREAMS;
    return sums;
}

const stream_sums *view_sums(pietra_view *view, const pietra_stream *stream)
{
    stream_sums *sums = find_sums(view, stream);
    return sums->id == stream_id(stream) || stream_sums_make(stream, sums) ? sums : NULL;
}

/* ---- Frames in memory ---- */

static pietra_result draw(pietra_view *view, const pietra_submission *submission, const view_frame *begun,
                          const pietra_target *target, pietra_error *error, pietra_stats *stats)
{
    const pietra_pixel_box drawn = begun->drawn;
    const pietra_stream *stream;
    pietra_target part = *target;
    const pietra_result result = view_fill(view, submission, error, &stream);
    if (result != PIETRA_OK || pixel_box_is_empty(drawn))
        return result;
    part.stride_bytes = target->stride_bytes ? target->stride_bytes : 4 * (size_t)target->width;
    part.pixels = (uint8_t *)target->pixels + drawn.y0 * part.stride_bytes + 4 * (size_t)drawn.x0;
    part.width = drawn.x1 - drawn.x0;
    part.height = drawn.y1 - drawn.y0;
    return device_draw(view->device, stream, &begun->frame, &part, NULL, error, stats);
}

/* Checks the whole target, of which a frame sees a part. */
static pietra_result check_target(const pietra_submission *submission, const pietra_target *target, pietra_error *error)
{
    frame_config config;
    return device_check(submission->stream, &submission->frame, target, error, &config);
}

static pietra_result submit(pietra_view *view, const pietra_submission *submission, const pietra_target *target,
                            pietra_error *error, pietra_ticket *ticket)
{
    view_frame begun;
    pietra_stats stats = {.elements = 0};
    if (!view || !submission || !target)
        return error_set_null(error, !view ? "view" : !submission ? "submission" : "target");
    if (submission->vulkan_external_count > 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a frame in memory shows no image of Vulkan");
    pietra_result result = check_target(submission, target, error);
    if (result == PIETRA_OK)
        result = view_begin(view, submission, target->width, target->height, (uint32_t)target->format, error, &begun);
    if (result != PIETRA_OK) {
        view_miss(view);
        return result;
    }
    result = draw(view, submission, &begun, target, error, &stats);
    view_end(view, &begun, result);
    if (result != PIETRA_OK)
        return result;
    view->last = device_count_frame(view->device, &stats);
    if (ticket)
        *ticket = (pietra_ticket){.number = view->last, .is_done = true, .drawn = begun.drawn};
    return PIETRA_OK;
}

pietra_result pietra_view_submit(pietra_view *view, const pietra_submission *submission, const pietra_target *target,
                                 pietra_error *error, pietra_ticket *ticket)
{
    pietra_error own = {.result = PIETRA_OK};
    return error_pass_on(error, submit(view, submission, target, &own, ticket), &own);
}
