/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/band.h"
#include "render/cpu/band_occlusion.h"
#include "render/cpu/cpu.h"
#include "render/cpu/flatten.h"
#include "render/cpu/part_occlusion.h"
#include "render/cpu/prepare.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Several threads take the pieces of a batch in turn. Large pieces come first, so that the threads end together. Each
 * piece fills its own lists. */
#define PIECE_SEGMENTS_MOST 8192u
#define PIECE_SEGMENTS_LEAST 128u
#define PIECES_PER_THREAD 16u
/* The number of segments that a batch has for each thread. */
#define BATCH_SEGMENTS 98304u
/* Threads share a path that has more segments than two parts. Parts are smaller if each thread would otherwise get
 * fewer than PARTS_OF_A_SHARE. */
#define PART_SEGMENTS 2048u
#define PARTS_OF_A_SHARE 8u
/* The most segments that a dashed stroke counts as. */
#define DASHES_MOST 2048u
/* The most parts for each thread into which a shared element is cut. Each part has its own chunks. */
#define PARTS_PER_THREAD 4u

/* When the lists hold this many bytes of chunks, the bands are painted, and the lists are filled anew. So the lists
 * stay near the cache. */
#define BATCH_BYTES ((uint64_t)20 << 20)
/* If the bytes of lines are limited, a batch takes one part in BATCH_SHARE of the limit. The pieces that are under way
 * when the batch is full may take as much again. */
#define BATCH_SHARE 2u
/* The estimated bytes of a segment's lines, before any segment was flattened. The estimate is rather too high: lists
 * keep the chunks of their first batch, and pieces that were too large would leave no room for those of the next batch.
 * */
#define SEGMENT_BYTES 512u
/* Small batches are worth less than small parts if opaque fills cover each pixel more often than this. */
#define PAINTED_OVER 8u

/* The least work for each thread beside the first, some 30 us. Less work is done before the thread is awake. */
#define WORTH_SEGMENTS 256u
#define WORTH_PAINT 30000u /* pixels; a line in a band counts as LINE_PIXELS */
#define LINE_PIXELS 8u

struct cpu_device {
    parallel_pool *pool;
    uint32_t threads; /* threads of the pool */
    const cpu_kernels *kernels;
    cpu_prepare_buffers prepare;
    cpu_buffer list_memory; /* the lists of all pieces */
    cpu_buffer loads;       /* each band's chunks of lines; then bands in the order in which they are taken */
    cpu_edge_lists *lists;
    uint lists_count;      /* 1 if there is one thread */
    cpu_buffer canvas;     /* colours of the whole part, if it is painted in several batches */
    cpu_painter *painters; /* one for each thread */
};

cpu_device *cpu_device_create(parallel_pool *pool, const cpu_kernels *kernels)
{
    uint32_t threads = parallel_pool_threads(pool);
    cpu_device *device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->pool = pool;
    device->threads = threads;
    device->kernels = kernels ? kernels : cpu_kernels_best();
    device->lists_count = threads == 1 ? 1 : threads * PIECES_PER_THREAD;
    device->lists = calloc(device->lists_count, sizeof *device->lists);
    device->painters = calloc(threads, sizeof *device->painters);
    if (!device->lists || !device->painters) {
        cpu_device_destroy(device);
        return NULL;
    }
    return device;
}

void cpu_device_destroy(cpu_device *device)
{
    if (!device)
        return;
    for (uint i = 0; device->lists && i < device->lists_count; i++)
        cpu_chunks_free(&device->lists[i].chunks);
    for (uint i = 0; device->painters && i < device->threads; i++)
        cpu_painter_free(&device->painters[i]);
    cpu_buffer_free(&device->prepare.elements);
    cpu_buffer_free(&device->prepare.open);
    cpu_buffer_free(&device->list_memory);
    cpu_buffer_free(&device->loads);
    cpu_buffer_free(&device->canvas);
    free(device->lists);
    free(device->painters);
    free(device);
}

uint32_t cpu_device_threads(const cpu_device *device)
{
    return device->threads;
}

/* The state of filling lists. Threads take elements piece by piece, in order, until the lists hold enough. */
typedef struct flatten_job {
    const cpu_frame *frame;
    cpu_edge_lists *lists; /* one for each piece, or one for all */
    uint lists_count;
    uint64_t batch_bytes;
    uint part_segments;
    uint64_t left;  /* segments that the batch may still take, if there is room for their lines */
    uint next;      /* element */
    path_walk rest; /* the rest of the next element, if its first segments have been taken: rest.segment < rest.end */
    uint taken;     /* pieces */
    bool failed;    /* a piece has lost lines, so no more pieces are taken */
    uint64_t work;  /* segments that were taken */
    uint64_t done;  /* segments of pieces that are done */
    uint64_t bytes; /* bytes of the chunks of these pieces */
    uint64_t dash_tasks; /* tasks of the part so far, in pieces that are done */
    pthread_mutex_t lock;
} flatten_job;

/* Estimates from its box how many dashes a stroke has. A dash is as much work as a segment. */
static uint dashes_of(const cpu_frame *frame, const stream_element *element)
{
    if (element->style == STREAM_NONE || frame->stream.styles[element->style].dash_count == 0)
        return 0;
    const stream_style *style = &frame->stream.styles[element->style];
    float sides = (element->box_x1 - element->box_x0) + (element->box_y1 - element->box_y0);
    float dashes = sides * (0.5f * (float)style->dash_count) / style->dash_period;
    return dashes > 0.0f && dashes < (float)DASHES_MOST ? (uint)dashes : DASHES_MOST;
}

static uint threads_of(const flatten_job *job)
{
    return uint_max(job->lists_count / PIECES_PER_THREAD, 1u);
}

/* Returns the work of an element, in segments. */
static uint work_of(const cpu_frame *frame, uint index)
{
    const stream_element *element = &frame->stream.elements[frame->elements[index].element];
    return element->path == STREAM_NONE ? 1
                                        : frame->stream.paths[element->path].segment_count + dashes_of(frame, element);
}

/* Returns whether several threads share an element. */
static bool is_shared(const flatten_job *job, uint index)
{
    const cpu_frame *frame = job->frame;
    const stream_element *element = &frame->stream.elements[frame->elements[index].element];
    return job->lists_count > 1 && element->path != STREAM_NONE && (element->kind & ELEMENT_DASHED) == 0 &&
           frame->stream.paths[element->path].segment_count > 2 * job->part_segments;
}

/* Returns whether all layers are closed before the next element, and no element is under way. If so, the elements
 * before it can be painted without those that follow. */
static bool is_flat(const flatten_job *job)
{
    const cpu_frame *frame = job->frame;
    return job->rest.segment == job->rest.end &&
           (job->next == frame->element_count || frame->elements[job->next].layer == NONE);
}

/* A piece: some segments of one element, or none, and the whole elements that follow. */
typedef struct flatten_piece {
    uint shared;     /* element */
    path_walk part;  /* segments of it */
    uint first, end; /* elements */
    cpu_edge_lists *lists;
    bool starts_lists; /* the lists hold nothing yet */
    uint work;         /* segments */
} flatten_piece;

/* Takes some segments of the next element into a piece, or all that are left. Returns how many. */
static uint take_part(flatten_job *job, flatten_piece *piece, bool all)
{
    const cpu_frame *frame = job->frame;
    const stream_path *path = &frame->stream.paths[frame->stream.elements[frame->elements[job->next].element].path];
    if (job->rest.segment == job->rest.end)
        job->rest = path_begin(frame, path);
    piece->shared = job->next;
    piece->part = job->rest;
    uint segments = uint_max(job->part_segments, path->segment_count / (PARTS_PER_THREAD * threads_of(job)));
    piece->part.end = all ? job->rest.end : job->rest.segment + uint_min(segments, job->rest.end - job->rest.segment);
    while (job->rest.segment < piece->part.end)
        path_next(&job->rest);
    job->next += job->rest.segment == job->rest.end ? 1 : 0;
    return piece->part.end - piece->part.segment;
}

/* Estimates the bytes of a segment's lines from the segments that have been flattened. */
static uint64_t segment_bytes(const flatten_job *job)
{
    uint64_t flattened = job->frame->flattened + job->done;
    return flattened > 0 ? (job->frame->chunk_bytes + job->bytes) / flattened + 1 : SEGMENT_BYTES;
}

/* Estimates for how many segments the batch has room beside those under way. */
static uint64_t fitting_segments(const flatten_job *job)
{
    uint64_t taken = job->bytes + (job->work - job->done) * segment_bytes(job);
    return taken < job->batch_bytes ? (job->batch_bytes - taken) / segment_bytes(job) : 0;
}

/* Returns the number of segments of the next piece. If memory is not short, it depends only on the pieces before, and
 * not on which of them are done. So the lists need the same memory in each frame. */
static uint piece_size(const flatten_job *job)
{
    uint64_t fitting = job->frame->batch_most < BATCH_BYTES ? fitting_segments(job) : job->left;
    uint64_t share = (job->left < fitting ? job->left : fitting) / (2u * threads_of(job));
    return share < PIECE_SEGMENTS_LEAST  ? PIECE_SEGMENTS_LEAST
           : share < PIECE_SEGMENTS_MOST ? (uint)share
                                         : PIECE_SEGMENTS_MOST;
}

/* Takes the next piece. Returns false if there is none, or if there is enough to paint. */
static bool take_piece(flatten_job *job, flatten_piece *piece)
{
    const cpu_frame *frame = job->frame;
    bool is_full = job->bytes >= job->batch_bytes || (job->taken == job->lists_count && job->lists_count > 1);
    if (job->failed || job->next == frame->element_count || (is_full && is_flat(job)) ||
        !cpu_flatten_may_go_on(job->dash_tasks)) {
        return false;
    }
    bool is_last = job->lists_count > 1 && job->taken + 1 >= job->lists_count;
    *piece = (flatten_piece){.lists = &job->lists[job->lists_count > 1 ? job->taken : 0]};
    piece->starts_lists = job->lists_count > 1 || job->taken == 0;
    uint size = piece_size(job), work = 0;
    if (job->rest.segment < job->rest.end || (!is_last && is_shared(job, job->next)))
        work = take_part(job, piece, is_last);
    piece->first = job->next;
    while (job->next < frame->element_count && (work < size || (is_last && !is_flat(job)))) {
        if (!is_last && work > 0 && is_shared(job, job->next))
            break;
        work += work_of(frame, job->next++);
    }
    piece->end = job->next;
    job->left -= job->left < work ? job->left : work;
    job->work += work;
    piece->work = work;
    job->taken++;
    return true;
}

static uint band_count_of(const cpu_frame *frame)
{
    return (uint)(frame->config->part.y1 - frame->config->part.y0);
}

static void flatten_piece_lines(const cpu_frame *frame, const flatten_piece *piece)
{
    if (piece->starts_lists)
        memset(piece->lists->bands, 0, band_count_of(frame) * sizeof *piece->lists->bands);
    if (piece->part.segment < piece->part.end)
        cpu_flatten_part(frame, piece->shared, piece->part, piece->lists);
    const cpu_edge_lists *lists = piece->lists;
    for (uint i = piece->first;
         i < piece->end && !lists->out_of_budget && !lists->out_of_memory && cpu_flatten_may_go_on(lists->dash_tasks);
         i++) {
        cpu_flatten(frame, i, piece->lists);
    }
}

static void flatten_pieces(void *user, uint32_t worker, uint32_t count)
{
    (void)worker;
    (void)count;
    flatten_job *job = user;
    flatten_piece piece;
    pthread_mutex_lock(&job->lock);
    while (!cancel_is_seen(job->frame->watch) && take_piece(job, &piece)) {
        pthread_mutex_unlock(&job->lock);
        uint64_t before = piece.starts_lists ? 0 : piece.lists->chunks.current_end;
        uint64_t dashes_before = piece.lists->dash_tasks;
        flatten_piece_lines(job->frame, &piece);
        pthread_mutex_lock(&job->lock);
        job->failed = job->failed || piece.lists->out_of_budget || piece.lists->out_of_memory;
        job->dash_tasks += piece.lists->dash_tasks - dashes_before;
        job->bytes += piece.lists->chunks.current_end - before;
        job->done += piece.work;
    }
    pthread_mutex_unlock(&job->lock);
}

static pietra_result begin_lists(cpu_device *device, cpu_frame *frame, pietra_error *error)
{
    uint64_t bytes = (uint64_t)device->lists_count * band_count_of(frame) * sizeof(cpu_edge_list);
    pietra_result result = cpu_buffer_reserve(&device->list_memory, frame->memory, bytes, 0, error);
    if (result == PIETRA_OK) {
        result = cpu_buffer_reserve(&device->loads, frame->memory, 2u * (uint64_t)band_count_of(frame) * sizeof(uint),
                                    0, error);
    }
    if (result != PIETRA_OK)
        return result;
    for (uint i = 0; i < device->lists_count; i++) {
        cpu_edge_lists *lists = &device->lists[i];
        cpu_chunks chunks = lists->chunks;
        cpu_chunks_reset(&chunks);
        *lists =
            (cpu_edge_lists){.bands = (cpu_edge_list *)device->list_memory.items + (size_t)i * band_count_of(frame),
                             .chunks = chunks,
                             .memory = frame->memory};
    }
    return PIETRA_OK;
}

/* Sums up what the lists hold. */
static pietra_result finish_lists(cpu_device *device, cpu_frame *frame, cpu_counts *counts, cpu_bands *bands,
                                  pietra_error *error)
{
    bands->heavy = false;
    bands->most_runs = 0;
    for (uint i = 0; i < bands->lists_count; i++) {
        counts->stroke_lines += device->lists[i].stroke_lines;
        counts->chords += device->lists[i].chords;
    }
    for (uint i = 0; i < bands->lists_count; i++) {
        const cpu_edge_lists *lists = &device->lists[i];
        if (lists->out_of_budget || lists->out_of_memory)
            return cpu_memory_error(frame->memory, !lists->out_of_memory, error);
        counts->lines += lists->line_count;
        counts->band_lines += lists->band_line_count;
        counts->dash_tasks += lists->dash_tasks;
        bands->heavy = bands->heavy || lists->heavy;
    }
    for (uint band = 0; band < band_count_of(frame); band++) {
        uint runs = 0, chunks = 0;
        for (uint i = 0; i < bands->lists_count; i++) {
            cpu_edge_list_close(&device->lists[i].bands[band]);
            runs += device->lists[i].bands[band].run_count;
            chunks += device->lists[i].bands[band].chunk_count;
        }
        ((uint *)device->loads.items)[band] = chunks;
        counts->band_elements += runs;
        bands->most_runs = runs > bands->most_runs ? runs : bands->most_runs;
    }
    return cpu_flatten_check(counts->dash_tasks, error);
}

/* Returns the number of threads for this much work. Each thread but the first has at least `worth` of it. */
static uint threads_for(const cpu_device *device, uint64_t work, uint64_t worth)
{
    uint64_t threads = 1 + work / worth;
    return threads < device->threads ? (uint)threads : device->threads;
}

/* Decides how the elements from job->next on are shared. Returns for how many threads. */
static uint share_elements(const cpu_device *device, flatten_job *job)
{
    const stream_header *header = job->frame->stream.header;
    uint left = job->frame->element_count - job->next;
    uint64_t work = header->segment_count;
    if (header->dashed_count > 0)
        work = (uint64_t)header->dashed_count * DASHES_MOST; /* there are more dashes than segments */
    job->left = work < (uint64_t)BATCH_SEGMENTS * device->threads ? work : (uint64_t)BATCH_SEGMENTS * device->threads;
    job->batch_bytes = job->frame->batch_most;
    uint64_t part = work / (device->threads * PARTS_OF_A_SHARE);
    job->part_segments = part < PIECE_SEGMENTS_LEAST ? PIECE_SEGMENTS_LEAST
                         : part < PART_SEGMENTS      ? (uint)part
                                                     : PART_SEGMENTS;
    if (left == 0 || (left == 1 && !is_shared(job, job->next)))
        return 1;
    return threads_for(device, work, WORTH_SEGMENTS);
}

/* Fills the lists with elements from *next on, and moves *next past them. */
static pietra_result flatten_batch(cpu_device *device, cpu_frame *frame, uint *next, cpu_counts *counts,
                                   cpu_bands *bands, pietra_error *error)
{
    double start = clock_ms();
    pietra_result result = begin_lists(device, frame, error);
    if (result != PIETRA_OK)
        return result;
    flatten_job job = {.frame = frame,
                       .lists = device->lists,
                       .lists_count = device->lists_count,
                       .next = *next,
                       .dash_tasks = counts->dash_tasks};
    pthread_mutex_init(&job.lock, NULL);
    parallel_pool_run(device->pool, share_elements(device, &job), flatten_pieces, &job);
    pthread_mutex_destroy(&job.lock);
    *next = job.next;
    result = cancel_check(frame->watch, error);
    if (result != PIETRA_OK)
        return result;
    frame->flattened += job.work;
    frame->chunk_bytes += job.bytes;
    bands->lists = device->lists;
    bands->lists_count = job.taken < device->lists_count ? job.taken : device->lists_count;
    result = finish_lists(device, frame, counts, bands, error);
    counts->flatten_ms += clock_ms() - start;
    return result;
}

typedef struct paint_job {
    const cpu_bands *bands;
    const uint *order; /* the order in which bands are taken */
    cpu_painter *painters;
    uint band_count;
    atomic_uint next;
} paint_job;

static void paint_bands(void *user, uint32_t worker, uint32_t count)
{
    (void)count;
    paint_job *job = user;
    for (uint i; !cancel_is_seen(job->bands->target->watch) && (i = atomic_fetch_add(&job->next, 1)) < job->band_count;)
        cpu_band_paint(&job->painters[worker], job->bands, job->order[i]);
}

static uint leading_zeros(uint n)
{
    return n == 0 ? 32u : (uint)__builtin_clz(n);
}

/* Heavy bands come first, so that threads end together. They are ordered by the number of bits of their load. */
static void order_bands(const uint *chunks, uint *order, uint count)
{
    uint places[34] = {0};
    for (uint band = 0; band < count; band++)
        places[1 + leading_zeros(chunks[band])]++;
    for (uint i = 1; i < 34; i++)
        places[i] += places[i - 1];
    for (uint band = 0; band < count; band++)
        order[places[leading_zeros(chunks[band])]++] = band;
}

static pietra_result paint_batch(cpu_device *device, cpu_frame *frame, cpu_counts *counts, cpu_bands *bands,
                                 pietra_error *error)
{
    double start = clock_ms();
    if (!(bands->first && bands->last) && !bands->target->may_spoil) {
        uint64_t bytes = (uint64_t)bands->pitch * BAND_ROWS * band_count_of(frame) * sizeof(uint32_t);
        pietra_result result = cpu_buffer_reserve(&device->canvas, frame->memory, bytes, 0, error);
        if (result != PIETRA_OK)
            return result;
        bands->canvas = device->canvas.items;
    }
    uint threads = 0;
    uint64_t pixels = (uint64_t)bands->pitch * BAND_ROWS * band_count_of(frame);
    uint wanted =
        uint_min(threads_for(device, pixels + LINE_PIXELS * counts->band_lines, WORTH_PAINT), band_count_of(frame));
    while (threads < wanted) {
        pietra_result result = cpu_painter_reserve(&device->painters[threads], bands, error);
        if (result != PIETRA_OK && threads == 0)
            return result;
        if (result != PIETRA_OK)
            break; /* fewer threads fit the budget */
        threads++;
    }
    paint_job job = {.bands = bands, .painters = device->painters, .band_count = band_count_of(frame)};
    uint *chunks = device->loads.items;
    order_bands(chunks, chunks + job.band_count, job.band_count);
    job.order = chunks + job.band_count;
    parallel_pool_run(device->pool, threads, paint_bands, &job);
    counts->paint_ms += clock_ms() - start;
    return cancel_check(bands->target->watch, error);
}

/* Returns whether opaque fills lie upon one another so often that most of what they paint is hidden. Of several batches
 * each would paint what the next ones hide. */
static bool is_painted_over(const cpu_frame *frame)
{
    const tile_box part = frame->config->part;
    uint64_t most = (uint64_t)(part.x1 - part.x0) * (uint64_t)(part.y1 - part.y0) * TILE_PIXELS * PAINTED_OVER;
    uint64_t painted = 0;
    for (uint i = 0; i < frame->element_count && painted <= most; i++) {
        const cpu_element *element = &frame->elements[i];
        const pixel_box clip = element->clip;
        if (may_occlude_tile(frame->config, element))
            painted += (uint64_t)(clip.x1 - clip.x0) * (uint64_t)(clip.y1 - clip.y0);
    }
    return painted > most;
}

/* Returns how many bytes of lines wait at most, if they can be painted then. */
static uint64_t batch_most_of(const cpu_target *target, bool painted_over)
{
    uint64_t most = BATCH_BYTES;
    if (target->lines_most != 0 && target->lines_most / BATCH_SHARE < most)
        most = target->lines_most / BATCH_SHARE;
    if (target->batch_most != 0 && target->batch_most < most && !painted_over)
        most = target->batch_most;
    return most;
}

static void begin_frame(cpu_device *device)
{
    cpu_buffer_begin(&device->prepare.elements);
    cpu_buffer_begin(&device->prepare.open);
    cpu_buffer_begin(&device->list_memory);
    cpu_buffer_begin(&device->loads);
    cpu_buffer_begin(&device->canvas);
    for (uint i = 0; i < device->lists_count; i++)
        device->lists[i].chunks.counted_bytes = 0;
    for (uint i = 0; i < device->threads; i++)
        cpu_painter_begin(&device->painters[i]);
}

pietra_result cpu_draw(cpu_device *device, const uint32_t *words, const frame_config *config, uint64_t budget_bytes,
                       const cpu_target *target, pietra_error *error, cpu_counts *counts)
{
    cpu_memory memory = {.budget_bytes = budget_bytes, .lines_most = target->lines_most};
    cpu_frame frame = {.stream = stream_view_of(words),
                       .config = config,
                       .kernels = device->kernels,
                       .memory = &memory,
                       .watch = target->watch};
    cpu_bands bands = {.frame = &frame, .kernels = device->kernels, .target = target, .first = true};
    bands.pitch = config->tile_pitch * TILE_SIDE + COVERAGE_OVERRUN;
    double start = clock_ms();
    cpu_flatten_start(frame.stream.header->style_count > 0);
    begin_frame(device);
    pietra_result result = cancel_check(target->watch, error);
    if (result == PIETRA_OK)
        result = cpu_prepare(&frame, &device->prepare, error);
    if (result == PIETRA_OK)
        cpu_cull_occluded(&frame);
    counts->dash_tasks = frame.hidden_dash_tasks;
    counts->is_painted_over = target->batch_most != 0 && is_painted_over(&frame);
    frame.batch_most = batch_most_of(target, counts->is_painted_over);
    if (result == PIETRA_OK) {
        /* What a batch will need at least, before any time is spent on lines. */
        result = cpu_painter_reserve(&device->painters[0], &bands, error);
        counts->is_too_wide = result == PIETRA_ERROR_BUDGET;
    }
    counts->prepare_ms = clock_ms() - start;
    for (uint next = 0; result == PIETRA_OK && !bands.last; bands.first = false) {
        result = flatten_batch(device, &frame, &next, counts, &bands, error);
        bands.last = next == frame.element_count;
        if (result == PIETRA_OK)
            result = paint_batch(device, &frame, counts, &bands, error);
    }
    counts->flattened = frame.flattened;
    counts->memory_bytes = memory.used_bytes;
    counts->refused_bytes = memory.refused_bytes;
    return result;
}
