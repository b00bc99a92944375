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
_Static_assert(PIETRA_DRAWN_BOXES == DRAWN_BOXES, "the header says how many there are");

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
    atomic_flag_clear(&made->is_used);
    made->options = *asked;
    made->options.in_flight = asked->in_flight ? asked->in_flight : IN_FLIGHT;
    made->options.certain_bytes = asked->certain_bytes ? asked->certain_bytes : CERTAIN_BYTES;
    made->options.host_pixels = asked->host_pixels ? asked->host_pixels : PIXELS_OF_HOST;
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
    free(view->pixels);
    free(view);
}

pietra_result view_enter(pietra_view *view, pietra_error *error)
{
    if (!view)
        return error_set_null(error, "view");
    if (atomic_flag_test_and_set_explicit(&view->is_used, memory_order_acquire))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "another thread uses the view");
    return PIETRA_OK;
}

pietra_result view_leave(pietra_view *view, pietra_result result, const pietra_error *own, pietra_error *error)
{
    atomic_flag_clear_explicit(&view->is_used, memory_order_release);
    return error_pass_on(error, result, own);
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
    frame_log_set(log, ++log->submitted, &(frame_outcome){.result = PIETRA_OK, .stats = *stats});
    return log->submitted;
}

static pietra_result wait_for(pietra_view *view, uint64_t number, uint64_t timeout_ns, pietra_error *error, bool *done,
                              pietra_stats *stats)
{
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
    const pietra_result result = view_enter(view, error);
    if (result != PIETRA_OK)
        return result;
    return view_leave(view, wait_for(view, number, timeout_ns, &own, done, stats), &own, error);
}

/* ---- Damage ---- */

static bool is_same_look(const view_look *a, const view_look *b)
{
    return a->width == b->width && a->height == b->height && a->kind == b->kind &&
           memcmp(&a->transform, &b->transform, sizeof a->transform) == 0 &&
           memcmp(&a->background, &b->background, sizeof a->background) == 0;
}

static damage_boxes all_of(const view_look *look)
{
    damage_boxes all = {.count = 0};
    damage_add(&all, (pietra_pixel_box){0, 0, look->width, look->height});
    return all;
}

static damage_boxes damage_of(const pietra_view *view, const pietra_submission *submission, const view_look *look)
{
    const pietra_pixel_box picture = {0, 0, look->width, look->height};
    damage_boxes damage = {.count = 0};
    if (!submission->damage || !is_same_look(&view->look, look))
        return all_of(look);
    damage_add_all(&damage, &view->pending, look->width, look->height);
    for (size_t i = 0; i < submission->damage_count; i++)
        damage_add(&damage, pixel_box_overlap(submission->damage[i], picture));
    return damage;
}

/* Returns the frame whose picture a target of this age holds, or 0 if that is not known. */
static uint64_t held_by(const pietra_view *view, uint32_t age)
{
    if (age == 0 || age > VIEW_AGES || age > view->frames)
        return 0;
    return view->pictures[(view->frames + 1 - age) % VIEW_AGES].holds;
}

/* Adds what has changed since the frame whose picture the target holds. */
static damage_boxes missed_since(const pietra_view *view, uint64_t held, const view_look *look, damage_boxes damage)
{
    if (held == 0 || view->frames - held >= VIEW_AGES)
        return all_of(look);
    for (uint64_t missed = held + 1; missed <= view->frames; missed++)
        damage_add_all(&damage, &view->pictures[missed % VIEW_AGES].damage, look->width, look->height);
    return damage;
}

/* Moves sides outward to where a region may have them. */
static pietra_pixel_box region_around(pietra_pixel_box box, const view_look *look)
{
    const uint32_t step = PIETRA_REGION_STEP;
    const pietra_pixel_box outward = {box.x0 / step * step, box.y0 / step * step, (box.x1 + step - 1) / step * step,
                                      (box.y1 + step - 1) / step * step};
    return pixel_box_overlap(outward, (pietra_pixel_box){0, 0, look->width, look->height});
}

static damage_boxes regions_around(const damage_boxes *damage, const view_look *look)
{
    damage_boxes regions = {.count = 0};
    for (uint32_t i = 0; i < damage->count; i++)
        damage_add(&regions, region_around(damage->boxes[i], look));
    damage_separate(&regions);
    return regions;
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
    if ((unsigned)submission->when_full > PIETRA_FULL_KEEP) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "submission.when_full: there is no pietra_when_full %u",
                         (unsigned)submission->when_full);
    }
    *begun = (view_frame){.look = {.width = width, .height = height, .kind = kind}};
    begun->look.transform = submission->frame.transform;
    begun->look.background = submission->frame.background;
    begun->damage = damage_of(view, submission, &begun->look);
    begun->held = held_by(view, submission->age);
    const damage_boxes missed = missed_since(view, begun->held, &begun->look, begun->damage);
    begun->drawn = regions_around(&missed, &begun->look);
    return PIETRA_OK;
}

pietra_frame view_frame_in(const pietra_submission *submission, const view_look *look, pietra_pixel_box box)
{
    pietra_frame frame = submission->frame;
    frame.region = (pietra_region){box.x0, box.y0, look->width, look->height};
    return frame;
}

void view_tell(const damage_boxes *drawn, pietra_ticket *ticket)
{
    ticket->drawn = damage_around(drawn);
    ticket->box_count = drawn->count;
    for (uint32_t i = 0; i < drawn->count; i++)
        ticket->boxes[i] = drawn->boxes[i];
}

pietra_result view_fill(pietra_view *view, const pietra_submission *submission, pietra_error *error,
                        const pietra_stream **drawn)
{
    if (!submission->externals && submission->external_count > 0)
        return error_set_null(error, "submission.externals");
    return externals_fill(submission->stream, submission->externals, submission->external_count, error, &view->filled,
                          drawn);
}

/* Finds out whether a frame was drawn. What is not known any more counts as kept. */
static void settle_picture(pietra_view *view, uint64_t frame, const frame_log *log)
{
    view_picture *picture = &view->pictures[frame % VIEW_AGES];
    const frame_outcome *outcome = frame_log_get(log, picture->open);
    picture->open = 0;
    if (outcome && outcome->result == PIETRA_OK)
        picture->holds = frame;
    if (outcome && (outcome->result == PIETRA_OK || outcome->is_kept))
        frame_sample_add(&view->lately, &outcome->drawn);
    view->must_finish = view->must_finish || (outcome && outcome->is_kept);
}

void view_settle(pietra_view *view)
{
    const frame_log *log = device_log(view->device);
    const uint64_t first = view->frames >= VIEW_AGES ? view->frames - VIEW_AGES + 1 : 1;
    for (uint64_t frame = first; frame <= view->frames; frame++) {
        const uint64_t open = view->pictures[frame % VIEW_AGES].open;
        if (open != 0 && open <= log->done)
            settle_picture(view, frame, log);
    }
}

void view_miss(pietra_view *view)
{
    view->pending.count = 0;
    damage_add(&view->pending, PIXEL_BOX_OF_EVERYTHING);
}

void view_end(pietra_view *view, const view_frame *begun, pietra_result result)
{
    if (result != PIETRA_OK) {
        /* Boxes of a frame of another size say nothing of what differs beyond it. */
        if (is_same_look(&view->look, &begun->look))
            damage_add_all(&view->pending, &begun->damage, UINT32_MAX, UINT32_MAX);
        else
            view_miss(view);
        return;
    }
    view->pending.count = 0;
    view->look = begun->look;
    view->frames++;
    view_picture *picture = &view->pictures[view->frames % VIEW_AGES];
    *picture = (view_picture){.damage = begun->damage, .open = begun->open};
    picture->holds = begun->is_kept || begun->open != 0 ? begun->held : view->frames;
}

/* ---- Sums ---- */

static const stream_sums *make_sums(pietra_view *view, const pietra_stream *stream)
{
    for (uint32_t i = 0; i < VIEW_STREAMS; i++)
        if (view->sums[i].id == stream_id(stream))
            return &view->sums[i];
    stream_sums *sums = &view->sums[view->next_sums];
    view->next_sums = (view->next_sums + 1) % VIEW_STREAMS;
    return stream_sums_make(stream, sums) ? sums : NULL;
}

const stream_sums *view_sums(pietra_view *view, const pietra_stream *stream)
{
    const stream_sums *composed = stream_sums_of_composed(stream);
    return composed ? composed : make_sums(view, stream);
}

/* ---- Frames in memory ---- */

/* Makes room for the pixels of all boxes. */
static bool ensure_pixels(pietra_view *view, const damage_boxes *drawn)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < drawn->count; i++)
        bytes += (size_t)4 * (drawn->boxes[i].x1 - drawn->boxes[i].x0) * (drawn->boxes[i].y1 - drawn->boxes[i].y0);
    if (view->pixel_bytes >= bytes)
        return true;
    free(view->pixels);
    view->pixels = malloc(bytes);
    view->pixel_bytes = view->pixels ? bytes : 0;
    return view->pixels;
}

/* Returns the part of a target that a box is. */
static pietra_target part_of(const pietra_target *target, pietra_pixel_box box)
{
    pietra_target part = *target;
    part.stride_bytes = target->stride_bytes ? target->stride_bytes : 4 * (size_t)target->width;
    part.pixels = (uint8_t *)target->pixels + box.y0 * part.stride_bytes + 4 * (size_t)box.x0;
    part.width = box.x1 - box.x0;
    part.height = box.y1 - box.y0;
    return part;
}

/* Adds what a box took to what the boxes before it did. The stages are those of the last one. */
static void add_stats(const pietra_stats *more, pietra_stats *stats)
{
    pietra_stats sum = *more;
    sum.lines += stats->lines;
    sum.tile_lines += stats->tile_lines;
    sum.tile_commands += stats->tile_commands;
    sum.passes += stats->passes;
    sum.parts += stats->parts;
    sum.upload_ms += stats->upload_ms;
    sum.upload_bytes += stats->upload_bytes;
    sum.frame_ms += stats->frame_ms;
    sum.gpu_ms += stats->gpu_ms;
    sum.read_ms += stats->read_ms;
    sum.memory_bytes = sum.memory_bytes > stats->memory_bytes ? sum.memory_bytes : stats->memory_bytes;
    *stats = sum;
}

static pietra_result draw_box(pietra_view *view, const pietra_submission *submission, const pietra_stream *stream,
                              const view_frame *begun, uint32_t index, const pietra_target *part, pietra_error *error,
                              pietra_stats *stats)
{
    const pietra_frame frame = view_frame_in(submission, &begun->look, begun->drawn.boxes[index]);
    pietra_stats more = {.elements = 0};
    const pietra_result result = device_draw(view->device, stream, &frame, part, NULL, error, &more);
    add_stats(&more, stats);
    return result;
}

/* Draws several boxes beside the target, so that it gets all of them or none. */
static pietra_result draw_boxes(pietra_view *view, const pietra_submission *submission, const pietra_stream *stream,
                                const view_frame *begun, const pietra_target *target, pietra_error *error,
                                pietra_stats *stats)
{
    if (!ensure_pixels(view, &begun->drawn))
        return error_set_memory(error);
    uint8_t *pixels = view->pixels;
    for (uint32_t i = 0; i < begun->drawn.count; i++) {
        pietra_target part = part_of(target, begun->drawn.boxes[i]);
        part.pixels = pixels;
        part.stride_bytes = 4 * (size_t)part.width;
        pixels += part.stride_bytes * part.height;
        const pietra_result result = draw_box(view, submission, stream, begun, i, &part, error, stats);
        if (result != PIETRA_OK)
            return result;
    }
    pixels = view->pixels;
    for (uint32_t i = 0; i < begun->drawn.count; i++) {
        const pietra_target part = part_of(target, begun->drawn.boxes[i]);
        for (uint32_t y = 0; y < part.height; y++, pixels += 4 * (size_t)part.width)
            memcpy((uint8_t *)part.pixels + y * part.stride_bytes, pixels, 4 * (size_t)part.width);
    }
    return PIETRA_OK;
}

static pietra_result draw(pietra_view *view, const pietra_submission *submission, const view_frame *begun,
                          const pietra_target *target, pietra_error *error, pietra_stats *stats)
{
    const pietra_stream *stream;
    const pietra_result result = view_fill(view, submission, error, &stream);
    if (result != PIETRA_OK || begun->drawn.count == 0)
        return result;
    if (begun->drawn.count > 1)
        return draw_boxes(view, submission, stream, begun, target, error, stats);
    const pietra_target part = part_of(target, begun->drawn.boxes[0]);
    return draw_box(view, submission, stream, begun, 0, &part, error, stats);
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
    if (!submission || !target)
        return error_set_null(error, !submission ? "submission" : "target");
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
    if (ticket) {
        *ticket = (pietra_ticket){.number = view->last, .is_done = true};
        view_tell(&begun.drawn, ticket);
    }
    return PIETRA_OK;
}

pietra_result pietra_view_submit(pietra_view *view, const pietra_submission *submission, const pietra_target *target,
                                 pietra_error *error, pietra_ticket *ticket)
{
    pietra_error own = {.result = PIETRA_OK};
    const pietra_result result = view_enter(view, error);
    if (result != PIETRA_OK)
        return result;
    return view_leave(view, submit(view, submission, target, &own, ticket), &own, error);
}
