/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/device_wide/split.h"

#include "layout/primitive.h"

static const uint32_t split_spv[] = {
#include "spv/split.inc"
};

pietra_result split_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                           primitive_kernel *kernel)
{
    static const primitive_program_info info = PRIMITIVE_PROGRAM(split, 5u, split_push);
    primitive_tuning tuning = primitive_tuning_of(device, options);
    primitive_shape shape = {.invocations = tuning.split_invocations, .items = tuning.split_items / 4u};
    uint32_t shared_bytes = gpu_get_limits(device)->shared_bytes;
    while (shape.items > 1u && 16u * shape.invocations * shape.items + PRIMITIVE_BYTES_BESIDE > shared_bytes)
        shape.items--;
    return primitive_scan_create(device, &info, shape, options, error, kernel);
}

uint64_t split_scratch_bytes(uint32_t max_count)
{
    return primitive_scan_scratch_bytes(max_count, SPLIT_CLASSES);
}

void split_record(gpu_recorder *recorder, const primitive_kernel *kernel, const split_ranges *ranges,
                  uint32_t max_count)
{
    gpu_range table = primitive_scan_table(recorder, kernel, ranges->scratch, max_count, SPLIT_CLASSES);
    primitive_grid grid = primitive_grid_of(primitive_partitions(kernel, max_count));
    split_push push = {max_count};
    const gpu_range bound[] = {ranges->classes, ranges->indices, ranges->lengths, ranges->count, table};
    gpu_dispatch(recorder, kernel->program, bound, &push, grid.x, grid.y, 1u);
}

pietra_result split_check(const gpu_device *device, const split_ranges *ranges, uint32_t max_count, pietra_error *error)
{
    const primitive_range table[] = {
        {"classes", ranges->classes, 4u * (uint64_t)max_count, false},
        {"indices", ranges->indices, SPLIT_CLASSES * 4u * (uint64_t)max_count, true},
        {"lengths", ranges->lengths, 4u * SPLIT_CLASSES, true},
        {"count", ranges->count, 4u, false},
        {"scratch", ranges->scratch, split_scratch_bytes(max_count), true},
    };
    return ranges_check(device, "split", max_count, LOOK_BACK_MAX, table, sizeof table / sizeof table[0], error);
}
