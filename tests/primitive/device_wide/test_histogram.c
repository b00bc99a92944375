/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Histograms of digits on the device, against a loop. */
#include "primitive/harness.h"
#include "primitive/device_wide/histogram.h"

typedef struct digits {
    uint32_t first_bit, count;
} digits;

/* `size` is the count on the device; `limit` is what the ranges hold. */
static void check(harness *h, const gpu_program *program, uint32_t size, uint32_t limit, harness_kind kind, digits of)
{
    uint32_t n = size < limit ? size : limit;
    harness_reset(h);
    histogram_ranges ranges = {harness_range(h, limit), harness_range(h, of.count * HISTOGRAM_BINS),
                               harness_word(h, size)};
    harness_fill(harness_input(h, ranges.keys), limit, kind, 0xffffffffu);
    harness_begin(h);
    histogram_record(h->recorder, program, &ranges, limit, of.first_bit, of.count);
    harness_run(h);
    uint32_t expected[HISTOGRAM_DIGITS * HISTOGRAM_BINS] = {0};
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t d = 0; d < of.count; d++)
            expected[d * HISTOGRAM_BINS + (harness_input(h, ranges.keys)[k] >> (of.first_bit + 8u * d) & 0xffu)]++;
    harness_compare("bins", harness_output(h, ranges.bins), expected, of.count * HISTOGRAM_BINS);
}

static void test_sizes(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    gpu_program *program = NULL;
    harness_check(histogram_create(h->device, NULL, &error, &program), &error);
    for (size_t i = 0; i < COUNT_OF(harness_sizes); i += 3) {
        for (harness_kind kind = 0; kind < HARNESS_KINDS; kind++) {
            uint32_t size = harness_sizes[i];
            if (size <= 70000u || kind == HARNESS_RANDOM)
                check(h, program, size, size ? size : 1u, kind, (digits){0, HISTOGRAM_DIGITS});
        }
    }
    for (uint32_t count = 1; count <= HISTOGRAM_DIGITS; count++)
        for (uint32_t first_bit = 0; first_bit + 8u * count <= 32u; first_bit += 4u)
            check(h, program, 5003, 5003, HARNESS_RANDOM, (digits){first_bit, count});
    gpu_program_destroy(program);
}

/* The count on the device decides, up to what the ranges hold. */
static void test_counts(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    gpu_program *program = NULL;
    harness_check(histogram_create(h->device, NULL, &error, &program), &error);
    static const uint32_t counts[][2] = {{0, 9001}, {1, 9001}, {4097, 9001}, {9002, 9001}, {0xffffffffu, 4099}};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        check(h, program, counts[i][0], counts[i][1], HARNESS_RANDOM, (digits){0, HISTOGRAM_DIGITS});
        check(h, program, counts[i][0], counts[i][1], HARNESS_RANDOM, (digits){24, 1});
    }
    gpu_program_destroy(program);
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * (HARNESS_MAX_SIZE + 65536u));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_sizes, &h),
        cmocka_unit_test_prestate(test_counts, &h),
    };
    int failed = cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
