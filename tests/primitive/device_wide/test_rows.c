/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Primitives with more workgroups than a row of the grid holds, on devices that can bind that many items. */
#include "primitive/harness.h"
#include "primitive/device_wide/scan.h"
#include "primitive/device_wide/segmented_scan.h"

#define ROW 32768u
#define COUNT (ROW * SCAN_PARTITION_LEAST + 5001u)
#define PERIOD 100003u /* items of a scan segment */

static primitive_tuning smallest_partitions(const harness *h)
{
    primitive_tuning tuning = tuning_of(gpu_get_limits(h->device));
    tuning.scan_invocations = tuning.segmented_invocations = 256;
    tuning.scan_items = tuning.segmented_items = 4;
    return tuning;
}

static void skip_where_too_large(const harness *h, pietra_result checked)
{
    if (checked == PIETRA_ERROR_BUDGET) {
        print_message("the device binds %llu bytes\n",
                      (unsigned long long)gpu_get_limits(h->device)->max_binding_bytes);
        skip();
    }
    assert_int_equal(checked, PIETRA_OK);
}

static uint32_t item(uint32_t i)
{
    return i * 2654435761u;
}

static void test_scan(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    const primitive_tuning tuning = smallest_partitions(h);
    const primitive_options options = {.tuning = &tuning};
    scan_kernels kernels = {0};
    harness_reset(h);
    scan_ranges ranges = {harness_range(h, COUNT), harness_range(h, COUNT), harness_word(h, COUNT),
                          harness_range(h, scan_scratch_bytes(COUNT) / 4u)};
    skip_where_too_large(h, scan_check(h->device, &ranges, COUNT, &error));
    for (uint32_t i = 0; i < COUNT; i++)
        harness_input(h, ranges.items)[i] = item(i);
    harness_check(scan_create(h->device, &options, &error, &kernels), &error);
    assert_true(primitive_pieces(COUNT, kernels.partition) > ROW);
    harness_begin(h);
    scan_record(h->recorder, &kernels, &ranges, COUNT, true);
    harness_run(h);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        sum += item(i);
        if (harness_output(h, ranges.sums)[i] != sum)
            fail_msg("sum %u", i);
    }
    scan_destroy(&kernels);
}

static void test_segmented_scan(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    const primitive_tuning tuning = smallest_partitions(h);
    const primitive_options options = {.tuning = &tuning};
    primitive_kernel kernel = {0};
    harness_reset(h);
    segmented_scan_ranges ranges = {harness_range(h, COUNT), harness_range(h, (COUNT + 31u) / 32u),
                                    harness_range(h, COUNT), harness_word(h, COUNT),
                                    harness_range(h, segmented_scan_scratch_bytes(COUNT) / 4u)};
    skip_where_too_large(h, segmented_scan_check(h->device, &ranges, COUNT, &error));
    memset(harness_input(h, ranges.heads), 0, (COUNT + 31u) / 32u * 4u);
    for (uint32_t i = 0; i < COUNT; i++)
        harness_input(h, ranges.items)[i] = item(i);
    for (uint32_t i = PERIOD; i < COUNT; i += PERIOD)
        harness_input(h, ranges.heads)[i / 32u] |= 1u << i % 32u;
    harness_check(segmented_scan_create(h->device, &options, &error, &kernel), &error);
    assert_true(primitive_partitions(&kernel, COUNT) > ROW);
    harness_begin(h);
    segmented_scan_record(h->recorder, &kernel, &ranges, COUNT, false);
    harness_run(h);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        sum = i % PERIOD == 0u ? 0u : sum;
        if (harness_output(h, ranges.sums)[i] != sum)
            fail_msg("sum %u", i);
        sum += item(i);
    }
    primitive_kernel_destroy(&kernel);
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * 3u * (uint64_t)(COUNT + 65536u));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_scan, &h),
        cmocka_unit_test_prestate(test_segmented_scan, &h),
    };
    int failed = cmocka_run_group_tests_name("rows", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
