#include "primitive/scan.h"

#include "layout/primitive.h"

static const uint32_t scan_spv[] = {
#include "spv/scan.inc"
};

pietra_result scan_create(gpu_device *device, const primitive_options *options, pietra_error *error, gpu_program **program)
{
    static const primitive_program_info info = {"scan", scan_spv, sizeof scan_spv / 4, 4u, sizeof(scan_push)};
    return primitive_program_create(device, &info, options, error, program);
}

uint64_t scan_scratch_bytes(uint32_t max_count)
{
    return 4u * LOOK_BACK_TABLE_WORDS((uint64_t)primitive_scan_tiles(max_count), 2u);
}

void scan_record(gpu_recorder *recorder, const gpu_program *program, const scan_ranges *ranges, uint32_t max_count, bool inclusive)
{
    gpu_range table = ranges->scratch;
    table.bytes = scan_scratch_bytes(max_count);
    gpu_fill(recorder, table, 0u);
    gpu_barrier(recorder);
    primitive_grid grid = primitive_grid_of(primitive_scan_tiles(max_count));
    scan_push push = {max_count, inclusive};
    gpu_dispatch(recorder, program, (gpu_range[]){ranges->items, ranges->sums, ranges->count, table}, &push, grid.x, grid.y, 1u);
}
