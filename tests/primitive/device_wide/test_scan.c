/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Prefix sums on the device, against a loop. */
#include "primitive/harness.h"
#include "primitive/device_wide/scan.h"

static void check(harness *h, const scan_kernels *kernels, uint32_t count, uint32_t max_count, harness_kind kind,
                  bool inclusive)
{
    harness_reset(h);
    scan_ranges ranges = {harness_range(h, max_count), harness_range(h, max_count), harness_word(h, count),
                          harness_range(h, scan_scratch_bytes(max_count) / 4u)};
    uint32_t *items = harness_input(h, ranges.items);
    harness_fill(items, max_count, kind, 0xffffffffu);
    harness_begin(h);
    scan_record(h->recorder, kernels, &ranges, max_count, inclusive);
    harness_run(h);

    uint32_t n = count < max_count ? count : max_count;
    uint32_t *expected = malloc(4u * (size_t)max_count);
    assert_non_null(expected);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < max_count; i++) {
        uint32_t after = sum + items[i];
        expected[i] = i >= n ? HARNESS_GUARD : inclusive ? after : sum;
        sum = after;
    }
    harness_compare("scan", harness_output(h, ranges.sums), expected, max_count);
    free(expected);
}

/* Three partitions of 1,024 items are added up ahead, and all others while partitions are scanned. The last chunks are
 * full or not. */
static void test_schedules(void **state)
{
    harness *h = *state;
    for (size_t s = 0; s < harness_schedule_count(h); s++) {
        pietra_error error = {0};
        scan_kernels kernels = {0};
        primitive_tuning tuning = tuning_for(h->device);
        tuning.scan_invocations = 128;
        tuning.scan_items = 8;
        tuning.scan_look_ahead = 3;
        primitive_options options = harness_schedules[s];
        options.tuning = &tuning;
        harness_check(scan_create(h->device, &options, &error, &kernels), &error);
        for (size_t i = 0; i < COUNT_OF(harness_sizes) && harness_sizes[i] <= harness_largest(h); i++) {
            uint32_t size = harness_sizes[i];
            if (s == 0 || size % 4096u == 1u)
                check(h, &kernels, size, size ? size : 1u, HARNESS_RANDOM, i % 2u == 0u);
        }
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++)
            check(h, &kernels, 70000u, 70000u, kind, kind % 2u == 0u);
        check(h, &kernels, 150000u, 1000000u, HARNESS_RANDOM, true);
        scan_destroy(&kernels);
    }
}

/* The count on the device decides, up to what the ranges hold. */
static void test_counts(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    scan_kernels kernels = {0};
    harness_check(scan_create(h->device, NULL, &error, &kernels), &error);
    check(h, &kernels, 0, 100000, HARNESS_RANDOM, true);
    check(h, &kernels, 5000, 100000, HARNESS_RANDOM, false);
    check(h, &kernels, 0xffffffffu, 4097, HARNESS_RANDOM, false);
    scan_destroy(&kernels);
}

/* Partitions of other shapes and other look-aheads, up to all partitions. Sizes lie around the ends of chunks. */
static void test_shapes(void **state)
{
    harness *h = *state;
    static const uint32_t shapes[][3] = {{256, 1, 1}, {64, 4, 5},   {128, 3, 128},
                                         {64, 16, 2}, {64, 4, 512}, {256, 2, 33}};
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        pietra_error error = {0};
        scan_kernels kernels = {0};
        primitive_tuning tuning = tuning_for(h->device);
        tuning.scan_invocations = shapes[s][0];
        tuning.scan_items = 4u * shapes[s][1];
        tuning.scan_look_ahead = shapes[s][2];
        uint32_t partition = 4u * shapes[s][0] * shapes[s][1];
        const uint32_t sizes[] = {1,
                                  partition,
                                  partition * (shapes[s][2] + 1u) + 1u,
                                  partition * (shapes[s][2] + SCAN_CHUNK),
                                  partition * (shapes[s][2] + SCAN_CHUNK) + 1u,
                                  partition * (shapes[s][2] + SCAN_CHUNK + 2u),
                                  partition * (shapes[s][2] + 2u * SCAN_CHUNK + 1u) - 1u};
        for (uint32_t fault_period = 0; fault_period < 3u; fault_period += 2u) {
            if (!harness_tries_shape(h, s, fault_period))
                continue;
            const primitive_options options = {
                .tuning = &tuning, .fault_period = fault_period, .spin_limit = fault_period ? 4u : 0u};
            harness_check(scan_create(h->device, &options, &error, &kernels), &error);
            for (size_t i = 0; i < COUNT_OF(sizes); i++)
                if (sizes[i] <= HARNESS_MAX_SIZE)
                    check(h, &kernels, sizes[i], sizes[i], HARNESS_RANDOM, i % 2u == 0u);
            scan_destroy(&kernels);
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
    int failed = cmocka_run_group_tests_name("scan", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
