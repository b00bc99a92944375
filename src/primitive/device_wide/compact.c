/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/device_wide/compact.h"

#include "layout/primitive.h"

static const uint32_t compact_mark_spv[] = {
#include "spv/compact_mark.inc"
};
static const uint32_t compact_list_spv[] = {
#include "spv/compact_list.inc"
};

pietra_result compact_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                             compact_kernels *kernels)
{
    static const primitive_program_info mark = PRIMITIVE_PROGRAM(compact_mark, 3u, compact_push);
    static const primitive_program_info list = PRIMITIVE_PROGRAM(compact_list, 4u, compact_push);
    primitive_tuning tuning = primitive_tuning_of(device, options);
    primitive_shape shape = {.invocations = tuning.compact_invocations};
    *kernels = (compact_kernels){.row = COMPACT_WORD * shape.invocations, .partitions = tuning.compact_partitions};
    pietra_result result = primitive_program_create_shaped(device, &mark, shape, options, error, &kernels->mark);
    if (result == PIETRA_OK)
        result = primitive_program_create_shaped(device, &list, shape, options, error, &kernels->list);
    if (result != PIETRA_OK)
        compact_destroy(kernels);
    return result;
}

void compact_destroy(compact_kernels *kernels)
{
    gpu_program_destroy(kernels->mark);
    gpu_program_destroy(kernels->list);
    *kernels = (compact_kernels){0};
}

/* Returns the largest possible number of partitions, each of which holds one of the smallest rows. */
static uint32_t most_partitions(uint32_t max_count)
{
    uint32_t rows = primitive_pieces(max_count, COMPACT_WORD * COMPACT_INVOCATIONS_LEAST);
    return rows < COMPACT_PARTITIONS ? rows : COMPACT_PARTITIONS;
}

uint64_t compact_scratch_bytes(uint32_t max_count)
{
    return 4u * ((uint64_t)most_partitions(max_count) + primitive_pieces(max_count, COMPACT_WORD));
}

void compact_record(gpu_recorder *recorder, const compact_kernels *kernels, const compact_ranges *ranges,
                    uint32_t max_count)
{
    uint32_t rows = primitive_pieces(max_count, kernels->row);
    compact_push push = {max_count, primitive_pieces(rows, kernels->partitions), most_partitions(max_count)};
    primitive_grid grid = primitive_grid_of(primitive_pieces(rows, push.rows));
    const gpu_range mark[] = {ranges->flags, ranges->count, ranges->scratch};
    const gpu_range list[] = {ranges->scratch, ranges->indices, ranges->index_count, ranges->count};
    gpu_dispatch(recorder, kernels->mark, mark, &push, grid.x, grid.y, 1u);
    gpu_barrier_dispatches(recorder);
    gpu_dispatch(recorder, kernels->list, list, &push, grid.x, grid.y, 1u);
}

pietra_result compact_check(const gpu_device *device, const compact_ranges *ranges, uint32_t max_count,
                            pietra_error *error)
{
    const primitive_range table[] = {
        {"flags", ranges->flags, 4u * (uint64_t)max_count, false},
        {"indices", ranges->indices, 4u * (uint64_t)max_count, true},
        {"index_count", ranges->index_count, 4u, true},
        {"count", ranges->count, 4u, false},
        {"scratch", ranges->scratch, compact_scratch_bytes(max_count), true},
    };
    return ranges_check(device, "compact", max_count, UINT32_MAX, table, sizeof table / sizeof table[0], error);
}
