/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compaction and split on the device, against loops. */
#include "primitive/device_wide/compact.h"
#include "primitive/harness.h"
#include "primitive/device_wide/split.h"

static void check_compact(harness *h, const compact_kernels *kernels, uint32_t count, uint32_t max_count,
                          harness_kind kind, uint32_t mask)
{
    harness_reset(h);
    compact_ranges ranges = {harness_range(h, max_count), harness_range(h, max_count), harness_range(h, 1),
                             harness_word(h, count), harness_range(h, compact_scratch_bytes(max_count) / 4u)};
    uint32_t *flags = harness_input(h, ranges.flags);
    harness_fill(flags, max_count, kind, mask);
    harness_begin(h);
    compact_record(h->recorder, kernels, &ranges, max_count);
    harness_run(h);

    uint32_t *expected = malloc(4u * (size_t)max_count);
    assert_non_null(expected);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && i < max_count; i++)
        if (flags[i])
            expected[found++] = i;
    assert_int_equal(*harness_output(h, ranges.index_count), found);
    for (uint32_t i = found; i < max_count; i++)
        expected[i] = HARNESS_GUARD;
    harness_compare("compact", harness_output(h, ranges.indices), expected, max_count);
    free(expected);
}

static void check_split(harness *h, const primitive_kernel *kernel, uint32_t count, uint32_t max_count,
                        harness_kind kind, uint32_t mask)
{
    harness_reset(h);
    split_ranges ranges = {harness_range(h, max_count), harness_range(h, (uint64_t)SPLIT_CLASSES * max_count),
                           harness_range(h, SPLIT_CLASSES), harness_word(h, count),
                           harness_range(h, split_scratch_bytes(max_count) / 4u)};
    uint32_t *classes = harness_input(h, ranges.classes);
    harness_fill(classes, max_count, kind, mask);
    harness_begin(h);
    split_record(h->recorder, kernel, &ranges, max_count);
    harness_run(h);

    uint32_t *expected = malloc(4u * SPLIT_CLASSES * (size_t)max_count);
    assert_non_null(expected);
    for (uint32_t i = 0; i < SPLIT_CLASSES * max_count; i++)
        expected[i] = HARNESS_GUARD;
    uint32_t lengths[SPLIT_CLASSES] = {0};
    for (uint32_t i = 0; i < count && i < max_count; i++)
        if (classes[i] < SPLIT_CLASSES)
            expected[classes[i] * max_count + lengths[classes[i]]++] = i;
    harness_compare("lengths", harness_output(h, ranges.lengths), lengths, SPLIT_CLASSES);
    harness_compare("split", harness_output(h, ranges.indices), expected, SPLIT_CLASSES * max_count);
    free(expected);
}

static void check_all(harness *h, const compact_kernels *compact, const primitive_kernel *split, uint32_t count,
                      uint32_t max_count)
{
    check_compact(h, compact, count, max_count, HARNESS_RANDOM, 1u);
    check_split(h, split, count, max_count, HARNESS_RANDOM, 7u);
}

static void test_schedules(void **state)
{
    harness *h = *state;
    for (size_t s = 0; s < harness_schedule_count(h); s++) {
        pietra_error error = {0};
        compact_kernels compact = {0};
        primitive_kernel split = {0};
        harness_check(compact_create(h->device, &harness_schedules[s], &error, &compact), &error);
        harness_check(split_create(h->device, &harness_schedules[s], &error, &split), &error);
        for (size_t i = 0; i < COUNT_OF(harness_sizes) && harness_sizes[i] <= harness_largest(h); i++) {
            uint32_t size = harness_sizes[i];
            if (s == 0 || size % 4096u == 1u)
                check_all(h, &compact, &split, size, size ? size : 1u);
        }
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++) {
            check_compact(h, &compact, 70000u, 70000u, kind, 0x80u);
            check_split(h, &split, 70000u, 70000u, kind, 3u);
        }
        check_all(h, &compact, &split, 0, 100000);
        check_all(h, &compact, &split, 5000, 100000);
        check_all(h, &compact, &split, 0xffffffffu, 4097);
        compact_destroy(&compact);
        primitive_kernel_destroy(&split);
    }
}

/* Partitions of split in other shapes: one group of four items, an odd number of groups, as many as possible. */
static void test_split_shapes(void **state)
{
    harness *h = *state;
    static const uint32_t shapes[][2] = {{256, 1}, {128, 3}, {256, 5}, {64, 8}};
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        pietra_error error = {0};
        primitive_kernel split = {0};
        primitive_tuning tuning = tuning_for(h->device);
        tuning.split_invocations = shapes[s][0];
        tuning.split_items = 4u * shapes[s][1];
        for (uint32_t fault_period = 0; fault_period < 3u; fault_period += 2u) {
            if (!harness_tries_shape(h, s, fault_period))
                continue;
            const primitive_options options = {
                .tuning = &tuning, .fault_period = fault_period, .spin_limit = fault_period ? 4u : 0u};
            harness_check(split_create(h->device, &options, &error, &split), &error);
            check_split(h, &split, 1, 1, HARNESS_RANDOM, 7u);
            check_split(h, &split, 4096, 4096, HARNESS_RANDOM, 7u);
            check_split(h, &split, 20001, 20001, HARNESS_RANDOM, 7u);
            primitive_kernel_destroy(&split);
        }
    }
}

/* Smaller rows of compact, and partitions of several rows, the last of them full or not. Words are empty or full. */
static void test_compact_shapes(void **state)
{
    harness *h = *state;
    static const uint32_t shapes[][2] = {{64, 4096}, {64, 1}, {64, 3}, {128, 5}, {256, 2}};
    static const uint32_t sizes[] = {1, 31, 33, 2047, 2048, 2049, 4096, 20001, 40960, 65536, 65537, 163841};
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        pietra_error error = {0};
        compact_kernels compact = {0};
        primitive_tuning tuning = tuning_for(h->device);
        if (!harness_all_sizes(h) && shapes[s][0] != 64u)
            continue; /* another program */
        tuning.compact_invocations = shapes[s][0];
        tuning.compact_partitions = shapes[s][1];
        const primitive_options options = {.tuning = &tuning};
        harness_check(compact_create(h->device, &options, &error, &compact), &error);
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            check_compact(h, &compact, sizes[i], sizes[i], HARNESS_RANDOM, 1u);
            check_compact(h, &compact, sizes[i], sizes[i], HARNESS_EQUAL, i % 2u ? 0xffu : 0u);
        }
        check_compact(h, &compact, 20001, 163841, HARNESS_LOW_ENTROPY, 3u);
        check_compact(h, &compact, 0, 163841, HARNESS_RANDOM, 1u);
        compact_destroy(&compact);
    }
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * 6u * (HARNESS_MAX_SIZE + 65536u));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_schedules, &h),
        cmocka_unit_test_prestate(test_split_shapes, &h),
        cmocka_unit_test_prestate(test_compact_shapes, &h),
    };
    int failed = cmocka_run_group_tests_name("compact", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
