#include "primitive/primitive.h"

#include "layout/primitive.h"

#define GRID_WIDTH 32768u    /* every device allows 65,535 workgroups a dimension */
#define SHARED_GROUPS 512u   /* of 256 invocations or more, four on each multiprocessor of the largest GPUs */
#define SHARED_GROUP_ITEMS 2048u

pietra_result primitive_program_create(gpu_device *device, const primitive_program_info *info, const primitive_options *options, pietra_error *error,
                                       gpu_program **program)
{
    const gpu_limits *limits = gpu_get_limits(device);
    uint32_t default_polls = limits->hardware ? LOOK_BACK_POLLS : LOOK_BACK_POLLS_SOFTWARE;
    uint32_t constants[LOOK_BACK_CONSTANT_COUNT + 1u] = {
        [LOOK_BACK_CONSTANT_ORDER] = options ? options->order : LOOK_BACK_ORDER_ASCENDING,
        [LOOK_BACK_CONSTANT_SILENCE] = options ? options->silence : 0u,
        [LOOK_BACK_CONSTANT_POLLS] = options && options->polls ? options->polls : default_polls,
        [SORT_CONSTANT_SUBGROUP_LIMIT] = limits->subgroup_size <= 32u ? 32u : 128u,
    };
    gpu_program_info program_info = {
        .name = info->name,
        .spirv = info->spirv,
        .word_count = info->word_count,
        .buffer_count = info->buffer_count,
        .push_bytes = (uint32_t)info->push_bytes,
        .constants = constants,
        .constant_count = LOOK_BACK_CONSTANT_COUNT + 1u,
        .subgroup_size = limits->subgroup_size,
    };
    return gpu_program_create(device, &program_info, error, program);
}

primitive_grid primitive_grid_of(uint32_t groups)
{
    uint32_t x = groups < GRID_WIDTH ? groups : GRID_WIDTH;
    return (primitive_grid){x, x ? (groups + x - 1u) / x : 0u};
}

static uint32_t pieces(uint32_t count, uint32_t size)
{
    return count / size + (count % size != 0u);
}

uint32_t primitive_scan_tiles(uint32_t max_count)
{
    return pieces(max_count, TILE_SCAN_TILE);
}

uint32_t primitive_shared_groups(uint32_t max_count)
{
    uint32_t groups = pieces(max_count, SHARED_GROUP_ITEMS);
    return groups < SHARED_GROUPS ? groups : SHARED_GROUPS;
}
