/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "render/cpu/band.h"
#include "render/cpu/band_occlusion.h"
#include "render/cpu/cpu.h"
#include "render/cpu/flatten.h"
#include "render/cpu/part_cost.h"
#include "render/cpu/part_occlusion.h"
#include "render/cpu/pieces.h"
#include "render/cpu/prepare.h"

/* If the bytes of lines are limited, a batch takes one part in BATCH_SHARE of the limit. The pieces that are under way
 * when the batch is full may take as much again. */
#define BATCH_SHARE 2u
/* If a batch has less than this for each of many lists, one thread fills one list. */
#define LIST_BYTES 8192u
/* Where memory is short, a part of the budget is for elements, and a part for painting: five eighths. */
#define ELEMENTS_SHARE 8u
#define PAINTER_EIGHTHS 5u
/* What the buffers of a painter take beyond their sizes, at most. */
#define PAINTER_ROUNDING 1024u
/* And a part of it is for the least that bands take. With more bands strips are narrower, which costs more time than
 * parts do. */
#define BANDS_SHARE 8u
/* With strips narrower than this, because of layers, bands take less in proportion. */
#define NARROW_TILES 4u
/* An open layer holds too many elements together if a batch has more than HELD times as many as it should. */
#define HELD 2u
/* Small batches are worth less than small parts if opaque fills cover each pixel more often than this. */
#define PAINTED_OVER 32u

/* The least work for each thread beside the first, some 30 us. Less work is done before the thread is awake. */
#define WORTH_SEGMENTS 256u
#define WORTH_PAINT 30000u /* pixels; a line in a band counts as LINE_PIXELS */
#define LINE_PIXELS 8u

struct cpu_device {
    parallel_pool *pool;
    uint32_t threads; /* threads of the pool */
    const cpu_kernels *kernels;
    trace trace;
    cpu_prepare_buffers prepare;
    cpu_buffer list_memory; /* the lists of all pieces */
    cpu_buffer loads;       /* each band's chunks of lines; then bands in the order in which they are taken */
    cpu_edge_lists *lists;
    uint lists_count;      /* 1 if there is one thread */
    cpu_buffer picture;    /* what a frame in parts is drawn into */
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

void cpu_device_set_trace(cpu_device *device, trace trace)
{
    device->trace = trace;
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
    cpu_buffer_free(&device->picture);
    free(device->lists);
    free(device->painters);
    free(device);
}

uint32_t cpu_device_threads(const cpu_device *device)
{
    return device->threads;
}

uint8_t *cpu_device_picture(cpu_device *device, uint64_t bytes)
{
    cpu_memory unlimited = {.budget_bytes = 0};
    cpu_buffer_begin(&device->picture);
    return cpu_buffer_reserve(&device->picture, &unlimited, bytes, 0, NULL) == PIETRA_OK ? device->picture.items : NULL;
}

static uint band_count_of(const cpu_frame *frame)
{
    return (uint)(frame->config->part.y1 - frame->config->part.y0);
}

static pietra_result begin_lists(cpu_device *device, cpu_frame *frame, pietra_error *error)
{
    uint64_t bytes = (uint64_t)frame->lists_count * band_count_of(frame) * sizeof(cpu_edge_list);
    pietra_result result = cpu_buffer_reserve(&device->list_memory, frame->memory, bytes, 0, error);
    if (result == PIETRA_OK) {
        result = cpu_buffer_reserve(&device->loads, frame->memory, 2u * (uint64_t)band_count_of(frame) * sizeof(uint),
                                    0, error);
    }
    if (result != PIETRA_OK)
        return result;
    for (uint i = 0; i < frame->lists_count; i++) {
        cpu_edge_lists *lists = &device->lists[i];
        cpu_chunks chunks = lists->chunks;
        cpu_chunks_reset(&chunks);
        *lists =
            (cpu_edge_lists){.bands = (cpu_edge_list *)device->list_memory.items + (size_t)i * band_count_of(frame),
                             .chunks = chunks,
                             .memory = frame->memory,
                             .is_short = frame->elements_most != 0};
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

/* Fills the lists with elements from *next on, and moves *next past them. */
static pietra_result flatten_batch(cpu_device *device, cpu_frame *frame, uint *next, cpu_counts *counts,
                                   cpu_bands *bands, pietra_error *error)
{
    double start = clock_ms();
    pietra_result result = begin_lists(device, frame, error);
    if (result != PIETRA_OK)
        return result;
    flatten_job job = {.frame = frame,
                       .trace = &device->trace,
                       .lists = device->lists,
                       .first = *next,
                       .next = *next,
                       .cut = {.next = *next},
                       .dash_tasks = counts->dash_tasks};
    pthread_mutex_init(&job.lock, NULL);
    const uint64_t work = pieces_share(&job, device->threads);
    const uint threads = frame->lists_count == 1 ? 1 : threads_for(device, work, WORTH_SEGMENTS);
    parallel_pool_run(device->pool, threads, pieces_flatten, &job);
    pthread_mutex_destroy(&job.lock);
    pieces_cut(&job);
    *next = job.next;
    result = cancel_check(frame->watch, error);
    if (result != PIETRA_OK)
        return result;
    frame->flattened += job.work;
    frame->chunk_bytes += job.bytes;
    bands->lists = device->lists;
    bands->lists_count = uint_min(job.taken, frame->lists_count);
    result = finish_lists(device, frame, counts, bands, error);
    counts->flatten_ms += clock_ms() - start;
    return result;
}

typedef struct paint_job {
    const cpu_bands *bands;
    const trace *trace;
    const uint *order; /* the order in which bands are taken */
    cpu_painter *painters;
    uint band_count;
    atomic_uint next;
} paint_job;

static void paint_bands(void *user, uint32_t worker, uint32_t count)
{
    (void)count;
    paint_job *job = user;
    const double begin = trace_begin(job->trace);
    for (uint i; !cancel_is_seen(job->bands->target->watch) && (i = atomic_fetch_add(&job->next, 1)) < job->band_count;)
        cpu_band_paint(&job->painters[worker], job->bands, job->order[i]);
    trace_end(job->trace, "paint", begin);
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

static uint32_t pitch_of(uint strip_tiles)
{
    return strip_tiles * TILE_SIDE + COVERAGE_OVERRUN;
}

/* Returns the bytes of a layer that is at least as wide as a strip. */
static uint64_t wide_layer_bytes(uint strip_tiles)
{
    return layer_bytes_of(box_of(0, 0, (int)(strip_tiles * TILE_SIDE), 0));
}

/* Returns the most bytes that a painter takes if strips are so wide. */
static uint64_t painter_bytes_if(const cpu_bands *bands, uint strip_tiles)
{
    const cpu_frame *frame = bands->frame;
    const uint64_t most = wide_layer_bytes(strip_tiles), before = wide_layer_bytes(frame->strip_tiles);
    cpu_frame other_frame = *frame;
    cpu_bands other = *bands;
    other.frame = &other_frame;
    other.pitch = pitch_of(strip_tiles);
    if (most > before)
        other_frame.layer_bytes += frame->layer_count * (most - before);
    else if (frame->layer_count * most < frame->layer_bytes)
        other_frame.layer_bytes = frame->layer_count * most;
    return cpu_painter_bytes(&other);
}

/* Returns how many columns of tiles can be painted at once, from `least` to `most`, by a painter of so many bytes. */
static uint widest_strip(const cpu_bands *bands, uint least, uint most, uint64_t bytes)
{
    while (least < most) {
        const uint middle = most - (most - least) / 2;
        if (painter_bytes_if(bands, middle) <= bytes)
            least = middle;
        else
            most = middle - 1;
    }
    return least;
}

/* The last batch of a part is painted in strips as wide as the budget has room for, because nothing else needs it. */
static void widen_strips(cpu_frame *frame, cpu_bands *bands)
{
    const uint before = frame->strip_tiles;
    cpu_bands reserved = *bands;
    reserved.most_runs = 0;
    reserved.heavy = false;
    const uint64_t taken = frame->memory->used_bytes + PAINTER_ROUNDING - cpu_painter_bytes(&reserved);
    if (before == frame->config->tile_pitch || taken >= frame->memory->budget_bytes)
        return;
    const uint after = widest_strip(bands, before, frame->config->tile_pitch, frame->memory->budget_bytes - taken);
    frame->layer_bytes += frame->layer_count * (wide_layer_bytes(after) - wide_layer_bytes(before));
    frame->strip_tiles = after;
    bands->pitch = pitch_of(after);
}

static pietra_result paint_batch(cpu_device *device, cpu_frame *frame, cpu_counts *counts, cpu_bands *bands,
                                 pietra_error *error)
{
    double start = clock_ms();
    if (frame->elements_most != 0 && bands->last)
        widen_strips(frame, bands);
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
    if (bands->target->is_trial)
        return cancel_check(bands->target->watch, error);
    paint_job job = {
        .bands = bands, .trace = &device->trace, .painters = device->painters, .band_count = band_count_of(frame)};
    uint *chunks = device->loads.items;
    order_bands(chunks, chunks + job.band_count, job.band_count);
    job.order = chunks + job.band_count;
    parallel_pool_run(device->pool, threads, paint_bands, &job);
    counts->paint_ms += clock_ms() - start;
    return cancel_check(bands->target->watch, error);
}

/* Counts the pixels of the boxes of a batch. Returns those of opaque fills, which hide what lies below them. */
static uint64_t count_boxes(const cpu_frame *frame, cpu_counts *counts)
{
    uint64_t opaque = 0;
    for (uint i = 0; i < frame->element_count; i++) {
        const cpu_element *element = &frame->elements[i];
        const pixel_box clip = element->clip;
        const uint64_t pixels = (uint64_t)(clip.x1 - clip.x0) * (uint64_t)(clip.y1 - clip.y0);
        counts->box_pixels += kind_begins(element->kind & ELEMENT_KIND_MASK) ? 0 : pixels;
        opaque += may_occlude_tile(frame->config, element) ? pixels : 0;
    }
    return opaque;
}

/* Finds whether opaque fills lie upon one another so often that most of what they paint is hidden. Of several batches
 * each would paint what the next ones hide. Leaves the frame before its first batch. */
static pietra_result find_painted_over(cpu_device *device, cpu_frame *frame, cpu_counts *counts, pietra_error *error)
{
    const tile_box part = frame->config->part;
    uint64_t most = (uint64_t)(part.x1 - part.x0) * (uint64_t)(part.y1 - part.y0) * TILE_PIXELS * PAINTED_OVER;
    uint64_t pixels = 0;
    pietra_result result = PIETRA_OK;
    counts->box_pixels = 0; /* narrower strips begin anew */
    while (result == PIETRA_OK && pixels <= most && frame->next < frame->stream.header->element_count) {
        result = cpu_prepare(frame, &device->prepare, error);
        pixels += count_boxes(frame, counts);
        counts->prepared += frame->element_count;
    }
    counts->walked += frame->next;
    counts->is_painted_over = pixels > most;
    frame->next = frame->open_depth = 0;
    frame->layer_bytes = 0;
    frame->layer_count = 0;
    return result;
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

static uint64_t painter_share_of(const cpu_frame *frame)
{
    return frame->memory->budget_bytes / 8 * PAINTER_EIGHTHS;
}

/* Returns how many columns of tiles are painted at once, so that this takes its share of the budget. */
static uint strip_tiles_of(const cpu_frame *frame, const cpu_target *target)
{
    const cpu_bands bands = {.frame = frame, .target = target};
    return widest_strip(&bands, 1, frame->config->tile_pitch, painter_share_of(frame));
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

/* Finds the elements of the next batch. */
static pietra_result prepare_batch(cpu_device *device, cpu_frame *frame, cpu_bands *bands, cpu_counts *counts,
                                   pietra_error *error)
{
    double start = clock_ms();
    counts->walked -= frame->next;
    pietra_result result = cpu_prepare(frame, &device->prepare, error);
    counts->walked += frame->next;
    counts->prepared += frame->element_count;
    if (result == PIETRA_OK) {
        uint64_t hidden = frame->hidden_dash_tasks;
        cpu_cull_occluded(frame);
        counts->dash_tasks += frame->hidden_dash_tasks - hidden;
        /* What a batch will need at least, before any time is spent on lines. */
        bands->most_runs = 0;
        bands->heavy = false;
        const bool is_beyond = cpu_painter_bytes(bands) > painter_share_of(frame);
        if (frame->elements_most != 0 && frame->strip_tiles > 1 && is_beyond)
            result = PIETRA_ERROR_BUDGET; /* its layers were not known */
        else
            result = cpu_painter_reserve(&device->painters[0], bands, error);
        counts->is_too_wide = result == PIETRA_ERROR_BUDGET && is_beyond;
    }
    counts->prepare_ms += clock_ms() - start;
    return result;
}

/* Returns whether the lines of a part, of which the first batch ends before element `next`, better come in halves of
 * the part than in batches. */
static bool prefers_halves(const cpu_frame *frame, const cpu_counts *counts, uint next)
{
    const bool has_all = counts->batch_pixels == 0 && frame->next == frame->stream.header->element_count;
    return frame->elements_most != 0 && has_all && next < frame->element_count && band_count_of(frame) > 1 &&
           part_cost_prefers_halves((uint64_t)frame->config->tile_count * TILE_PIXELS,
                                    frame->element_count / uint_max(next, 1u) + 1u, frame->flattened, counts);
}

/* Flattens and paints the elements of a batch, in batches of their lines. */
static pietra_result draw_batch(cpu_device *device, cpu_frame *frame, cpu_bands *bands, cpu_counts *counts,
                                pietra_error *error)
{
    const bool is_last = frame->next == frame->stream.header->element_count;
    pietra_result result = PIETRA_OK;
    uint next = 0;
    do {
        const uint64_t lines_before = counts->band_lines, runs_before = counts->band_elements;
        result = flatten_batch(device, frame, &next, counts, bands, error);
        bands->last = is_last && next == frame->element_count;
        if (result == PIETRA_OK && prefers_halves(frame, counts, next))
            result = cpu_memory_error(frame->memory, true, error);
        if (result == PIETRA_OK)
            result = paint_batch(device, frame, counts, bands, error);
        if (result == PIETRA_OK) {
            counts->batch_pixels += (uint64_t)frame->config->tile_count * TILE_PIXELS;
            counts->painted_lines += counts->band_lines - lines_before;
            counts->painted_runs += counts->band_elements - runs_before;
            bands->first = false;
            frame->begin = next < frame->element_count ? frame->elements[next].element : frame->next;
        }
    } while (result == PIETRA_OK && next < frame->element_count);
    return result;
}

/* Returns whether a part has more rows than its share of the budget has room for. */
static bool has_many_bands(const cpu_frame *frame)
{
    const uint bands = band_count_of(frame);
    const uint narrow = NARROW_TILES / uint_min(frame->strip_tiles, NARROW_TILES);
    return frame->elements_most != 0 && bands > 1 &&
           bands * CPU_BAND_BYTES > frame->memory->budget_bytes / BANDS_SHARE / narrow;
}

/* Draws what the part lacks, from frame->begin on. */
static pietra_result draw_rest(cpu_device *device, cpu_frame *frame, const cpu_target *target, cpu_counts *counts,
                               pietra_error *error)
{
    cpu_bands bands = {
        .frame = frame, .kernels = device->kernels, .target = target, .first = target->begin == 0 && frame->begin == 0};
    bands.pitch = pitch_of(frame->strip_tiles);
    pietra_result result = PIETRA_OK;
    begin_frame(device);
    if (has_many_bands(frame))
        return cpu_memory_error(frame->memory, true, error);
    if (target->batch_most != 0)
        result = find_painted_over(device, frame, counts, error);
    frame->batch_most = batch_most_of(target, counts->is_painted_over);
    const bool is_small = target->batch_most != 0 && frame->batch_most / LIST_BYTES < device->lists_count;
    frame->lists_count = is_small ? 1 : device->lists_count;
    while (result == PIETRA_OK && !bands.last) {
        result = prepare_batch(device, frame, &bands, counts, error);
        if (result == PIETRA_OK)
            result = draw_batch(device, frame, &bands, counts, error);
    }
    return result;
}

/* Makes strips narrower, of a part whose painting does not fit or that cannot have fewer rows. Returns false if it
 * cannot. */
static bool narrow_strips(const cpu_target *target, const cpu_frame *frame, cpu_counts *counts)
{
    const tile_box part = frame->config->part;
    const cpu_bands bands = {.frame = frame, .target = target};
    const bool is_narrow = target->batch_most == 0 || frame->strip_tiles == 1;
    if (is_narrow || !(counts->is_too_wide || part.y1 - part.y0 == 1))
        return false;
    const uint half = (frame->strip_tiles + 1) / 2;
    counts->strip_tiles =
        counts->is_too_wide ? widest_strip(&bands, 1, frame->strip_tiles - 1, painter_share_of(frame)) : half;
    return true;
}

static cpu_frame frame_of(const cpu_device *device, const uint32_t *words, const frame_config *config,
                          cpu_memory *memory, const cpu_target *target, const cpu_counts *counts)
{
    cpu_frame frame = {.stream = stream_view_of(words),
                       .config = config,
                       .kernels = device->kernels,
                       .memory = memory,
                       .watch = target->watch,
                       .begin = counts->begin,
                       .strip_tiles = config->tile_pitch};
    if (target->batch_most != 0) {
        const uint64_t elements = memory->budget_bytes / ELEMENTS_SHARE / sizeof *frame.elements;
        frame.elements_most = (uint)elements + 1;
        frame.strip_tiles = strip_tiles_of(&frame, target);
        if (counts->strip_tiles != 0)
            frame.strip_tiles = uint_min(counts->strip_tiles, frame.strip_tiles);
    }
    return frame;
}

/* Adds what painters counted. */
static void count_painting(const cpu_device *device, cpu_counts *counts)
{
    for (uint i = 0; i < device->threads; i++) {
        const cpu_painter *painter = &device->painters[i];
        counts->touches += painter->sampling.touches;
        counts->stepped_pixels += painter->sampling.stepped_pixels;
        counts->walked_lines += painter->sampling.walked_lines;
        counts->painted_pixels += painter->painted_pixels;
        counts->shaded_pixels += painter->shaded_pixels;
        counts->visited_lines += painter->visited_lines;
        counts->visited_runs += painter->visited_runs;
        counts->visited_clips += painter->visited_clips;
    }
}

pietra_result cpu_draw(cpu_device *device, const uint32_t *words, const frame_config *config, uint64_t budget_bytes,
                       const cpu_target *target, pietra_error *error, cpu_counts *counts)
{
    pietra_result result = cancel_check(target->watch, error);
    bool goes_on = result == PIETRA_OK;
    cpu_flatten_start(((const stream_header *)words)->style_count > 0);
    counts->begin = target->begin;
    counts->strip_tiles = target->strip_tiles;
    while (goes_on) {
        cpu_memory memory = {.budget_bytes = budget_bytes, .lines_most = target->lines_most};
        cpu_frame frame = frame_of(device, words, config, &memory, target, counts);
        counts->is_too_wide = false;
        result = draw_rest(device, &frame, target, counts, error);
        counts->begin = frame.begin;
        count_painting(device, counts);
        counts->part_pixels = result == PIETRA_OK ? (uint64_t)config->tile_count * TILE_PIXELS : 0;
        counts->is_held = frame.elements_most != 0 && frame.element_count > HELD * frame.elements_most;
        counts->flattened += frame.flattened;
        counts->memory_bytes = memory.used_bytes;
        counts->refused_bytes = memory.refused_bytes;
        goes_on = result == PIETRA_ERROR_BUDGET && narrow_strips(target, &frame, counts);
    }
    return result;
}
