#include "primitive/split.h"

#include "layout/primitive.h"

static const uint32_t split_spv[] = {
#include "spv/split.inc"
};

pietra_result split_create(gpu_device *device, const primitive_options *options, pietra_error *error, gpu_program **program)
{
    static const primitive_program_info info = {"split", split_spv, sizeof split_spv / 4, 5u, sizeof(split_push)};
    return primitive_program_create(device, &info, options, error, program);
}

uint64_t split_scratch_bytes(uint32_t max_count)
{
    return 4u * LOOK_BACK_TABLE_WORDS((uint64_t)primitive_scan_tiles(max_count), SPLIT_CLASSES);
}

void split_record(gpu_recorder *recorder, const gpu_program *program, const split_ranges *ranges, uint32_t max_count)
{
    gpu_range table = ranges->scratch;
    table.bytes = split_scratch_bytes(max_count);
    gpu_fill(recorder, table, 0u);
    gpu_barrier(recorder);
    primitive_grid grid = primitive_grid_of(primitive_scan_tiles(max_count));
    split_push push = {max_count};
    const gpu_range bound[] = {ranges->classes, ranges->indices, ranges->lengths, ranges->count, table};
    gpu_dispatch(recorder, program, bound, &push, grid.x, grid.y, 1u);
}
