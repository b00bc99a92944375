/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/tuning.h"

#include <string.h>

#include "layout/primitive.h"
#include "primitive/primitive.h"

/* For software devices, and within the limits that every device has: 256 invocations and 32 KiB of shared memory.
 * Software runs a workgroup on one core, one subgroup after the other, so small workgroups spread over the cores. */
static const primitive_tuning least_tuning = {
    .sort_workgroup_invocations = 256,
    .sort_workgroup_items = 8,
    .sort_workgroup_items_most = 8,
    .sort_compare_most = 0,
    .sort_compare_invocations = 256,
    .sort_merge_most = 0,
    .sort_merge_chunk = 1024,
    .sort_table_most = 0,
    .sort_table_few = 0,
    .sort_table_invocations = 256,
    .sort_table_few_items = 8,
    .sort_table_items = 8,
    .sort_table_bits = 8,
    .sort_small_invocations = 256,
    .sort_small_items = 4,
    .sort_large_invocations = 256,
    .sort_large_items = 10,
    .sort_large_from = 1u << 19,
    .sort_registers = 0,
    .sort_registers_from = 1u << 20,
    .sort_look_ahead = 4,
    .sort_ring_slots = 0,
    .sort_ring_from = 1u << 24,
    .sort_ring_all = 0,
    .stack_invocations = 128,
    .stack_items = 4,
    .stack_look_ahead = 128,
    .scan_invocations = 256,
    .scan_items = 16,
    .scan_look_ahead = 128,
    .segmented_invocations = 256,
    .segmented_items = 16,
    .compact_invocations = 256,
    .compact_partitions = 4096,
    .split_invocations = 256,
    .split_items = 16,
    .histogram_words = 2048,
};

/* Returns the defaults by kind of device. NVIDIA's are measured on an H200 (docs/primitives.md). The others follow from
 * limits, and `bench --tune` finds better ones on the device at hand. */
static primitive_tuning tuning_by_kind(const gpu_limits *limits)
{
    primitive_tuning tuning = least_tuning;
    /* Software runs a workgroup's invocations one after the other, so work that each invocation does once counts more
     * than work for each item. With half the invocations, lavapipe's scans took a fifth to a third less time. */
    if (!limits->hardware) {
        tuning.scan_invocations = tuning.segmented_invocations = 128;
        tuning.scan_items = tuning.segmented_items = 32;
    }
    if (!limits->hardware || limits->max_workgroup_invocations < 512u)
        return tuning;
    /* A GPU's memory has a long latency, so what is in flight counts: items are many, and look-back reads eight
     * predecessors in a round trip. GPUs that can have subgroups of 8 to 16 (Intel's, even where 32 are used, and many
     * of ARM's) keep 256 invocations: the counts of more subgroups would fill the shared memory, and wide subgroups
     * leave few registers. */
    tuning.segmented_items = tuning.split_items = 24;
    tuning.sort_look_ahead = 8;
    if (limits->min_subgroup_size < 32u)
        return tuning;
    /* Apple's GPUs have subgroups of 32 and 32 KiB of shared memory. They take more invocations instead of more keys
     * for each, which would leave fewer workgroups resident. */
    tuning.sort_small_invocations = 512;
    tuning.sort_table_items = 16;
    tuning.sort_table_bits = 10;
    tuning.segmented_invocations = tuning.split_invocations = 512;
    if (limits->max_workgroup_invocations < 1024u || limits->shared_bytes < 49152u)
        return tuning;
    /* The rest are desktop GPUs of NVIDIA and AMD. Three partitions of 6,144 keys fit a multiprocessor of an H200, with
     * 36 registers an invocation. Where subgroups have 32 invocations, the register-resident pass is faster from 2^16
     * keys on. It takes 8 keys an invocation below 2^20 keys, since larger partitions would leave multiprocessors
     * without work. The sort in one workgroup has 512 invocations: 1,024 would leave each of them 64 registers, too few
     * for its keys, and take four times as long. AMD's subgroups of 64 need half the counts; nothing else differs. */
    tuning.sort_workgroup_invocations = 512;
    /* Two workgroups of this shape stay on a multiprocessor, with 32 registers an invocation. The partitions that are
     * added up ahead have to be a few more than run at once, and have to stay in the cache until their turn comes. On
     * an H200 there are 288 of them, which are 9 MiB; both 192 and 384 were slower. */
    tuning.scan_invocations = 1024;
    tuning.scan_items = 8;
    if (limits->multiprocessors)
        tuning.scan_look_ahead =
            2u * limits->multiprocessors + 24u < SCAN_LOOK_AHEAD ? 2u * limits->multiprocessors + 24u : SCAN_LOOK_AHEAD;
    /* Fewer, larger partitions look back. This makes scans of 2^22 items and more faster, and costs little at 2^20. */
    tuning.segmented_items = 32;
    /* Larger partitions of the stack monoid look back less often, over fewer others. Two of these stay on a
     * multiprocessor of an H100 or H200, with 64 registers an invocation. With half as many invocations, rows of
     * 2^24 take 4 % longer. */
    tuning.stack_invocations = 512;
    tuning.stack_items = 8;
    tuning.stack_look_ahead = 256;
    tuning.sort_workgroup_items_most = 16;
    tuning.sort_large_invocations = 384;
    tuning.sort_large_items = 16;
    tuning.sort_registers = 1;
    /* Sorts by comparison spread over all multiprocessors. They take half as long as others up to 16,384 keys; at
     * 65,536 keys Onesweep is faster. */
    tuning.sort_compare_most = 4096;
    tuning.sort_compare_invocations = 512;
    tuning.sort_merge_most = 32768;
    /* A look-back table of 512 partitions, instead of one of all, makes large sorts of pairs of u32 a few per cent
     * faster. Other items gain nothing, and pairs with keys of 64 bits lose a third. It is for NVIDIA's GPUs alone:
     * only they were measured, and a workgroup that has started there goes on, so that none waits in vain for
     * its slot. */
    if (limits->vendor == GPU_VENDOR_NVIDIA)
        tuning.sort_ring_slots = 512;
    /* These were measured with subgroups of 32 alone. The passes that read all partitions' counts are faster for keys
     * of two digits up to 2^20 pairs, where a multiprocessor has at most one partition. The pass over many keys is
     * faster above, and for keys of other lengths from 2^16 keys on. */
    if (limits->subgroup_size == 32u) {
        tuning.sort_table_most = 1u << 20;
        tuning.sort_table_few = 1u << 18;
        tuning.sort_table_invocations = 512;
        tuning.sort_table_few_items = 4;
        tuning.sort_large_from = 1u << 16;
    }
    return tuning;
}

primitive_tuning tuning_of(const gpu_limits *limits)
{
    primitive_tuning tuning = tuning_by_kind(limits);
    /* Where the size of subgroups cannot be asked for, counts are kept for the smallest size, and there may not be
     * enough room for them. */
    return tuning_fits(limits, &tuning) ? tuning : least_tuning;
}

#define COMPACT_BYTES (4u * COMPACT_STAGED)
/* Bytes of the stack monoid in shared memory for each place, if places lie there, for each word, for each invocation
 * and for each subgroup, all beside a value; for each partition that a look-back reads at once; and the rest. */
#define STACK_PLACE_BYTES 4u
#define STACK_WORD_BYTES 44u
#define STACK_INVOCATION_BYTES 8u
#define STACK_LOOK_BYTES 4u
#define STACK_SUBGROUP_BYTES 20u
#define STACK_BYTES_BESIDE 256u

static bool is_power_of_two(uint32_t x)
{
    return (x & (x - 1u)) == 0u;
}

static bool workgroup_fits(const gpu_limits *limits, uint32_t invocations)
{
    return invocations % 64u == 0u && invocations <= limits->max_workgroup_invocations;
}

/* Returns whether a partition fits. Kernels take fewer items an invocation where shared memory is short, and what is
 * left must still make a partition. */
static bool partition_fits(const gpu_limits *limits, uint32_t invocations, uint32_t items, uint32_t item_bytes,
                           uint32_t least)
{
    uint32_t room = limits->shared_bytes - PRIMITIVE_BYTES_BESIDE;
    uint32_t most = room / (item_bytes * invocations);
    return workgroup_fits(limits, invocations) && invocations * (items < most ? items : most) >= least;
}

static bool sort_fits(const gpu_limits *limits, uint32_t invocations, uint32_t items, uint32_t least)
{
    uint32_t counts = invocations / primitive_subgroup_least(limits) * (SORT_BINS / 2u);
    return partition_fits(limits, invocations, items, 12u, least) &&
           4u * counts + PRIMITIVE_BYTES_BESIDE <= limits->shared_bytes;
}

/* Returns whether the sort in one workgroup fits. Its counts and its items lie apart. */
static bool sort_in_workgroup_fits(const gpu_limits *limits, uint32_t invocations)
{
    uint32_t counts = invocations / primitive_subgroup_least(limits) * (SORT_BINS / 2u);
    return workgroup_fits(limits, invocations) &&
           4u * counts + 12u * invocations + PRIMITIVE_BYTES_BESIDE <= limits->shared_bytes;
}

/* Returns whether the table passes fit. Counts or keys lie in front of the sums of the table. */
static bool table_fits(const gpu_limits *limits, const primitive_tuning *t, uint32_t items)
{
    uint32_t pairs = 1u << (t->sort_table_bits - 1u), partition = t->sort_table_invocations * items;
    uint32_t counts = t->sort_table_invocations / primitive_subgroup_least(limits) * pairs;
    return workgroup_fits(limits, t->sort_table_invocations) && is_power_of_two(t->sort_table_invocations) &&
           partition / 2u >= pairs && partition <= SORT_TABLE_PARTITION_MOST &&
           4u * ((counts > partition ? counts : partition) + 4u * pairs) + PRIMITIVE_BYTES_BESIDE <=
               limits->shared_bytes;
}

/* Returns whether a sort by comparison fits. Not every device takes workgroups of more than 32 subgroups. A power of
 * two lets rounds of keys begin where the workgroups' own keys begin. */
static bool compare_fits(const gpu_limits *limits, uint32_t invocations)
{
    return workgroup_fits(limits, invocations) && is_power_of_two(invocations) &&
           invocations <= 32u * primitive_subgroup_least(limits);
}

bool tuning_stack_fits(const gpu_limits *limits, uint32_t invocations, uint32_t items, uint32_t look_ahead,
                       uint32_t value_bytes, bool shared_places)
{
    uint32_t least = primitive_subgroup_least(limits), partition = invocations * items;
    uint32_t words = partition / (least < 32u ? least : 32u);
    uint32_t places = shared_places ? STACK_PLACES(partition) : 0u;
    uint32_t bytes = (STACK_PLACE_BYTES + value_bytes) * places + (STACK_WORD_BYTES + value_bytes) * (words + 1u) +
                     (STACK_INVOCATION_BYTES + value_bytes) * invocations + STACK_LOOK_BYTES * look_ahead +
                     (STACK_SUBGROUP_BYTES + value_bytes) * (invocations / least) + STACK_BYTES_BESIDE;
    return workgroup_fits(limits, invocations) && invocations >= least && is_power_of_two(look_ahead) &&
           words <= STACK_WORDS_MOST && words <= invocations && bytes <= limits->shared_bytes;
}

bool tuning_fits(const gpu_limits *limits, const primitive_tuning *t)
{
    if ((t->scan_items | t->segmented_items | t->split_items) % 4u != 0u)
        return false;
    return partition_fits(limits, t->scan_invocations, t->scan_items, 1u, SCAN_PARTITION_LEAST) &&
           partition_fits(limits, t->segmented_invocations, t->segmented_items, 1u, SCAN_PARTITION_LEAST) &&
           partition_fits(limits, t->split_invocations, t->split_items, 4u, SCAN_PARTITION_LEAST) &&
           workgroup_fits(limits, t->compact_invocations) &&
           COMPACT_BYTES * t->compact_invocations + PRIMITIVE_BYTES_BESIDE <= limits->shared_bytes &&
           sort_in_workgroup_fits(limits, t->sort_workgroup_invocations) &&
           compare_fits(limits, t->sort_compare_invocations) && is_power_of_two(t->sort_ring_slots) &&
           4u * t->histogram_words + PRIMITIVE_BYTES_BESIDE <= limits->shared_bytes &&
           is_power_of_two(t->sort_merge_chunk) &&
           8u * t->sort_merge_chunk + PRIMITIVE_BYTES_BESIDE <= limits->shared_bytes &&
           (!t->sort_table_most ||
            (table_fits(limits, t, t->sort_table_few_items) && table_fits(limits, t, t->sort_table_items))) &&
           sort_fits(limits, t->sort_small_invocations, t->sort_small_items, SORT_PARTITION_SMALL) &&
           sort_fits(limits, t->sort_large_invocations, t->sort_large_items, SORT_PARTITION_LARGE) &&
           tuning_stack_fits(limits, t->stack_invocations, t->stack_items, t->stack_look_ahead,
                             (uint32_t)sizeof(stack_box), false);
}

bool tuning_set(primitive_tuning *tuning, const char *name, uint32_t value)
{
#define PRIMITIVE_TUNING_SET(entry, least, most) \
    if (strcmp(name, #entry) == 0 && value + 1u > (least) && value <= (most)) { \
        tuning->entry = value; \
        return true; \
    }
    PRIMITIVE_TUNING(PRIMITIVE_TUNING_SET)
#undef PRIMITIVE_TUNING_SET
    return false;
}
