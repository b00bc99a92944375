/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/capacity.h"

#include <string.h>

#include "lib/tile.h"

#define LEAST 1024u
#define PASSES_MOST 4u /* of 10 fine in a frame that is not counted first; each costs a dispatch, needed or not */

uint32_t partitions_of(uint64_t items, uint32_t partition)
{
    uint64_t partitions = (items + partition - 1) / partition;
    return partitions == 0 ? 1 : (uint32_t)partitions;
}

static uint32_t limited(uint64_t count)
{
    return count >= COUNT_LIMIT ? COUNT_LIMIT - 1 : count < LEAST ? LEAST : (uint32_t)((count + 63) / 64 * 64);
}

/* Bounds tile_paths and masks. A tile_path holds at least one tile_line. One with a mask holds more than
 * HEAVY_TILE_LINES. */
static void bound_by_tile_lines(frame_capacity *c)
{
    c->tile_paths = c->tile_lines;
    c->masks = c->tile_lines / (HEAVY_TILE_LINES + 1) + 1;
}

frame_capacity capacity_least(const stream_header *stream)
{
    frame_capacity c = {.lines = LEAST, .tile_lines = LEAST, .tile_commands = LEAST, .spill = 1, .fine_passes = 1};
    c.measures = stream->dashed_count > 0 ? limited(stream->task_count) : 1;
    c.tasks = limited((uint64_t)stream->task_count + stream->clip_event_count);
    bound_by_tile_lines(&c);
    return c;
}

frame_capacity capacity_guess(const stream_header *stream, const frame_config *config)
{
    frame_capacity c = capacity_least(stream);
    uint64_t dashes = stream->dashed_count > 0 ? 8 * (uint64_t)stream->task_count : 0;
    c.tasks = limited(c.tasks + dashes);
    c.lines = limited(3 * (uint64_t)c.tasks + 1024);
    c.tile_lines = limited((uint64_t)c.lines + c.lines / 2 + 16 * (uint64_t)config->tile_count);
    c.tile_commands = limited((uint64_t)c.tile_lines / 2 + 8 * (uint64_t)config->tile_count);
    c.spill = stream->clip_event_count > 0 ? LEAST : 1;
    bound_by_tile_lines(&c);
    return c;
}

uint32_t capacity_bits_of(uint32_t count)
{
    uint32_t bits = 1;
    while (bits < 32 && (count - 1) >> bits)
        bits++;
    return bits;
}

/* A pass ends with the tile_command that reaches the limit of work. So its work is at least the limit less the most
 * that one tile_command can cost. */
static uint32_t passes_of(double work, uint32_t limit)
{
    return (uint32_t)(work / (limit - COMMAND_WORK_MOST)) + 1;
}

/* Sets what is known of the classes of tiles without counting them. */
static void exclude_classes(const stream_sums *sums, frame_capacity *c)
{
    c->no_classes = (sums->depth > 0 ? 0 : 1u << TILE_CLASS_LAYERS) | (sums->is_complex ? 0 : 1u << TILE_CLASS_COMPLEX);
}

bool capacity_of_bounds(const frame_bounds *bounds, const stream_header *stream, const frame_config *config,
                        const stream_sums *sums, frame_capacity *learned)
{
    const double most = COUNT_LIMIT - 64.0, keys = (double)(UINT64_C(1) << (32 - config->column_bits));
    if (!(bounds->rows < keys && bounds->lines < most && bounds->tile_lines < most && bounds->tile_commands < most &&
          bounds->tasks + bounds->dash_tasks < most && bounds->measures < most && bounds->spill < most &&
          bounds->dash_tasks < DASH_TASK_LIMIT && bounds->fine_work < (double)config->fine_work * PASSES_MOST))
        return false;
    frame_capacity c = capacity_least(stream);
    if (stream->dashed_count > 0)
        c.measures = limited((uint64_t)c.measures * config->box_count);
    c.tasks = limited((uint64_t)c.tasks * config->box_count + (uint64_t)bounds->dash_tasks);
    c.lines = limited((uint64_t)bounds->lines);
    c.tile_lines = limited((uint64_t)bounds->tile_lines);
    c.tile_commands = limited((uint64_t)bounds->tile_commands);
    c.fine_passes = passes_of(bounds->fine_work, config->fine_work);
    c.line_key_bits = config->column_bits + capacity_bits_of((uint32_t)bounds->rows + 1);
    exclude_classes(sums, &c);
    if (sums->depth > SHARED_LAYERS || pass_is_over((uint)bounds->fine_work, config->fine_work))
        c.spill = (uint32_t)bounds->spill + 1;
    bound_by_tile_lines(&c);
    *learned = c;
    return true;
}

static uint32_t scaled(uint64_t count, double ratio)
{
    return limited((uint64_t)(1.25 * ratio * (double)count));
}

frame_capacity capacity_guess_after(const frame_sample *before, const stream_header *stream, uint32_t tiles)
{
    const frame_counters *counters = &before->counters;
    const double ratio = before->stream_tasks > 0 ? (double)stream->task_count / before->stream_tasks : 0;
    if (before->tiles != tiles || ratio < 0.5 || ratio > 2)
        return (frame_capacity){.fine_passes = 0};
    frame_capacity c = capacity_least(stream);
    c.tasks = limited(c.tasks + (uint64_t)scaled(counters->dash_task_count, ratio));
    c.lines = scaled(counters->line_count, ratio);
    c.tile_lines = scaled(counters->tile_line_count, ratio);
    c.tile_commands = scaled(counters->tile_command_count, ratio);
    if (counters->spill_count > 0)
        c.spill = scaled(counters->spill_count, ratio);
    bound_by_tile_lines(&c);
    return c;
}

bool capacity_of_sample(const frame_sample *lately, const stream_header *stream, const frame_config *config,
                        const stream_sums *sums, frame_capacity *learned)
{
    frame_sample as_large = *lately;
    if (lately->tiles < config->tile_count)
        return false;
    as_large.tiles = config->tile_count;
    frame_capacity c = capacity_guess_after(&as_large, stream, config->tile_count);
    if (c.fine_passes == 0)
        return false;
    const uint32_t passes = passes_of(1.25 * lately->counters.fine_work, config->fine_work);
    const double ratio = (double)stream->task_count / lately->stream_tasks;
    const uint32_t bits = config->column_bits + capacity_bits_of(scaled(lately->counters.row_count, ratio) + 1);
    c.fine_passes = passes < PASSES_MOST ? passes : PASSES_MOST;
    c.line_key_bits = bits < 32 ? bits : 0;
    exclude_classes(sums, &c);
    *learned = c;
    return true;
}

/* Returns whether frames of streams with so many tasks are alike. */
static bool are_alike(uint32_t tasks, uint32_t other)
{
    return tasks / 2 <= other && other / 2 <= tasks;
}

void frame_sample_add(frame_sample *lately, const frame_sample *drawn)
{
    enum { COUNT = sizeof(frame_counters) / sizeof(uint32_t) };
    uint32_t most[COUNT], counted[COUNT];
    const bool is_less = drawn->tiles < lately->tiles || drawn->counters.overflow != 0;
    if (!are_alike(lately->stream_tasks, drawn->stream_tasks) || (!is_less && drawn->tiles > lately->tiles)) {
        *lately = *drawn;
        return;
    }
    memcpy(most, &lately->counters, sizeof most);
    memcpy(counted, &drawn->counters, sizeof counted);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t kept = is_less ? most[i] : most[i] - most[i] / 16;
        most[i] = counted[i] > kept ? counted[i] : kept;
    }
    memcpy(&lately->counters, most, sizeof most);
    lately->stream_tasks = drawn->stream_tasks;
}

frame_room capacity_room(const frame_capacity *capacity, const frame_config *config)
{
    const uint64_t work = (uint64_t)capacity->fine_passes * (config->fine_work - COMMAND_WORK_MOST) - 1;
    return (frame_room){.fine_work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
                        .key_bits = capacity->line_key_bits != 0 ? capacity->line_key_bits : 32};
}

frame_capacity capacity_of_part(const stream_header *stream, const frame_config *config, const frame_capacity *learned)
{
    frame_capacity c = *learned;
    c.segments = stream->segment_count;
    c.elements = stream->element_count;
    c.clip_events = stream->clip_event_count;
    c.tiles = config->tile_count;
    c.boxes = config->box_count;
    int columns = ((config->part.x1 + BIN_TILES - 1) >> BIN_SHIFT_TILES) - (config->part.x0 >> BIN_SHIFT_TILES);
    int rows = ((config->part.y1 + BIN_TILES - 1) >> BIN_SHIFT_TILES) - (config->part.y0 >> BIN_SHIFT_TILES);
    c.bins = (uint32_t)(columns * rows);
    c.occluder_groups = stream->occluder_count > 0
                            ? partitions_of(c.elements, STAGE_INVOCATIONS) * partitions_of(c.bins, STAGE_INVOCATIONS)
                            : 0;
    return c;
}

static void grow(uint32_t *capacity, uint64_t need, uint32_t slack, bool *sufficed)
{
    if (need > *capacity) {
        *capacity = limited(need + need / 4 * slack);
        *sufficed = false;
    }
}

bool capacity_sufficed(const frame_capacity *had, const frame_counters *counters, const frame_config *config,
                       uint32_t slack, frame_capacity *grown)
{
    bool sufficed = true;
    *grown = *had;
    grow(&grown->measures, counters->measure_count, slack, &sufficed);
    grow(&grown->tasks, (uint64_t)counters->task_count + counters->dash_task_count, slack, &sufficed);
    grow(&grown->lines, counters->line_count, slack, &sufficed);
    grow(&grown->tile_lines, counters->tile_line_count, slack, &sufficed);
    grow(&grown->tile_commands, counters->tile_command_count, slack, &sufficed);
    grow(&grown->spill, counters->spill_count, slack, &sufficed);
    bound_by_tile_lines(grown);
    uint32_t passes = passes_of(counters->fine_work, config->fine_work);
    if (passes > grown->fine_passes) {
        grown->fine_passes = passes;
        sufficed = false;
    }
    if (had->line_key_bits != 0 && counters->key_bits > had->line_key_bits) {
        grown->line_key_bits = 0;
        sufficed = false;
    }
    for (uint32_t class = 0; class < sizeof counters->class_count / sizeof counters->class_count[0]; class ++) {
        if (counters->class_count[class] > 0 && (had->no_classes >> class & 1)) {
            grown->no_classes = 0;
            sufficed = false;
        }
    }
    return sufficed;
}
