#include "primitive/scan.h"

#include "layout/primitive.h"

static const uint32_t scan_spv[] = {
#include "spv/scan.inc"
};

pietra_result scan_create(gpu_device *device, const primitive_options *options, pietra_error *error, primitive_kernel *kernel)
{
    static const primitive_program_info info = PRIMITIVE_PROGRAM(scan, 4u, scan_push);
    primitive_tuning tuning = primitive_tuning_of(device, options);
    primitive_shape shape = {.invocations = tuning.scan_invocations, .items = tuning.scan_rounds};
    return primitive_scan_create(device, &info, shape, options, error, kernel);
}

uint64_t scan_scratch_bytes(uint32_t max_count)
{
    return primitive_scan_scratch_bytes(max_count, 2u);
}

void scan_record(gpu_recorder *recorder, const primitive_kernel *kernel, const scan_ranges *ranges, uint32_t max_count, bool inclusive)
{
    gpu_range table = primitive_scan_table(recorder, kernel, ranges->scratch, max_count, 2u);
    primitive_grid grid = primitive_grid_of(primitive_tiles(kernel, max_count));
    scan_push push = {max_count, inclusive};
    gpu_dispatch(recorder, kernel->program, (gpu_range[]){ranges->items, ranges->sums, ranges->count, table}, &push, grid.x, grid.y, 1u);
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
