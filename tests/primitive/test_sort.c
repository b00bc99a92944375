/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Histogram and sorts on the device, against counting sorts.
 *
 * A driver that has not seen a program of a sort before takes a second and more to compile it, and one of the passes
 * over all counts five. So by day each shape, schedule and size of a ring is tried with some of the kinds of items,
 * such that each kind meets several. At night all pairs are tried. */
#include "primitive/harness.h"
#include "primitive/device_wide/sort_families.h"

typedef struct sort_case {
    uint32_t count, max_count;
    uint32_t bits, max_bits;
    harness_kind kind;
} sort_case;

/* A key and its value. Keys of 32 bits have no high word. */
typedef struct item {
    uint64_t key;
    uint32_t value;
} item;

static uint64_t low_bits(uint64_t key, uint32_t bits)
{
    return bits >= 64u ? key : key & ((UINT64_C(1) << bits) - 1u);
}

/* Sorts stably by the low bits, 16 at a time. */
static void sort_oracle(item *items, uint32_t count, uint32_t bits)
{
    item *sorted = malloc(sizeof *sorted * ((size_t)count + 1u));
    uint32_t *starts = malloc(4u * 65537u);
    assert_true(sorted && starts);
    for (uint32_t shift = 0; shift < 64u; shift += 16u) {
        memset(starts, 0, 4u * 65537u);
        for (uint32_t i = 0; i < count; i++)
            starts[(low_bits(items[i].key, bits) >> shift & 0xffffu) + 1u]++;
        for (uint32_t b = 0; b < 65536u; b++)
            starts[b + 1u] += starts[b];
        for (uint32_t i = 0; i < count; i++)
            sorted[starts[low_bits(items[i].key, bits) >> shift & 0xffffu]++] = items[i];
        memcpy(items, sorted, sizeof *items * count);
    }
    free(sorted);
    free(starts);
}

static item item_at(const uint32_t *keys, const uint32_t *values, uint32_t i, uint32_t words)
{
    uint64_t high = words == 2u ? keys[2u * (size_t)i + 1u] : 0u;
    return (item){keys[(size_t)words * i] | high << 32, values ? values[i] : 0u};
}

static void compare(const item *expected, const uint32_t *keys, const uint32_t *values, uint32_t count, uint32_t words)
{
    for (uint32_t i = 0; i < count; i++) {
        item got = item_at(keys, values, i, words);
        if (got.key != expected[i].key || (values && got.value != expected[i].value))
            fail_msg("item %u of %u is %llx, %u, not %llx, %u", i, count, (unsigned long long)got.key, got.value,
                     (unsigned long long)expected[i].key, expected[i].value);
    }
}

/* Returns what the device planned, valid until the next sort. */
static const sort_plan *check_sort(harness *h, const sort_kernels *kernels, uint32_t flags, sort_case c)
{
    uint32_t words = flags & SORT_U64_KEYS ? 2u : 1u;
    bool with_values = flags & SORT_WITH_VALUES;
    harness_reset(h);
    sort_ranges ranges = {.keys_a = harness_range(h, words * (uint64_t)c.max_count),
                          .keys_b = harness_range(h, words * (uint64_t)c.max_count)};
    if (with_values) {
        ranges.values_a = harness_range(h, c.max_count);
        ranges.values_b = harness_range(h, c.max_count);
    }
    ranges.scratch = harness_range(h, sort_kernels_scratch_bytes(kernels, c.max_count, c.max_bits) / 4u);
    assert_true(ranges.scratch.bytes <= sort_scratch_bytes(c.max_count, c.max_bits));
    ranges.counts = harness_range(h, 4);
    ranges.count_word = 2;
    ranges.bits_word = c.bits == c.max_bits ? SORT_FIXED_BITS : 0u;
    harness_input(h, ranges.counts)[2] = c.count;
    harness_input(h, ranges.counts)[0] = c.bits;
    uint32_t *keys = harness_input(h, ranges.keys_a);
    uint32_t sorted_bits = c.bits && c.bits < 32u ? c.bits : 32u;
    harness_fill(keys, words * c.max_count, c.kind, 0xffffffffu >> (c.kind == HARNESS_SORTED ? 32u - sorted_bits : 0u));
    for (uint32_t i = 0; with_values && i < c.max_count; i++)
        harness_input(h, ranges.values_a)[i] = i * 3u + 1u;
    harness_begin(h);
    sort_record(h->recorder, kernels, &ranges, c.max_count, c.max_bits);
    harness_run(h);

    uint32_t n = c.count < c.max_count ? c.count : c.max_count;
    item *expected = malloc(sizeof *expected * ((size_t)n + 1u));
    assert_non_null(expected);
    for (uint32_t i = 0; i < n; i++)
        expected[i] = item_at(keys, with_values ? harness_input(h, ranges.values_a) : NULL, i, words);
    sort_oracle(expected, n, c.bits < c.max_bits ? c.bits : c.max_bits);
    const sort_plan *plan = (const void *)harness_output(h, ranges.scratch);
    uint32_t half = plan->result_half;
    assert_true(half <= 1u);
    const uint32_t *values = with_values ? harness_output(h, half ? ranges.values_b : ranges.values_a) : NULL;
    compare(expected, harness_output(h, half ? ranges.keys_b : ranges.keys_a), values, n, words);
    free(expected);
    return plan;
}

/* Returns the device's table, changed so that every size is sorted by digits. */
static primitive_tuning by_digits(const harness *h)
{
    primitive_tuning tuning = tuning_of(gpu_get_limits(h->device));
    tuning.sort_compare_most = tuning.sort_merge_most = 0;
    return tuning;
}

/* Makes kernels that sort by digits, unless the options have a table that says otherwise. */
static sort_kernels *create(harness *h, uint32_t flags, const primitive_options *options)
{
    pietra_error error = {0};
    sort_kernels *kernels = NULL;
    primitive_tuning tuning = by_digits(h);
    primitive_options with_table = options ? *options : (primitive_options){0};
    if (!with_table.tuning)
        with_table.tuning = &tuning;
    harness_check(sort_create(h->device, sort_family_of(flags), &with_table, &error, &kernels), &error);
    return kernels;
}

static void test_sizes(void **state)
{
    harness *h = *state;
    primitive_tuning tuning = by_digits(h);
    tuning.sort_large_from = 1;
    primitive_options large = {.tuning = &tuning};
    sort_kernels *pairs = create(h, SORT_WITH_VALUES, NULL), *keys = create(h, 0, &large);
    for (size_t i = 0; i < COUNT_OF(harness_sizes) && harness_sizes[i] <= harness_largest(h); i++) {
        uint32_t size = harness_sizes[i], limit = size ? size : 1u;
        check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){size, limit, 32, 32, HARNESS_RANDOM});
        if (size <= 65537u)
            check_sort(h, keys, 0, (sort_case){size, limit, 20, 20, HARNESS_RANDOM});
    }
    /* There are many partitions to look back over. */
    check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){262145, 262145, 32, 32, HARNESS_RANDOM});
    check_sort(h, keys, 0, (sort_case){262145, 262145, 20, 20, HARNESS_RANDOM});
    sort_destroy(pairs);
    sort_destroy(keys);
}

/* Returns whether a schedule gets a million keys. If half of the partitions, or all, publish nothing, software would
 * take minutes for them even at night. */
static bool takes_a_million(const harness *h, const primitive_options *schedule)
{
    return gpu_get_limits(h->device)->hardware ||
           (harness_all_sizes(h) && (schedule->fault_period == 0u || schedule->fault_period > 2u));
}

static void test_schedules(void **state)
{
    harness *h = *state;
    static const uint32_t sizes[] = {2049, 4097, 12289, 60001};
    for (size_t s = 0; s < 3u * harness_schedule_count(h); s++) {
        primitive_options options = harness_schedules[s / 3u];
        primitive_tuning tuning = by_digits(h);
        if (s % 3u == 2u && !tuning.sort_registers)
            continue; /* the same as before */
        if (!harness_all_sizes(h) && s % 3u == s / 3u % 2u)
            continue;
        tuning.sort_large_from = s % 3u ? 1u : tuning.sort_large_from;
        tuning.sort_registers_from = s % 3u == 2u ? 1u : tuning.sort_registers_from;
        options.tuning = &tuning;
        sort_kernels *pairs = create(h, SORT_WITH_VALUES, &options);
        for (size_t i = 0; i < COUNT_OF(sizes); i++)
            check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){sizes[i], sizes[i], 32, 32, HARNESS_RANDOM});
        sort_destroy(pairs);
    }
    sort_kernels *pairs = create(h, SORT_WITH_VALUES, &harness_schedules[1]);
    check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){524289, 524289, 24, 24, HARNESS_LOW_ENTROPY});
    sort_destroy(pairs);
    for (size_t s = 1; s < harness_schedule_count(h); s++) {
        for (uint32_t i = 0; i < 2u && takes_a_million(h, &harness_schedules[s]); i++) {
            primitive_options options = harness_schedules[s];
            primitive_tuning tuning = by_digits(h);
            if (i && !tuning.sort_registers)
                continue;
            tuning.sort_registers_from = i ? 1u : tuning.sort_registers_from;
            options.tuning = &tuning;
            pairs = create(h, SORT_WITH_VALUES, &options);
            check_sort(h, pairs, SORT_WITH_VALUES,
                       (sort_case){HARNESS_MAX_SIZE, HARNESS_MAX_SIZE, 32, 32, HARNESS_RANDOM});
            sort_destroy(pairs);
        }
    }
}

static void test_distributions(void **state)
{
    harness *h = *state;
    for (uint32_t flags = 0; flags < 4u; flags++) {
        sort_kernels *kernels = create(h, flags, NULL);
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++) {
            check_sort(h, kernels, flags, (sort_case){1500, 1500, 32, 32, kind});
            check_sort(h, kernels, flags, (sort_case){30000, 30000, 32, 32, kind});
            check_sort(h, kernels, flags, (sort_case){30000, 30000, 17, 32, kind});
        }
        sort_destroy(kernels);
    }
}

/* Every number of significant bits, and counts on the device that differ from what the ranges hold. */
static void test_bits_and_counts(void **state)
{
    harness *h = *state;
    sort_kernels *pairs = create(h, SORT_WITH_VALUES, NULL);
    for (uint32_t bits = 0; bits <= 32u; bits++) {
        check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){1000, 1000, bits, bits, HARNESS_RANDOM});
        check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){5000, 5000, bits, 32, HARNESS_RANDOM});
        check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){5000, 5000, bits, bits, HARNESS_RANDOM});
    }
    check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){5000, 5000, 99, 12, HARNESS_RANDOM});
    check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){0, 100000, 32, 32, HARNESS_RANDOM});
    check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){2000, 100000, 32, 32, HARNESS_RANDOM});
    check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){9000, 100000, 32, 32, HARNESS_RANDOM});
    check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){0xffffffffu, 9001, 32, 32, HARNESS_RANDOM});
    check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){0xffffffffu, 1001, 32, 32, HARNESS_RANDOM});
    sort_destroy(pairs);
}

/* Passes whose partitions read the counts of all partitions, in both shapes: sizes around partitions, every number of
 * significant bits, fewer keys than the ranges hold, and every kind of input. The ranges may have so many bits that
 * digits of more than 8 save a pass. */
static void test_table(void **state)
{
    static const uint32_t shapes[][4] = {{64, 16, 32, 10}, {128, 8, 16, 9}, {512, 4, 16, 10}, {256, 16, 8, 10}};
    harness *h = *state;
    for (size_t s = 0; s < 2u * COUNT_OF(shapes); s++) {
        if (!harness_all_sizes(h) && s != 1u && s != 4u)
            continue;
        const uint32_t *shape = shapes[s / 2u];
        uint32_t flags = (uint32_t)(s + s / 2u) % 2u, key_bits = 2u * shape[3];
        primitive_tuning tuning = by_digits(h);
        tuning.sort_workgroup_items = tuning.sort_workgroup_items_most = 1;
        tuning.sort_table_most = SORT_TABLE_MOST;
        tuning.sort_table_few = 10000;
        tuning.sort_table_invocations = shape[0];
        tuning.sort_table_few_items = shape[1];
        tuning.sort_table_items = shape[2];
        tuning.sort_table_bits = shape[3];
        if (!tuning_fits(gpu_get_limits(h->device), &tuning))
            continue;
        sort_kernels *kernels = create(h, flags, &(primitive_options){.tuning = &tuning});
        for (uint32_t partitions = 2; partitions <= 12u; partitions += 10u) {
            uint32_t n = partitions * shape[0] * shape[partitions > 2u ? 2 : 1];
            check_sort(h, kernels, flags, (sort_case){n - 1u, n - 1u, key_bits, key_bits, HARNESS_RANDOM});
            check_sort(h, kernels, flags, (sort_case){n, n, 9, 9, HARNESS_RANDOM});
            check_sort(h, kernels, flags, (sort_case){n + 1u, 2u * n, partitions, key_bits, HARNESS_LOW_ENTROPY});
        }
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++)
            check_sort(h, kernels, flags, (sort_case){12000, 12000, key_bits, key_bits, kind});
        for (uint32_t bits = 0; bits <= key_bits; bits += s == 0u ? 1u : 3u)
            check_sort(h, kernels, flags, (sort_case){3000, 3000, bits, key_bits, HARNESS_RANDOM});
        check_sort(h, kernels, flags, (sort_case){0, 40000, key_bits, key_bits, HARNESS_RANDOM});
        check_sort(h, kernels, flags, (sort_case){1, 40000, key_bits, key_bits, HARNESS_RANDOM});
        check_sort(h, kernels, flags, (sort_case){0xffffffffu, 40000, key_bits, key_bits, HARNESS_RANDOM});
        if (gpu_get_limits(h->device)->hardware)
            check_sort(h, kernels, flags,
                       (sort_case){HARNESS_MAX_SIZE, HARNESS_MAX_SIZE, key_bits, key_bits, HARNESS_RANDOM});
        sort_destroy(kernels);
    }
    primitive_tuning tuning = by_digits(h);
    tuning.sort_table_most = 1;
    tuning.sort_table_items = 2;
    tuning.sort_table_bits = 11; /* the table has more words than half the keys */
    assert_false(tuning_fits(gpu_get_limits(h->device), &tuning));
}

/* The passes over many keys, at sizes around rows of their partitions (test_edges has the partitions themselves): each
 * kind of key, every width of the last digit, and fewer keys than the ranges hold. */
static void test_large(void **state)
{
    harness *h = *state;
    for (uint32_t i = 0; i < 8u; i++) {
        uint32_t flags = i / 2u, key_bits = flags & SORT_U64_KEYS ? 64u : 32u;
        primitive_tuning tuning = by_digits(h);
        if (i % 2u && !tuning.sort_registers)
            continue; /* the same as before */
        if (!harness_all_sizes(h) && flags != SORT_WITH_VALUES && flags != SORT_U64_KEYS)
            continue;
        tuning.sort_large_from = 1;
        tuning.sort_registers_from = i % 2u ? 1u : tuning.sort_registers_from;
        sort_kernels *kernels = create(h, flags, &(primitive_options){.tuning = &tuning});
        for (uint32_t rows = 9; rows <= 20u; rows++) {
            uint32_t partition = 384u * rows;
            check_sort(h, kernels, flags,
                       (sort_case){partition - 1u, partition - 1u, key_bits, key_bits, HARNESS_RANDOM});
            check_sort(h, kernels, flags,
                       (sort_case){2u * partition, 2u * partition, 13u + rows, key_bits, HARNESS_RANDOM});
            check_sort(h, kernels, flags,
                       (sort_case){partition + 1u, 3u * partition, 13u + rows, key_bits, HARNESS_LOW_ENTROPY});
        }
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++)
            check_sort(h, kernels, flags, (sort_case){30000, 30000, key_bits, key_bits, kind});
        sort_destroy(kernels);
    }
}

/* Keys of 64 bits: sizes around powers of two, widths on both sides of the border between words, every schedule. */
static void test_u64(void **state)
{
    harness *h = *state;
    for (uint32_t flags = SORT_U64_KEYS; flags <= (SORT_U64_KEYS | SORT_WITH_VALUES); flags++) {
        sort_kernels *kernels = create(h, flags, NULL);
        uint32_t most = harness_largest(h) < 65537u ? harness_largest(h) : 65537u;
        for (size_t i = 0; i < COUNT_OF(harness_sizes) && harness_sizes[i] <= most; i++) {
            uint32_t size = harness_sizes[i];
            check_sort(h, kernels, flags, (sort_case){size, size ? size : 1u, 64, 64, HARNESS_RANDOM});
        }
        for (uint32_t bits = 0; bits <= 64u; bits += bits % 8u == 7u ? 1u : 3u)
            check_sort(h, kernels, flags, (sort_case){5000, 5000, bits, 64, HARNESS_RANDOM});
        check_sort(h, kernels, flags, (sort_case){1000, 1000, 40, 64, HARNESS_LOW_ENTROPY});
        sort_destroy(kernels);
    }
    for (size_t s = 2; s < 2u * harness_schedule_count(h); s++) {
        if (!harness_all_sizes(h) && s % 2u == s / 2u % 2u)
            continue;
        primitive_options options = harness_schedules[s / 2u];
        primitive_tuning tuning = by_digits(h);
        tuning.sort_large_from = s % 2u ? 1u : tuning.sort_large_from;
        options.tuning = &tuning;
        sort_kernels *kernels = create(h, SORT_U64_KEYS | SORT_WITH_VALUES, &options);
        check_sort(h, kernels, SORT_U64_KEYS | SORT_WITH_VALUES, (sort_case){12289, 12289, 64, 64, HARNESS_RANDOM});
        sort_destroy(kernels);
    }
}

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
        if (!harness_all_sizes(h) && (flags ^ flags / 2u ^ i / 4u) % 2u)
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
    const uint32_t pairs_most = harness_all_sizes(h) ? HARNESS_MAX_SIZE : 131073u;
    for (size_t i = 0; i < 4u * COUNT_OF(slots); i++) {
        uint32_t flags = (uint32_t)i % 4u, key_bits = flags & SORT_U64_KEYS ? 64u : 32u;
        if (!harness_all_sizes(h) && i >= 4u && flags != 0u)
            continue;
        for (size_t in_registers = 0; in_registers <= by_digits(h).sort_registers; in_registers++) {
            sort_kernels *kernels = create_ring(h, flags, slots[i / 4u], in_registers, &harness_schedules[0]);
            for (size_t s = 0;
                 s < COUNT_OF(harness_sizes) && harness_sizes[s] <= (i == SORT_WITH_VALUES ? pairs_most : most); s++) {
                uint32_t size = harness_sizes[s], limit = size ? size : 1u;
                check_sort(h, kernels, flags, (sort_case){size, limit, key_bits, key_bits, HARNESS_RANDOM});
            }
            for (harness_kind kind = 0; kind < HARNESS_KINDS && i < 4u; kind++)
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

/* Few keys, each compared with all others, and chunks sorted in this way and merged: sizes around both limits, with
 * ranges that are longer or not, and every kind of key. Equal keys keep their order. */
static void test_comparing(void **state)
{
    /* compare, merge, chunk */
    static const uint32_t tables[][3] = {{4096, 0, 1024}, {0, 20000, 256}, {300, 5000, 512}, {0, 9000, 2048}};
    static const uint32_t bits[] = {0, 1, 13, 31, 32, 33, 64};
    harness *h = *state;
    for (uint32_t flags = 0; flags < 4u; flags++) {
        primitive_tuning tuning = by_digits(h);
        tuning.sort_compare_most = tables[flags][0];
        tuning.sort_merge_most = tables[flags][1];
        tuning.sort_merge_chunk = tables[flags][2];
        tuning.sort_compare_invocations = 512u << flags / 2u;
        if (!tuning_fits(gpu_get_limits(h->device), &tuning))
            tuning.sort_compare_invocations = 256;
        assert_true(tuning_fits(gpu_get_limits(h->device), &tuning));
        uint32_t most = tables[flags][0] > tables[flags][1] ? tables[flags][0] : tables[flags][1];
        uint32_t key_bits = flags & SORT_U64_KEYS ? 64u : 32u;
        sort_kernels *kernels = create(h, flags, &(primitive_options){.tuning = &tuning});
        for (size_t i = 0; i < COUNT_OF(harness_sizes) && harness_sizes[i] <= most; i++) {
            uint32_t size = harness_sizes[i];
            check_sort(h, kernels, flags, (sort_case){size, size ? size : 1u, key_bits, key_bits, HARNESS_RANDOM});
            check_sort(h, kernels, flags, (sort_case){size / 3u, size ? size : 1u, 11, key_bits, HARNESS_LOW_ENTROPY});
        }
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++)
            check_sort(h, kernels, flags, (sort_case){most, most, key_bits, key_bits, kind});
        for (size_t i = 0; i < COUNT_OF(bits) && bits[i] <= key_bits; i++)
            check_sort(h, kernels, flags, (sort_case){1111, 1500, bits[i], key_bits, HARNESS_RANDOM});
        sort_destroy(kernels);
    }
    primitive_tuning tuning = by_digits(h);
    tuning.sort_merge_chunk = 768; /* no power of two */
    assert_false(tuning_fits(gpu_get_limits(h->device), &tuning));
}

/* The sort in one workgroup, in shapes for which it was once compiled wrongly. Each is as large as the device allows,
 * full and nearly empty. */
static void test_workgroup(void **state)
{
    static const uint32_t shapes[][2] = {{1024, 3}, {1024, 4}, {1024, 8}, {512, 5}, {512, 16}, {256, 7}, {256, 16}};
    static const uint32_t sizes[] = {2, 32, 255, 256, 257, 511, 1023, 1024, 1025, 2048, 4095, 4096, 5120};
    harness *h = *state;
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        primitive_tuning tuning = by_digits(h);
        tuning.sort_workgroup_invocations = shapes[s][0];
        tuning.sort_workgroup_items = shapes[s][1];
        tuning.sort_workgroup_items_most = 2u * shapes[s][1];
        if (!tuning_fits(gpu_get_limits(h->device), &tuning))
            continue;
        for (uint32_t flags = 0; flags < 4u; flags++) {
            if (!harness_all_sizes(h) && flags != s % 4u)
                continue;
            sort_kernels *kernels = create(h, flags, &(primitive_options){.tuning = &tuning});
            for (size_t i = 0; i < COUNT_OF(sizes); i++)
                check_sort(h, kernels, flags, (sort_case){sizes[i], sizes[i], 32, 32, HARNESS_RANDOM});
            check_sort(h, kernels, flags, (sort_case){700, 2000, 11, 32, HARNESS_LOW_ENTROPY});
            sort_destroy(kernels);
        }
    }
}

/* Shapes other than the default. Tuning must not change any result. */
static void test_shapes(void **state)
{
    static const uint32_t shapes[][4] = {
        {4, 8, 1, 2},
        {6, 9, 8, 1},
        {5, 8, 16, 6}}; /* items of small passes, of large ones and in one workgroup; look-ahead */
    harness *h = *state;
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        primitive_tuning tuning = by_digits(h);
        bool set = tuning_set(&tuning, "sort_small_items", shapes[s][0]) &&
                   tuning_set(&tuning, "sort_large_items", shapes[s][1]) &&
                   tuning_set(&tuning, "sort_look_ahead", shapes[s][2]) &&
                   tuning_set(&tuning, "sort_workgroup_items", shapes[s][3]);
        assert_true(set);
        primitive_options options = {.tuning = &tuning};
        uint32_t flags = (uint32_t)s + 1u;
        tuning.sort_large_from = s % 2u ? SORT_LARGE_FROM : 1u;
        tuning.sort_registers = 0;
        sort_kernels *kernels = create(h, flags, &options);
        check_sort(h, kernels, flags, (sort_case){9001, 9001, 32, 32, HARNESS_RANDOM});
        check_sort(h, kernels, flags, (sort_case){1537, 1537, 32, 32, HARNESS_LOW_ENTROPY});
        check_sort(h, kernels, flags, (sort_case){400, 400, 32, 32, HARNESS_HOSTILE});
        sort_destroy(kernels);
    }
    primitive_tuning tuning = tuning_of(gpu_get_limits(h->device));
    assert_false(tuning_set(&tuning, "sort_look_ahead", 0));
    assert_false(tuning_set(&tuning, "sort_look_ahead", 33));
    assert_false(tuning_set(&tuning, "no_such_entry", 1));
    pietra_error error = {0};
    sort_kernels *kernels = NULL;
    tuning.sort_small_items = 1;
    assert_int_equal(
        sort_create(h->device, sort_family_of(0), &(primitive_options){.tuning = &tuning}, &error, &kernels),
        PIETRA_ERROR_INPUT);
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * 6u * (HARNESS_MAX_SIZE + 65536u));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_workgroup, &h),
        cmocka_unit_test_prestate(test_comparing, &h),
        cmocka_unit_test_prestate(test_schedules, &h),
        cmocka_unit_test_prestate(test_shapes, &h),
        cmocka_unit_test_prestate(test_large, &h),
        cmocka_unit_test_prestate(test_table, &h),
        cmocka_unit_test_prestate(test_u64, &h),
        cmocka_unit_test_prestate(test_ring_bytes, &h),
        cmocka_unit_test_prestate(test_edges, &h),
        cmocka_unit_test_prestate(test_ring, &h),
        cmocka_unit_test_prestate(test_ring_schedules, &h),
        cmocka_unit_test_prestate(test_bits_and_counts, &h),
        cmocka_unit_test_prestate(test_distributions, &h),
        cmocka_unit_test_prestate(test_sizes, &h),
    };
    int failed = cmocka_run_group_tests_name("sort", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
