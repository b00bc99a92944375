/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/sort.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/error.h"
#include "primitive/sort_family.h"

/* Shared memory of a pass beside its pool: the bins, and the scan over the workgroup. */
#define SHARED_BYTES_BESIDE (8u * SORT_BINS + 1088u)

/* Shared memory of a sort by comparison beside its chunk. */
#define SHARED_BYTES_COMPARE(invocations) (4u * (invocations))

/* Shared memory of a register-resident pass beside its pool: the bins, three words, and the scan over the workgroup. */
#define SHARED_BYTES_REGISTERS(invocations) (12u * SORT_BINS + 12u + (invocations))

/* The most predecessors that a register-resident pass with a ring reads at once. It has too few registers for eight. */
#define RING_LOOK_AHEAD 4u

static const uint32_t sort_count_spv[] = {
#include "spv/sort_count.inc"
};
static const primitive_program_info count_info = PRIMITIVE_PROGRAM(sort_count, SORT_BINDINGS_KEYS, sort_push);

enum {
    BEGIN,
    BEGIN_RING,
    WORKGROUP,
    WORKGROUP_MOST,
    COMPARE,
    COMPARE_CHUNK,
    MERGE,
    COUNT_FEW,
    COUNT_MANY,
    SCATTER_FEW,
    SCATTER_MANY,
    PASS_SMALL,
    PASS_MIDDLE,
    PASS_LARGE,
    PASS_RING,
    PROGRAMS
};

struct sort_kernels {
    gpu_program *programs[PROGRAMS];
    uint32_t partition[PROGRAMS]; /* keys of a partition of each program; 0: the program is not made */
    uint32_t large_from, registers_from, compare_most, merge_most;
    uint32_t ring_slots, ring_from;
    uint32_t table_few, table_most, digit_bits;
    bool u64_keys, with_values;
};

/* Returns the words of shared memory for the counts of each subgroup, two bins a word, and for a partition of keys and
 * of values. If not `apart`, the partition takes the place of the counts. */
static uint32_t shared_words(const gpu_limits *limits, const sort_family *family, primitive_shape shape, bool apart)
{
    uint32_t counts = shape.invocations / primitive_subgroup_least(limits) * (SORT_BINS / 2u);
    uint32_t item_words = (family->u64_keys ? 2u : 1u) + (family->with_values ? 1u : 0u);
    uint32_t items = shape.invocations * shape.items * item_words;
    return apart ? counts + items : counts > items ? counts : items;
}

/* Reduces the keys of an invocation until the device has shared memory for all. Returns false if too few are left for a
 * partition of `least`. */
static bool fit_shape(const gpu_limits *limits, const sort_family *family, bool apart, uint32_t least,
                      primitive_shape *shape)
{
    while (shape->items > 1u &&
           4u * shared_words(limits, family, *shape, apart) + SHARED_BYTES_BESIDE > limits->shared_bytes)
        shape->items--;
    shape->shared_words = shared_words(limits, family, *shape, apart);
    return 4u * shape->shared_words + SHARED_BYTES_BESIDE <= limits->shared_bytes &&
           shape->invocations * shape->items >= least;
}

static pietra_result create_ranking(gpu_device *device, const sort_family *family, const primitive_options *options,
                                    const primitive_program_info *info, primitive_shape shape, uint32_t program,
                                    pietra_error *error, sort_kernels *kernels)
{
    const gpu_limits *limits = gpu_get_limits(device);
    uint32_t least = program >= PASS_LARGE   ? SORT_PARTITION_LARGE
                     : program == PASS_SMALL ? SORT_PARTITION_SMALL
                                             : SORT_BINS;
    primitive_shape apart = shape;
    if (fit_shape(limits, family, true, least, &apart))
        shape = apart;
    else if (program <= WORKGROUP_MOST || !fit_shape(limits, family, false, least, &shape))
        return error_set(error, PIETRA_ERROR_INPUT, 0,
                         "sort: %u invocations of %u keys do not fit the shared memory, or make too small a partition",
                         shape.invocations, shape.items);
    kernels->partition[program] = shape.invocations * shape.items;
    if (program == WORKGROUP_MOST && kernels->partition[WORKGROUP_MOST] <= kernels->partition[WORKGROUP])
        return PIETRA_OK; /* there is no room for more */
    return primitive_program_create_shaped(device, info, shape, options, error, &kernels->programs[program]);
}

/* Returns whether a register-resident pass fits. Its shared memory first holds the counts of each row of invocations. A
 * partition of keys, and then of values, takes their place. */
static bool registers_fit(const gpu_limits *limits, const sort_family *family, primitive_shape shape)
{
    uint32_t counts = shape.invocations / SORT_REGISTER_LANES * SORT_BINS;
    uint32_t keys = shape.invocations * shape.items * (family->u64_keys ? 2u : 1u);
    return limits->subgroup_size == 32u && primitive_subgroup_least(limits) == 32u &&
           shape.invocations * shape.items >= SORT_PARTITION_LARGE &&
           4u * (counts > keys ? counts : keys) + SHARED_BYTES_REGISTERS(shape.invocations) <= limits->shared_bytes;
}

/* Creates the register-resident pass over many keys, in one shape or in two. */
static pietra_result create_register_passes(gpu_device *device, const sort_family *family,
                                            const primitive_options *options, primitive_shape shape,
                                            pietra_error *error, sort_kernels *kernels)
{
    pietra_result result = primitive_program_create_shaped(device, &family->registers, shape, options, error,
                                                           &kernels->programs[PASS_LARGE]);
    kernels->partition[PASS_LARGE] = shape.invocations * shape.items;
    if (result != PIETRA_OK || family->u64_keys)
        return result;
    shape.items = SORT_REGISTER_MIDDLE;
    kernels->partition[PASS_MIDDLE] = shape.invocations * shape.items;
    return primitive_program_create_shaped(device, &family->registers_middle, shape, options, error,
                                           &kernels->programs[PASS_MIDDLE]);
}

static pietra_result create_rankings(gpu_device *device, const sort_family *family, const primitive_options *options,
                                     const primitive_tuning *t, pietra_error *error, sort_kernels *kernels)
{
    const gpu_limits *limits = gpu_get_limits(device);
    const primitive_shape workgroup = {.invocations = t->sort_workgroup_invocations, .items = t->sort_workgroup_items};
    const primitive_shape workgroup_most = {.invocations = t->sort_workgroup_invocations,
                                            .items = t->sort_workgroup_items_most};
    const primitive_shape small = {
        .invocations = t->sort_small_invocations, .items = t->sort_small_items, .look_ahead = t->sort_look_ahead};
    const primitive_shape large = {
        .invocations = t->sort_large_invocations, .items = t->sort_large_items, .look_ahead = t->sort_look_ahead};
    pietra_result result =
        create_ranking(device, family, options, &family->workgroup, workgroup, WORKGROUP, error, kernels);
    if (result == PIETRA_OK)
        result =
            create_ranking(device, family, options, &family->workgroup, workgroup_most, WORKGROUP_MOST, error, kernels);
    if (result == PIETRA_OK)
        result = create_ranking(device, family, options, &family->pass, small, PASS_SMALL, error, kernels);
    if (result != PIETRA_OK)
        return result;
    const primitive_shape in_registers = {
        .invocations = t->sort_large_invocations, .items = family->register_items, .look_ahead = t->sort_look_ahead};
    if (t->sort_registers && registers_fit(limits, family, in_registers))
        return create_register_passes(device, family, options, in_registers, error, kernels);
    return create_ranking(device, family, options, &family->pass, large, PASS_LARGE, error, kernels);
}

/* Returns the words of shared memory with which a sort begins: for counting, or for sorting few keys. */
static uint32_t begin_words(const primitive_tuning *t)
{
    return t->histogram_words > SORT_SMALL_WORDS ? t->histogram_words : SORT_SMALL_WORDS;
}

/* Creates the passes whose look-back table is a ring. They always have the large shape. */
static pietra_result create_ring(gpu_device *device, const sort_family *family, const primitive_options *options,
                                 const primitive_tuning *t, pietra_error *error, sort_kernels *kernels)
{
    const primitive_shape begin = {.shared_words = begin_words(t), .ring_slots = t->sort_ring_slots};
    const primitive_shape large = {.invocations = t->sort_large_invocations,
                                   .items = t->sort_large_items,
                                   .look_ahead = t->sort_look_ahead,
                                   .ring_slots = t->sort_ring_slots};
    primitive_shape in_registers = large;
    in_registers.items = family->register_items;
    in_registers.look_ahead = t->sort_look_ahead < RING_LOOK_AHEAD ? t->sort_look_ahead : RING_LOOK_AHEAD;
    pietra_result result =
        primitive_program_create_shaped(device, &family->begin, begin, options, error, &kernels->programs[BEGIN_RING]);
    if (result != PIETRA_OK || !t->sort_registers || !registers_fit(gpu_get_limits(device), family, in_registers))
        return result != PIETRA_OK
                   ? result
                   : create_ranking(device, family, options, &family->ring, large, PASS_RING, error, kernels);
    kernels->partition[PASS_RING] = in_registers.invocations * in_registers.items;
    return primitive_program_create_shaped(device, &family->registers_ring, in_registers, options, error,
                                           &kernels->programs[PASS_RING]);
}

/* Creates the sorts by comparison alone. A chunk has to fit the shared memory. */
static pietra_result create_comparing(gpu_device *device, const sort_family *family, const primitive_options *options,
                                      const primitive_tuning *t, pietra_error *error, sort_kernels *kernels)
{
    uint32_t key_words = family->u64_keys ? 2u : 1u;
    uint32_t bytes = gpu_get_limits(device)->shared_bytes - SHARED_BYTES_COMPARE(t->sort_compare_invocations);
    uint32_t room = bytes / (4u * key_words) / SORT_COMPARE_UNIT * SORT_COMPARE_UNIT;
    pietra_result result = PIETRA_OK;
    kernels->compare_most = t->sort_compare_most < room ? t->sort_compare_most : room;
    kernels->merge_most = t->sort_merge_most;
    kernels->partition[COMPARE] =
        (kernels->compare_most + SORT_COMPARE_UNIT - 1u) / SORT_COMPARE_UNIT * SORT_COMPARE_UNIT;
    kernels->partition[COMPARE_CHUNK] = kernels->partition[MERGE] = t->sort_merge_chunk;
    const primitive_shape all = {.invocations = t->sort_compare_invocations,
                                 .shared_words = key_words * kernels->partition[COMPARE]};
    const primitive_shape chunk = {.invocations = SORT_BEGIN_INVOCATIONS,
                                   .shared_words = key_words * t->sort_merge_chunk};
    if (kernels->compare_most)
        result =
            primitive_program_create_shaped(device, &family->compare, all, options, error, &kernels->programs[COMPARE]);
    if (result == PIETRA_OK && kernels->merge_most)
        result = primitive_program_create_shaped(device, &family->compare, chunk, options, error,
                                                 &kernels->programs[COMPARE_CHUNK]);
    if (result == PIETRA_OK && kernels->merge_most)
        result = primitive_program_create(device, &family->merge, options, error, &kernels->programs[MERGE]);
    return result;
}

/* Creates the two programs for a digit where each partition reads the counts of all partitions. */
static pietra_result create_table_pass(gpu_device *device, const sort_family *family, const primitive_options *options,
                                       primitive_shape shape, uint32_t many, pietra_error *error, sort_kernels *kernels)
{
    uint32_t bins = 1u << shape.digit_bits;
    uint32_t counts = shape.invocations / primitive_subgroup_least(gpu_get_limits(device)) * (bins / 2u);
    uint32_t partition = shape.invocations * shape.items;
    shape.shared_words = (counts > partition ? counts : partition) + 2u * bins;
    kernels->partition[COUNT_FEW + many] = kernels->partition[SCATTER_FEW + many] = partition;
    pietra_result result = primitive_program_create_shaped(device, &count_info, shape, options, error,
                                                           &kernels->programs[COUNT_FEW + many]);
    if (result != PIETRA_OK)
        return result;
    return primitive_program_create_shaped(device, &family->scatter, shape, options, error,
                                           &kernels->programs[SCATTER_FEW + many]);
}

/* Creates these programs in two shapes, for keys of 32 bits alone. */
static pietra_result create_table_passes(gpu_device *device, const sort_family *family,
                                         const primitive_options *options, const primitive_tuning *t,
                                         pietra_error *error, sort_kernels *kernels)
{
    primitive_shape shape = {
        .invocations = t->sort_table_invocations, .items = t->sort_table_few_items, .digit_bits = t->sort_table_bits};
    kernels->table_few = t->sort_table_few;
    kernels->table_most = family->u64_keys ? 0u : t->sort_table_most;
    kernels->digit_bits = t->sort_table_bits;
    if (!kernels->table_most)
        return PIETRA_OK;
    pietra_result result = create_table_pass(device, family, options, shape, 0u, error, kernels);
    shape.items = t->sort_table_items;
    return result == PIETRA_OK ? create_table_pass(device, family, options, shape, 1u, error, kernels) : result;
}

pietra_result sort_create(gpu_device *device, const sort_family *family, const primitive_options *options,
                          pietra_error *error, sort_kernels **kernels)
{
    sort_kernels *made = calloc(1, sizeof *made);
    if (!made)
        return error_set_memory(error);
    primitive_tuning tuning = primitive_tuning_of(device, options);
    made->large_from = tuning.sort_large_from;
    made->registers_from = tuning.sort_registers_from;
    made->ring_slots = tuning.sort_ring_slots;
    made->ring_from = tuning.sort_ring_from;
    made->u64_keys = family->u64_keys;
    made->with_values = family->with_values;
    const primitive_shape begin = {.shared_words = begin_words(&tuning)};
    pietra_result result =
        primitive_program_create_shaped(device, &family->begin, begin, options, error, &made->programs[BEGIN]);
    if (result == PIETRA_OK)
        result = create_comparing(device, family, options, &tuning, error, made);
    if (result == PIETRA_OK)
        result = create_table_passes(device, family, options, &tuning, error, made);
    if (result == PIETRA_OK)
        result = create_rankings(device, family, options, &tuning, error, made);
    if (result == PIETRA_OK && tuning.sort_ring_slots && (family == &sort_u32_pairs || tuning.sort_ring_all))
        result = create_ring(device, family, options, &tuning, error, made);
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

static uint32_t pass_count(bool u64_keys, uint32_t max_count, uint32_t max_bits)
{
    return max_count <= (u64_keys ? SORT_SMALL_U64 : SORT_SMALL) ? 0u : (max_bits + 7u) / 8u;
}

/* Returns the bytes of scratch with a full look-back table. */
static uint64_t full_scratch_bytes(uint32_t max_count, uint32_t max_bits)
{
    uint32_t partition = max_count >= SORT_LARGE_FROM ? SORT_PARTITION_LARGE : SORT_PARTITION_SMALL;
    uint64_t partitions = ((uint64_t)max_count - 1u) / partition + 1u;
    return sizeof(sort_plan) + 4u * SORT_BINS * partitions * pass_count(true, max_count, max_bits);
}

uint64_t sort_scratch_bytes(uint32_t max_count, uint32_t max_bits)
{
    uint64_t full = full_scratch_bytes(max_count, max_bits);
    uint64_t counts = sizeof(sort_plan) + 4u * ((uint64_t)max_count + SORT_TABLE_PARTITION_MOST);
    return max_count <= SORT_TABLE_MOST && counts > full ? counts : full;
}

static uint64_t ring_scratch_bytes(const sort_kernels *kernels, uint32_t max_count)
{
    uint32_t partitions = primitive_pieces(max_count, kernels->partition[PASS_RING]);
    return sizeof(sort_plan) + 2u * 4u * SORT_RING_SLOT_WORDS *
                                   (uint64_t)(partitions < kernels->ring_slots ? partitions : kernels->ring_slots);
}

/* Returns whether there are enough tags. Each turn of a ring has one, in the bits of a word that the value and a flag
 * leave. */
static bool tags_suffice(const sort_kernels *kernels, uint32_t max_count)
{
    uint32_t slots = kernels->ring_slots, partition = kernels->partition[PASS_RING], bits = SORT_RING_VALUE_LEAST;
    while (partition * slots >> bits)
        bits++;
    return primitive_pieces(max_count, partition) / slots + 1u < 1u << (31u - bits);
}

/* Returns whether the sort takes the ring: where the tuning says so, and where two rings are no larger than the full
 * table can get. */
static bool takes_ring(const sort_kernels *kernels, uint32_t max_count, uint32_t max_bits)
{
    return kernels->programs[PASS_RING] && max_count >= kernels->ring_from && tags_suffice(kernels, max_count) &&
           ring_scratch_bytes(kernels, max_count) <= full_scratch_bytes(max_count, max_bits);
}

uint64_t sort_kernels_scratch_bytes(const sort_kernels *kernels, uint32_t max_count, uint32_t max_bits)
{
    return takes_ring(kernels, max_count, max_bits) ? ring_scratch_bytes(kernels, max_count)
                                                    : sort_scratch_bytes(max_count, max_bits);
}

static void record_comparing(gpu_recorder *recorder, const sort_kernels *kernels, const gpu_range *bound,
                             sort_push push)
{
    bool merges = push.max_count > kernels->compare_most;
    uint32_t program = merges ? COMPARE_CHUNK : COMPARE;
    push.partition_keys = kernels->partition[program];
    gpu_dispatch(recorder, kernels->programs[program], bound, &push, primitive_pieces(push.max_count, SORT_COMPARED),
                 1u, 1u);
    if (merges) {
        gpu_barrier_dispatches(recorder);
        gpu_dispatch(recorder, kernels->programs[MERGE], bound, &push, primitive_pieces(push.max_count, SORT_MERGED),
                     1u, 1u);
    }
}

/* Returns whether passes over all counts pay. One pass does. Two do if Onesweep takes three or more. More do not. */
static bool table_pays(const sort_kernels *kernels, uint32_t max_count, uint32_t max_bits)
{
    uint32_t passes = SORT_TABLE_PASSES(max_bits, kernels->digit_bits);
    return max_count <= kernels->table_most &&
           (passes == 1u || (passes == 2u && passes < pass_count(false, max_count, max_bits)));
}

static void record_table_passes(gpu_recorder *recorder, const sort_kernels *kernels, const gpu_range *bound,
                                sort_push push)
{
    uint32_t many = push.max_count > kernels->table_few;
    push.partition_keys = kernels->partition[COUNT_FEW + many];
    uint32_t partitions = primitive_pieces(push.max_count, push.partition_keys);
    /* Passes go from one half to the other, in turn. */
    const gpu_range swapped[SORT_BINDINGS_PAIRS] = {bound[1], bound[0], bound[2], bound[3], bound[5], bound[4]};
    for (; push.pass < SORT_TABLE_PASSES(push.max_bits, kernels->digit_bits); push.pass++) {
        const gpu_range *ranges = push.pass % 2u ? swapped : bound;
        if (push.pass)
            gpu_barrier_dispatches(recorder);
        gpu_dispatch(recorder, kernels->programs[COUNT_FEW + many], ranges, &push, partitions, 1u, 1u);
        gpu_barrier_dispatches(recorder);
        gpu_dispatch(recorder, kernels->programs[SCATTER_FEW + many], ranges, &push, partitions, 1u, 1u);
    }
}

static uint32_t pass_of(const sort_kernels *kernels, uint32_t max_count)
{
    if (max_count < kernels->large_from)
        return PASS_SMALL;
    return kernels->programs[PASS_MIDDLE] && max_count < kernels->registers_from ? PASS_MIDDLE : PASS_LARGE;
}

void sort_record(gpu_recorder *recorder, const sort_kernels *kernels, const sort_ranges *ranges, uint32_t max_count,
                 uint32_t max_bits)
{
    assert(max_count >= 1u && max_count <= SORT_MAX_COUNT && max_bits <= (kernels->u64_keys ? 64u : 32u));
    gpu_range scratch = ranges->scratch;
    scratch.bytes = sort_kernels_scratch_bytes(kernels, max_count, max_bits);
    gpu_range bound[SORT_BINDINGS_PAIRS] = {ranges->keys_a, ranges->keys_b,   scratch,
                                            ranges->counts, ranges->values_a, ranges->values_b};
    bool ring = takes_ring(kernels, max_count, max_bits);
    uint32_t pass = ring ? PASS_RING : pass_of(kernels, max_count);
    sort_push push = {max_count, max_bits, ranges->count_word, ranges->bits_word, 0u, kernels->partition[pass]};

    if (max_count <= kernels->compare_most || max_count <= kernels->merge_most) {
        record_comparing(recorder, kernels, bound, push);
        return;
    }
    if (max_count <= kernels->partition[WORKGROUP] || max_count <= kernels->partition[WORKGROUP_MOST]) {
        gpu_dispatch(recorder,
                     kernels->programs[max_count <= kernels->partition[WORKGROUP] ? WORKGROUP : WORKGROUP_MOST], bound,
                     &push, 1u, 1u, 1u);
        return;
    }
    if (!ring && table_pays(kernels, max_count, max_bits)) {
        record_table_passes(recorder, kernels, bound, push);
        return;
    }
    gpu_fill(recorder, (gpu_range){scratch.buffer, scratch.offset, sizeof(sort_plan)}, 0u);
    gpu_barrier_dispatches(recorder);
    gpu_dispatch(recorder, kernels->programs[ring ? BEGIN_RING : BEGIN], bound, &push,
                 primitive_shared_groups(max_count), 1u, 1u);
    for (; push.pass < pass_count(kernels->u64_keys, max_count, max_bits); push.pass++) {
        uint64_t offset = scratch.offset + offsetof(sort_plan, pass) + push.pass * sizeof(sort_arguments);
        gpu_range arguments = {scratch.buffer, offset, sizeof(sort_arguments)};
        if (push.pass == 0u)
            gpu_barrier(recorder); /* makes the arguments of all passes visible */
        else
            gpu_barrier_dispatches(recorder);
        gpu_dispatch_indirect(recorder, kernels->programs[pass], bound, &push, arguments);
    }
}

pietra_result sort_check(const gpu_device *device, const sort_kernels *kernels, const sort_ranges *ranges,
                         uint32_t max_count, uint32_t max_bits, pietra_error *error)
{
    uint64_t key_bytes = (kernels->u64_keys ? 8u : 4u) * (uint64_t)max_count, value_bytes = 4u * (uint64_t)max_count;
    uint32_t words = ranges->bits_word != SORT_FIXED_BITS && ranges->bits_word > ranges->count_word
                         ? ranges->bits_word
                         : ranges->count_word;
    const primitive_range table[] = {
        {"keys_a", ranges->keys_a, key_bytes, true},
        {"keys_b", ranges->keys_b, key_bytes, true},
        {"scratch", ranges->scratch, sort_kernels_scratch_bytes(kernels, max_count, max_bits), true},
        {"counts", ranges->counts, 4u * ((uint64_t)words + 1u), false},
        {"values_a", ranges->values_a, value_bytes, true},
        {"values_b", ranges->values_b, value_bytes, true},
    };
    if (max_bits > (kernels->u64_keys ? 64u : 32u))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "sort: keys have no %u bits", max_bits);
    return ranges_check(device, "sort", max_count, SORT_MAX_COUNT, table, kernels->with_values ? 6u : 4u, error);
}
