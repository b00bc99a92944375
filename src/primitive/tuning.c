#include "primitive/tuning.h"

#include <string.h>

#include "layout/primitive.h"
#include "primitive/primitive.h"

/* Software, and the limits that every device keeps: 256 invocations, 32 KiB. A workgroup runs on one core, subgroups
 * one after the other: small workgroups spread over the cores. */
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

/* The defaults by kind of device. NVIDIA's are measured on an H200 (docs/primitives.md); the others follow from limits,
 * and `bench --tune` finds better ones on the device at hand. */
static primitive_tuning tuning_by_kind(const gpu_limits *limits)
{
    primitive_tuning tuning = least_tuning;
    /* What a workgroup does for each invocation, rather than for each item, is done one after the other: lavapipe took
     * 880 us instead of 1,100 to scan 2^16 items, and 570 instead of 860 by segments, with half the invocations. */
    if (!limits->hardware) {
        tuning.scan_invocations = tuning.segmented_invocations = 128;
        tuning.scan_items = tuning.segmented_items = 32;
    }
    if (!limits->hardware || limits->max_workgroup_invocations < 512u)
        return tuning;
    /* Memory is far away: what is on its way counts, so items are many; look-back reads eight predecessors a round
     * trip. Parts that can do with subgroups of 8 to 16 (Intel's, also where they are driven with 32, and many of
     * ARM's) keep 256 invocations: counts of so many subgroups would fill the shared memory, and wide ones leave few
     * registers. */
    tuning.segmented_items = tuning.split_items = 24;
    tuning.sort_look_ahead = 8;
    if (limits->min_subgroup_size < 32u)
        return tuning;
    /* Apple's parts have subgroups of 32 and 32 KiB: more invocations, not more keys each, or fewer workgroups would
     * stay. */
    tuning.sort_small_invocations = 512;
    tuning.sort_table_items = 16;
    tuning.sort_table_bits = 10;
    tuning.segmented_invocations = tuning.split_invocations = 512;
    if (limits->max_workgroup_invocations < 1024u || limits->shared_bytes < 49152u)
        return tuning;
    /* Desktop parts, NVIDIA and AMD: of partitions of 6,144 keys three fit a multiprocessor of an H200, with 36
     * registers an invocation; where subgroups have 32 the pass that keeps its keys in registers is faster from 2^16
     * keys on, with 8 an invocation below 2^20, since larger partitions would leave multiprocessors without work. The
     * sort in one workgroup has 512 invocations, since 1,024 leave 64 registers each, which its keys outgrow: then
     * 4,096 keys took 89 us instead of 21. AMD's subgroups of 64 need half the counts, and nothing else differs. */
    tuning.sort_workgroup_invocations = 512;
    /* Of such partitions two stay on a multiprocessor, with 32 registers; those that are added up ahead have to be a
     * few more than run at once, and to lie in the cache until their turn comes: on an H200 288, which are 9 MiB; 192
     * took 652 us for 2^28 items, 288 took 602, 384 took 637. */
    tuning.scan_invocations = 1024;
    tuning.scan_items = 8;
    if (limits->multiprocessors)
        tuning.scan_look_ahead =
            2u * limits->multiprocessors + 24u < SCAN_LOOK_AHEAD ? 2u * limits->multiprocessors + 24u : SCAN_LOOK_AHEAD;
    /* Fewer, larger partitions look back, which pays where there are many: a segmented scan of 2^22, 2^24, 2^26 and
     * 2^28 items took 23.8, 69.0, 234 and 867 us instead of 31.6, 72.4, 259 and 985, and one of 2^20 19.1 instead of
     * 17.8. */
    tuning.segmented_items = 32;
    tuning.sort_workgroup_items_most = 16;
    tuning.sort_large_invocations = 384;
    tuning.sort_large_items = 16;
    tuning.sort_registers = 1;
    /* Comparing sorts spread over all multiprocessors: 4,096 keys took 11 us instead of 22, 16,384 took 23 instead of
     * 53, 32,768 took 34; at 65,536 Onesweep is faster, 57 against 81. */
    tuning.sort_compare_most = 4096;
    tuning.sort_compare_invocations = 512;
    tuning.sort_merge_most = 32768;
    /* A look-back table of 512 partitions instead of all: of 2^24 pairs of u32 1 % faster, of 2^26 3 %; other items
     * gain nothing, and pairs with keys of 64 bits lose a third. Only for NVIDIA's parts, where that is measured, and
     * where a workgroup that has started goes on, so that none waits for its slot in vain. */
    if (limits->vendor == GPU_VENDOR_NVIDIA)
        tuning.sort_ring_slots = 512;
    /* Measured with subgroups of 32 alone. Passes that read all partitions' counts, of which a multiprocessor has no
     * more than one: pairs of 20 bits took 28 us instead of 39 at 65,536, 55 instead of 62 at 2^20. Above, and for
     * other bits, the pass over many keys: 52 us instead of 59 for 65,536 keys of 32 bits, 104 instead of 113 for 2^18
     * of 64. */
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
    /* Where the size of subgroups cannot be asked for, counts are kept for the smallest, which may take more room than
     * there is. */
    return tuning_fits(limits, &tuning) ? tuning : least_tuning;
}

#define COMPACT_BYTES (4u * COMPACT_STAGED)
/* Of the stack monoid, for each invocation: parts of a run's values, two values, lows of partitions, and eight
 * words. */
#define STACK_BYTES_BESIDE 512u
#define STACK_BYTES (8u * STACK_RUN + 2u * (uint32_t)sizeof(stack_box) + 4u * STACK_NEAR_EACH + 32u)

static bool is_power_of_two(uint32_t x)
{
    return (x & (x - 1u)) == 0u;
}

static bool workgroup_fits(const gpu_limits *limits, uint32_t invocations)
{
    return invocations % 64u == 0u && invocations <= limits->max_workgroup_invocations;
}

/* Kernels take fewer items an invocation where shared memory is short: what is left must still make a partition. */
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

/* Counts and items apart. */
static bool sort_in_workgroup_fits(const gpu_limits *limits, uint32_t invocations)
{
    uint32_t counts = invocations / primitive_subgroup_least(limits) * (SORT_BINS / 2u);
    return workgroup_fits(limits, invocations) &&
           4u * counts + 12u * invocations + PRIMITIVE_BYTES_BESIDE <= limits->shared_bytes;
}

/* Counts or keys, and behind them the sums of the table. */
static bool table_fits(const gpu_limits *limits, const primitive_tuning *t, uint32_t items)
{
    uint32_t pairs = 1u << (t->sort_table_bits - 1u), partition = t->sort_table_invocations * items;
    uint32_t counts = t->sort_table_invocations / primitive_subgroup_least(limits) * pairs;
    return workgroup_fits(limits, t->sort_table_invocations) && is_power_of_two(t->sort_table_invocations) &&
           partition / 2u >= pairs && partition <= SORT_TABLE_PARTITION_MOST &&
           4u * ((counts > partition ? counts : partition) + 4u * pairs) + PRIMITIVE_BYTES_BESIDE <=
               limits->shared_bytes;
}

/* Not every device takes workgroups of more than 32 subgroups. Rounds of keys begin where workgroups' own keys do. */
static bool compare_fits(const gpu_limits *limits, uint32_t invocations)
{
    return workgroup_fits(limits, invocations) && is_power_of_two(invocations) &&
           invocations <= 32u * primitive_subgroup_least(limits);
}

static bool stack_fits(const gpu_limits *limits, uint32_t invocations)
{
    return workgroup_fits(limits, invocations) && is_power_of_two(invocations) &&
           STACK_BYTES * invocations + STACK_BYTES_BESIDE <= limits->shared_bytes;
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
           stack_fits(limits, t->stack_invocations);
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
