/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames of views in images of the caller, as pietra_vulkan.h promises. */
#include <string.h>

#include "base/error.h"
#include "base/pixel_box.h"
#include "render/frame/config.h"
#include "render/host_frame.h"
#include "render/view.h"

/* Gives the frame, and the part of the image around what it draws; all of it, if that is nothing. The image's own
 * description goes to *part. */
static image_target place_frame(const pietra_submission *submission, const pietra_vulkan_target *target,
                                const pietra_vulkan_order *order, const view_frame *begun, pietra_frame *frame,
                                pietra_vulkan_target *part)
{
    const pietra_pixel_box drawn = damage_around(&begun->drawn), all = {0, 0, target->width, target->height},
                           box = pixel_box_is_empty(drawn) ? all : drawn;
    *frame = view_frame_in(submission, &begun->look, box);
    *part = *target;
    part->width = box.x1 - box.x0;
    part->height = box.y1 - box.y0;
    image_target image = {.target = part, .order = order, .x = box.x0, .y = box.y0, .box_count = begun->drawn.count};
    for (uint32_t i = 0; i < image.box_count; i++) {
        const pietra_pixel_box own = begun->drawn.boxes[i];
        image.boxes[i] = (pietra_pixel_box){own.x0 - box.x0, own.y0 - box.y0, own.x1 - box.x0, own.y1 - box.y0};
    }
    return image;
}

static frame_config config_of_image(const pietra_frame *frame, const pietra_vulkan_target *part, pietra_error *error,
                                    pietra_result *result)
{
    const pietra_target like = {.width = part->width,
                                .height = part->height,
                                .format =
                                    part->straight ? PIETRA_FORMAT_RGBA8_STRAIGHT : PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
    frame_config config = {.width = 0};
    *result = config_of_frame(frame, &like, error, &config);
    return config;
}

/* Lets a frame draw what the image takes of it alone. */
static void set_boxes(const image_target *image, frame_config *whole)
{
    tile_box boxes[DRAWN_BOXES];
    for (uint32_t i = 0; i < image->box_count; i++) {
        const pietra_pixel_box box = image->boxes[i];
        boxes[i] = (tile_box){whole->part.x0 + (int)(box.x0 / TILE_SIDE), whole->part.y0 + (int)(box.y0 / TILE_SIDE),
                              whole->part.x0 + (int)((box.x1 + TILE_SIDE - 1) / TILE_SIDE),
                              whole->part.y0 + (int)((box.y1 + TILE_SIDE - 1) / TILE_SIDE)};
    }
    config_set_boxes(whole, boxes, image->box_count);
}

/* What is drawn into an image, or recorded into commands that are not VK_NULL_HANDLE. */
typedef struct image_drawing {
    const pietra_stream *stream;
    external_gift gift;
    pietra_frame frame;
    image_target image;
    VkCommandBuffer commands;
    pietra_when_full when_full;
} image_drawing;

/* Draws a frame whose counts are not bounded, and waits for it. */
static pietra_result draw_counted(pietra_view *view, const image_drawing *drawing, pietra_error *error,
                                  pietra_ticket *ticket, pietra_stats *stats)
{
    /* What external images are read from is waited for before the frame is drawn, and not once more. */
    const bool reads_images = drawing->gift.count > 0 && view->externals.count > 0;
    pietra_vulkan_order before = *drawing->image.order, after = before;
    image_target target = drawing->image;
    before.signal_count = 0;
    after.wait_count = reads_images ? 0 : after.wait_count;
    target.order = &after;
    gpu_renderer_take_externals(view->device->renderer, &drawing->gift, reads_images ? &before : NULL);
    pietra_result result = device_draw_image(view->device, drawing->stream, &drawing->frame, &target, error, stats);
    gpu_renderer_take_externals(view->device->renderer, NULL, NULL);
    if (result != PIETRA_OK)
        return result;
    ticket->number = device_count_frame(view->device, stats);
    ticket->is_done = true;
    return PIETRA_OK;
}

/* Finds out whether a frame is certain, and does not cost too much. */
static pietra_result plan_frame(pietra_view *view, pietra_error *error, flight_plan *plan, bool *is_certain)
{
    frame_work work;
    plan->sums = view_sums(view, plan->stream);
    *is_certain = plan->sums && gpu_flight_fits(view->device->renderer, plan, view->options.certain_bytes);
    return *is_certain ? device_begin_work(view->device, plan->stream, &plan->whole, &plan->bounds, &work, error)
                       : PIETRA_OK;
}

/* Does the same, or remembers it. */
static pietra_result find_plan(pietra_view *view, pietra_error *error, flight_plan *plan, bool *is_certain)
{
    const pietra_stream *stream = plan->stream;
    for (uint32_t i = 0; i < VIEW_STREAMS; i++) {
        const view_certain *known = &view->certain[i];
        if (known->stream_id == stream_id(stream) && memcmp(&known->whole, &plan->whole, sizeof plan->whole) == 0) {
            *plan = known->plan;
            plan->stream = stream; /* its address may be another */
            *is_certain = true;
            return PIETRA_OK;
        }
    }
    view_certain *made = &view->certain[view->next_certain];
    view->next_certain = (view->next_certain + 1) % VIEW_STREAMS;
    *made = (view_certain){.whole = plan->whole};
    const pietra_result result = plan_frame(view, error, plan, is_certain);
    if (result == PIETRA_OK && *is_certain) {
        made->stream_id = stream_id(stream);
        made->plan = *plan;
        made->plan.sums = NULL; /* they may be made anew */
    }
    return result;
}

/* Submits or records a plan; NULL: nothing is drawn. */
static pietra_result submit_plan(pietra_view *view, const image_drawing *drawing, const flight_plan *plan,
                                 pietra_error *error, pietra_ticket *ticket)
{
    gpu_renderer *renderer = view->device->renderer;
    const uint32_t most = view->options.in_flight;
    return drawing->commands
               ? gpu_flight_record(renderer, plan, &drawing->image, most, drawing->commands, error, &ticket->number)
               : gpu_flight_submit(renderer, plan, &drawing->image, most, error, &ticket->number);
}

/* Remembers what a frame needed that was counted, if it can be submitted without that. */
static void learn(pietra_view *view, const flight_plan *plan, const pietra_stats *stats)
{
    view_settle(view); /* those that were in flight come first */
    view->must_finish = false;
    if (stats->parts == 1 && plan->sums && plan->sums->is_bounded)
        frame_sample_add(&view->lately, gpu_renderer_sample(view->device->renderer));
    else
        view->lately = (frame_sample){.stream_tasks = 0};
}

/* Says whether a frame that is not certain can be submitted all the same. */
static bool may_be_guessed(const pietra_view *view, const image_drawing *drawing, const view_frame *begun,
                           flight_plan *plan)
{
    return drawing->when_full == PIETRA_FULL_LATER && !drawing->commands && begun->held != 0 && !view->must_finish &&
           drawing->image.target->view && plan->sums && gpu_flight_guess(view->device->renderer, &view->lately, plan);
}

static pietra_result submit_guess(pietra_view *view, const image_drawing *drawing, const flight_plan *plan,
                                  view_frame *begun, pietra_error *error, pietra_ticket *ticket)
{
    frame_work work;
    pietra_result result = device_begin_work(view->device, plan->stream, &plan->whole, &plan->bounds, &work, error);
    if (result == PIETRA_OK)
        result = submit_plan(view, drawing, plan, error, ticket);
    begun->open = ticket->number;
    return result;
}

/* Draws a frame that is not certain, or keeps the picture. */
static pietra_result draw_uncertain(pietra_view *view, const image_drawing *drawing, flight_plan *plan,
                                    view_frame *begun, pietra_error *error, pietra_ticket *ticket)
{
    if (may_be_guessed(view, drawing, begun, plan))
        return submit_guess(view, drawing, plan, begun, error, ticket);
    begun->is_kept = drawing->when_full == PIETRA_FULL_KEEP && begun->held != 0;
    if (begun->is_kept)
        return submit_plan(view, drawing, NULL, error, ticket);
    if (drawing->commands)
        return error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame has to be counted first, so it is not recorded");
    pietra_stats stats = {.elements = 0};
    const pietra_result result = draw_counted(view, drawing, error, ticket, &stats);
    if (result == PIETRA_OK)
        learn(view, plan, &stats);
    return result;
}

/* Finds out whether a frame is certain. Several boxes count an element once for each, so if that is not certain, or if
 * memory would have to grow for what is recorded, the rectangle around them is drawn. */
static pietra_result find_boxes(pietra_view *view, image_drawing *drawing, view_frame *begun, pietra_error *error,
                                flight_plan *plan, bool *is_certain)
{
    const frame_config around = plan->whole;
    set_boxes(&drawing->image, &plan->whole);
    const pietra_result result = find_plan(view, error, plan, is_certain);
    if (result != PIETRA_OK || begun->drawn.count == 1 ||
        (*is_certain && (!drawing->commands || gpu_flight_has_room(view->device->renderer, plan, &drawing->image))))
        return result;
    plan->whole = around;
    drawing->image.box_count = 0;
    begun->drawn = (damage_boxes){.boxes = {damage_around(&begun->drawn)}, .count = 1};
    return find_plan(view, error, plan, is_certain);
}

/* Returns whether the processor draws a frame that is certain. */
static bool is_for_host(const pietra_view *view, const image_drawing *drawing, const view_frame *begun,
                        const flight_plan *plan)
{
    const pietra_vulkan_target *part = drawing->image.target;
    return !drawing->commands && drawing->gift.count == 0 && begun->drawn.count == 1 &&
           view->options.host_pixels != PIETRA_ALL_ON_GPU &&
           (uint64_t)part->width * part->height <= view->options.host_pixels && host_frame_is_cheap(plan);
}

static pietra_result draw(pietra_view *view, image_drawing *drawing, view_frame *begun, pietra_error *error,
                          pietra_ticket *ticket)
{
    cancel_watch watch = {.canceller = drawing->frame.canceller};
    pietra_result result;
    bool is_certain = false;
    flight_plan plan = {.stream = drawing->stream,
                        .whole = config_of_image(&drawing->frame, drawing->image.target, error, &result)};
    if (result == PIETRA_OK)
        result = cancel_check(&watch, error);
    if (result == PIETRA_OK && begun->drawn.count == 0)
        return submit_plan(view, drawing, NULL, error, ticket);
    if (result == PIETRA_OK)
        result = find_boxes(view, drawing, begun, error, &plan, &is_certain);
    if (result != PIETRA_OK)
        return result;
    plan.gift = drawing->gift;
    plan.has_stage_times = view->options.stage_times;
    if (is_certain && is_for_host(view, drawing, begun, &plan))
        return host_frame_submit(view->device, &plan, &drawing->frame, &drawing->image, view->options.in_flight, error,
                                 &ticket->number);
    return is_certain ? submit_plan(view, drawing, &plan, error, ticket)
                      : draw_uncertain(view, drawing, &plan, begun, error, ticket);
}

/* Finds out what became of frames that were in flight. One that failed has left its image as no frame has it. So the
 * next one draws all, and images that are older do so in their turn. */
static void settle(pietra_view *view)
{
    uint64_t done;
    if (view->device->renderer)
        (void)gpu_flight_wait(view->device->renderer, 0, 0, NULL, &done); /* what is lost, the submission says */
    const uint64_t failed = device_log(view->device)->failed;
    if (failed > view->failed)
        view_miss(view);
    view->failed = failed;
    view_settle(view);
}

/* Checks the images of the caller from which external images are read. */
static pietra_result check_externals(pietra_view *view, const pietra_submission *submission, pietra_error *error)
{
    pietra_result result = PIETRA_OK;
    view->externals.count = 0;
    if (submission->vulkan_external_count == 0)
        return PIETRA_OK;
    if (!submission->vulkan_externals)
        return error_set_null(error, "submission.vulkan_externals");
    if (!stream_find_externals(submission->stream, &view->externals))
        return error_set_memory(error);
    for (size_t i = 0; i < submission->vulkan_external_count && result == PIETRA_OK; i++) {
        const pietra_vulkan_external *external = &submission->vulkan_externals[i];
        if (!external->view)
            return error_set_null(error, "external.view");
        if (external->layout != VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL && external->layout != VK_IMAGE_LAYOUT_GENERAL)
            return error_set(error, PIETRA_ERROR_INPUT, 0, "external image %u: no image is read in VkImageLayout %d",
                             external->id, (int)external->layout);
        result = externals_check_size(&view->externals, external->id, external->width, external->height, error);
    }
    return result;
}

static pietra_result submit(pietra_view *view, const pietra_submission *submission, const pietra_vulkan_target *target,
                            const pietra_vulkan_order *order, VkCommandBuffer commands, pietra_error *error,
                            pietra_ticket *ticket)
{
    static const pietra_vulkan_order nothing = {.wait_count = 0};
    view_frame begun;
    pietra_vulkan_target part;
    pietra_ticket made = {.number = 0};
    if (!submission || !target)
        return error_set_null(error, !submission ? "submission" : "target");
    pietra_submission asked = *submission;
    if (target->before == VK_IMAGE_LAYOUT_UNDEFINED)
        asked.age = 0;
    const image_target image = {.target = target, .order = order ? order : &nothing};
    const uint32_t kind = (uint32_t)target->format << 1 | target->straight;
    settle(view);
    pietra_result result = device_check_image(view->device, &image, error);
    if (result == PIETRA_OK)
        result = view_begin(view, &asked, target->width, target->height, kind, error, &begun);
    if (result != PIETRA_OK) {
        view_miss(view);
        return result;
    }
    image_drawing drawing = {.gift = {.externals = asked.vulkan_externals, .count = asked.vulkan_external_count},
                             .commands = commands,
                             .when_full = asked.when_full};
    drawing.image = place_frame(&asked, target, image.order, &begun, &drawing.frame, &part);
    result = check_externals(view, &asked, error);
    if (result == PIETRA_OK)
        result = view_fill(view, &asked, error, &drawing.stream);
    if (result == PIETRA_OK)
        result = draw(view, &drawing, &begun, error, &made);
    view_end(view, &begun, result);
    if (result != PIETRA_OK)
        return result;
    view->last = made.number;
    made.kept = begun.is_kept;
    if (!made.kept)
        view_tell(&begun.drawn, &made);
    if (ticket)
        *ticket = made;
    return PIETRA_OK;
}

pietra_result pietra_view_submit_vulkan(pietra_view *view, const pietra_submission *submission,
                                        const pietra_vulkan_target *target, const pietra_vulkan_order *order,
                                        pietra_error *error, pietra_ticket *ticket)
{
    pietra_error own = {.result = PIETRA_OK};
    const pietra_result result = view_enter(view, error);
    if (result != PIETRA_OK)
        return result;
    return view_leave(view, submit(view, submission, target, order, VK_NULL_HANDLE, &own, ticket), &own, error);
}

/* ---- Frames in the caller's commands ---- */

pietra_result pietra_view_record_vulkan(pietra_view *view, const pietra_submission *submission,
                                        const pietra_vulkan_target *target, VkCommandBuffer commands,
                                        pietra_error *error, pietra_ticket *ticket)
{
    pietra_error own = {.result = PIETRA_OK};
    if (!commands)
        return error_set_null(error, "commands");
    const pietra_result result = view_enter(view, error);
    if (result != PIETRA_OK)
        return result;
    return view_leave(view, submit(view, submission, target, NULL, commands, &own, ticket), &own, error);
}

static pietra_result reserve(pietra_view *view, const pietra_submission *submission, const pietra_vulkan_target *target,
                             pietra_error *error)
{
    if (!submission || !submission->stream || !target)
        return error_set_null(error, !submission ? "submission" : !target ? "target" : "submission.stream");
    const pietra_vulkan_order nothing = {.wait_count = 0};
    const image_target image = {.target = target, .order = &nothing};
    flight_plan plan = {.stream = submission->stream};
    bool is_certain = false;
    pietra_result result = device_check_image(view->device, &image, error);
    if (result == PIETRA_OK)
        plan.whole = config_of_image(&submission->frame, target, error, &result);
    if (result == PIETRA_OK)
        result = find_plan(view, error, &plan, &is_certain);
    if (result != PIETRA_OK)
        return result;
    return is_certain ? gpu_flight_reserve(view->device->renderer, &plan, &image, error)
                      : error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame has to be counted first");
}

pietra_result pietra_view_reserve_vulkan(pietra_view *view, const pietra_submission *submission,
                                         const pietra_vulkan_target *target, pietra_error *error)
{
    pietra_error own = {.result = PIETRA_OK};
    const pietra_result result = view_enter(view, error);
    if (result != PIETRA_OK)
        return result;
    return view_leave(view, reserve(view, submission, target, &own), &own, error);
}

static pietra_result finish_recorded(pietra_view *view, uint64_t number, pietra_error *error)
{
    const uint64_t last = device_log(view->device)->submitted;
    if (number > last) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "frame %llu: the last one was %llu", (unsigned long long)number,
                         (unsigned long long)last);
    }
    return view->device->renderer ? gpu_flight_return(view->device->renderer, number, error) : PIETRA_OK;
}

pietra_result pietra_view_finish_recorded(pietra_view *view, uint64_t number, pietra_error *error)
{
    pietra_error own = {.result = PIETRA_OK};
    const pietra_result result = view_enter(view, error);
    if (result != PIETRA_OK)
        return result;
    return view_leave(view, finish_recorded(view, number, &own), &own, error);
}

void pietra_view_discard_recorded(pietra_view *view)
{
    if (view && view->device->renderer)
        gpu_flight_discard(view->device->renderer);
}
