#include "primitive/compact.h"

#include "layout/primitive.h"

static const uint32_t compact_spv[] = {
#include "spv/compact.inc"
};

pietra_result compact_create(gpu_device *device, const primitive_options *options, pietra_error *error, primitive_kernel *kernel)
{
    static const primitive_program_info info = PRIMITIVE_PROGRAM(compact, 5u, compact_push);
    primitive_tuning tuning = primitive_tuning_of(device, options);
    primitive_shape shape = {.invocations = tuning.compact_invocations, .items = tuning.compact_rounds};
    return primitive_scan_create(device, &info, shape, options, error, kernel);
}

uint64_t compact_scratch_bytes(uint32_t max_count)
{
    return primitive_scan_scratch_bytes(max_count, 1u);
}

void compact_record(gpu_recorder *recorder, const primitive_kernel *kernel, const compact_ranges *ranges, uint32_t max_count)
{
    gpu_range table = primitive_scan_table(recorder, kernel, ranges->scratch, max_count, 1u);
    primitive_grid grid = primitive_grid_of(primitive_tiles(kernel, max_count));
    compact_push push = {max_count};
    const gpu_range bound[] = {ranges->flags, ranges->indices, ranges->index_count, ranges->count, table};
    gpu_dispatch(recorder, kernel->program, bound, &push, grid.x, grid.y, 1u);
}

pietra_result compact_check(const gpu_device *device, const compact_ranges *ranges, uint32_t max_count, pietra_error *error)
{
    const primitive_range table[] = {
        {"flags", ranges->flags, 4u * (uint64_t)max_count, false},
        {"indices", ranges->indices, 4u * (uint64_t)max_count, true},
        {"index_count", ranges->index_count, 4u, true},
        {"count", ranges->count, 4u, false},
        {"scratch", ranges->scratch, compact_scratch_bytes(max_count), true},
    };
    return ranges_check(device, "compact", max_count, LOOK_BACK_MAX, table, sizeof table / sizeof table[0], error);
}
