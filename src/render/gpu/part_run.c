/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs the stages over a part of a frame, again with more room until everything fits. */
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "render/frame/config.h"
#include "render/gpu/renderer_state.h"
#include "render/gpu/stage_times.h"

/* The most runs of a part. A frame's needs are known after three runs: first those for lines and tile_lines, then for
 * tile_commands, then for saved layers and for programs of 10 fine. A part that needs more runs than this is a
 * fault. */
#define RUNS_MAX 6

uint64_t renderer_target_bytes(const gpu_renderer *renderer, int y0, int y1)
{
    return (uint64_t)(y1 - y0) * renderer->whole.target_pitch * TILE_SIDE * 4;
}

uint64_t renderer_target_lead(const gpu_renderer *renderer)
{
    return (uint64_t)renderer->whole.part.x0 * TILE_SIDE * 4;
}

gpu_range renderer_range(const gpu_renderer *renderer, frame_buffer buffer)
{
    if (buffer == BUFFER_STREAM)
        return resident_stream_words(renderer->stream);
    if (buffer >= BUFFER_TEXELS_0)
        return resident_stream_texels(renderer->stream, (uint32_t)buffer - BUFFER_TEXELS_0);
    if (buffer == BUFFER_CONFIG)
        return (gpu_range){.buffer = &renderer->slot->config, .bytes = sizeof(frame_config)};
    if (buffer == BUFFER_SHEETS)
        return (gpu_range){.buffer = &renderer->sheets};
    if (buffer == BUFFER_TARGET) {
        tile_box part = renderer->part.part;
        uint64_t above = renderer_target_bytes(renderer, renderer->window.y0, part.y0);
        return (gpu_range){.buffer = renderer->picture,
                           .offset = above,
                           .bytes = renderer_target_lead(renderer) + renderer_target_bytes(renderer, part.y0, part.y1)};
    }
    return (gpu_range){.buffer = &renderer->frame,
                       .offset = renderer->layout.offsets[buffer],
                       .bytes = renderer->layout.bytes[buffer]};
}

static gpu_range half_of(const gpu_renderer *renderer, frame_buffer buffer, uint32_t items, uint32_t half)
{
    gpu_range range = renderer_range(renderer, buffer);
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
        .scratch = renderer_range(renderer, tile_commands ? BUFFER_TILE_COMMAND_SORT : BUFFER_TILE_LINE_SORT),
        .counts = renderer_range(renderer, BUFFER_COUNTERS),
        .count_word = tile_commands ? COUNTER_READY_TILE_COMMANDS : COUNTER_READY_TILE_LINES,
        .bits_word = tile_commands ? COUNTER_TILE_COMMAND_KEY_BITS : COUNTER_KEY_BITS,
    };
    const uint32_t line_bits = renderer->capacity.line_key_bits != 0 ? renderer->capacity.line_key_bits : 32;
    sort_record(renderer->slot->recorder, stage_sort(renderer->programs), &ranges, capacity,
                tile_commands ? capacity_bits_of(renderer->capacity.tiles) : line_bits);
}

static gpu_range arguments_of(const gpu_renderer *renderer, const frame_step *step)
{
    if (step->argument >= ARGUMENT_COUNT)
        return renderer_range(renderer, (frame_buffer)(step->argument - ARGUMENT_COUNT));
    gpu_range arguments = renderer_range(renderer, BUFFER_ARGUMENTS);
    arguments.offset += step->argument * sizeof(dispatch_arguments);
    arguments.bytes = sizeof(dispatch_arguments);
    return arguments;
}

/* Returns whether something is dispatched. */
static bool record_stage(gpu_renderer *renderer, uint32_t index)
{
    const frame_step *step = &frame_steps[index];
    gpu_range ranges[sizeof step->buffers / sizeof step->buffers[0]];
    for (uint32_t i = 0; i < step->buffer_count; i++)
        ranges[i] = renderer_range(renderer, step->buffers[i]);
    const gpu_program *program = stage_program(renderer->programs, index);
    /* Without a program, this run counts what is to be dispatched in the next. */
    if (!program || !frame_step_may_run(step, &renderer->capacity))
        return false;
    if (step->argument == NONE) {
        const primitive_grid grid = primitive_grid_of(step->groups(&renderer->capacity));
        gpu_dispatch(renderer->slot->recorder, program, ranges, NULL, grid.x, grid.y, 1);
        return true;
    }
    const gpu_range arguments = arguments_of(renderer, step);
    uint32_t passes = step->kind == STEP_FINE ? renderer->capacity.fine_passes : 1;
    for (uint32_t pass = 0; pass < passes; pass++) {
        if (pass > 0)
            gpu_barrier(renderer->slot->recorder);
        gpu_dispatch_indirect(renderer->slot->recorder, program, ranges, NULL, arguments);
    }
    return true;
}

static void record_steps(gpu_renderer *renderer)
{
    gpu_range cleared = {.buffer = &renderer->frame, .bytes = renderer->layout.cleared_bytes};
    gpu_fill(renderer->slot->recorder, cleared, 0);
    gpu_barrier(renderer->slot->recorder);
    gpu_mark(renderer->slot->recorder, "clear");
    const char *mark = NULL;
    bool is_written = false; /* since the last barrier */
    for (uint32_t i = 0; i < frame_step_count; i++) {
        const frame_step *step = &frame_steps[i];
        if (step->kind == STEP_BARRIER) {
            if (is_written)
                gpu_barrier(renderer->slot->recorder);
            is_written = false;
            continue;
        }
        if (mark && strcmp(mark, step->mark) != 0)
            gpu_mark(renderer->slot->recorder, mark);
        mark = step->mark;
        if (step->kind == STEP_SORT)
            record_sort(renderer, step->sorts_tile_commands);
        is_written = (step->kind == STEP_SORT || record_stage(renderer, i)) || is_written;
    }
    gpu_mark(renderer->slot->recorder, mark);
}

pietra_result renderer_make_room(gpu_renderer *renderer, const frame_capacity *capacity, pietra_error *error)
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
    memcpy(renderer->slot->config.mapped, config, sizeof *config);
    uint64_t used = layout.total_bytes + renderer->picture->bytes;
    renderer->stats->memory_bytes = used > renderer->stats->memory_bytes ? used : renderer->stats->memory_bytes;
    return PIETRA_OK;
}

void renderer_record(gpu_renderer *renderer)
{
    const renderer_slot *slot = renderer->slot;
    const gpu_range counters = renderer_range(renderer, BUFFER_COUNTERS);
    const gpu_range ended_loops = renderer_range(renderer, BUFFER_ENDED_LOOPS);
    record_steps(renderer);
    gpu_barrier(slot->recorder);
    gpu_copy(slot->recorder, counters, (gpu_range){.buffer = &slot->counters});
    gpu_copy(slot->recorder, ended_loops, (gpu_range){.buffer = &slot->counters, .offset = counters.bytes});
}

pietra_result renderer_take_counters(const renderer_slot *slot, frame_counters *counted, pietra_error *error)
{
    const uint32_t *words = slot->counters.mapped;
    memcpy(counted, words, sizeof *counted);
    if (words[sizeof *counted / sizeof *words] == 0)
        return PIETRA_OK;
    return error_set(error, PIETRA_ERROR_DEVICE, 0,
                     "the device ends loops too early for a path with so many lines in a tile; the CPU draws it");
}

static pietra_result run_once(gpu_renderer *renderer, pietra_error *error)
{
    double start = clock_ms();
    pietra_result result = cancel_check(renderer->budget.watch, error);
    if (result == PIETRA_OK)
        result = gpu_recorder_begin(renderer->slot->recorder, error);
    if (result != PIETRA_OK)
        return result;
    renderer_record(renderer);
    result = gpu_recorder_submit_and_wait(renderer->slot->recorder, error);
    if (result == PIETRA_OK)
        result = renderer_take_counters(renderer->slot, &renderer->counted, error);
    if (result != PIETRA_OK)
        return result;
    renderer->stats->passes++;
    renderer->stats->frame_ms += clock_ms() - start;
    return cancel_check(renderer->budget.watch, error);
}

static void add_figures(gpu_renderer *renderer)
{
    pietra_stats *stats = renderer->stats;
    stage_times_add(renderer->slot->recorder, stats);
    stats->lines += renderer->counted.line_count;
    stats->tile_lines += renderer->counted.tile_line_count;
    stats->tile_commands += renderer->counted.tile_command_count;
}

/* Returns what the buffers of the part that was drawn have to hold. They may hold far more, if other parts or other
 * transforms of the stream needed it. */
static uint64_t needed_bytes(const gpu_renderer *renderer)
{
    const frame_capacity least = capacity_least(&renderer->header);
    frame_capacity enough;
    (void)capacity_sufficed(&least, &renderer->counted, &renderer->part, 1, &enough);
    enough = capacity_of_part(&renderer->header, &renderer->part, &enough);
    return frame_layout_of(&enough, gpu_get_limits(renderer->device)->storage_alignment).total_bytes;
}

pietra_result renderer_draw_part(void *user, tile_box box, pietra_error *error)
{
    gpu_renderer *renderer = user;
    const stream_header *header = &renderer->header;
    renderer->part = config_of_part(&renderer->whole, box);
    if (renderer->part.box_count == 0)
        return PIETRA_OK;
    renderer->budget.wanted_bytes = 0;
    renderer->counted = (frame_counters){.line_count = 0};
    double frame_ms = renderer->stats->frame_ms;
    const bool is_learned = renderer->learned.fine_passes != 0;
    frame_capacity learned = is_learned ? renderer->learned : capacity_guess(header, &renderer->part);
    frame_capacity capacity = capacity_of_part(header, &renderer->part, &learned);
    uint32_t slack = 1;
    pietra_result result = renderer_make_room(renderer, &capacity, error);
    if (result == PIETRA_ERROR_BUDGET) {
        /* The guess may be far too large, so the device counts what it needs. */
        slack = 0;
        learned = capacity_least(header);
        capacity = capacity_of_part(header, &renderer->part, &learned);
        result = renderer_make_room(renderer, &capacity, error);
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
            buffer_use_add(&renderer->frame_use, is_learned ? needed_bytes(renderer) : renderer->layout.total_bytes);
            add_figures(renderer);
            return PIETRA_OK;
        }
        capacity = capacity_of_part(header, &renderer->part, &learned);
        result = renderer_make_room(renderer, &capacity, error);
        if (result == PIETRA_ERROR_BUDGET && slack > 0) {
            slack = 0;
            frame_capacity least = capacity_least(header);
            least.fine_passes = learned.fine_passes;
            (void)capacity_sufficed(&least, &renderer->counted, &renderer->part, 0, &learned);
            capacity = capacity_of_part(header, &renderer->part, &learned);
            result = renderer_make_room(renderer, &capacity, error);
        }
    }
    if (result == PIETRA_OK)
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "the device asked for more room %d times over", RUNS_MAX);
    return result;
}
