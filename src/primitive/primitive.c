/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/primitive.h"

#include "base/error.h"
#include "layout/primitive.h"

#define GRID_WIDTH 32768u  /* every device allows 65,535 workgroups a dimension */
#define SHARED_GROUPS 512u /* workgroups of 256 invocations or more: four on each multiprocessor of the largest GPUs */
#define SHARED_GROUP_ITEMS 2048u

uint32_t primitive_subgroup_least(const gpu_limits *limits)
{
    return limits->subgroup_size_control    ? limits->subgroup_size
           : limits->min_subgroup_size < 8u ? limits->min_subgroup_size
                                            : 8u;
}

primitive_tuning primitive_tuning_of(const gpu_device *device, const primitive_options *options)
{
    return options && options->tuning ? *options->tuning : tuning_for(device);
}

/* Returns the number of invocations of kernels that run as a single workgroup. A software device gains nothing from
 * more invocations than every device has. */
static uint32_t largest_workgroup(const gpu_limits *limits)
{
    return limits->hardware && limits->max_workgroup_invocations >= 1024u && limits->shared_bytes >= 49152u ? 1024u
                                                                                                            : 256u;
}

static uint32_t spin_limit_of(const gpu_limits *limits, const primitive_options *options)
{
    uint32_t usual = limits->hardware ? LOOK_BACK_SPIN_LIMIT : LOOK_BACK_SPIN_LIMIT_SOFTWARE;
    uint32_t asked = options && options->spin_limit ? options->spin_limit : usual;
    return limits->hardware || asked < usual ? asked : usual;
}

pietra_result primitive_program_create(gpu_device *device, const primitive_program_info *info,
                                       const primitive_options *options, pietra_error *error, gpu_program **program)
{
    return primitive_program_create_shaped(device, info, (primitive_shape){0}, options, error, program);
}

pietra_result primitive_program_create_shaped(gpu_device *device, const primitive_program_info *info,
                                              primitive_shape shape, const primitive_options *options,
                                              pietra_error *error, gpu_program **program)
{
    const gpu_limits *limits = gpu_get_limits(device);
    uint32_t constants[PRIMITIVE_CONSTANT_COUNT] = {
        [LOOK_BACK_CONSTANT_ORDER] = options ? options->order : LOOK_BACK_ORDER_ASCENDING,
        [LOOK_BACK_CONSTANT_FAULT_PERIOD] = options ? options->fault_period : 0u,
        [LOOK_BACK_CONSTANT_SPIN_LIMIT] = spin_limit_of(limits, options),
        [PRIMITIVE_CONSTANT_SUBGROUP_LIMIT] = limits->subgroup_size <= 32u ? 32u : 128u,
        [PRIMITIVE_CONSTANT_SUBGROUP_LEAST] = primitive_subgroup_least(limits),
        [PRIMITIVE_CONSTANT_INVOCATIONS] = shape.invocations ? shape.invocations : largest_workgroup(limits),
        [PRIMITIVE_CONSTANT_ITEMS] = shape.items,
        [PRIMITIVE_CONSTANT_SHARED_WORDS] = shape.shared_words,
        [PRIMITIVE_CONSTANT_LOOK_AHEAD] = shape.look_ahead,
        [PRIMITIVE_CONSTANT_RING] = shape.ring_slots,
        [PRIMITIVE_CONSTANT_DIGIT_BITS] = shape.digit_bits,
    };
    gpu_program_info program_info = {
        .name = info->name,
        .spirv = info->spirv,
        .word_count = info->word_count,
        .buffer_count = info->buffer_count,
        .push_bytes = (uint32_t)info->push_bytes,
        .constants = constants,
        .constant_count = PRIMITIVE_CONSTANT_COUNT,
        .subgroup_size = limits->subgroup_size,
    };
    if (options && options->observe)
        options->observe(options->observe_user, &program_info);
    return gpu_program_create(device, &program_info, error, program);
}

uint32_t primitive_pieces(uint32_t count, uint32_t size)
{
    return count / size + (count % size != 0u);
}

primitive_grid primitive_grid_of(uint32_t groups)
{
    uint32_t x = groups < GRID_WIDTH ? groups : GRID_WIDTH;
    return (primitive_grid){x, x ? primitive_pieces(groups, x) : 0u};
}

pietra_result primitive_scan_create(gpu_device *device, const primitive_program_info *info, primitive_shape shape,
                                    const primitive_options *options, pietra_error *error, primitive_kernel *kernel)
{
    kernel->partition = 4u * shape.invocations * shape.items;
    if (kernel->partition < SCAN_PARTITION_LEAST)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%s: partitions of %u items are too small", info->name,
                         kernel->partition);
    return primitive_program_create_shaped(device, info, shape, options, error, &kernel->program);
}

void primitive_kernel_destroy(primitive_kernel *kernel)
{
    gpu_program_destroy(kernel->program);
    *kernel = (primitive_kernel){0};
}

uint32_t primitive_partitions(const primitive_kernel *kernel, uint32_t max_count)
{
    return primitive_pieces(max_count, kernel->partition);
}

uint64_t primitive_scan_scratch_bytes(uint32_t max_count, uint32_t components)
{
    return 4u * LOOK_BACK_TABLE_WORDS((uint64_t)primitive_pieces(max_count, SCAN_PARTITION_LEAST), components);
}

gpu_range primitive_scan_table(gpu_recorder *recorder, const primitive_kernel *kernel, gpu_range scratch,
                               uint32_t max_count, uint32_t components)
{
    gpu_range table = scratch;
    table.bytes = 4u * LOOK_BACK_TABLE_WORDS((uint64_t)primitive_partitions(kernel, max_count), components);
    gpu_fill(recorder, table, 0u);
    gpu_barrier_dispatches(recorder);
    return table;
}

uint32_t primitive_shared_groups(uint32_t max_count)
{
    uint32_t groups = primitive_pieces(max_count, SHARED_GROUP_ITEMS);
    return groups < SHARED_GROUPS ? groups : SHARED_GROUPS;
}
