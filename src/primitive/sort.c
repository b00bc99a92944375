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
static const uint32_t onesweep_keys_small_spv[] = {
#include "spv/onesweep_keys_small.inc"
};
static const uint32_t onesweep_keys_large_spv[] = {
#include "spv/onesweep_keys_large.inc"
};
static const uint32_t onesweep_pairs_small_spv[] = {
#include "spv/onesweep_pairs_small.inc"
};
static const uint32_t onesweep_pairs_large_spv[] = {
#include "spv/onesweep_pairs_large.inc"
};

enum { BEGIN, PASS_SMALL, PASS_LARGE, PROGRAMS };

#define INFO(stem, bindings) {#stem, stem##_spv, sizeof stem##_spv / 4, bindings, sizeof(sort_push)}

static const primitive_program_info keys_infos[PROGRAMS] = {
    [BEGIN] = INFO(sort_begin_keys, BINDINGS_KEYS),
    [PASS_SMALL] = INFO(onesweep_keys_small, BINDINGS_KEYS),
    [PASS_LARGE] = INFO(onesweep_keys_large, BINDINGS_KEYS),
};
static const primitive_program_info pairs_infos[PROGRAMS] = {
    [BEGIN] = INFO(sort_begin_pairs, BINDINGS_PAIRS),
    [PASS_SMALL] = INFO(onesweep_pairs_small, BINDINGS_PAIRS),
    [PASS_LARGE] = INFO(onesweep_pairs_large, BINDINGS_PAIRS),
};

struct sort_kernels {
    gpu_program *programs[PROGRAMS];
    uint32_t large_from;
};

pietra_result sort_create(gpu_device *device, bool with_values, const primitive_options *options, pietra_error *error, sort_kernels **kernels)
{
    sort_kernels *made = calloc(1, sizeof *made);
    if (!made)
        return error_set_memory(error);
    assert(!options || options->sort_large_from <= SORT_LARGE_FROM);
    made->large_from = options && options->sort_large_from ? options->sort_large_from : SORT_LARGE_FROM;
    for (size_t i = 0; i < PROGRAMS; i++) {
        const primitive_program_info *info = with_values ? &pairs_infos[i] : &keys_infos[i];
        pietra_result result = primitive_program_create(device, info, options, error, &made->programs[i]);
        if (result != PIETRA_OK) {
            sort_destroy(made);
            return result;
        }
    }
    *kernels = made;
    return PIETRA_OK;
}

void sort_destroy(sort_kernels *kernels)
{
    if (!kernels)
        return;
    for (size_t i = 0; i < PROGRAMS; i++)
        gpu_program_destroy(kernels->programs[i]);
    free(kernels);
}

static uint32_t pass_count(uint32_t max_count, uint32_t max_bits)
{
    return max_count <= SORT_SMALL ? 0u : (max_bits + 7u) / 8u;
}

uint64_t sort_scratch_bytes(uint32_t max_count, uint32_t max_bits)
{
    uint32_t tile_shift = max_count >= SORT_LARGE_FROM ? SORT_TILE_SHIFT_LARGE : SORT_TILE_SHIFT_SMALL;
    uint64_t tiles = (((uint64_t)max_count - 1u) >> tile_shift) + 1u;
    return sizeof(sort_plan) + 4u * SORT_BINS * tiles * pass_count(max_count, max_bits);
}

void sort_record(gpu_recorder *recorder, const sort_kernels *kernels, const sort_ranges *ranges, uint32_t max_count, uint32_t max_bits)
{
    assert(max_count >= 1u && max_count <= SORT_MAX_COUNT && max_bits <= 32u);
    gpu_range scratch = ranges->scratch;
    scratch.bytes = sort_scratch_bytes(max_count, max_bits);
    gpu_range bound[BINDINGS_PAIRS] = {ranges->keys_a, ranges->keys_b, scratch, ranges->counts, ranges->values_a, ranges->values_b};
    bool large = max_count >= kernels->large_from;
    sort_push push = {max_count, max_bits, ranges->count_word, ranges->bits_word, 0u, large ? SORT_TILE_SHIFT_LARGE : SORT_TILE_SHIFT_SMALL};

    gpu_fill(recorder, (gpu_range){scratch.buffer, scratch.offset, sizeof(sort_plan)}, 0u);
    gpu_barrier(recorder);
    gpu_dispatch(recorder, kernels->programs[BEGIN], bound, &push, primitive_shared_groups(max_count), 1u, 1u);
    for (; push.pass < pass_count(max_count, max_bits); push.pass++) {
        uint64_t offset = scratch.offset + offsetof(sort_plan, pass) + push.pass * sizeof(sort_arguments);
        gpu_range arguments = {scratch.buffer, offset, sizeof(sort_arguments)};
        gpu_barrier(recorder);
        gpu_dispatch_indirect(recorder, kernels->programs[large ? PASS_LARGE : PASS_SMALL], bound, &push, arguments);
    }
}
