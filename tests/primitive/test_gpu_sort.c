/* Histogram and sorts on the device against counting sorts. */
#include "primitive/harness.h"
#include "primitive/histogram.h"
#include "primitive/sort.h"

typedef struct sort_case {
    uint32_t count, max_count;
    uint32_t bits, max_bits;
    harness_kind kind;
} sort_case;

static uint32_t low_bits(uint32_t key, uint32_t bits)
{
    return bits >= 32u ? key : key & ((1u << bits) - 1u);
}

/* Stable by the low bits: one pass of 16 bits, then another. */
static void sort_oracle(uint32_t *keys, uint32_t *values, uint32_t count, uint32_t bits)
{
    uint32_t *sorted_keys = malloc(4u * ((size_t)count + 1u));
    uint32_t *sorted_values = malloc(4u * ((size_t)count + 1u));
    uint32_t *starts = malloc(4u * 65537u);
    assert_true(sorted_keys && sorted_values && starts);
    for (uint32_t shift = 0; shift < 32u; shift += 16u) {
        memset(starts, 0, 4u * 65537u);
        for (uint32_t i = 0; i < count; i++)
            starts[(low_bits(keys[i], bits) >> shift & 0xffffu) + 1u]++;
        for (uint32_t b = 0; b < 65536u; b++)
            starts[b + 1u] += starts[b];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t to = starts[low_bits(keys[i], bits) >> shift & 0xffffu]++;
            sorted_keys[to] = keys[i];
            sorted_values[to] = values[i];
        }
        memcpy(keys, sorted_keys, 4u * (size_t)count);
        memcpy(values, sorted_values, 4u * (size_t)count);
    }
    free(sorted_keys);
    free(sorted_values);
    free(starts);
}

static void check_sort(harness *h, const sort_kernels *kernels, bool with_values, sort_case c)
{
    harness_reset(h);
    sort_ranges ranges = {.keys_a = harness_range(h, c.max_count), .keys_b = harness_range(h, c.max_count)};
    if (with_values) {
        ranges.values_a = harness_range(h, c.max_count);
        ranges.values_b = harness_range(h, c.max_count);
    }
    ranges.scratch = harness_range(h, sort_scratch_bytes(c.max_count, c.max_bits) / 4u);
    ranges.counts = harness_range(h, 4);
    ranges.count_word = 2;
    ranges.bits_word = c.bits == c.max_bits ? SORT_FIXED_BITS : 0u;
    harness_input(h, ranges.counts)[2] = c.count;
    harness_input(h, ranges.counts)[0] = c.bits;
    uint32_t *keys = harness_input(h, ranges.keys_a);
    harness_fill(keys, c.max_count, c.kind, 0xffffffffu >> (c.kind == HARNESS_SORTED ? 32u - (c.bits ? c.bits : 32u) : 0u));
    for (uint32_t i = 0; with_values && i < c.max_count; i++)
        harness_input(h, ranges.values_a)[i] = i * 3u + 1u;
    harness_begin(h);
    sort_record(h->recorder, kernels, &ranges, c.max_count, c.max_bits);
    harness_run(h);

    uint32_t n = c.count < c.max_count ? c.count : c.max_count;
    uint32_t *expected_keys = malloc(4u * ((size_t)n + 1u));
    uint32_t *expected_values = malloc(4u * ((size_t)n + 1u));
    assert_true(expected_keys && expected_values);
    for (uint32_t i = 0; i < n; i++) {
        expected_keys[i] = keys[i];
        expected_values[i] = i * 3u + 1u;
    }
    sort_oracle(expected_keys, expected_values, n, c.bits < c.max_bits ? c.bits : c.max_bits);
    uint32_t half = ((const sort_plan *)(const void *)harness_output(h, ranges.scratch))->result_half;
    assert_true(half <= 1u);
    harness_compare("keys", harness_output(h, half ? ranges.keys_b : ranges.keys_a), expected_keys, n);
    if (with_values)
        harness_compare("values", harness_output(h, half ? ranges.values_b : ranges.values_a), expected_values, n);
    free(expected_keys);
    free(expected_values);
}

static sort_kernels *create(harness *h, bool with_values, const primitive_options *options)
{
    pietra_error error = {0};
    sort_kernels *kernels = NULL;
    harness_check(sort_create(h->device, with_values, options, &error, &kernels), &error);
    return kernels;
}

static void test_sizes(void **state)
{
    harness *h = *state;
    primitive_tuning tuning = tuning_of(gpu_get_limits(h->device));
    tuning.sort_large_from = 1;
    primitive_options large = {.tuning = &tuning};
    sort_kernels *pairs = create(h, true, NULL), *keys = create(h, false, &large);
    for (size_t i = 0; i < COUNT_OF(harness_sizes); i++) {
        uint32_t size = harness_sizes[i], limit = size ? size : 1u;
        check_sort(h, pairs, true, (sort_case){size, limit, 32, 32, HARNESS_RANDOM});
        if (size <= 65537u)
            check_sort(h, keys, false, (sort_case){size, limit, 20, 20, HARNESS_RANDOM});
    }
    sort_destroy(pairs);
    sort_destroy(keys);
}

static void test_schedules(void **state)
{
    harness *h = *state;
    static const uint32_t sizes[] = {2049, 4097, 12289, 60001};
    for (size_t s = 0; s < 2u * COUNT_OF(harness_schedules); s++) {
        primitive_options options = harness_schedules[s / 2u];
        primitive_tuning tuning = tuning_of(gpu_get_limits(h->device));
        tuning.sort_large_from = s % 2u ? 1u : tuning.sort_large_from;
        options.tuning = &tuning;
        sort_kernels *pairs = create(h, true, &options);
        for (size_t i = 0; i < COUNT_OF(sizes); i++)
            check_sort(h, pairs, true, (sort_case){sizes[i], sizes[i], 32, 32, HARNESS_RANDOM});
        sort_destroy(pairs);
    }
    sort_kernels *pairs = create(h, true, &harness_schedules[3]);
    check_sort(h, pairs, true, (sort_case){524289, 524289, 24, 24, HARNESS_LOW_ENTROPY});
    sort_destroy(pairs);
}

static void test_distributions(void **state)
{
    harness *h = *state;
    for (uint32_t with_values = 0; with_values < 2u; with_values++) {
        sort_kernels *kernels = create(h, with_values, NULL);
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++) {
            check_sort(h, kernels, with_values, (sort_case){1500, 1500, 32, 32, kind});
            check_sort(h, kernels, with_values, (sort_case){30000, 30000, 32, 32, kind});
            check_sort(h, kernels, with_values, (sort_case){30000, 30000, 17, 32, kind});
        }
        sort_destroy(kernels);
    }
}

/* Every number of significant bits, and counts on the device that differ from what the ranges hold. */
static void test_bits_and_counts(void **state)
{
    harness *h = *state;
    sort_kernels *pairs = create(h, true, NULL);
    for (uint32_t bits = 0; bits <= 32u; bits++) {
        check_sort(h, pairs, true, (sort_case){1000, 1000, bits, bits, HARNESS_RANDOM});
        check_sort(h, pairs, true, (sort_case){5000, 5000, bits, 32, HARNESS_RANDOM});
        check_sort(h, pairs, true, (sort_case){5000, 5000, bits, bits, HARNESS_RANDOM});
    }
    check_sort(h, pairs, true, (sort_case){5000, 5000, 99, 12, HARNESS_RANDOM});
    check_sort(h, pairs, true, (sort_case){0, 100000, 32, 32, HARNESS_RANDOM});
    check_sort(h, pairs, true, (sort_case){2000, 100000, 32, 32, HARNESS_RANDOM});
    check_sort(h, pairs, true, (sort_case){9000, 100000, 32, 32, HARNESS_RANDOM});
    check_sort(h, pairs, true, (sort_case){0xffffffffu, 9001, 32, 32, HARNESS_RANDOM});
    check_sort(h, pairs, true, (sort_case){0xffffffffu, 1001, 32, 32, HARNESS_RANDOM});
    sort_destroy(pairs);
}

static void test_histogram(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    gpu_program *program = NULL;
    harness_check(histogram_create(h->device, NULL, &error, &program), &error);
    for (size_t i = 0; i < COUNT_OF(harness_sizes); i += 3) {
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++) {
            uint32_t size = harness_sizes[i], limit = size ? size : 1u;
            if (size > 70000u && kind != HARNESS_RANDOM)
                continue;
            harness_reset(h);
            histogram_ranges ranges = {harness_range(h, limit), harness_range(h, HISTOGRAM_DIGITS * HISTOGRAM_BINS), harness_word(h, size)};
            harness_fill(harness_input(h, ranges.keys), limit, kind, 0xffffffffu);
            harness_begin(h);
            histogram_record(h->recorder, program, &ranges, limit);
            harness_run(h);
            uint32_t expected[HISTOGRAM_DIGITS * HISTOGRAM_BINS] = {0};
            for (uint32_t k = 0; k < size; k++) {
                for (uint32_t d = 0; d < HISTOGRAM_DIGITS; d++)
                    expected[d * HISTOGRAM_BINS + (harness_input(h, ranges.keys)[k] >> 8u * d & 0xffu)]++;
            }
            harness_compare("bins", harness_output(h, ranges.bins), expected, HISTOGRAM_DIGITS * HISTOGRAM_BINS);
        }
    }
    gpu_program_destroy(program);
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * 6u * (HARNESS_MAX_SIZE + 65536u));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_histogram, &h),
        cmocka_unit_test_prestate(test_bits_and_counts, &h),
        cmocka_unit_test_prestate(test_distributions, &h),
        cmocka_unit_test_prestate(test_schedules, &h),
        cmocka_unit_test_prestate(test_sizes, &h),
    };
    int failed = cmocka_run_group_tests_name("sort", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
