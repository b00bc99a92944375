/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sorts on the device, checked against counting sorts.
 *
 * A driver that has not seen a program of a sort before takes a second and more to compile it, and one of the passes
 * over all counts five. So by day each shape, schedule and size of a ring is tried with some of the kinds of items,
 * such that each kind meets several. At night all pairs are tried. */
#ifndef PIETRA_TESTS_PRIMITIVE_SORT_CHECK_H
#define PIETRA_TESTS_PRIMITIVE_SORT_CHECK_H

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

static inline uint64_t low_bits(uint64_t key, uint32_t bits)
{
    return bits >= 64u ? key : key & ((UINT64_C(1) << bits) - 1u);
}

/* Sorts stably by the low bits, 16 at a time. */
static inline void sort_oracle(item *items, uint32_t count, uint32_t bits)
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

static inline item item_at(const uint32_t *keys, const uint32_t *values, uint32_t i, uint32_t words)
{
    uint64_t high = words == 2u ? keys[2u * (size_t)i + 1u] : 0u;
    return (item){keys[(size_t)words * i] | high << 32, values ? values[i] : 0u};
}

static inline void compare(const item *expected, const uint32_t *keys, const uint32_t *values, uint32_t count,
                           uint32_t words)
{
    for (uint32_t i = 0; i < count; i++) {
        item got = item_at(keys, values, i, words);
        if (got.key != expected[i].key || (values && got.value != expected[i].value))
            fail_msg("item %u of %u is %llx, %u, not %llx, %u", i, count, (unsigned long long)got.key, got.value,
                     (unsigned long long)expected[i].key, expected[i].value);
    }
}

/* Returns what the device planned, valid until the next sort. */
static inline const sort_plan *check_sort(harness *h, const sort_kernels *kernels, uint32_t flags, sort_case c)
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
static inline primitive_tuning by_digits(const harness *h)
{
    primitive_tuning tuning = tuning_of(gpu_get_limits(h->device));
    tuning.sort_compare_most = tuning.sort_merge_most = 0;
    return tuning;
}

/* Makes kernels that sort by digits, unless the options have a table that says otherwise. */
static inline sort_kernels *create(harness *h, uint32_t flags, const primitive_options *options)
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

/* Returns whether a schedule gets a million keys. If half of the partitions, or all, publish nothing, software would
 * take minutes for them even at night. */
static inline bool takes_a_million(const harness *h, const primitive_options *schedule)
{
    return gpu_get_limits(h->device)->hardware ||
           (harness_all_sizes(h) && (schedule->fault_period == 0u || schedule->fault_period > 2u));
}

#endif
