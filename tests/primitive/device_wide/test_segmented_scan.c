/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Prefix sums of segments on the device, against a loop. */
#include "primitive/harness.h"
#include "primitive/device_wide/segmented_scan.h"

/* Where segments begin. */
typedef enum head_kind {
    HEADS_NONE,
    HEADS_ALL,
    HEADS_FIRST,
    HEADS_LAST,
    HEADS_SPARSE, /* most partitions have none */
    HEADS_DENSE,
    HEADS_PERIODIC, /* with a period that drifts over groups of four, subgroups and partitions */
    HEAD_KINDS,
} head_kind;

static bool begins(head_kind kind, uint32_t i, uint32_t count, uint32_t *state)
{
    switch (kind) {
    case HEADS_NONE:
        return false;
    case HEADS_ALL:
        return true;
    case HEADS_FIRST:
        return i == 0u;
    case HEADS_LAST:
        return i + 1u == count;
    case HEADS_SPARSE:
        return harness_random(state) % 9973u == 0u;
    case HEADS_DENSE:
        return harness_random(state) % 3u == 0u;
    default:
        return i % 1021u == 7u;
    }
}

static void check(harness *h, const primitive_kernel *kernel, uint32_t count, uint32_t max_count, head_kind heads,
                  bool inclusive)
{
    uint32_t words = (max_count + 31u) / 32u;
    harness_reset(h);
    segmented_scan_ranges ranges = {harness_range(h, max_count), harness_range(h, words), harness_range(h, max_count),
                                    harness_word(h, count),
                                    harness_range(h, segmented_scan_scratch_bytes(max_count) / 4u)};
    uint32_t *items = harness_input(h, ranges.items);
    harness_fill(items, max_count, HARNESS_RANDOM, 0xffffffffu);
    uint32_t *bits = harness_input(h, ranges.heads);
    memset(bits, 0, 4u * (size_t)words);
    uint32_t state = max_count + heads;
    for (uint32_t i = 0; i < max_count; i++)
        bits[i / 32u] |= (uint32_t)begins(heads, i, max_count, &state) << i % 32u;
    /* Bits beyond the last item are ignored. */
    if (max_count % 32u != 0u)
        bits[words - 1u] |= 0xffffffffu << max_count % 32u;
    harness_begin(h);
    segmented_scan_record(h->recorder, kernel, &ranges, max_count, inclusive);
    harness_run(h);

    uint32_t n = count < max_count ? count : max_count;
    uint32_t *expected = malloc(4u * (size_t)max_count);
    assert_non_null(expected);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < max_count; i++) {
        sum = bits[i / 32u] >> i % 32u & 1u ? 0u : sum;
        uint32_t after = sum + items[i];
        expected[i] = i >= n ? HARNESS_GUARD : inclusive ? after : sum;
        sum = after;
    }
    harness_compare("segmented scan", harness_output(h, ranges.sums), expected, max_count);
    free(expected);
}

static void test_schedules(void **state)
{
    harness *h = *state;
    for (size_t s = 0; s < harness_schedule_count(h); s++) {
        pietra_error error = {0};
        primitive_kernel kernel = {0};
        harness_check(segmented_scan_create(h->device, &harness_schedules[s], &error, &kernel), &error);
        for (size_t i = 0; i < COUNT_OF(harness_sizes) && harness_sizes[i] <= harness_largest(h); i++) {
            uint32_t size = harness_sizes[i];
            if (s == 0 || size % 4096u == 1u)
                check(h, &kernel, size, size ? size : 1u, (head_kind)(i % HEAD_KINDS), i % 2u == 0u);
        }
        for (uint32_t kind = 0; kind < HEAD_KINDS; kind++)
            check(h, &kernel, 70000u, 70000u, (head_kind)kind, kind % 2u == 0u);
        primitive_kernel_destroy(&kernel);
    }
}

/* The count on the device decides, up to what the ranges hold. */
static void test_counts(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    primitive_kernel kernel = {0};
    harness_check(segmented_scan_create(h->device, NULL, &error, &kernel), &error);
    check(h, &kernel, 0, 100000, HEADS_DENSE, true);
    check(h, &kernel, 5000, 100000, HEADS_SPARSE, false);
    check(h, &kernel, 0xffffffffu, 4097, HEADS_PERIODIC, false);
    primitive_kernel_destroy(&kernel);
}

/* Partitions of other shapes, with heads in every place of groups, subgroups and partitions. */
static void test_shapes(void **state)
{
    harness *h = *state;
    static const uint32_t shapes[][2] = {{256, 1}, {64, 4}, {128, 3}, {64, 16}};
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        pietra_error error = {0};
        primitive_kernel kernel = {0};
        primitive_tuning tuning = tuning_for(h->device);
        tuning.segmented_invocations = shapes[s][0];
        tuning.segmented_items = 4u * shapes[s][1];
        for (uint32_t fault_period = 0; fault_period < 3u; fault_period += 2u) {
            if (!harness_tries_shape(h, s, fault_period))
                continue;
            const primitive_options options = {
                .tuning = &tuning, .fault_period = fault_period, .spin_limit = fault_period ? 4u : 0u};
            harness_check(segmented_scan_create(h->device, &options, &error, &kernel), &error);
            for (uint32_t kind = 0; kind < HEAD_KINDS; kind++)
                check(h, &kernel, 20001, 20001, (head_kind)kind, kind % 2u != 0u);
            primitive_kernel_destroy(&kernel);
        }
    }
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * 3u * (HARNESS_MAX_SIZE + 65536u));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_schedules, &h),
        cmocka_unit_test_prestate(test_counts, &h),
        cmocka_unit_test_prestate(test_shapes, &h),
    };
    int failed = cmocka_run_group_tests_name("segmented_scan", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
