#include "primitive/sort.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/error.h"
#include "layout/primitive.h"

#define BINDINGS_KEYS 4u
#define BINDINGS_PAIRS 6u

static const uint32_t sort_begin_keys_spv[] = {
#include "spv/sort_begin_keys.inc"
};
static const uint32_t sort_begin_pairs_spv[] = {
#include "spv/sort_begin_pairs.inc"
};
static const uint32_t onesweep_keys_spv[] = {
#include "spv/onesweep_keys.inc"
};
static const uint32_t onesweep_pairs_spv[] = {
#include "spv/onesweep_pairs.inc"
};

struct sort_kernels {
    gpu_program *begin;
    gpu_program *pass;
};

pietra_result sort_create(gpu_device *device, bool with_values, const primitive_options *options, pietra_error *error, sort_kernels **kernels)
{
    static const primitive_program_info keys_infos[] = {
        {"sort_begin_keys", sort_begin_keys_spv, sizeof sort_begin_keys_spv / 4, BINDINGS_KEYS, sizeof(sort_push)},
        {"onesweep_keys", onesweep_keys_spv, sizeof onesweep_keys_spv / 4, BINDINGS_KEYS, sizeof(sort_push)},
    };
    static const primitive_program_info pairs_infos[] = {
        {"sort_begin_pairs", sort_begin_pairs_spv, sizeof sort_begin_pairs_spv / 4, BINDINGS_PAIRS, sizeof(sort_push)},
        {"onesweep_pairs", onesweep_pairs_spv, sizeof onesweep_pairs_spv / 4, BINDINGS_PAIRS, sizeof(sort_push)},
    };
    const primitive_program_info *infos = with_values ? pairs_infos : keys_infos;
    sort_kernels *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory");
    pietra_result result = primitive_program_create(device, &infos[0], options, error, &made->begin);
    if (result != PIETRA_OK)
        goto fail;
    result = primitive_program_create(device, &infos[1], options, error, &made->pass);
    if (result != PIETRA_OK)
        goto fail;
    *kernels = made;
    return PIETRA_OK;

fail:
    sort_destroy(made);
    return result;
}

void sort_destroy(sort_kernels *kernels)
{
    if (!kernels)
        return;
    gpu_program_destroy(kernels->begin);
    gpu_program_destroy(kernels->pass);
    free(kernels);
}

static uint32_t pass_count(uint32_t max_count, uint32_t max_bits)
{
    return max_count <= SORT_SMALL ? 0u : (max_bits + 7u) / 8u;
}

uint64_t sort_scratch_bytes(uint32_t max_count, uint32_t max_bits)
{
    uint64_t tiles = ((uint64_t)max_count + SORT_TILE - 1u) / SORT_TILE;
    return sizeof(sort_plan) + 4u * SORT_BINS * tiles * pass_count(max_count, max_bits);
}

void sort_record(gpu_recorder *recorder, const sort_kernels *kernels, const sort_ranges *ranges, uint32_t max_count, uint32_t max_bits)
{
    assert(max_count >= 1u && max_count <= SORT_MAX_COUNT && max_bits <= 32u);
    gpu_range scratch = ranges->scratch;
    scratch.bytes = sort_scratch_bytes(max_count, max_bits);
    gpu_range bound[BINDINGS_PAIRS] = {ranges->keys_a, ranges->keys_b, scratch, ranges->counts, ranges->values_a, ranges->values_b};
    sort_push push = {max_count, max_bits, ranges->count_word, ranges->bits_word, 0u};

    gpu_fill(recorder, (gpu_range){scratch.buffer, scratch.offset, sizeof(sort_plan)}, 0u);
    gpu_barrier(recorder);
    gpu_dispatch(recorder, kernels->begin, bound, &push, primitive_shared_groups(max_count), 1u, 1u);
    for (; push.pass < pass_count(max_count, max_bits); push.pass++) {
        gpu_range arguments = {scratch.buffer, scratch.offset + offsetof(sort_plan, pass) + push.pass * sizeof(sort_arguments), sizeof(sort_arguments)};
        gpu_barrier(recorder);
        gpu_dispatch_indirect(recorder, kernels->pass, bound, &push, arguments);
    }
}
