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
static const uint32_t sort_begin_wide_keys_spv[] = {
#include "spv/sort_begin_wide_keys.inc"
};
static const uint32_t sort_begin_wide_pairs_spv[] = {
#include "spv/sort_begin_wide_pairs.inc"
};
static const uint32_t onesweep_keys_spv[] = {
#include "spv/onesweep_keys.inc"
};
static const uint32_t onesweep_pairs_spv[] = {
#include "spv/onesweep_pairs.inc"
};
static const uint32_t onesweep_wide_keys_spv[] = {
#include "spv/onesweep_wide_keys.inc"
};
static const uint32_t onesweep_wide_pairs_spv[] = {
#include "spv/onesweep_wide_pairs.inc"
};
static const uint32_t onesweep_keys_partitioned_spv[] = {
#include "spv/onesweep_keys_partitioned.inc"
};
static const uint32_t onesweep_pairs_partitioned_spv[] = {
#include "spv/onesweep_pairs_partitioned.inc"
};

#define INFO(stem, bindings) PRIMITIVE_PROGRAM(stem, bindings, sort_push)

/* By the flags SORT_WITH_VALUES and SORT_WIDE_KEYS. */
static const primitive_program_info begin_infos[] = {
    INFO(sort_begin_keys, BINDINGS_KEYS),
    INFO(sort_begin_pairs, BINDINGS_PAIRS),
    INFO(sort_begin_wide_keys, BINDINGS_KEYS),
    INFO(sort_begin_wide_pairs, BINDINGS_PAIRS),
};
static const primitive_program_info pass_infos[] = {
    INFO(onesweep_keys, BINDINGS_KEYS),
    INFO(onesweep_pairs, BINDINGS_PAIRS),
    INFO(onesweep_wide_keys, BINDINGS_KEYS),
    INFO(onesweep_wide_pairs, BINDINGS_PAIRS),
};
static const primitive_program_info partitioned_infos[] = {
    INFO(onesweep_keys_partitioned, BINDINGS_KEYS),
    INFO(onesweep_pairs_partitioned, BINDINGS_PAIRS),
};

enum { BEGIN, PASS_SMALL, PASS_LARGE, PROGRAMS };

struct sort_kernels {
    gpu_program *programs[PROGRAMS];
    uint32_t tile[PROGRAMS];      /* keys, of the passes */
    uint32_t large_from;
    bool wide;
};

/* Shared memory of a pass: the counts of each subgroup, two bins a word; then a tile of keys. */
static uint32_t shared_words(const gpu_limits *limits, uint32_t flags, uint32_t invocations, uint32_t items)
{
    uint32_t subgroup_size = limits->subgroup_size_control ? limits->subgroup_size : 8u;
    uint32_t counts = invocations / subgroup_size * (SORT_BINS / 2u);
    uint32_t keys = invocations * items * (flags & SORT_WIDE_KEYS ? 2u : 1u);
    return counts > keys ? counts : keys;
}

static pietra_result create_pass(gpu_device *device, uint32_t flags, const primitive_options *options, const primitive_tuning *tuning, bool large,
                                 pietra_error *error, sort_kernels *kernels)
{
    const gpu_limits *limits = gpu_get_limits(device);
    bool partitioned = tuning->sort_partitioned && limits->partitioned && !(flags & SORT_WIDE_KEYS);
    const primitive_program_info *info = partitioned ? &partitioned_infos[flags] : &pass_infos[flags];
    primitive_shape shape = {
        .invocations = large ? tuning->sort_large_invocations : tuning->sort_small_invocations,
        .items = large ? tuning->sort_large_items : tuning->sort_small_items,
        .ahead = tuning->sort_ahead,
    };
    shape.shared_words = shared_words(limits, flags, shape.invocations, shape.items);
    uint32_t pass = large ? PASS_LARGE : PASS_SMALL;
    kernels->tile[pass] = shape.invocations * shape.items;
    if (kernels->tile[pass] < (large ? SORT_TILE_LARGE : SORT_TILE_SMALL))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "sort: tiles of %u keys are too small", kernels->tile[pass]);
    return primitive_program_create_shaped(device, info, shape, options, error, &kernels->programs[pass]);
}

pietra_result sort_create(gpu_device *device, uint32_t flags, const primitive_options *options, pietra_error *error, sort_kernels **kernels)
{
    sort_kernels *made = calloc(1, sizeof *made);
    if (!made)
        return error_set_memory(error);
    primitive_tuning tuning = options && options->tuning ? *options->tuning : tuning_of(gpu_get_limits(device));
    assert(flags <= (SORT_WITH_VALUES | SORT_WIDE_KEYS));
    made->large_from = tuning.sort_large_from;
    made->wide = flags & SORT_WIDE_KEYS;
    pietra_result result = primitive_program_create(device, &begin_infos[flags], options, error, &made->programs[BEGIN]);
    for (uint32_t large = 0; large < 2u && result == PIETRA_OK; large++)
        result = create_pass(device, flags, options, &tuning, large, error, made);
    if (result != PIETRA_OK) {
        sort_destroy(made);
        return result;
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

static uint32_t pass_count(bool wide, uint32_t max_count, uint32_t max_bits)
{
    return max_count <= (wide ? SORT_SMALL_WIDE : SORT_SMALL) ? 0u : (max_bits + 7u) / 8u;
}

uint64_t sort_scratch_bytes(uint32_t max_count, uint32_t max_bits)
{
    uint32_t tile = max_count >= SORT_LARGE_FROM ? SORT_TILE_LARGE : SORT_TILE_SMALL;
    uint64_t tiles = ((uint64_t)max_count - 1u) / tile + 1u;
    return sizeof(sort_plan) + 4u * SORT_BINS * tiles * pass_count(true, max_count, max_bits);
}

void sort_record(gpu_recorder *recorder, const sort_kernels *kernels, const sort_ranges *ranges, uint32_t max_count, uint32_t max_bits)
{
    assert(max_count >= 1u && max_count <= SORT_MAX_COUNT && max_bits <= (kernels->wide ? 64u : 32u));
    gpu_range scratch = ranges->scratch;
    scratch.bytes = sort_scratch_bytes(max_count, max_bits);
    gpu_range bound[BINDINGS_PAIRS] = {ranges->keys_a, ranges->keys_b, scratch, ranges->counts, ranges->values_a, ranges->values_b};
    uint32_t pass = max_count >= kernels->large_from ? PASS_LARGE : PASS_SMALL;
    sort_push push = {max_count, max_bits, ranges->count_word, ranges->bits_word, 0u, kernels->tile[pass]};

    gpu_fill(recorder, (gpu_range){scratch.buffer, scratch.offset, sizeof(sort_plan)}, 0u);
    gpu_barrier(recorder);
    gpu_dispatch(recorder, kernels->programs[BEGIN], bound, &push, primitive_shared_groups(max_count), 1u, 1u);
    for (; push.pass < pass_count(kernels->wide, max_count, max_bits); push.pass++) {
        uint64_t offset = scratch.offset + offsetof(sort_plan, pass) + push.pass * sizeof(sort_arguments);
        gpu_range arguments = {scratch.buffer, offset, sizeof(sort_arguments)};
        gpu_barrier(recorder);
        gpu_dispatch_indirect(recorder, kernels->programs[pass], bound, &push, arguments);
    }
}
