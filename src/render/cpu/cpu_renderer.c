/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/cpu_renderer.h"

#include "base/clock.h"
#include "base/error.h"
#include "render/frame/config.h"
#include "render/frame/parts.h"

#include <stdlib.h>
#include <string.h>

/* The least limit for the bytes of waiting lines, where the target may spoil. The limit is larger if the picture's
 * bytes for each thread, or half of the stream's bytes, are more. */
#define LINES_LEAST ((uint64_t)6 << 20)
#define STRIPES 6
/* Lines of a frame in parts are painted when they fill one part in LINES_SHARE of the budget. */
#define LINES_SHARE 4
/* A frame that is estimated to take more than SLOWEST times as long in parts is refused below this budget, which
 * pietra.h states: a number of bytes, and more for each pixel of the width, element and segment. */
#define LEAST_BYTES ((uint64_t)1 << 20)
#define LEAST_PIXEL_BYTES 1024u
#define LEAST_ELEMENT_BYTES 256u
#define LEAST_SEGMENT_BYTES 64u
#define SLOWEST 4u
/* What walking past an element takes, flattening a segment, a chord and a line of a stroked curve; and, where all is
 * drawn at once, an element, a segment, a line in a band, such a line if most are hidden, and a pixel. */
#define ELEMENT_NS 11u
#define SEGMENT_NS 30u
#define CHORD_NS 7u
#define STROKE_LINE_NS 45u
#define DRAWN_ELEMENT_NS 300u
#define DRAWN_SEGMENT_NS 60u
#define LINE_NS 100u
#define HIDDEN_LINE_NS 30u
#define PIXEL_NS 4u

typedef struct cpu_job {
    cpu_device *device;
    const uint32_t *words;
    const frame_config *whole;
    part_budget budget;
    cpu_target target;
    bool shares_lines; /* lines are painted when they fill a share of the budget */
    uint64_t lines_ns; /* estimated, of painting the lines of all parts that are drawn */
    uint64_t work_ns;  /* estimated, of walking the stream and of flattening, again for each part */
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

/* Returns whether the frame takes more than SLOWEST times as long as it would at once: the stream is walked again for
 * each part. Both times are estimated from counts, so the answer does not depend on how fast or busy a machine is. */
static bool is_too_slow(const cpu_job *job)
{
    const stream_header *header = (const stream_header *)job->words;
    uint64_t pixels = (uint64_t)job->whole->width * (uint64_t)job->whole->height;
    uint64_t whole = DRAWN_ELEMENT_NS * (uint64_t)header->element_count +
                     DRAWN_SEGMENT_NS * (uint64_t)header->segment_count + job->lines_ns + PIXEL_NS * pixels;
    return job->work_ns + whole > SLOWEST * whole;
}

static pietra_result draw_part(void *user, tile_box part, pietra_error *error)
{
    cpu_job *job = user;
    frame_config config = config_of_part(job->whole, part);
    if (job->shares_lines)
        job->target.batch_most = job->budget.bytes / LINES_SHARE;
    cpu_counts counts = {0};
    pietra_result result = cpu_draw(job->device, job->words, &config, job->budget.bytes, &job->target, error, &counts);
    job->budget.wanted_bytes = counts.refused_bytes;
    job->budget.is_too_wide = counts.is_too_wide;
    job->work_ns += ELEMENT_NS * (uint64_t)((const stream_header *)job->words)->element_count +
                    SEGMENT_NS * counts.flattened + CHORD_NS * counts.chords + STROKE_LINE_NS * counts.stroke_lines;
    if (result == PIETRA_OK)
        job->lines_ns += (counts.is_painted_over ? HIDDEN_LINE_NS : LINE_NS) * counts.band_lines;
    bool lacks_memory = result == PIETRA_ERROR_BUDGET && counts.refused_bytes != 0;
    bool may_refuse = job->shares_lines && job->budget.bytes < job->budget.least_bytes;
    if (may_refuse && (result == PIETRA_OK || lacks_memory) && is_too_slow(job)) {
        job->budget.is_too_slow = true;
        return part_budget_error(&job->budget, error);
    }
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
    uint64_t picture = cpu_device_threads(job->device) * 4 * (uint64_t)job->whole->width * (uint64_t)job->whole->height;
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
        job->lines_ns = 0;
    }
    job->target.lines_most = 0;
    job->shares_lines = true;
    return parts_draw(job->whole->part, draw_part, job, &job->budget, error, &job->stats->parts);
}

/* Parts are drawn into a picture of their own, since a later part may fail. */
static pietra_result draw_in_parts(cpu_job *job, const pietra_target *target, size_t stride, pietra_error *error)
{
    const pixel_box all = config_pixels(job->whole);
    size_t row = 4 * (size_t)(all.x1 - all.x0), rows = (size_t)(all.y1 - all.y0);
    uint8_t *picture = malloc(row * rows);
    if (!picture) {
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory for a picture of %d x %d pixels",
                         all.x1 - all.x0, all.y1 - all.y0);
    }
    job->target = (cpu_target){.pixels = config_origin(job->whole, picture, row),
                               .stride_bytes = row,
                               .may_spoil = true,
                               .watch = job->budget.watch};
    job->shares_lines = true;
    pietra_result result = parts_draw(job->whole->part, draw_part, job, &job->budget, error, &job->stats->parts);
    for (size_t y = 0; result == PIETRA_OK && y < rows; y++)
        memcpy((uint8_t *)target->pixels + (ptrdiff_t)(all.y0 + (int)y) * (ptrdiff_t)stride + (ptrdiff_t)all.x0 * 4,
               picture + y * row, row);
    free(picture);
    job->stats->memory_bytes += row * rows;
    return result;
}

pietra_result cpu_renderer_draw(cpu_device *device, const pietra_stream *stream, const frame_config *whole,
                                part_budget *budget, const pietra_target *target, pietra_error *error,
                                pietra_stats *stats)
{
    double start = clock_ms();
    size_t stride = target->stride_bytes != 0 ? target->stride_bytes : 4 * (size_t)target->width;
    cpu_job job = {.device = device, .words = stream_words(stream), .whole = whole, .budget = *budget, .stats = stats};
    job.target = (cpu_target){.pixels = target->pixels, .stride_bytes = stride, .watch = budget->watch};
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
