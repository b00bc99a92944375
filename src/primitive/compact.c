#include "primitive/compact.h"

#include "layout/primitive.h"

static const uint32_t compact_spv[] = {
#include "spv/compact.inc"
};

pietra_result compact_create(gpu_device *device, const primitive_options *options, pietra_error *error, gpu_program **program)
{
    static const primitive_program_info info = {"compact", compact_spv, sizeof compact_spv / 4, 5u, sizeof(compact_push)};
    return primitive_program_create(device, &info, options, error, program);
}

uint64_t compact_scratch_bytes(uint32_t max_count)
{
    return 4u * LOOK_BACK_TABLE_WORDS((uint64_t)primitive_scan_tiles(max_count), 1u);
}

void compact_record(gpu_recorder *recorder, const gpu_program *program, const compact_ranges *ranges, uint32_t max_count)
{
    gpu_range table = ranges->scratch;
    table.bytes = compact_scratch_bytes(max_count);
    gpu_fill(recorder, table, 0u);
    gpu_barrier(recorder);
    primitive_grid grid = primitive_grid_of(primitive_scan_tiles(max_count));
    compact_push push = {max_count};
    const gpu_range bound[] = {ranges->flags, ranges->indices, ranges->index_count, ranges->count, table};
    gpu_dispatch(recorder, program, bound, &push, grid.x, grid.y, 1u);
}
