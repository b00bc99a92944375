/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sorts of many keys whose look-back table is a ring of slots, given back and taken again. */
#include "primitive/sort_check.h"

/* Makes kernels that sort every size by digits, in passes over many keys. The look-back table is a ring of that many
 * slots, or the full table if slots is 0. If in_registers is set, passes keep their keys in registers where the device
 * can. */
static sort_kernels *create_ring(harness *h, uint32_t flags, uint32_t slots, bool in_registers,
                                 const primitive_options *options)
{
    primitive_tuning tuning = by_digits(h);
    primitive_options with_table = *options;
    tuning.sort_ring_slots = slots;
    tuning.sort_ring_from = tuning.sort_ring_all = 1;
    tuning.sort_large_from = tuning.sort_registers_from = 1;
    tuning.sort_workgroup_items = tuning.sort_workgroup_items_most = 1;
    tuning.sort_registers = tuning.sort_registers && in_registers;
    with_table.tuning = &tuning;
    return create(h, flags, &with_table);
}

static void observe_ring(void *user, const gpu_program_info *info)
{
    if (strstr(info->name, "_ring_"))
        *(uint32_t *)user = info->constants[PRIMITIVE_CONSTANT_INVOCATIONS] * info->constants[PRIMITIVE_CONSTANT_ITEMS];
}

/* Sizes around the ends of partitions, around those where the ring has turned once and twice, and around powers of two:
 * with a ring and with the full table, for each kind of item, in each kind of pass over many keys. */
static void test_edges(void **state)
{
    harness *h = *state;
    static const uint32_t slots[] = {0, 4};
    for (size_t i = 0; i < 4u * COUNT_OF(slots); i++) {
        uint32_t flags = (uint32_t)i % 4u, ring = slots[i / 4u], partition = 0;
        if (!harness_all_sizes(h) && (!ring || (flags ^ flags / 2u) % 2u == 0u))
            continue;
        for (size_t in_registers = 0; in_registers <= by_digits(h).sort_registers; in_registers++) {
            const primitive_options observed = {.observe = observe_ring, .observe_user = &partition};
            sort_kernels *kernels = create_ring(h, flags, 4, in_registers, &observed);
            sort_destroy(kernels);
            kernels = create_ring(h, flags, ring, in_registers, &harness_schedules[0]);
            const uint32_t edges[] = {partition,      2u * partition, 4u * partition, 5u * partition, 8u * partition,
                                      9u * partition, 1u << 13,       1u << 14,       1u << 15,       1u << 16};
            const size_t count = harness_all_sizes(h) ? COUNT_OF(edges) : COUNT_OF(edges) - 2u;
            for (size_t e = 0; e < 3u * count; e++) {
                uint32_t size = edges[e / 3u] - 1u + (uint32_t)e % 3u;
                check_sort(h, kernels, flags, (sort_case){size, size, 24, 24, HARNESS_RANDOM});
            }
            sort_destroy(kernels);
        }
    }
}

/* A ring that turns often, and one that hardly does, at sizes of every kind of key and with fewer keys than the ranges
 * hold. */
static void test_ring(void **state)
{
    harness *h = *state;
    static const uint32_t slots[] = {16, 1024};
    /* This is for items other than pairs in the small ring. */
    const uint32_t most = gpu_get_limits(h->device)->hardware ? 65537u : 8193u;
    const uint32_t pairs_most = harness_all_sizes(h) ? HARNESS_MAX_SIZE : 65537u;
    for (size_t i = 0; i < 4u * COUNT_OF(slots); i++) {
        uint32_t flags = (uint32_t)i % 4u, key_bits = flags & SORT_U64_KEYS ? 64u : 32u;
        if (!harness_all_sizes(h) && i != SORT_WITH_VALUES)
            continue;
        for (size_t in_registers = 0; in_registers <= by_digits(h).sort_registers; in_registers++) {
            sort_kernels *kernels = create_ring(h, flags, slots[i / 4u], in_registers, &harness_schedules[0]);
            for (size_t s = 0;
                 s < COUNT_OF(harness_sizes) && harness_sizes[s] <= (i == SORT_WITH_VALUES ? pairs_most : most);
                 s += harness_all_sizes(h) || i == SORT_WITH_VALUES ? 1u : 2u) {
                uint32_t size = harness_sizes[s], limit = size ? size : 1u;
                check_sort(h, kernels, flags, (sort_case){size, limit, key_bits, key_bits, HARNESS_RANDOM});
            }
            for (harness_kind kind = 0; kind < HARNESS_KINDS && i < 4u; kind++)
                if (harness_all_sizes(h) || (kind + i) % 2u == 0u)
                    check_sort(h, kernels, flags, (sort_case){45001, 50000, 21, key_bits, kind});
            if (i < 4u && (harness_all_sizes(h) || i == SORT_WITH_VALUES)) /* prefixes that do not fit a low word */
                check_sort(h, kernels, flags, (sort_case){250001, 250001, 32, key_bits, HARNESS_LOW_ENTROPY});
            sort_destroy(kernels);
        }
    }
}

/* Expects that all slots belong to the last partitions that had them: none was lost to a wait that timed out. */
static void expect_last_turn(const sort_plan *plan, uint32_t partition, uint32_t slots, uint32_t fault_period)
{
    uint32_t pass = 0, value = SORT_RING_VALUE_LEAST;
    while (partition * slots >> value)
        value++;
    for (uint32_t p = 0; p < SORT_PASSES; p++)
        pass = plan->pass[p].x ? p : pass;
    assert_int_equal(plan->pass[pass].y, 1);
    uint32_t partitions = plan->pass[pass].x, used = partitions < slots ? partitions : slots;
    const uint32_t *ring =
        (const uint32_t *)(const void *)(plan + 1) + plan->source_half[pass] * used * SORT_RING_SLOT_WORDS;
    for (uint32_t t = partitions - used; t < partitions; t++) {
        const uint32_t *words = ring + t % slots * SORT_RING_SLOT_WORDS;
        for (uint32_t bin = 0; bin < SORT_BINS && !(fault_period && t % fault_period == fault_period - 1u); bin++)
            if (words[bin] >> value != (2u * (1u + t / slots) | 1u) ||
                words[SORT_BINS + bin] >> (value + 1u) != 1u + t / slots)
                fail_msg("partition %u of %u has no slot: %#x %#x", t, partitions, words[bin], words[SORT_BINS + bin]);
    }
}

/* Slots that are never given back, and waits that get no time. The ring of one slot has none for any partition but the
 * first. */
static void test_ring_schedules(void **state)
{
    harness *h = *state;
    const bool all_sizes = harness_all_sizes(h);
    const uint32_t slots[] = {1, all_sizes ? 16u : 4u};
    const uint32_t size = gpu_get_limits(h->device)->hardware ? 262145u : all_sizes ? 100001u : 20001u;
    for (size_t i = 0; i < COUNT_OF(slots) * harness_schedule_count(h); i++) {
        const primitive_options *schedule = &harness_schedules[i % harness_schedule_count(h)];
        uint32_t ring = slots[i / harness_schedule_count(h)];
        if (!all_sizes && i % 2u != i / harness_schedule_count(h))
            continue;
        for (size_t in_registers = 0; in_registers <= by_digits(h).sort_registers; in_registers++) {
            uint32_t partition = 0;
            primitive_options options = *schedule;
            options.observe = observe_ring;
            options.observe_user = &partition;
            sort_kernels *kernels = create_ring(h, SORT_WITH_VALUES, ring, in_registers, &options);
            check_sort(h, kernels, SORT_WITH_VALUES, (sort_case){12289, 12289, 32, 32, HARNESS_RANDOM});
            const sort_plan *plan =
                check_sort(h, kernels, SORT_WITH_VALUES, (sort_case){size, size, 32, 32, HARNESS_ONE_HOT});
            expect_last_turn(plan, partition, ring, schedule->fault_period);
            if (takes_a_million(h, schedule) && (ring > 1u || gpu_get_limits(h->device)->hardware))
                check_sort(h, kernels, SORT_WITH_VALUES,
                           (sort_case){HARNESS_MAX_SIZE, HARNESS_MAX_SIZE, 32, 32, HARNESS_RANDOM});
            sort_destroy(kernels);
        }
    }
}

/* A ring's memory does not grow with the number of keys. Where the full table is smaller, or tags do not suffice, the
 * full table is used. */
static void test_ring_bytes(void **state)
{
    harness *h = *state;
    sort_kernels *kernels = create_ring(h, 0, 512, true, &harness_schedules[0]);
    assert_true(sort_kernels_scratch_bytes(kernels, 1u << 29, 32) == sizeof(sort_plan) + (2u << 20));
    assert_true(sort_kernels_scratch_bytes(kernels, 1u << 24, 20) == sizeof(sort_plan) + (2u << 20));
    assert_true(sort_kernels_scratch_bytes(kernels, 2049, 8) == sort_scratch_bytes(2049, 8));
    sort_destroy(kernels);
    kernels = create_ring(h, 0, 2, true, &harness_schedules[0]);
    assert_true(sort_kernels_scratch_bytes(kernels, SORT_MAX_COUNT, 32) == sort_scratch_bytes(SORT_MAX_COUNT, 32));
    sort_destroy(kernels);
    primitive_tuning tuning = by_digits(h);
    tuning.sort_ring_slots = 48; /* no power of two */
    assert_false(tuning_fits(gpu_get_limits(h->device), &tuning));
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * 6u * (HARNESS_MAX_SIZE + 65536u));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_edges, &h),
        cmocka_unit_test_prestate(test_ring, &h),
        cmocka_unit_test_prestate(test_ring_schedules, &h),
        cmocka_unit_test_prestate(test_ring_bytes, &h),
    };
    int failed = cmocka_run_group_tests_name("sort ring", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
