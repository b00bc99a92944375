/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/renderer_state.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "render/frame/config.h"
#include "render/gpu/copy_out.h"
#include "render/frame/parts.h"
#include "render/gpu/read_back.h"
#include "render/gpu/resident_stream.h"
#include "render/gpu/stage_times.h"
#ifdef PIETRA_DEV
#include "vulkan/reload.h"
#endif

/* The most work of one invocation in a pass of 10 fine. Software devices end loops that take too many rounds: lavapipe
 * after 65,535, eight times this. Hardware must only not be held up for long. */
#define FINE_WORK_SOFTWARE 8192u
#define FINE_WORK_HARDWARE 1048576u

#ifdef PIETRA_DEV
/* Replaces kernels whose sources have changed. The old ones stay if the new ones are wrong. Nothing may be drawing. */
static void reload_programs(gpu_renderer *renderer)
{
    uint64_t stamp = reload_stamp();
    pietra_error error = {0};
    stage_programs *made;
    if (stamp == renderer->stamp)
        return;
    if (stage_programs_create(renderer->device, &renderer->options.waits, renderer->options.pool, &error, &made) ==
        PIETRA_OK) {
        stage_programs_destroy(renderer->programs);
        renderer->programs = made;
        effect_programs_destroy(&renderer->effects.programs); /* the next effect makes them */
    } else {
        fprintf(stderr, "pietra: %s\n", error.message);
    }
    renderer->stamp = stamp;
}
#endif

pietra_result renderer_slot_create(gpu_device *device, pietra_error *error, renderer_slot *slot)
{
    *slot = (renderer_slot){.recorder = NULL};
    pietra_result result = gpu_recorder_create(device, error, &slot->recorder);
    if (result == PIETRA_OK)
        result = gpu_buffer_create(device, sizeof(frame_config), GPU_MEMORY_UPLOAD, error, &slot->config);
    if (result == PIETRA_OK)
        result = gpu_buffer_create(device, sizeof(frame_counters) + sizeof(uint32_t), GPU_MEMORY_READBACK, error,
                                   &slot->counters);
    return result;
}

void renderer_slot_destroy(gpu_device *device, renderer_slot *slot)
{
    gpu_recorder_destroy(slot->recorder);
    gpu_buffer_destroy(device, &slot->config);
    gpu_buffer_destroy(device, &slot->counters);
    *slot = (renderer_slot){.recorder = NULL};
}

pietra_result gpu_renderer_create(gpu_device *device, const gpu_renderer_options *options, pietra_error *error,
                                  gpu_renderer **renderer)
{
    gpu_renderer *made = calloc(1, sizeof *made);
    if (!made)
        return error_set_memory(error);
    made->device = device;
    made->options = *options;
    made->effects = (gpu_effects){.device = device, .options = &made->options.waits};
#ifdef PIETRA_DEV
    made->stamp = reload_stamp();
#endif
    if (made->options.fine_work == 0)
        made->options.fine_work = gpu_get_limits(device)->hardware ? FINE_WORK_HARDWARE : FINE_WORK_SOFTWARE;
    pietra_result result = stage_programs_create(device, &made->options.waits, options->pool, error, &made->programs);
    if (result == PIETRA_OK)
        result = renderer_slot_create(device, error, &made->own);
    made->slot = &made->own;
    made->stream = &made->streams[0];
    made->effects.recorder = made->own.recorder;
    made->surfaces = (resident_surfaces){.device = device, .recorder = made->own.recorder};
    made->externals = (external_reader){.device = device};
    made->images = (image_writer){.device = device, .recorder = made->own.recorder};
    if (result == PIETRA_OK)
        result = gpu_buffer_create(device, sizeof(frame_sheet), GPU_MEMORY_UPLOAD, error, &made->sheets);
    if (result != PIETRA_OK) {
        gpu_renderer_destroy(made);
        return result;
    }
    *renderer = made;
    return PIETRA_OK;
}

void gpu_renderer_destroy(gpu_renderer *renderer)
{
    if (!renderer)
        return;
    (void)gpu_flight_settle(renderer, NULL);
    gpu_flight_free(renderer);
    renderer_slot_destroy(renderer->device, &renderer->own);
    stage_programs_destroy(renderer->programs);
    for (size_t i = 0; i < RESIDENT_STREAMS; i++)
        resident_stream_free(renderer->device, &renderer->streams[i]);
    resident_surfaces_free(renderer->device, &renderer->surfaces);
    gpu_effects_free(&renderer->effects);
    image_writer_free(&renderer->images);
    external_reader_free(&renderer->externals);
    gpu_buffer *buffers[] = {&renderer->sheets,
                             &renderer->frame,
                             &renderer->target,
                             &renderer->atlas,
                             &renderer->frame_use.retired,
                             &renderer->target_use.retired,
                             &renderer->atlas_use.retired};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        gpu_buffer_destroy(renderer->device, buffers[i]);
    for (size_t i = 0; i < renderer->readbacks.count; i++)
        gpu_buffer_destroy(renderer->device, &renderer->readbacks.items[i]);
    array_free(&renderer->readbacks);
    free(renderer);
}

/* Returns whether a frame in flight reads a stream. */
static bool is_in_flight(const gpu_renderer *renderer, const resident_stream *stream)
{
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT; i++)
        if (renderer->flight[i].number != 0 && renderer->flight[i].stream == stream)
            return true;
    return false;
}

static uint64_t resident_bytes(const gpu_renderer *renderer)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < RESIDENT_STREAMS; i++)
        bytes += renderer->streams[i].buffer.bytes;
    return bytes;
}

/* Returns whether one place is to be taken rather than another. Places of streams of a program that shows a few in turn
 * are left to them, as long as all are small. */
static bool is_better_place(const resident_stream *place, const resident_stream *other, bool may_be_empty)
{
    const bool is_empty = place->buffer.bytes == 0, other_is_empty = other->buffer.bytes == 0;
    return is_empty == other_is_empty ? place->drawn < other->drawn : is_empty == may_be_empty;
}

/* Returns the place of a composition's stream that was drawn last and that no frame in flight reads, or NULL. A
 * composition has one stream at a time, so nobody draws that one again, and little of the next differs. */
static resident_stream *find_place_of_composition(gpu_renderer *renderer, const pietra_stream *stream)
{
    resident_stream *last = NULL;
    for (uint32_t i = 0; i < RESIDENT_STREAMS && stream->composed; i++) {
        resident_stream *place = &renderer->streams[i];
        if (place->composed == stream->composed && place->words.count > 0 && !is_in_flight(renderer, place) &&
            (!last || place->drawn > last->drawn))
            last = place;
    }
    return last;
}

static resident_stream *find_place(gpu_renderer *renderer, const pietra_stream *stream)
{
    const uint64_t bytes = (uint64_t)stream_get_header(stream)->word_count * sizeof(uint32_t);
    const bool may_be_empty = resident_bytes(renderer) + bytes <= RESIDENT_BYTES;
    resident_stream *best = NULL;
    for (uint32_t i = 0; i < RESIDENT_STREAMS; i++) {
        resident_stream *place = &renderer->streams[i];
        if (place->id == stream_id(stream))
            return place;
        if (!is_in_flight(renderer, place) && (!best || is_better_place(place, best, may_be_empty)))
            best = place;
    }
    resident_stream *of_composition = find_place_of_composition(renderer, stream);
    return of_composition ? of_composition : best; /* there is one place more than frames can read */
}

void renderer_choose_stream(gpu_renderer *renderer, const pietra_stream *stream)
{
    resident_stream *place = find_place(renderer, stream);
    if (place != renderer->stream)
        renderer->learned = (frame_capacity){.fine_passes = 0};
    renderer->stream = place;
    place->drawn = ++renderer->stream_count;
}

/* Fills the stream's external images. */
static pietra_result fill_externals(gpu_renderer *renderer, pietra_error *error)
{
    static const pietra_vulkan_order nothing = {.wait_count = 0};
    gpu_recorder *recorder = renderer->slot->recorder;
    if (renderer->stream->externals.count == 0)
        return PIETRA_OK;
    pietra_result result = external_prepare(&renderer->externals, renderer->stream, &renderer->gift, error);
    if (result == PIETRA_OK)
        result = gpu_recorder_begin(recorder, error);
    if (result != PIETRA_OK)
        return result;
    external_record(&renderer->externals, recorder, renderer->stream, &renderer->gift);
    result = gpu_recorder_submit_ordered(recorder, renderer->before ? renderer->before : &nothing, error);
    renderer->before = NULL;
    return result == PIETRA_OK ? gpu_recorder_wait(recorder, error) : result;
}

static pietra_result upload_stream(gpu_renderer *renderer, const pietra_stream *stream, pietra_error *error)
{
    double start = clock_ms();
    renderer_choose_stream(renderer, stream);
    if (renderer->stream->id == stream_id(stream))
        return fill_externals(renderer, error);
    pietra_result result = resident_stream_put(renderer->device, renderer->slot->recorder, stream, &renderer->surfaces,
                                               error, renderer->stream);
    if (result != PIETRA_OK)
        return result;
    renderer->learned = capacity_guess_after(&renderer->drawn, &renderer->header, renderer->whole.tile_count);
    result = fill_externals(renderer, error);
    renderer->stats->upload_ms += clock_ms() - start;
    renderer->stats->upload_bytes += resident_stream_written(renderer->stream);
    return result;
}

/* Returns how many rows of tiles are drawn into the target at a time: as many as a buffer can hold and a kernel can
 * see. Returns 0 if not even one row fits. */
static int rows_of_window(const gpu_renderer *renderer)
{
    const uint64_t bytes = gpu_limits_whole_bytes(gpu_get_limits(renderer->device));
    const tile_box part = renderer->whole.part;
    const uint64_t lead = renderer_target_lead(renderer);
    uint64_t rows = (uint64_t)(part.y1 - part.y0),
             most = bytes > lead ? (bytes - lead) / renderer_target_bytes(renderer, 0, 1) : 0;
    if (most == 0)
        return 0;
    uint64_t windows = (rows + most - 1) / most;
    return (int)((rows + windows - 1) / windows);
}

static pietra_result draw_window(gpu_renderer *renderer, pietra_error *error)
{
    const uint64_t bytes =
        renderer_target_lead(renderer) + renderer_target_bytes(renderer, renderer->window.y0, renderer->window.y1);
    uint32_t parts;
    pietra_result result = gpu_buffer_ensure(renderer->device, bytes, GPU_MEMORY_DEVICE, error, &renderer->target);
    buffer_use_add(&renderer->target_use, bytes);
    renderer->picture = &renderer->target;
    if (result == PIETRA_OK)
        result = parts_draw(renderer->window, renderer_draw_part, renderer, &renderer->budget, error, &parts);
    if (result != PIETRA_OK)
        return result;
    renderer->stats->parts += parts;
    if (memcmp(&renderer->part.part, &renderer->whole.part, sizeof renderer->part.part) == 0) {
        renderer->drawn = (frame_sample){.stream_tasks = renderer->header.task_count,
                                         .tiles = renderer->part.tile_count,
                                         .counters = renderer->counted};
    }
    return PIETRA_OK;
}

static pietra_result read_window(gpu_renderer *renderer, size_t slot, pietra_error *error)
{
    double start = clock_ms();
    uint64_t bytes = renderer_target_bytes(renderer, renderer->window.y0, renderer->window.y1);
    while (renderer->readbacks.count <= slot) {
        gpu_buffer *added = array_push(&renderer->readbacks);
        if (!added)
            return error_set_memory(error);
        *added = (gpu_buffer){.bytes = 0};
    }
    gpu_buffer *readback = &renderer->readbacks.items[slot];
    pietra_result result = gpu_buffer_ensure(renderer->device, bytes, GPU_MEMORY_READBACK, error, readback);
    if (result != PIETRA_OK || (result = gpu_recorder_begin(renderer->slot->recorder, error)) != PIETRA_OK)
        return result;
    gpu_copy(renderer->slot->recorder,
             (gpu_range){.buffer = &renderer->target, .offset = renderer_target_lead(renderer), .bytes = bytes},
             (gpu_range){.buffer = readback});
    result = gpu_recorder_submit_and_wait(renderer->slot->recorder, error);
    renderer->stats->read_ms += clock_ms() - start;
    return result;
}

static tile_box window_at(const gpu_renderer *renderer, int y, int rows)
{
    tile_box window = renderer->whole.part;
    window.y0 = y;
    window.y1 = y + rows < window.y1 ? y + rows : window.y1;
    return window;
}

/* Returns whether the window is all of a frame that an image takes. */
static bool fills_image(const gpu_renderer *renderer, const pietra_target *target)
{
    const image_frame *image = renderer->image;
    return image && image->host == target && memcmp(&image->part, &renderer->window, sizeof image->part) == 0;
}

static pietra_result write_image(gpu_renderer *renderer, pietra_error *error)
{
    const double start = clock_ms();
    const gpu_range picture = {.buffer = &renderer->target, .offset = renderer_target_lead(renderer)};
    pietra_result result =
        image_write(&renderer->images, &renderer->image->image, picture, renderer->whole.target_pitch, error);
    renderer->image->is_written = result == PIETRA_OK;
    if (result == PIETRA_OK)
        stage_times_add(renderer->slot->recorder, renderer->stats);
    renderer->stats->read_ms += clock_ms() - start;
    return result;
}

/* Draws window by window. If the target may not spoil, the pixels of all windows wait until the last one is drawn. */
static pietra_result draw_windows(gpu_renderer *renderer, const pietra_target *target, pietra_error *error)
{
    int rows = rows_of_window(renderer), begin = renderer->whole.part.y0, end = renderer->whole.part.y1;
    if (rows == 0) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0,
                         "a row of the picture's tiles takes %llu bytes, more than the device's kernels can see",
                         (unsigned long long)renderer_target_bytes(renderer, 0, 1));
    }
    size_t waiting = 0;
    for (int y = begin; y < end; y += rows) {
        renderer->window = window_at(renderer, y, rows);
        pietra_result result = draw_window(renderer, error);
        if (result == PIETRA_OK && fills_image(renderer, target))
            return write_image(renderer, error);
        if (result != PIETRA_OK || (result = read_window(renderer, waiting, error)) != PIETRA_OK)
            return result;
        if (target->may_spoil)
            copy_out(&renderer->whole, renderer->window, renderer->readbacks.items[0].mapped, target);
        else
            waiting++;
    }
    for (size_t i = 0; i < waiting; i++)
        copy_out(&renderer->whole, window_at(renderer, begin + (int)i * rows, rows),
                 renderer->readbacks.items[i].mapped, target);
    return PIETRA_OK;
}

/* ---- Memory that is not needed any more ---- */

void renderer_end_frame(gpu_renderer *renderer)
{
    buffer_use_end_frame(&renderer->frame_use, renderer->frame.bytes);
    buffer_use_end_frame(&renderer->target_use, renderer->target.bytes);
    buffer_use_end_frame(&renderer->atlas_use, renderer->atlas.bytes);
}

/* Returns whether the buffer shrank. If there is no memory for a smaller one, the frames after it say so. */
static bool shrink(gpu_renderer *renderer, buffer_use *use, gpu_buffer *buffer)
{
    gpu_buffer smaller = {.bytes = 0};
    uint64_t bytes;
    if (!buffer_use_is_over(use, buffer, &bytes))
        return false;
    use->quiet = 0;
    use->most = 0;
    if (buffer->bytes + bytes > renderer->options.budget_bytes && gpu_flight_settle(renderer, NULL) != PIETRA_OK)
        return false;
    if (!flight_oldest(renderer)) {
        gpu_buffer_destroy(renderer->device, buffer);
    } else {
        use->retired = *buffer;
        use->behind = renderer->log.submitted;
    }
    if (bytes > 0)
        (void)gpu_buffer_create(renderer->device, bytes, GPU_MEMORY_DEVICE, NULL, &smaller);
    *buffer = smaller;
    return true;
}

void renderer_shrink(gpu_renderer *renderer)
{
    (void)shrink(renderer, &renderer->target_use, &renderer->target);
    (void)shrink(renderer, &renderer->atlas_use, &renderer->atlas);
    /* What a stream needed once would make the buffer grow again. */
    if (shrink(renderer, &renderer->frame_use, &renderer->frame))
        renderer->learned = capacity_guess_after(&renderer->drawn, &renderer->header, renderer->drawn.tiles);
}

void renderer_release(gpu_renderer *renderer)
{
    buffer_use *uses[] = {&renderer->frame_use, &renderer->target_use, &renderer->atlas_use};
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (uses[i]->behind <= renderer->log.done)
            gpu_buffer_destroy(renderer->device, &uses[i]->retired);
}

pietra_result gpu_renderer_draw(gpu_renderer *renderer, const pietra_stream *stream, const frame_config *whole,
                                part_budget *budget, const pietra_target *target, pietra_error *error,
                                pietra_stats *stats)
{
#ifdef PIETRA_DEV
    reload_programs(renderer);
#endif
    pietra_result result = gpu_flight_settle(renderer, error);
    if (result != PIETRA_OK)
        return result;
    renderer_shrink(renderer);
    renderer->stats = stats;
    renderer->whole = *whole;
    renderer->budget = budget ? *budget : part_budget_of(renderer->options.budget_bytes);
    renderer->header = *stream_get_header(stream);
    result = upload_stream(renderer, stream, error);
    if (result == PIETRA_OK)
        result = draw_windows(renderer, target, error);
    if (result == PIETRA_OK)
        renderer_end_frame(renderer);
    if (budget)
        budget->bytes = renderer->budget.bytes;
    return result;
}

void gpu_renderer_take_image(gpu_renderer *renderer, image_frame *image)
{
    renderer->image = image;
}

void gpu_renderer_take_externals(gpu_renderer *renderer, const external_gift *gift, const pietra_vulkan_order *before)
{
    renderer->gift = gift ? *gift : (external_gift){.count = 0};
    renderer->before = before;
}

pietra_result gpu_renderer_write_image(gpu_renderer *renderer, const image_target *image, const uint32_t *picture,
                                       pietra_error *error)
{
    pietra_result result = gpu_flight_settle(renderer, error);
    return result == PIETRA_OK ? image_write_from_host(&renderer->images, image, picture, error) : result;
}

const frame_sample *gpu_renderer_sample(const gpu_renderer *renderer)
{
    return &renderer->drawn;
}

bool gpu_renderer_holds(const gpu_renderer *renderer, const pietra_stream *stream)
{
    return renderer->stream->id == stream_id(stream);
}

resident_surfaces *gpu_renderer_surfaces(gpu_renderer *renderer)
{
    /* If that fails, the device is lost, and whatever comes next says so. */
    (void)gpu_flight_settle(renderer, NULL);
    return &renderer->surfaces;
}

static pietra_result draw_atlas(gpu_renderer *renderer, const sheet_runs *runs, const sheet_run *run,
                                pietra_error *error)
{
    const uint64_t table_bytes = run->sheet_count * sizeof(frame_sheet);
    const frame_capacity learned = renderer->learned;
    uint32_t parts;
    pietra_result result =
        gpu_buffer_ensure(renderer->device, sheet_run_bytes(run), GPU_MEMORY_DEVICE, error, &renderer->atlas);
    if (result == PIETRA_OK)
        result = gpu_buffer_ensure(renderer->device, table_bytes, GPU_MEMORY_UPLOAD, error, &renderer->sheets);
    if (result != PIETRA_OK)
        return result;
    memcpy(renderer->sheets.mapped, runs->sheets.items + run->first_sheet - 1, table_bytes);
    buffer_use_add(&renderer->atlas_use, sheet_run_bytes(run));
    renderer->picture = &renderer->atlas;
    renderer->window = renderer->whole.part;
    /* What a run needs says nothing about the frame. */
    renderer->learned = (frame_capacity){.fine_passes = 0};
    result = parts_draw(renderer->window, renderer_draw_part, renderer, &renderer->budget, error, &parts);
    renderer->learned = learned;
    return result;
}

pietra_result gpu_renderer_draw_sheets(gpu_renderer *renderer, const pietra_stream *stream, sheet_plan *plan,
                                       const sheet_runs *runs, const sheet_run *run, part_budget *budget,
                                       pietra_error *error, pietra_stats *stats)
{
    pietra_result result = gpu_flight_settle(renderer, error);
    if (result != PIETRA_OK)
        return result;
    renderer->stats = stats;
    renderer->whole = sheet_run_config(run);
    renderer->budget = budget ? *budget : part_budget_of(renderer->options.budget_bytes);
    renderer->header = *stream_get_header(stream);
    rules_set_totals(&run->totals, &renderer->header);
    renderer->header.occluder_count = 0; /* sheets have none */
    result = upload_stream(renderer, stream, error);
    if (result == PIETRA_OK && run->sheet_count > 0)
        result = draw_atlas(renderer, runs, run, error);
    if (budget)
        budget->bytes = renderer->budget.bytes;
    if (result != PIETRA_OK)
        return result;
    const uint64_t before = sizeof(uint32_t) * (uint64_t)plan->view.header->texel_count;
    const uint64_t kept = sheet_run_bytes(run) + sizeof(uint32_t) * plan->texel_count;
    gpu_effect_places places = {
        .work_bytes = renderer->budget.bytes > kept ? renderer->budget.bytes - kept : 0,
        .atlas = {.buffer = &renderer->atlas, .bytes = sheet_run_bytes(run)},
        .results = {.buffer = &renderer->stream->buffer,
                    .offset = renderer->stream->texels + before,
                    .bytes = sizeof(uint32_t) * plan->texel_count},
    };
    if (run->root_count > 0)
        places.results = (gpu_range){.buffer = &renderer->surfaces.texels};
    double start = clock_ms();
    result = gpu_effects_run(&renderer->effects, plan, runs, run, &places, renderer->budget.watch, error, stats);
    stats->frame_ms += clock_ms() - start;
    return result;
}

sheet_limits gpu_renderer_sheet_limits(const gpu_renderer *renderer, uint64_t bytes)
{
    const uint64_t most = gpu_limits_whole_bytes(gpu_get_limits(renderer->device));
    return (sheet_limits){.bytes = bytes, .range_bytes = most - EFFECT_ALIGNMENT};
}

pietra_result gpu_renderer_check_texels(const gpu_renderer *renderer, const pietra_stream *stream, pietra_error *error)
{
    return resident_stream_check_texels(gpu_get_limits(renderer->device), stream, error);
}

pietra_result gpu_renderer_read(gpu_renderer *renderer, frame_buffer buffer, uint64_t offset, uint64_t bytes,
                                pietra_error *error, void *to)
{
    gpu_range from = renderer_range(renderer, buffer);
    assert(offset + bytes <= from.bytes);
    from.offset += offset;
    from.bytes = bytes;
    pietra_result result = gpu_flight_settle(renderer, error);
    return result != PIETRA_OK ? result : read_back(renderer->device, renderer->slot->recorder, from, error, to);
}

pietra_result gpu_renderer_read_texels(gpu_renderer *renderer, uint64_t first, uint64_t count, pietra_error *error,
                                       uint32_t *to)
{
    const gpu_range from = {.buffer = &renderer->stream->buffer,
                            .offset = renderer->stream->texels + first * sizeof *to,
                            .bytes = count * sizeof *to};
    return read_back(renderer->device, renderer->slot->recorder, from, error, to);
}

const frame_capacity *gpu_renderer_capacity(const gpu_renderer *renderer)
{
    return &renderer->capacity;
}
