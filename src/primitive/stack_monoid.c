#include "primitive/stack_monoid.h"

#include "layout/primitive.h"

/* An entry of stack_monoid.comp: index, box, depth. */
#define ENTRY_WORDS 6u
/* No device asks for more between the offsets of ranges. */
#define SCRATCH_ALIGNMENT 256u

static const uint32_t stack_monoid_spv[] = {
#include "spv/stack_monoid.inc"
};

pietra_result stack_monoid_create(gpu_device *device, const primitive_options *options, pietra_error *error, gpu_program **program)
{
    static const primitive_program_info info = {"stack_monoid", stack_monoid_spv, sizeof stack_monoid_spv / 4, 9u, sizeof(stack_monoid_push)};
    return primitive_program_create(device, &info, options, error, program);
}

static uint32_t partition_count(uint32_t max_count)
{
    return max_count / STACK_PARTITION + (max_count % STACK_PARTITION != 0u);
}

static uint64_t table_bytes(uint32_t max_count)
{
    uint64_t bytes = 4u * STACK_TABLE_WORDS((uint64_t)partition_count(max_count));
    return (bytes + SCRATCH_ALIGNMENT - 1u) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
}

uint64_t stack_monoid_scratch_bytes(uint32_t max_count)
{
    return table_bytes(max_count) + 2u * 4u * ENTRY_WORDS * STACK_ENTRIES((uint64_t)partition_count(max_count));
}

void stack_monoid_record(gpu_recorder *recorder, const gpu_program *program, const stack_monoid_ranges *ranges, uint32_t max_count)
{
    gpu_range table = {ranges->scratch.buffer, ranges->scratch.offset, table_bytes(max_count)};
    gpu_range entries = {table.buffer, table.offset + table.bytes, stack_monoid_scratch_bytes(max_count) - table.bytes};
    gpu_range matches = ranges->matches;
    matches.bytes = 4u * (uint64_t)max_count;
    gpu_fill(recorder, table, 0u);
    gpu_fill(recorder, matches, STACK_NONE);
    gpu_barrier(recorder);
    primitive_grid grid = primitive_grid_of(partition_count(max_count));
    stack_monoid_push push = {max_count};
    gpu_dispatch(recorder, program,
                 (gpu_range[]){ranges->brackets, ranges->boxes, matches, ranges->contexts, ranges->depths, ranges->open_boxes, ranges->count, table,
                               entries},
                 &push, grid.x, grid.y, 1u);
}
