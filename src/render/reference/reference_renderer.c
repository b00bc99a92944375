/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/reference/reference_renderer.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "render/frame/config.h"
#include "render/frame/parts.h"
#include "render/reference/reference.h"
#include "render/reference/trace.h"

/* The reference has no loops to bound, so it takes one pass. */
#define FINE_WORK 0xffffffffu

typedef struct reference_job {
    const pietra_stream *stream;
    const frame_config *whole;
    part_budget budget;
    parallel_pool *pool;
    reference_trace *trace;
    pietra_stats *stats;
    uint32_t *pixels;
} reference_job;

static void add_times(pietra_stats *stats, const reference_frame *frame)
{
    stats->stage_count = REFERENCE_STAGE_COUNT;
    for (uint32_t i = 0; i < REFERENCE_STAGE_COUNT; i++) {
        stats->stages[i].name = frame->times[i].name;
        stats->stages[i].milliseconds += frame->times[i].milliseconds;
        if (frame->times[i].bytes > stats->stages[i].bytes)
            stats->stages[i].bytes = frame->times[i].bytes;
    }
}

static bool part_has_pixel(tile_box part, const reference_trace *trace)
{
    int column = trace->x >> TILE_SHIFT, row = trace->y >> TILE_SHIFT;
    return column >= part.x0 && column < part.x1 && row >= part.y0 && row < part.y1;
}

static reference_frame part_frame(const pietra_stream *stream, const frame_config *whole, const part_budget *budget,
                                  tile_box part)
{
    reference_frame frame = {.stream = stream_view_of(stream_words(stream)),
                             .config = config_of_part(whole, part),
                             .budget_bytes = budget->bytes,
                             .watch = budget->watch};
    frame.config.fine_work = FINE_WORK;
    return frame;
}

static pietra_result draw_part(void *user, tile_box part, pietra_error *error)
{
    reference_job *job = user;
    reference_frame frame = part_frame(job->stream, job->whole, &job->budget, part);
    frame.pool = job->pool;
    if (job->trace && part_has_pixel(part, job->trace)) {
        frame.trace = job->trace;
        frame.trace->events.count = 0;
    }
    /* Rows of the frame have all columns, those of a sheet its own. */
    frame.pixels = (uint32_t *)config_origin(job->whole, (uint8_t *)job->pixels, 4 * (size_t)job->whole->target_pitch) +
                   (ptrdiff_t)part.y0 * TILE_SIDE * (ptrdiff_t)job->whole->target_pitch;
    pietra_result result = reference_frame_run(&frame, error);
    job->budget.wanted_bytes = frame.used_bytes;
    if (result == PIETRA_OK) {
        job->stats->lines += frame.counters.line_count;
        job->stats->tile_lines += frame.counters.tile_line_count;
        job->stats->tile_commands += frame.counters.tile_command_count;
        add_times(job->stats, &frame);
        if (frame.trace)
            trace_finish(&frame, frame.trace);
        if (frame.used_bytes > job->stats->memory_bytes)
            job->stats->memory_bytes = frame.used_bytes;
    }
    reference_frame_free(&frame);
    return result;
}

pietra_result reference_draw(const pietra_stream *stream, const frame_config *whole, part_budget *budget,
                             parallel_pool *pool, reference_trace *trace, pietra_error *error, pietra_stats *stats,
                             uint32_t **pixels)
{
    double start = clock_ms();
    uint64_t count = config_target_pixels(whole);
    reference_job job = {
        .stream = stream, .whole = whole, .budget = *budget, .pool = pool, .trace = trace, .stats = stats};
    job.pixels = malloc((size_t)count * sizeof *job.pixels);
    if (!job.pixels) {
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory for a picture of %llu pixels",
                         (unsigned long long)count);
    }
    pietra_result result = parts_draw(whole->part, draw_part, &job, &job.budget, error, &stats->parts);
    budget->bytes = job.budget.bytes;
    if (result != PIETRA_OK) {
        free(job.pixels);
        return result;
    }
    stats->passes = stats->parts;
    stats->memory_bytes += count * sizeof *job.pixels;
    stats->frame_ms = clock_ms() - start;
    *pixels = job.pixels;
    return PIETRA_OK;
}

typedef struct visit_job {
    const pietra_stream *stream;
    const frame_config *whole;
    part_budget budget;
    reference_tiles_function *visit;
    void *user;
} visit_job;

static pietra_result visit_part(void *user, tile_box part, pietra_error *error)
{
    visit_job *job = user;
    reference_frame frame = part_frame(job->stream, job->whole, &job->budget, part);
    pietra_result result = reference_frame_run_to_tiles(&frame, error);
    job->budget.wanted_bytes = frame.used_bytes;
    if (result == PIETRA_OK)
        job->visit(job->user, &frame);
    reference_frame_free(&frame);
    return result;
}

pietra_result reference_visit_tiles(const pietra_stream *stream, const frame_config *whole, part_budget *budget,
                                    reference_tiles_function *visit, void *user, pietra_error *error)
{
    visit_job job = {.stream = stream, .whole = whole, .budget = *budget, .visit = visit, .user = user};
    uint32_t parts;
    pietra_result result = parts_draw(whole->part, visit_part, &job, &job.budget, error, &parts);
    budget->bytes = job.budget.bytes;
    return result;
}
