/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Histogram and sorts on the device, against counting sorts. Rings of slots have a test of their own. */
#include "primitive/sort_check.h"

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
        if (size <= 65537u && (harness_all_sizes(h) || i % 3u == 2u))
            check_sort(h, keys, 0, (sort_case){size, limit, 20, 20, HARNESS_RANDOM});
    }
    /* There are many partitions to look back over. */
    check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){262145, 262145, 32, 32, HARNESS_RANDOM});
    check_sort(h, keys, 0, (sort_case){262145, 262145, 20, 20, HARNESS_RANDOM});
    sort_destroy(pairs);
    sort_destroy(keys);
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
        if (!harness_all_sizes(h) && (s < 3u || s % 3u == 1u))
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
        if (!harness_all_sizes(h) && flags != SORT_WITH_VALUES && flags != SORT_U64_KEYS)
            continue;
        sort_kernels *kernels = create(h, flags, NULL);
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++) {
            const bool all = harness_all_sizes(h), whole = (flags + kind) % 2u == 0u;
            check_sort(h, kernels, flags, (sort_case){1500, 1500, 32, 32, kind});
            if (all || whole)
                check_sort(h, kernels, flags, (sort_case){30000, 30000, 32, 32, kind});
            if (all || !whole)
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
        const bool all = harness_all_sizes(h);
        if (all || bits % 2u)
            check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){1000, 1000, bits, bits, HARNESS_RANDOM});
        if (all || bits % 2u == 0u)
            check_sort(h, pairs, SORT_WITH_VALUES, (sort_case){5000, 5000, bits, 32, HARNESS_RANDOM});
        if (all || bits % 8u <= 1u)
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
        if (!harness_all_sizes(h) && s != 2u)
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
        if (!harness_all_sizes(h) && (i % 2u ? flags != SORT_WITH_VALUES : flags != SORT_U64_KEYS))
            continue;
        tuning.sort_large_from = 1;
        tuning.sort_registers_from = i % 2u ? 1u : tuning.sort_registers_from;
        sort_kernels *kernels = create(h, flags, &(primitive_options){.tuning = &tuning});
        for (uint32_t rows = 9; rows <= 20u; rows++) {
            const uint32_t partition = 384u * rows;
            const sort_case sizes[] = {{partition - 1u, partition - 1u, key_bits, key_bits, HARNESS_RANDOM},
                                       {2u * partition, 2u * partition, 13u + rows, key_bits, HARNESS_RANDOM},
                                       {partition + 1u, 3u * partition, 13u + rows, key_bits, HARNESS_LOW_ENTROPY}};
            for (size_t s = 0; s < COUNT_OF(sizes); s++) /* by day a number of rows has one, and each numbers of rows */
                if (harness_all_sizes(h) || (rows + i) % COUNT_OF(sizes) == s)
                    check_sort(h, kernels, flags, sizes[s]);
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
        if (!harness_all_sizes(h) && flags == SORT_U64_KEYS)
            continue; /* test_distributions and test_large have these */
        sort_kernels *kernels = create(h, flags, NULL);
        uint32_t most = harness_largest(h) < 65537u ? harness_largest(h) : 65537u;
        for (size_t i = 0; i < COUNT_OF(harness_sizes) && harness_sizes[i] <= most; i++) {
            uint32_t size = harness_sizes[i];
            if (harness_all_sizes(h) || i % 2u == flags % 2u)
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

/* Few keys, each compared with all others, and chunks sorted in this way and merged: sizes around both limits, with
 * ranges that are longer or not, and every kind of key. Equal keys keep their order. */
static void test_comparing(void **state)
{
    /* compare, merge, chunk */
    static const uint32_t tables[][3] = {{4096, 0, 1024}, {0, 20000, 256}, {300, 5000, 512}, {0, 9000, 2048}};
    static const uint32_t bits[] = {0, 1, 13, 31, 32, 33, 64};
    harness *h = *state;
    for (uint32_t flags = 0; flags < 4u; flags++) {
        if (!harness_all_sizes(h) && flags != SORT_WITH_VALUES && flags != SORT_U64_KEYS)
            continue;
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
            if (harness_all_sizes(h) || i % 3u == flags % 3u)
                check_sort(h, kernels, flags,
                           (sort_case){size / 3u, size ? size : 1u, 11, key_bits, HARNESS_LOW_ENTROPY});
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
            if (!harness_all_sizes(h) && (s != 5u || flags != s % 4u))
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
        if (!harness_all_sizes(h) && s != 1u)
            continue;
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
        cmocka_unit_test_prestate(test_workgroup, &h),     cmocka_unit_test_prestate(test_comparing, &h),
        cmocka_unit_test_prestate(test_schedules, &h),     cmocka_unit_test_prestate(test_shapes, &h),
        cmocka_unit_test_prestate(test_large, &h),         cmocka_unit_test_prestate(test_table, &h),
        cmocka_unit_test_prestate(test_u64, &h),           cmocka_unit_test_prestate(test_bits_and_counts, &h),
        cmocka_unit_test_prestate(test_distributions, &h), cmocka_unit_test_prestate(test_sizes, &h),
    };
    int failed = cmocka_run_group_tests_name("sort", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
