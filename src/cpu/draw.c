#include "cpu/band.h"
#include "cpu/cpu.h"
#include "cpu/flatten.h"
#include "cpu/prepare.h"

#include "base/clock.h"
#include "base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Pieces that the elements are flattened in, for each thread where there are several. */
#define PIECES_PER_THREAD 8u

struct cpu_device {
    uint32_t threads;
    const cpu_kernels *kernels;
    cpu_prepare_buffers prepare;
    cpu_buffer bin_memory;     /* the bins of all pieces */
    cpu_bins *pieces;
    uint piece_count;
    cpu_painter *painters;     /* one for each thread */
};

cpu_device *cpu_device_create(uint32_t threads)
{
    cpu_device *device = calloc(1, sizeof *device);
    if (device == NULL) {
        return NULL;
    }
    device->threads = threads;
    device->kernels = cpu_kernels_best();
    device->piece_count = threads == 1 ? 1 : threads * PIECES_PER_THREAD;
    device->pieces = calloc(device->piece_count, sizeof *device->pieces);
    device->painters = calloc(threads, sizeof *device->painters);
    if (device->pieces == NULL || device->painters == NULL) {
        cpu_device_destroy(device);
        return NULL;
    }
    return device;
}

void cpu_device_destroy(cpu_device *device)
{
    if (device == NULL) {
        return;
    }
    for (uint i = 0; device->pieces != NULL && i < device->piece_count; i++) {
        cpu_blocks_free(&device->pieces[i].blocks);
    }
    for (uint i = 0; device->painters != NULL && i < device->threads; i++) {
        cpu_painter_free(&device->painters[i]);
    }
    cpu_buffer_free(&device->prepare.elements);
    cpu_buffer_free(&device->prepare.open);
    cpu_buffer_free(&device->bin_memory);
    free(device->pieces);
    free(device->painters);
    free(device);
}

bool cpu_takes(const stream_header *header, const stream_element *elements)
{
    for (uint i = 0; i < header->element_count; i++) {
        switch (elements[i].kind & ELEMENT_KIND_MASK) {
        case ELEMENT_FILL:
        case ELEMENT_STROKE:
        case ELEMENT_BEGIN_CLIP:
        case ELEMENT_END_CLIP:
        case ELEMENT_BEGIN_CLIP_SOURCE:
        case ELEMENT_END_CLIP_SOURCE:
        case ELEMENT_BEGIN_GROUP:
        case ELEMENT_END_GROUP:
            break;
        default:
            return false;
        }
    }
    return true;
}

/* Work that threads take piece by piece. */
typedef struct flatten_job {
    const cpu_frame *frame;
    cpu_bins *pieces;
    uint piece_count;
    atomic_uint next;
} flatten_job;

static void flatten_pieces(void *user, uint32_t worker, uint32_t count)
{
    (void)worker;
    (void)count;
    flatten_job *job = user;
    uint band_count = (uint)(job->frame->config->part.y1 - job->frame->config->part.y0);
    for (uint piece; (piece = atomic_fetch_add(&job->next, 1)) < job->piece_count;) {
        uint first = (uint)((uint64_t)job->frame->element_count * piece / job->piece_count);
        uint end = (uint)((uint64_t)job->frame->element_count * (piece + 1) / job->piece_count);
        cpu_bins *bins = &job->pieces[piece];
        for (uint i = first; i < end && !bins->out_of_budget && !bins->out_of_memory; i++) {
            cpu_flatten(job->frame, i, bins);
        }
        for (uint band = 0; band < band_count; band++) {
            cpu_bin_close(&bins->bins[band]);
        }
    }
}

static pietra_result begin_bins(cpu_device *device, cpu_frame *frame, uint piece_count, pietra_error *error)
{
    uint band_count = (uint)(frame->config->part.y1 - frame->config->part.y0);
    uint64_t bytes = (uint64_t)piece_count * band_count * sizeof(cpu_bin);
    cpu_buffer_begin(&device->bin_memory);
    pietra_result result = cpu_buffer_reserve(&device->bin_memory, frame->memory, bytes, 0, error);
    if (result != PIETRA_OK) {
        return result;
    }
    memset(device->bin_memory.items, 0, (size_t)bytes);
    for (uint i = 0; i < piece_count; i++) {
        cpu_bins *bins = &device->pieces[i];
        cpu_blocks blocks = bins->blocks;
        cpu_blocks_reset(&blocks);
        *bins = (cpu_bins){.bins = (cpu_bin *)device->bin_memory.items + (size_t)i * band_count, .blocks = blocks, .memory = frame->memory};
    }
    return PIETRA_OK;
}

static pietra_result flatten_all(cpu_device *device, cpu_frame *frame, uint piece_count, cpu_counts *counts, cpu_bands *bands,
                                 pietra_error *error)
{
    pietra_result result = begin_bins(device, frame, piece_count, error);
    if (result != PIETRA_OK) {
        return result;
    }
    flatten_job job = {.frame = frame, .pieces = device->pieces, .piece_count = piece_count};
    parallel_run(piece_count == 1 ? 1 : device->threads, flatten_pieces, &job);
    uint64_t dash_items = 0;
    for (uint i = 0; i < piece_count; i++) {
        const cpu_bins *bins = &device->pieces[i];
        if (bins->out_of_budget || bins->out_of_memory) {
            return cpu_memory_error(frame->memory, !bins->out_of_memory, error);
        }
        counts->lines += bins->line_count;
        counts->records += bins->record_count;
        dash_items += bins->dash_items;
        bands->heavy = bands->heavy || bins->heavy;
    }
    if ((result = cpu_flatten_check(dash_items, error)) != PIETRA_OK) {
        return result;
    }
    uint band_count = (uint)(frame->config->part.y1 - frame->config->part.y0);
    for (uint band = 0; band < band_count; band++) {
        uint runs = 0;
        for (uint i = 0; i < piece_count; i++) {
            runs += device->pieces[i].bins[band].run_count;
        }
        counts->entries += runs;
        bands->most_runs = runs > bands->most_runs ? runs : bands->most_runs;
    }
    return PIETRA_OK;
}

typedef struct paint_job {
    const cpu_bands *bands;
    cpu_painter *painters;
    uint band_count;
    atomic_uint next;
} paint_job;

static void paint_bands(void *user, uint32_t worker, uint32_t count)
{
    (void)count;
    paint_job *job = user;
    for (uint band; (band = atomic_fetch_add(&job->next, 1)) < job->band_count;) {
        cpu_band_paint(&job->painters[worker], job->bands, band);
    }
}

static pietra_result paint_all(cpu_device *device, cpu_frame *frame, cpu_bands *bands, pietra_error *error)
{
    uint band_count = (uint)(frame->config->part.y1 - frame->config->part.y0);
    uint threads = 0;
    uint wanted = device->threads < band_count ? device->threads : band_count;
    while (threads < wanted) {
        cpu_painter_begin(&device->painters[threads]);
        pietra_result result = cpu_painter_reserve(&device->painters[threads], bands, error);
        if (result != PIETRA_OK && threads == 0) {
            return result;
        }
        if (result != PIETRA_OK) {
            break;             /* fewer threads fit the budget */
        }
        threads++;
    }
    paint_job job = {.bands = bands, .painters = device->painters, .band_count = band_count};
    parallel_run(threads, paint_bands, &job);
    return PIETRA_OK;
}

pietra_result cpu_draw(cpu_device *device, const uint32_t *words, const frame_config *config, uint64_t budget_bytes, const cpu_target *target,
                       pietra_error *error, cpu_counts *counts)
{
    cpu_memory memory = {.budget_bytes = budget_bytes};
    cpu_frame frame = {.words = words, .config = config, .memory = &memory};
    double start = clock_ms();
    cpu_buffer_begin(&device->prepare.elements);
    cpu_buffer_begin(&device->prepare.open);
    pietra_result result = cpu_prepare(&frame, &device->prepare, error);
    if (result != PIETRA_OK) {
        return result;
    }
    double prepared = clock_ms();
    uint piece_count = device->piece_count < frame.element_count ? device->piece_count : 1;
    cpu_bands bands = {.frame = &frame, .kernels = device->kernels, .target = target, .bins = device->pieces, .bins_count = piece_count};
    bands.pitch = config->tile_pitch * TILE_SIDE + COVER_OVERRUN;
    if ((result = flatten_all(device, &frame, piece_count, counts, &bands, error)) != PIETRA_OK) {
        return result;
    }
    double flattened = clock_ms();
    if ((result = paint_all(device, &frame, &bands, error)) != PIETRA_OK) {
        return result;
    }
    counts->prepare_ms = prepared - start;
    counts->flatten_ms = flattened - prepared;
    counts->paint_ms = clock_ms() - flattened;
    counts->memory_bytes = memory.used_bytes;
    return PIETRA_OK;
}
