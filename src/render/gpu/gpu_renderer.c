/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/gpu_renderer.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/error.h"
#include "vulkan/recorder.h"
#ifdef PIETRA_DEV
#include "vulkan/reload.h"
#endif
#include "render/frame/config.h"
#include "render/gpu/copy_out.h"
#include "render/gpu/effects.h"
#include "render/gpu/image_target.h"
#include "render/frame/parts.h"
#include "render/gpu/programs.h"
#include "render/gpu/read_back.h"
#include "render/gpu/resident_stream.h"
#include "render/gpu/stage_times.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most loop rounds that one invocation takes in a pass of 10 fine. Software devices end loops that run too long;
 * hardware must only not be held up for long. */
#define FINE_WORK_SOFTWARE 8192u
#define FINE_WORK_HARDWARE 1048576u

/* The most runs of a part. A frame's needs are known after three runs: first those for lines and tile_lines, then for
 * tile_commands, then for saved layers and for programs of 10 fine. A part that needs more runs than this is a
 * fault. */
#define RUNS_MAX 6

struct gpu_renderer {
    gpu_device *device;
    gpu_renderer_options options;
    gpu_recorder *recorder;
    stage_programs *programs;

    resident_stream stream;
    resident_surfaces surfaces;
    gpu_effects effects;
    gpu_buffer config, sheets, frame, target, atlas, counters;
    ARRAY(gpu_buffer) readbacks; /* one for each window */
    part_budget budget;          /* budget of the frame that is drawn */
    frame_capacity learned;      /* what the stream needed; fine_passes is 0 if nothing is known yet */
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

#ifdef PIETRA_DEV
/* Replaces kernels whose sources have changed. The old ones stay if the new ones are wrong. Nothing may be drawing. */
static void reload_programs(gpu_renderer *renderer)
{
    uint64_t stamp = reload_stamp();
    pietra_error error = {0};
    stage_programs *made;
    if (stamp == renderer->stamp)
        return;
    if (stage_programs_create(renderer->device, &renderer->options.waits, &error, &made) == PIETRA_OK) {
        stage_programs_destroy(renderer->programs);
        renderer->programs = made;
        effect_programs_destroy(&renderer->effects.programs); /* the next effect makes them */
    } else {
        fprintf(stderr, "pietra: %s\n", error.message);
    }
    renderer->stamp = stamp;
}
#endif

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
    pietra_result result = stage_programs_create(device, &made->options.waits, error, &made->programs);
    if (result == PIETRA_OK)
        result = gpu_recorder_create(device, error, &made->recorder);
    made->effects.recorder = made->recorder;
    made->surfaces = (resident_surfaces){.device = device, .recorder = made->recorder};
    made->images = (image_writer){.device = device, .recorder = made->recorder};
    if (result == PIETRA_OK)
        result = gpu_buffer_create(device, sizeof(frame_config), GPU_MEMORY_UPLOAD, error, &made->config);
    if (result == PIETRA_OK)
        result = gpu_buffer_create(device, sizeof(frame_sheet), GPU_MEMORY_UPLOAD, error, &made->sheets);
    if (result == PIETRA_OK)
        result = gpu_buffer_create(device, sizeof(frame_counters), GPU_MEMORY_READBACK, error, &made->counters);
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
    gpu_recorder_destroy(renderer->recorder);
    stage_programs_destroy(renderer->programs);
    resident_stream_free(renderer->device, &renderer->stream);
    resident_surfaces_free(renderer->device, &renderer->surfaces);
    gpu_effects_free(&renderer->effects);
    image_writer_free(&renderer->images);
    gpu_buffer *buffers[] = {&renderer->config, &renderer->sheets, &renderer->frame,
                             &renderer->target, &renderer->atlas,  &renderer->counters};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        gpu_buffer_destroy(renderer->device, buffers[i]);
    for (size_t i = 0; i < renderer->readbacks.count; i++)
        gpu_buffer_destroy(renderer->device, &renderer->readbacks.items[i]);
    array_free(&renderer->readbacks);
    free(renderer);
}

static pietra_result upload_stream(gpu_renderer *renderer, const pietra_stream *stream, pietra_error *error)
{
    double start = clock_ms();
    if (renderer->stream.id == stream_id(stream))
        return PIETRA_OK;
    pietra_result result = resident_stream_put(renderer->device, renderer->recorder, stream, &renderer->surfaces, error,
                                               &renderer->stream);
    if (result != PIETRA_OK)
        return result;
    renderer->learned = (frame_capacity){.fine_passes = 0};
    renderer->stats->upload_ms += clock_ms() - start;
    return PIETRA_OK;
}

/* Returns the bytes of the target for the rows of tiles from y0 to y1. */
static uint64_t target_bytes(const gpu_renderer *renderer, int y0, int y1)
{
    return (uint64_t)(y1 - y0) * renderer->whole.target_pitch * TILE_SIDE * 4;
}

/* Returns the bytes by which the target begins before its first pixel: kernels write a pixel at its place in the row of
 * the frame, but the target's rows are as wide as the part alone. */
static uint64_t target_lead(const gpu_renderer *renderer)
{
    return (uint64_t)renderer->whole.part.x0 * TILE_SIDE * 4;
}

static gpu_range range_of(const gpu_renderer *renderer, frame_buffer buffer)
{
    if (buffer == BUFFER_STREAM)
        return resident_stream_words(&renderer->stream);
    if (buffer >= BUFFER_TEXELS_0)
        return resident_stream_texels(&renderer->stream, (uint32_t)buffer - BUFFER_TEXELS_0);
    if (buffer == BUFFER_CONFIG)
        return (gpu_range){.buffer = &renderer->config, .bytes = sizeof(frame_config)};
    if (buffer == BUFFER_SHEETS)
        return (gpu_range){.buffer = &renderer->sheets};
    if (buffer == BUFFER_TARGET) {
        tile_box part = renderer->part.part;
        uint64_t above = target_bytes(renderer, renderer->window.y0, part.y0);
        return (gpu_range){.buffer = renderer->picture,
                           .offset = above,
                           .bytes = target_lead(renderer) + target_bytes(renderer, part.y0, part.y1)};
    }
    return (gpu_range){.buffer = &renderer->frame,
                       .offset = renderer->layout.offsets[buffer],
                       .bytes = renderer->layout.bytes[buffer]};
}

static gpu_range half_of(const gpu_renderer *renderer, frame_buffer buffer, uint32_t items, uint32_t half)
{
    gpu_range range = range_of(renderer, buffer);
    range.bytes = 4 * (uint64_t)items;
    range.offset += half * range.bytes;
    return range;
}

static void record_sort(gpu_renderer *renderer, bool tile_commands)
{
    frame_buffer keys = tile_commands ? BUFFER_TILE_COMMAND_KEYS : BUFFER_TILE_LINE_KEYS;
    frame_buffer values = tile_commands ? BUFFER_TILE_COMMAND_VALUES : BUFFER_TILE_LINE_VALUES;
    uint32_t capacity = tile_commands ? renderer->capacity.tile_commands : renderer->capacity.tile_lines;
    sort_ranges ranges = {
        .keys_a = half_of(renderer, keys, capacity, 0),
        .values_a = half_of(renderer, values, capacity, 0),
        .keys_b = half_of(renderer, keys, capacity, 1),
        .values_b = half_of(renderer, values, capacity, 1),
        .scratch = range_of(renderer, tile_commands ? BUFFER_TILE_COMMAND_SORT : BUFFER_TILE_LINE_SORT),
        .counts = range_of(renderer, BUFFER_COUNTERS),
        .count_word = tile_commands ? COUNTER_READY_TILE_COMMANDS : COUNTER_READY_TILE_LINES,
        .bits_word = tile_commands ? COUNTER_TILE_COMMAND_KEY_BITS : COUNTER_KEY_BITS,
    };
    sort_record(renderer->recorder, stage_sort(renderer->programs), &ranges, capacity, 32);
}

static void record_stage(gpu_renderer *renderer, uint32_t index)
{
    const frame_step *step = &frame_steps[index];
    gpu_range ranges[sizeof step->buffers / sizeof step->buffers[0]];
    for (uint32_t i = 0; i < step->buffer_count; i++)
        ranges[i] = range_of(renderer, step->buffers[i]);
    const gpu_program *program = stage_program(renderer->programs, index);
    if (!program)
        return; /* nothing to dispatch, or this run counts what is to be dispatched in the next */
    if (step->argument == NONE) {
        uint32_t groups = step->groups(&renderer->capacity);
        if (groups > 0) {
            primitive_grid grid = primitive_grid_of(groups);
            gpu_dispatch(renderer->recorder, program, ranges, NULL, grid.x, grid.y, 1);
        }
        return;
    }
    gpu_range arguments = range_of(renderer, BUFFER_ARGUMENTS);
    arguments.offset += step->argument * sizeof(dispatch_arguments);
    arguments.bytes = sizeof(dispatch_arguments);
    uint32_t passes = step->kind == STEP_FINE ? renderer->capacity.fine_passes : 1;
    for (uint32_t pass = 0; pass < passes; pass++) {
        if (pass > 0)
            gpu_barrier(renderer->recorder);
        gpu_dispatch_indirect(renderer->recorder, program, ranges, NULL, arguments);
    }
}

static void record_steps(gpu_renderer *renderer)
{
    gpu_range cleared = {.buffer = &renderer->frame, .bytes = renderer->layout.cleared_bytes};
    gpu_fill(renderer->recorder, cleared, 0);
    gpu_barrier(renderer->recorder);
    gpu_mark(renderer->recorder, "clear");
    const char *mark = NULL;
    for (uint32_t i = 0; i < frame_step_count; i++) {
        const frame_step *step = &frame_steps[i];
        if (step->kind == STEP_BARRIER) {
            gpu_barrier(renderer->recorder);
            continue;
        }
        if (mark && strcmp(mark, step->mark) != 0)
            gpu_mark(renderer->recorder, mark);
        mark = step->mark;
        if (step->kind == STEP_SORT)
            record_sort(renderer, step->sorts_tile_commands);
        else
            record_stage(renderer, i);
    }
    gpu_mark(renderer->recorder, mark);
}

/* Makes room for the part with this capacity, within the budget and within what a kernel can see. */
static pietra_result make_room(gpu_renderer *renderer, const frame_capacity *capacity, pietra_error *error)
{
    const gpu_limits *limits = gpu_get_limits(renderer->device);
    frame_layout layout = frame_layout_of(capacity, limits->storage_alignment);
    if (layout.total_bytes > renderer->budget.bytes) {
        renderer->budget.wanted_bytes = layout.total_bytes;
        return error_set(error, PIETRA_ERROR_BUDGET, 0, "a part of the frame needs %llu bytes, the budget is %llu",
                         (unsigned long long)layout.total_bytes, (unsigned long long)renderer->budget.asked_bytes);
    }
    if (layout.largest_bytes > limits->max_binding_bytes || layout.total_bytes > limits->max_allocation_bytes) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0,
                         "a part of the frame needs a buffer of %llu bytes, more than the device has",
                         (unsigned long long)layout.largest_bytes);
    }
    pietra_result result =
        gpu_buffer_ensure(renderer->device, layout.total_bytes, GPU_MEMORY_DEVICE, error, &renderer->frame);
    if (result != PIETRA_OK)
        return result;
    renderer->layout = layout;
    renderer->capacity = *capacity;
    frame_config *config = &renderer->part;
    config->element_count = capacity->elements;
    config->segment_count = capacity->segments;
    config->clip_event_count = capacity->clip_events;
    config->line_capacity = capacity->lines;
    config->tile_line_capacity = capacity->tile_lines;
    config->tile_path_capacity = capacity->tile_paths;
    config->tile_command_capacity = capacity->tile_commands;
    config->mask_capacity = capacity->masks;
    config->spill_capacity = capacity->spill;
    config->task_capacity = capacity->tasks;
    config->measure_capacity = capacity->measures;
    config->fine_work = renderer->options.fine_work;
    memcpy(renderer->config.mapped, config, sizeof *config);
    uint64_t used = layout.total_bytes + renderer->picture->bytes;
    renderer->stats->memory_bytes = used > renderer->stats->memory_bytes ? used : renderer->stats->memory_bytes;
    return PIETRA_OK;
}

static pietra_result run_once(gpu_renderer *renderer, pietra_error *error)
{
    double start = clock_ms();
    pietra_result result = cancel_check(renderer->budget.watch, error);
    if (result == PIETRA_OK)
        result = gpu_recorder_begin(renderer->recorder, error);
    if (result != PIETRA_OK)
        return result;
    record_steps(renderer);
    gpu_range counters = range_of(renderer, BUFFER_COUNTERS);
    gpu_barrier(renderer->recorder);
    gpu_copy(renderer->recorder, counters, (gpu_range){.buffer = &renderer->counters});
    if ((result = gpu_recorder_submit_and_wait(renderer->recorder, error)) != PIETRA_OK)
        return result;
    memcpy(&renderer->counted, renderer->counters.mapped, sizeof renderer->counted);
    renderer->stats->passes++;
    renderer->stats->frame_ms += clock_ms() - start;
    return cancel_check(renderer->budget.watch, error);
}

static void add_figures(gpu_renderer *renderer)
{
    pietra_stats *stats = renderer->stats;
    stage_times_add(renderer->recorder, stats);
    stats->lines += renderer->counted.line_count;
    stats->tile_lines += renderer->counted.tile_line_count;
    stats->tile_commands += renderer->counted.tile_command_count;
}

static pietra_result draw_part(void *user, tile_box box, pietra_error *error)
{
    gpu_renderer *renderer = user;
    const stream_header *header = &renderer->header;
    renderer->part = config_of_part(&renderer->whole, box);
    renderer->budget.wanted_bytes = 0;
    renderer->counted = (frame_counters){.line_count = 0};
    double frame_ms = renderer->stats->frame_ms;
    frame_capacity learned =
        renderer->learned.fine_passes != 0 ? renderer->learned : capacity_guess(header, &renderer->part);
    frame_capacity capacity = capacity_of_part(header, &renderer->part, &learned);
    uint32_t slack = 1;
    pietra_result result = make_room(renderer, &capacity, error);
    if (result == PIETRA_ERROR_BUDGET) {
        /* The guess may be far too large, so the device counts what it needs. */
        slack = 0;
        learned = capacity_least(header);
        capacity = capacity_of_part(header, &renderer->part, &learned);
        result = make_room(renderer, &capacity, error);
    }
    for (int i = 0; i < RUNS_MAX && result == PIETRA_OK; i++) {
        renderer->stats->frame_ms = frame_ms;
        result = stage_programs_make(renderer->programs, &renderer->capacity, &renderer->counted, error);
        if (result != PIETRA_OK || (result = run_once(renderer, error)) != PIETRA_OK)
            return result;
        if (renderer->counted.dash_task_count >= DASH_TASK_LIMIT)
            return parts_dash_error(error);
        if (renderer->counted.overflow & (OVERFLOW_KEYS | OVERFLOW_COUNT)) {
            return error_set(error, PIETRA_ERROR_BUDGET, 0,
                             "a part of the frame has more pieces than a pass can number");
        }
        if (capacity_sufficed(&capacity, &renderer->counted, &renderer->part, slack, &learned) &&
            stage_programs_suffice(renderer->programs, &capacity, &renderer->counted)) {
            renderer->learned = learned;
            add_figures(renderer);
            return PIETRA_OK;
        }
        capacity = capacity_of_part(header, &renderer->part, &learned);
        result = make_room(renderer, &capacity, error);
        if (result == PIETRA_ERROR_BUDGET && slack > 0) {
            slack = 0;
            frame_capacity least = capacity_least(header);
            least.fine_passes = learned.fine_passes;
            (void)capacity_sufficed(&least, &renderer->counted, &renderer->part, 0, &learned);
            capacity = capacity_of_part(header, &renderer->part, &learned);
            result = make_room(renderer, &capacity, error);
        }
    }
    if (result == PIETRA_OK)
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "the device asked for more room %d times over", RUNS_MAX);
    return result;
}

/* Returns how many rows of tiles are drawn into the target at a time: as many as a buffer can hold and a kernel can
 * see. Returns 0 if not even one row fits. */
static int rows_of_window(const gpu_renderer *renderer)
{
    const gpu_limits *limits = gpu_get_limits(renderer->device);
    uint64_t bytes = limits->max_binding_bytes < limits->max_allocation_bytes ? limits->max_binding_bytes
                                                                              : limits->max_allocation_bytes;
    const tile_box part = renderer->whole.part;
    const uint64_t lead = target_lead(renderer);
    uint64_t rows = (uint64_t)(part.y1 - part.y0),
             most = bytes > lead ? (bytes - lead) / target_bytes(renderer, 0, 1) : 0;
    if (most == 0)
        return 0;
    uint64_t windows = (rows + most - 1) / most;
    return (int)((rows + windows - 1) / windows);
}

static pietra_result draw_window(gpu_renderer *renderer, pietra_error *error)
{
    uint32_t parts;
    pietra_result result = gpu_buffer_ensure(
        renderer->device, target_lead(renderer) + target_bytes(renderer, renderer->window.y0, renderer->window.y1),
        GPU_MEMORY_DEVICE, error, &renderer->target);
    renderer->picture = &renderer->target;
    if (result == PIETRA_OK)
        result = parts_draw(renderer->window, draw_part, renderer, &renderer->budget, error, &parts);
    if (result == PIETRA_OK)
        renderer->stats->parts += parts;
    return result;
}

static pietra_result read_window(gpu_renderer *renderer, size_t slot, pietra_error *error)
{
    double start = clock_ms();
    uint64_t bytes = target_bytes(renderer, renderer->window.y0, renderer->window.y1);
    while (renderer->readbacks.count <= slot) {
        gpu_buffer *added = array_push(&renderer->readbacks);
        if (!added)
            return error_set_memory(error);
        *added = (gpu_buffer){.bytes = 0};
    }
    gpu_buffer *readback = &renderer->readbacks.items[slot];
    pietra_result result = gpu_buffer_ensure(renderer->device, bytes, GPU_MEMORY_READBACK, error, readback);
    if (result != PIETRA_OK || (result = gpu_recorder_begin(renderer->recorder, error)) != PIETRA_OK)
        return result;
    gpu_copy(renderer->recorder,
             (gpu_range){.buffer = &renderer->target, .offset = target_lead(renderer), .bytes = bytes},
             (gpu_range){.buffer = readback});
    result = gpu_recorder_submit_and_wait(renderer->recorder, error);
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
    const gpu_range picture = {.buffer = &renderer->target, .offset = target_lead(renderer)};
    pietra_result result =
        image_write(&renderer->images, &renderer->image->image, picture, renderer->whole.target_pitch, error);
    renderer->image->is_written = result == PIETRA_OK;
    if (result == PIETRA_OK)
        stage_times_add(renderer->recorder, renderer->stats);
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
                         (unsigned long long)target_bytes(renderer, 0, 1));
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

pietra_result gpu_renderer_draw(gpu_renderer *renderer, const pietra_stream *stream, const frame_config *whole,
                                const part_budget *budget, const pietra_target *target, pietra_error *error,
                                pietra_stats *stats)
{
#ifdef PIETRA_DEV
    reload_programs(renderer);
#endif
    renderer->stats = stats;
    renderer->whole = *whole;
    renderer->budget = budget ? *budget : part_budget_of(renderer->options.budget_bytes);
    renderer->header = *stream_get_header(stream);
    pietra_result result = upload_stream(renderer, stream, error);
    return result != PIETRA_OK ? result : draw_windows(renderer, target, error);
}

void gpu_renderer_take_image(gpu_renderer *renderer, image_frame *image)
{
    renderer->image = image;
}

pietra_result gpu_renderer_write_image(gpu_renderer *renderer, const image_target *image, const uint32_t *picture,
                                       pietra_error *error)
{
    return image_write_from_host(&renderer->images, image, picture, error);
}

bool gpu_renderer_holds(const gpu_renderer *renderer, const pietra_stream *stream)
{
    return renderer->stream.id == stream_id(stream);
}

resident_surfaces *gpu_renderer_surfaces(gpu_renderer *renderer)
{
    return &renderer->surfaces;
}

uint64_t gpu_renderer_sufficient_budget(const gpu_renderer *renderer)
{
    return renderer->budget.bytes;
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
    renderer->picture = &renderer->atlas;
    renderer->window = renderer->whole.part;
    /* What a run needs says nothing about the frame. */
    renderer->learned = (frame_capacity){.fine_passes = 0};
    result = parts_draw(renderer->window, draw_part, renderer, &renderer->budget, error, &parts);
    renderer->learned = learned;
    return result;
}

pietra_result gpu_renderer_draw_sheets(gpu_renderer *renderer, const pietra_stream *stream, sheet_plan *plan,
                                       const sheet_runs *runs, const sheet_run *run, const part_budget *budget,
                                       pietra_error *error, pietra_stats *stats)
{
    renderer->stats = stats;
    renderer->whole = sheet_run_config(run);
    renderer->budget = budget ? *budget : part_budget_of(renderer->options.budget_bytes);
    renderer->header = *stream_get_header(stream);
    rules_set_totals(&run->totals, &renderer->header);
    renderer->header.occluder_count = 0; /* sheets have none */
    pietra_result result = upload_stream(renderer, stream, error);
    if (result == PIETRA_OK && run->sheet_count > 0)
        result = draw_atlas(renderer, runs, run, error);
    if (result != PIETRA_OK)
        return result;
    const uint64_t before = sizeof(uint32_t) * (uint64_t)plan->view.header->texel_count;
    const uint64_t kept = sheet_run_bytes(run) + sizeof(uint32_t) * plan->texel_count;
    gpu_effect_places places = {
        .work_bytes = renderer->budget.bytes > kept ? renderer->budget.bytes - kept : 0,
        .atlas = {.buffer = &renderer->atlas, .bytes = sheet_run_bytes(run)},
        .results = {.buffer = &renderer->stream.buffer,
                    .offset = renderer->stream.texels + before,
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
    const gpu_limits *limits = gpu_get_limits(renderer->device);
    const uint64_t most = limits->max_binding_bytes < limits->max_allocation_bytes ? limits->max_binding_bytes
                                                                                   : limits->max_allocation_bytes;
    return (sheet_limits){.bytes = bytes, .range_bytes = most - EFFECT_ALIGNMENT};
}

pietra_result gpu_renderer_check_texels(const gpu_renderer *renderer, const pietra_stream *stream, pietra_error *error)
{
    return resident_stream_check_texels(gpu_get_limits(renderer->device), stream, error);
}

pietra_result gpu_renderer_read(gpu_renderer *renderer, frame_buffer buffer, uint64_t offset, uint64_t bytes,
                                pietra_error *error, void *to)
{
    gpu_range from = range_of(renderer, buffer);
    assert(offset + bytes <= from.bytes);
    from.offset += offset;
    from.bytes = bytes;
    return read_back(renderer->device, renderer->recorder, from, error, to);
}

pietra_result gpu_renderer_read_texels(gpu_renderer *renderer, uint64_t first, uint64_t count, pietra_error *error,
                                       uint32_t *to)
{
    const gpu_range from = {.buffer = &renderer->stream.buffer,
                            .offset = renderer->stream.texels + first * sizeof *to,
                            .bytes = count * sizeof *to};
    return read_back(renderer->device, renderer->recorder, from, error, to);
}

const frame_capacity *gpu_renderer_capacity(const gpu_renderer *renderer)
{
    return &renderer->capacity;
}
