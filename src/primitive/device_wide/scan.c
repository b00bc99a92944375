/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/device_wide/scan.h"

#include "base/error.h"
#include "layout/primitive.h"

static const uint32_t scan_begin_spv[] = {
#include "spv/scan_begin.inc"
};
static const uint32_t scan_spv[] = {
#include "spv/scan.inc"
};

pietra_result scan_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                          scan_kernels *kernels)
{
    static const primitive_program_info begin = PRIMITIVE_PROGRAM(scan_begin, 3u, scan_push);
    static const primitive_program_info scan = PRIMITIVE_PROGRAM(scan, 4u, scan_push);
    primitive_tuning tuning = primitive_tuning_of(device, options);
    primitive_shape shape = {.invocations = tuning.scan_invocations, .items = tuning.scan_items / 4u};
    *kernels = (scan_kernels){.partition = 4u * shape.invocations * shape.items, .look_ahead = tuning.scan_look_ahead};
    if (kernels->partition < SCAN_PARTITION_LEAST)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "scan: partitions of %u items are too small",
                         kernels->partition);
    pietra_result result = primitive_program_create_shaped(device, &begin, shape, options, error, &kernels->begin);
    if (result == PIETRA_OK)
        result = primitive_program_create_shaped(device, &scan, shape, options, error, &kernels->scan);
    if (result != PIETRA_OK)
        scan_destroy(kernels);
    return result;
}

void scan_destroy(scan_kernels *kernels)
{
    gpu_program_destroy(kernels->begin);
    gpu_program_destroy(kernels->scan);
    *kernels = (scan_kernels){0};
}

/* Returns two words for each partition and for each chunk, which is more than any shape needs. */
uint64_t scan_scratch_bytes(uint32_t max_count)
{
    uint64_t partitions = primitive_pieces(max_count, SCAN_PARTITION_LEAST);
    return 8u * (partitions + primitive_pieces((uint32_t)partitions, SCAN_CHUNK));
}

void scan_record(gpu_recorder *recorder, const scan_kernels *kernels, const scan_ranges *ranges, uint32_t max_count,
                 bool inclusive)
{
    uint32_t partitions = primitive_pieces(max_count, kernels->partition);
    uint32_t first = partitions < kernels->look_ahead ? partitions : kernels->look_ahead;
    uint32_t chunks = primitive_pieces(partitions - first, SCAN_CHUNK);
    scan_push push = {max_count, inclusive, first, chunks, 2u * (chunks + partitions - first)};
    primitive_grid grid = primitive_grid_of(partitions);
    const gpu_range bound[] = {ranges->items, ranges->count, ranges->scratch, ranges->sums};
    gpu_dispatch(recorder, kernels->begin, bound, &push, first, 1u, 1u);
    gpu_barrier_dispatches(recorder);
    gpu_dispatch(recorder, kernels->scan, bound, &push, grid.x, grid.y, 1u);
}

pietra_result scan_check(const gpu_device *device, const scan_ranges *ranges, uint32_t max_count, pietra_error *error)
{
    const primitive_range table[] = {
        {"items", ranges->items, 4u * (uint64_t)max_count, false},
        {"sums", ranges->sums, 4u * (uint64_t)max_count, true},
        {"count", ranges->count, 4u, false},
        {"scratch", ranges->scratch, scan_scratch_bytes(max_count), true},
    };
    return ranges_check(device, "scan", max_count, UINT32_MAX, table, sizeof table / sizeof table[0], error);
}
