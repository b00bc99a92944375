/* What the primitives say of ranges that are too short, misaligned or overlap, and of counts that are out of range. */
#include "primitive/compact.h"
#include "primitive/harness.h"
#include "primitive/histogram.h"
#include "primitive/scan.h"
#include "primitive/segmented_scan.h"
#include "primitive/sort.h"
#include "primitive/split.h"
#include "primitive/stack_monoid.h"

#define COUNT 1000u

static void expect(pietra_result result, const pietra_error *error, pietra_result expected, const char *part)
{
    assert_int_equal(result, expected);
    if (part && !strstr(error->message, part))
        fail_msg("\"%s\" does not say \"%s\"", error->message, part);
}

static void test_scan(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    harness_reset(h);
    const scan_ranges good = {harness_range(h, COUNT), harness_range(h, COUNT), harness_word(h, 0),
                              harness_range(h, scan_scratch_bytes(COUNT) / 4u)};
    expect(scan_check(h->device, &good, COUNT, &error), &error, PIETRA_OK, NULL);
    expect(scan_check(h->device, &good, 0, &error), &error, PIETRA_ERROR_INPUT, "0 items");
    expect(scan_check(h->device, &good, COUNT + 1u, &error), &error, PIETRA_ERROR_INPUT, "items has");
    scan_ranges bad = good;
    bad.sums.offset += 2;
    expect(scan_check(h->device, &bad, COUNT, &error), &error, PIETRA_ERROR_INPUT, "sums starts at");
    bad = good;
    bad.sums = good.items;
    expect(scan_check(h->device, &bad, COUNT, &error), &error, PIETRA_ERROR_INPUT, "sums overlaps items");
    bad = good;
    bad.items.offset = h->data.bytes;
    expect(scan_check(h->device, &bad, COUNT, &error), &error, PIETRA_ERROR_INPUT, "items is not within");
    bad = good;
    bad.sums.bytes = UINT64_MAX - 127u; /* whose end is before its begin */
    expect(scan_check(h->device, &bad, COUNT, &error), &error, PIETRA_ERROR_INPUT, "sums is not within");
    bad = good;
    bad.scratch.buffer = NULL;
    expect(scan_check(h->device, &bad, COUNT, &error), &error, PIETRA_ERROR_INPUT, "scratch is not within");
    bad = good;
    bad.items = bad.count; /* both are only read: so they may */
    expect(scan_check(h->device, &bad, 1, &error), &error, PIETRA_OK, NULL);
}

static void test_segmented_scan(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    harness_reset(h);
    const segmented_scan_ranges good = {harness_range(h, COUNT), harness_range(h, (COUNT + 31u) / 32u), harness_range(h, COUNT), harness_word(h, 0),
                                        harness_range(h, segmented_scan_scratch_bytes(COUNT) / 4u)};
    expect(segmented_scan_check(h->device, &good, COUNT, &error), &error, PIETRA_OK, NULL);
    expect(segmented_scan_check(h->device, &good, COUNT + 1u, &error), &error, PIETRA_ERROR_INPUT, "items has");
    segmented_scan_ranges bad = good;
    bad.heads.bytes -= 4u;
    expect(segmented_scan_check(h->device, &bad, COUNT, &error), &error, PIETRA_ERROR_INPUT, "heads has");
    bad = good;
    bad.sums = good.heads;
    expect(segmented_scan_check(h->device, &bad, 32, &error), &error, PIETRA_ERROR_INPUT, "sums overlaps heads");
    bad.sums = good.items;
    expect(segmented_scan_check(h->device, &bad, COUNT, &error), &error, PIETRA_ERROR_INPUT, "sums overlaps items");
}

static void test_sort(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    sort_kernels *kernels[4];
    for (uint32_t flags = 0; flags < 4u; flags++)
        harness_check(sort_create(h->device, flags, NULL, &error, &kernels[flags]), &error);
    harness_reset(h);
    sort_ranges ranges = {.keys_a = harness_range(h, COUNT), .keys_b = harness_range(h, COUNT), .bits_word = SORT_FIXED_BITS};
    ranges.scratch = harness_range(h, sort_scratch_bytes(COUNT, 64) / 4u);
    ranges.counts = harness_word(h, 0);
    expect(sort_check(h->device, kernels[0], &ranges, COUNT, 32, &error), &error, PIETRA_OK, NULL);
    expect(sort_check(h->device, kernels[0], &ranges, COUNT, 33, &error), &error, PIETRA_ERROR_INPUT, "33 bits");
    expect(sort_check(h->device, kernels[0], &ranges, SORT_MAX_COUNT + 1u, 32, &error), &error, PIETRA_ERROR_INPUT, "items, not 1 to");
    expect(sort_check(h->device, kernels[SORT_WIDE_KEYS], &ranges, COUNT, 64, &error), &error, PIETRA_ERROR_INPUT, "keys_a has");
    expect(sort_check(h->device, kernels[SORT_WIDE_KEYS], &ranges, COUNT / 2u, 64, &error), &error, PIETRA_OK, NULL);
    expect(sort_check(h->device, kernels[SORT_WITH_VALUES], &ranges, COUNT, 32, &error), &error, PIETRA_ERROR_INPUT, "values_a is not within");
    ranges.count_word = 1;
    expect(sort_check(h->device, kernels[0], &ranges, COUNT, 32, &error), &error, PIETRA_ERROR_INPUT, "counts has");
    for (uint32_t flags = 0; flags < 4u; flags++)
        sort_destroy(kernels[flags]);
}

/* Ranges whose largest binding is above the device's, and one that overlaps in part. */
static void test_others(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    harness_reset(h);
    gpu_range all = {&h->data, 0, 0};
    const compact_ranges compact = {all, all, all, all, all};
    expect(compact_check(h->device, &compact, COUNT, &error), &error, PIETRA_ERROR_INPUT, "indices overlaps flags");
    const split_ranges split = {all, all, all, all, all};
    expect(split_check(h->device, &split, COUNT, &error), &error, PIETRA_ERROR_INPUT, "indices overlaps classes");
    histogram_ranges histogram = {harness_range(h, COUNT), harness_range(h, HISTOGRAM_BINS), harness_word(h, 0)};
    expect(histogram_check(h->device, &histogram, COUNT, 1, &error), &error, PIETRA_OK, NULL);
    expect(histogram_check(h->device, &histogram, COUNT, 2, &error), &error, PIETRA_ERROR_INPUT, "bins has");
    histogram.bins.offset = histogram.keys.offset + 3840u;
    histogram.bins.bytes = 1024u;
    expect(histogram_check(h->device, &histogram, COUNT, 1, &error), &error, PIETRA_ERROR_INPUT, "bins overlaps keys");
    const stack_monoid_ranges stack = {.brackets = all, .boxes = all, .matches = all};
    expect(stack_monoid_check(h->device, &stack, COUNT, &error), &error, PIETRA_ERROR_INPUT, "matches overlaps brackets");
    /* A buffer that is said to be larger than what the device binds. */
    gpu_buffer claimed = h->data;
    claimed.bytes = UINT64_MAX / 2u;
    histogram.keys = (gpu_range){&claimed, 0, 0};
    if (4u * (uint64_t)UINT32_MAX > gpu_get_limits(h->device)->max_binding_bytes)
        expect(histogram_check(h->device, &histogram, UINT32_MAX, 1, &error), &error, PIETRA_ERROR_BUDGET, "keys needs");
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * 16u * 65536u);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_scan, &h),
        cmocka_unit_test_prestate(test_segmented_scan, &h),
        cmocka_unit_test_prestate(test_sort, &h),
        cmocka_unit_test_prestate(test_others, &h),
    };
    int failed = cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
