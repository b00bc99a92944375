/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/cpu_renderer.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "render/cpu/part_cost.h"
#include "render/frame/config.h"
#include "render/frame/parts.h"
#include "render/frame/target_format.h"

/* The least limit for the bytes of waiting lines, where the target may spoil. The limit is larger if the picture's
 * bytes for each thread, or half of the stream's bytes, are more. */
#define LINES_LEAST ((uint64_t)6 << 20)
#define STRIPES 6
/* Lines of a frame in parts are painted when they fill one part in LINES_SHARE of the budget. */
#define LINES_SHARE 8
/* Below this budget parts would be too many, so frames are drawn only if they fit at once. */
#define LEAST_BYTES_IN_PARTS ((uint64_t)64 << 10)
/* A frame that is estimated to take too long in parts (part_cost.h) is refused below this budget, which pietra.h
 * states: a number of bytes, and more for each pixel of the width, element and segment. */
#define LEAST_BYTES ((uint64_t)1 << 20)
#define LEAST_PIXEL_BYTES 1024u
#define LEAST_ELEMENT_BYTES 256u
#define LEAST_SEGMENT_BYTES 64u
/* Bytes between the rows of the picture of a frame in parts. Copying rows takes four times as long if those of both
 * pictures begin at the same place of a page. */
#define PICTURE_PADDING 64u

typedef struct cpu_job {
    cpu_device *device;
    const uint32_t *words;
    const frame_config *whole;
    part_budget budget;
    cpu_target target;
    bool shares_lines; /* lines are painted when they fill a share of the budget */
    part_cost cost;
    uint64_t tiles_left; /* those that no part has drawn yet */
    pietra_stats *stats;
} cpu_job;

static void add_stage(pietra_stats *stats, uint32_t stage, const char *name, double milliseconds)
{
    stats->stages[stage].name = name;
    stats->stages[stage].milliseconds += milliseconds;
    stats->stage_count = stage + 1;
}

/* Returns a budget with which parts are few. */
static uint64_t least_bytes_of(const cpu_job *job)
{
    const stream_header *header = (const stream_header *)job->words;
    return LEAST_BYTES + LEAST_PIXEL_BYTES * (uint64_t)job->whole->width +
           LEAST_ELEMENT_BYTES * (uint64_t)header->element_count +
           LEAST_SEGMENT_BYTES * (uint64_t)header->segment_count;
}

static uint64_t tiles_of(tile_box box)
{
    return (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0);
}

/* Returns whether the frame takes too long in parts. */
static bool is_too_slow(cpu_job *job, tile_box part, pietra_result result)
{
    if (result == PIETRA_OK)
        job->tiles_left -= tiles_of(part);
    return job->budget.bytes < job->budget.least_bytes &&
           part_cost_is_too_high(&job->cost, job->tiles_left, tiles_of(job->whole->part));
}

static void begin_parts(cpu_job *job)
{
    job->shares_lines = true;
    job->cost = part_cost_of(job->words, job->whole, job->budget.bytes);
    job->tiles_left = tiles_of(job->whole->part);
}

/* Ends the frame with the error that names the budget. */
static pietra_result refuse_slow(cpu_job *job, pietra_error *error)
{
    job->budget.is_too_slow = true;
    return part_budget_error(&job->budget, error);
}

static pietra_result draw_part(void *user, tile_box part, pietra_error *error)
{
    cpu_job *job = user;
    if (job->shares_lines && job->budget.bytes < LEAST_BYTES_IN_PARTS)
        return refuse_slow(job, error);
    frame_config config = config_of_part(job->whole, part);
    if (job->shares_lines)
        job->target.batch_most = job->budget.bytes / LINES_SHARE;
    job->target.begin = job->shares_lines ? job->budget.begin : 0;
    /* If the budget is raised, the frame fails, and the error names what it is raised to. */
    job->target.is_trial = job->budget.is_trial || part_budget_is_raised(&job->budget);
    cpu_counts counts = {0};
    pietra_result result = cpu_draw(job->device, job->words, &config, job->budget.bytes, &job->target, error, &counts);
    job->budget.wanted_bytes = counts.refused_bytes;
    job->budget.is_too_wide = counts.is_too_wide;
    job->budget.begin = counts.begin;
    job->budget.prefers_rows = !counts.is_held;
    if (counts.is_too_wide)
        job->target.strip_tiles = counts.strip_tiles;
    bool lacks_memory = result == PIETRA_ERROR_BUDGET && counts.refused_bytes != 0;
    if (job->shares_lines)
        part_cost_add(&job->cost, &counts);
    if (job->shares_lines && (result == PIETRA_OK || lacks_memory) && is_too_slow(job, part, result))
        return refuse_slow(job, error);
    if (result != PIETRA_OK)
        return result;
    job->stats->lines += counts.lines;
    job->stats->tile_lines += counts.band_lines;
    job->stats->tile_commands += counts.band_elements;
    add_stage(job->stats, 0, "prepare", counts.prepare_ms);
    add_stage(job->stats, 1, "flatten", counts.flatten_ms);
    add_stage(job->stats, 2, "paint", counts.paint_ms);
    if (counts.memory_bytes > job->stats->memory_bytes)
        job->stats->memory_bytes = counts.memory_bytes;
    return PIETRA_OK;
}

/* Returns the row of tiles at which a stripe begins. If there are enough rows, the bands before it are a multiple of
 * the number of threads, so that all threads can share each stripe evenly. */
static int stripe_begin(const cpu_job *job, int index, int count)
{
    const tile_box whole = job->whole->part;
    int rows = whole.y1 - whole.y0, threads = (int)cpu_device_threads(job->device);
    int begin = rows * index / count;
    return whole.y0 + (index < count && threads * count <= rows ? begin / threads * threads : begin);
}

/* Draws the stripes of a frame one after the other, straight into the target. */
static pietra_result draw_stripes(cpu_job *job, int count, pietra_error *error)
{
    pietra_result result = PIETRA_OK;
    for (int i = 0; result == PIETRA_OK && i < count; i++) {
        tile_box stripe = job->whole->part;
        stripe.y0 = stripe_begin(job, i, count);
        stripe.y1 = stripe_begin(job, i + 1, count);
        if (stripe.y0 < stripe.y1) {
            result = draw_part(job, stripe, error);
            job->stats->parts++;
        }
    }
    return result;
}

/* Draws straight into the target, which may spoil, with little memory for lines: in one stripe, or in a few. If that
 * memory does not suffice, this is found out before much is done. The lines may then take all of the budget, because
 * more stripes would cost more time than they are worth. */
static pietra_result draw_sparingly(cpu_job *job, pietra_error *error)
{
    static const int counts[] = {1, STRIPES};
    uint64_t picture = cpu_device_threads(job->device) * (uint64_t)config_picture_bytes(job->whole);
    uint64_t stream = ((const stream_header *)job->words)->word_count * (uint64_t)sizeof *job->words;
    uint64_t lines = picture > stream / 2 ? picture : stream / 2;
    const pietra_stats before = *job->stats;
    const part_budget budget = job->budget;
    job->target.may_spoil = true;
    job->target.lines_most = lines > LINES_LEAST ? lines : LINES_LEAST;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        pietra_result result = draw_stripes(job, counts[i], error);
        if (result != PIETRA_ERROR_BUDGET)
            return result;
        *job->stats = before;
        job->budget = budget;
    }
    job->target.lines_most = 0;
    begin_parts(job);
    return parts_draw(job->whole->part, draw_part, job, &job->budget, error, &job->stats->parts);
}

/* Parts are drawn into a picture of their own, since a later part may fail. */
static pietra_result draw_in_parts(cpu_job *job, const pietra_target *target, size_t stride, pietra_error *error)
{
    const pixel_box all = config_pixels(job->whole);
    size_t shown = 4 * (size_t)(all.x1 - all.x0), row = shown + PICTURE_PADDING, rows = (size_t)(all.y1 - all.y0);
    uint8_t *picture = cpu_device_picture(job->device, (uint64_t)row * rows);
    if (!picture) {
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory for a picture of %d x %d pixels",
                         all.x1 - all.x0, all.y1 - all.y0);
    }
    job->target = (cpu_target){.pixels = config_origin(job->whole, picture, row),
                               .stride_bytes = row,
                               .stored_as = job->target.stored_as,
                               .may_spoil = true,
                               .watch = job->budget.watch};
    begin_parts(job);
    pietra_result result = parts_draw(job->whole->part, draw_part, job, &job->budget, error, &job->stats->parts);
    for (size_t y = 0; result == PIETRA_OK && y < rows; y++)
        memcpy((uint8_t *)target->pixels + (ptrdiff_t)(all.y0 + (int)y) * (ptrdiff_t)stride + (ptrdiff_t)all.x0 * 4,
               picture + y * row, shown);
    job->stats->memory_bytes += shown * rows; /* the picture, without what lies between its rows */
    return result;
}

pietra_result cpu_renderer_draw(cpu_device *device, const pietra_stream *stream, const frame_config *whole,
                                part_budget *budget, const pietra_target *target, pietra_error *error,
                                pietra_stats *stats)
{
    double start = clock_ms();
    size_t stride = target->stride_bytes != 0 ? target->stride_bytes : 4 * (size_t)target->width;
    cpu_job job = {.device = device, .words = stream_words(stream), .whole = whole, .budget = *budget, .stats = stats};
    job.target = (cpu_target){.pixels = target->pixels,
                              .stride_bytes = stride,
                              .stored_as = {.straight = whole->straight != 0,
                                            .blue_first = target_format_is_blue_first(target->format),
                                            .opaque = target_format_is_opaque(target->format)},
                              .watch = budget->watch};
    job.budget.prefers_rows = true;
    job.budget.least_bytes = least_bytes_of(&job);
    pietra_result result;
    if (target->may_spoil)
        result = draw_sparingly(&job, error);
    else if ((result = draw_part(&job, whole->part, error)) == PIETRA_ERROR_BUDGET)
        result = draw_in_parts(&job, target, stride, error);
    else
        stats->parts = 1;
    budget->bytes = job.budget.bytes;
    if (result != PIETRA_OK)
        return result;
    stats->passes = stats->parts;
    stats->frame_ms = clock_ms() - start;
    return PIETRA_OK;
}
