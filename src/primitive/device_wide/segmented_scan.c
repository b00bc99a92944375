/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/device_wide/segmented_scan.h"

#include "layout/primitive.h"

static const uint32_t segmented_scan_spv[] = {
#include "spv/segmented_scan.inc"
};

#define COMPONENTS 2u /* components in the look-back table; each holds half of a sum */

pietra_result segmented_scan_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                                    primitive_kernel *kernel)
{
    static const primitive_program_info info = PRIMITIVE_PROGRAM(segmented_scan, 5u, segmented_scan_push);
    primitive_tuning tuning = primitive_tuning_of(device, options);
    primitive_shape shape = {.invocations = tuning.segmented_invocations, .items = tuning.segmented_items / 4u};
    return primitive_scan_create(device, &info, shape, options, error, kernel);
}

uint64_t segmented_scan_scratch_bytes(uint32_t max_count)
{
    return primitive_scan_scratch_bytes(max_count, COMPONENTS);
}

void segmented_scan_record(gpu_recorder *recorder, const primitive_kernel *kernel, const segmented_scan_ranges *ranges,
                           uint32_t max_count, bool inclusive)
{
    gpu_range table = primitive_scan_table(recorder, kernel, ranges->scratch, max_count, COMPONENTS);
    primitive_grid grid = primitive_grid_of(primitive_partitions(kernel, max_count));
    segmented_scan_push push = {max_count, inclusive};
    gpu_dispatch(recorder, kernel->program,
                 (gpu_range[]){ranges->items, ranges->heads, ranges->sums, ranges->count, table}, &push, grid.x, grid.y,
                 1u);
}

pietra_result segmented_scan_check(const gpu_device *device, const segmented_scan_ranges *ranges, uint32_t max_count,
                                   pietra_error *error)
{
    const primitive_range table[] = {
        {"items", ranges->items, 4u * (uint64_t)max_count, false},
        {"heads", ranges->heads, ((uint64_t)max_count + 31u) / 32u * 4u, false},
        {"sums", ranges->sums, 4u * (uint64_t)max_count, true},
        {"count", ranges->count, 4u, false},
        {"scratch", ranges->scratch, segmented_scan_scratch_bytes(max_count), true},
    };
    return ranges_check(device, "segmented_scan", max_count, UINT32_MAX, table, sizeof table / sizeof table[0], error);
}
