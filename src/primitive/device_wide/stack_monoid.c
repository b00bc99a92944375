/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/device_wide/stack_monoid.h"

#include <stdlib.h>

#include "base/error.h"
#include "layout/primitive.h"

#define BINDINGS 11u
#define ENTRY_BYTES (4u + sizeof(stack_box))
/* No device asks for a larger alignment of the offsets of ranges. */
#define SCRATCH_ALIGNMENT 256u

static const uint32_t stack_monoid_spv[] = {
#include "spv/stack_monoid.inc"
};

struct stack_kernels {
    gpu_program *program;
    uint32_t partition; /* brackets */
};

pietra_result stack_monoid_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                                  stack_kernels **kernels)
{
    static const primitive_program_info info = PRIMITIVE_PROGRAM(stack_monoid, BINDINGS, stack_monoid_push);
    stack_kernels *made = calloc(1, sizeof *made);
    if (!made)
        return error_set_memory(error);
    primitive_tuning tuning = primitive_tuning_of(device, options);
    primitive_shape shape = {
        .invocations = tuning.stack_invocations, .items = tuning.stack_items, .look_ahead = tuning.stack_look_ahead};
    made->partition = shape.invocations * shape.items;
    pietra_result result = primitive_program_create_shaped(device, &info, shape, options, error, &made->program);
    if (result != PIETRA_OK) {
        stack_monoid_destroy(made);
        return result;
    }
    *kernels = made;
    return PIETRA_OK;
}

void stack_monoid_destroy(stack_kernels *kernels)
{
    if (!kernels)
        return;
    gpu_program_destroy(kernels->program);
    free(kernels);
}

static uint64_t partition_count(uint32_t max_count, uint32_t partition)
{
    return ((uint64_t)max_count + partition - 1u) / partition;
}

typedef struct scratch_parts {
    gpu_range table, values, indices, below; /* values and indices are those of the slices */
    uint64_t bytes;                          /* bytes of all ranges */
} scratch_parts;

static gpu_range take(gpu_range scratch, uint64_t *used, uint64_t bytes)
{
    gpu_range part = {scratch.buffer, scratch.offset + *used, bytes};
    *used += (bytes + SCRATCH_ALIGNMENT - 1u) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
    return part;
}

static scratch_parts scratch_of(gpu_range scratch, uint32_t max_count, uint32_t partition)
{
    uint64_t partitions = partition_count(max_count, partition);
    scratch_parts parts = {.bytes = 0};
    parts.table = take(scratch, &parts.bytes, 4u * STACK_TABLE_WORDS(partitions));
    parts.values = take(scratch, &parts.bytes, sizeof(stack_box) * partitions * STACK_PLACES(partition));
    parts.indices = take(scratch, &parts.bytes, 4u * partitions * STACK_PLACES(partition));
    parts.below = take(scratch, &parts.bytes, sizeof(stack_box) * partitions);
    return parts;
}

uint64_t stack_monoid_scratch_bytes(uint32_t max_count)
{
    /* The smallest partition makes the most partitions. The largest leaves the most room after the last bracket. */
    return scratch_of((gpu_range){0}, max_count, STACK_PARTITION_LEAST).bytes + 2u * ENTRY_BYTES * STACK_PARTITION_MOST;
}

void stack_monoid_record(gpu_recorder *recorder, const stack_kernels *kernels, const stack_monoid_ranges *ranges,
                         uint32_t max_count)
{
    scratch_parts scratch = scratch_of(ranges->scratch, max_count, kernels->partition);
    const gpu_range bound[BINDINGS] = {ranges->brackets, ranges->boxes,      ranges->matches, ranges->contexts,
                                       ranges->depths,   ranges->open_boxes, ranges->count,   scratch.table,
                                       scratch.values,   scratch.below,      scratch.indices};
    uint32_t partitions = (uint32_t)partition_count(max_count, kernels->partition);
    primitive_grid grid = primitive_grid_of(partitions);
    stack_monoid_push push = {max_count};
    if (partitions > 1u) {
        gpu_range cleared = scratch.table;
        cleared.bytes = 4u * STACK_CLEARED_WORDS((uint64_t)partitions);
        gpu_fill(recorder, cleared, 0u);
        gpu_barrier_dispatches(recorder);
    }
    gpu_dispatch(recorder, kernels->program, bound, &push, grid.x, grid.y, 1u);
}

pietra_result stack_monoid_check(const gpu_device *device, const stack_monoid_ranges *ranges, uint32_t max_count,
                                 pietra_error *error)
{
    const primitive_range table[] = {
        {"brackets", ranges->brackets, 4u * (uint64_t)max_count, false},
        {"boxes", ranges->boxes, sizeof(stack_box) * (uint64_t)max_count, false},
        {"matches", ranges->matches, 4u * (uint64_t)max_count, true},
        {"contexts", ranges->contexts, 4u * (uint64_t)max_count, true},
        {"depths", ranges->depths, 4u * (uint64_t)max_count, true},
        {"open_boxes", ranges->open_boxes, sizeof(stack_box) * (uint64_t)max_count, true},
        {"count", ranges->count, 4u, false},
        {"scratch", ranges->scratch, stack_monoid_scratch_bytes(max_count), true},
    };
    return ranges_check(device, "stack_monoid", max_count, STACK_MAX_COUNT, table, sizeof table / sizeof table[0],
                        error);
}
