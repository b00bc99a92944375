/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every primitive reports each of its ranges that is not a range, too short, misaligned, too large to bind, or overlaps
 * another, and counts that are out of range. */
#include "primitive/device_wide/compact.h"
#include "primitive/harness.h"
#include "primitive/device_wide/histogram.h"
#include "primitive/device_wide/scan.h"
#include "primitive/device_wide/segmented_scan.h"
#include "primitive/device_wide/sort_families.h"
#include "primitive/device_wide/split.h"
#include "primitive/device_wide/stack_monoid.h"

#define COUNT 1000u
#define DIGITS 2u
#define COUNT_WORD 1u
#define BITS_WORD 3u
#define MOST_RANGES 8u

static sort_kernels *sorts[4];

static pietra_result check_scan(const gpu_device *device, const gpu_range *r, uint32_t n, pietra_error *error)
{
    return scan_check(device, &(scan_ranges){r[0], r[1], r[2], r[3]}, n, error);
}

static pietra_result check_segmented(const gpu_device *device, const gpu_range *r, uint32_t n, pietra_error *error)
{
    return segmented_scan_check(device, &(segmented_scan_ranges){r[0], r[1], r[2], r[3], r[4]}, n, error);
}

static pietra_result check_compact(const gpu_device *device, const gpu_range *r, uint32_t n, pietra_error *error)
{
    return compact_check(device, &(compact_ranges){r[0], r[1], r[2], r[3], r[4]}, n, error);
}

static pietra_result check_split(const gpu_device *device, const gpu_range *r, uint32_t n, pietra_error *error)
{
    return split_check(device, &(split_ranges){r[0], r[1], r[2], r[3], r[4]}, n, error);
}

static pietra_result check_histogram(const gpu_device *device, const gpu_range *r, uint32_t n, pietra_error *error)
{
    return histogram_check(device, &(histogram_ranges){r[0], r[1], r[2]}, n, DIGITS, error);
}

static pietra_result check_stack(const gpu_device *device, const gpu_range *r, uint32_t n, pietra_error *error)
{
    return stack_monoid_check(device, &(stack_monoid_ranges){r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]}, n, error);
}

static pietra_result check_pairs(const gpu_device *device, const gpu_range *r, uint32_t n, pietra_error *error)
{
    const sort_ranges ranges = {.keys_a = r[0],
                                .keys_b = r[1],
                                .scratch = r[2],
                                .counts = r[3],
                                .values_a = r[4],
                                .values_b = r[5],
                                .count_word = COUNT_WORD,
                                .bits_word = BITS_WORD};
    return sort_check(device, sorts[SORT_WITH_VALUES], &ranges, n, 32, error);
}

static pietra_result check_u64_keys(const gpu_device *device, const gpu_range *r, uint32_t n, pietra_error *error)
{
    const sort_ranges ranges = {.keys_a = r[0],
                                .keys_b = r[1],
                                .scratch = r[2],
                                .counts = r[3],
                                .count_word = BITS_WORD,
                                .bits_word = COUNT_WORD};
    return sort_check(device, sorts[SORT_U64_KEYS], &ranges, n, 64, error);
}

typedef struct subject {
    const char *name;
    pietra_result (*check)(const gpu_device *device, const gpu_range *ranges, uint32_t n, pietra_error *error);
    uint32_t most; /* most items */
    struct {
        const char *name;
        uint64_t words; /* words that COUNT items need */
        bool written;
    } ranges[MOST_RANGES];
} subject;

static size_t subjects_of(subject subjects[8])
{
    const subject all[] = {
        {"scan",
         check_scan,
         UINT32_MAX,
         {{"items", COUNT, false},
          {"sums", COUNT, true},
          {"count", 1, false},
          {"scratch", scan_scratch_bytes(COUNT) / 4u, true}}},
        {"segmented_scan",
         check_segmented,
         UINT32_MAX,
         {{"items", COUNT, false},
          {"heads", (COUNT + 31u) / 32u, false},
          {"sums", COUNT, true},
          {"count", 1, false},
          {"scratch", segmented_scan_scratch_bytes(COUNT) / 4u, true}}},
        {"compact",
         check_compact,
         UINT32_MAX,
         {{"flags", COUNT, false},
          {"indices", COUNT, true},
          {"index_count", 1, true},
          {"count", 1, false},
          {"scratch", compact_scratch_bytes(COUNT) / 4u, true}}},
        {"split",
         check_split,
         LOOK_BACK_MAX,
         {{"classes", COUNT, false},
          {"indices", SPLIT_CLASSES * COUNT, true},
          {"lengths", SPLIT_CLASSES, true},
          {"count", 1, false},
          {"scratch", split_scratch_bytes(COUNT) / 4u, true}}},
        {"histogram",
         check_histogram,
         UINT32_MAX,
         {{"keys", COUNT, false}, {"bins", DIGITS * HISTOGRAM_BINS, true}, {"count", 1, false}}},
        {"stack_monoid",
         check_stack,
         STACK_MAX_COUNT,
         {{"brackets", COUNT, false},
          {"boxes", 4u * COUNT, false},
          {"matches", COUNT, true},
          {"contexts", COUNT, true},
          {"depths", COUNT, true},
          {"open_boxes", 4u * COUNT, true},
          {"count", 1, false},
          {"scratch", stack_monoid_scratch_bytes(COUNT) / 4u, true}}},
        {"sort",
         check_pairs,
         SORT_MAX_COUNT,
         {{"keys_a", COUNT, true},
          {"keys_b", COUNT, true},
          {"scratch", sort_kernels_scratch_bytes(sorts[SORT_WITH_VALUES], COUNT, 32) / 4u, true},
          {"counts", BITS_WORD + 1u, false},
          {"values_a", COUNT, true},
          {"values_b", COUNT, true}}},
        {"sort",
         check_u64_keys,
         SORT_MAX_COUNT,
         {{"keys_a", 2u * COUNT, true},
          {"keys_b", 2u * COUNT, true},
          {"scratch", sort_kernels_scratch_bytes(sorts[SORT_U64_KEYS], COUNT, 64) / 4u, true},
          {"counts", BITS_WORD + 1u, false}}},
    };
    memcpy(subjects, all, sizeof all);
    return COUNT_OF(all);
}

/* Expects every part of the message: "primitive: range", and what is wrong with it. */
static void expect(const harness *h, const subject *s, const gpu_range *ranges, uint32_t n, pietra_result expected,
                   const char *range, const char *part)
{
    pietra_error error = {0};
    char start[64];
    snprintf(start, sizeof start, "%s: %s", s->name, range);
    bool told = s->check(h->device, ranges, n, &error) == expected;
    if (expected != PIETRA_OK)
        told = told && strncmp(error.message, start, strlen(start)) == 0 && strstr(error.message, part);
    if (!told)
        fail_msg("\"%s\" is not result %d, \"%s ... %s\"", error.message, (int)expected, start, part);
}

static uint32_t ranges_of(harness *h, const subject *s, gpu_range *ranges)
{
    uint32_t count = 0;
    harness_reset(h);
    for (; count < MOST_RANGES && s->ranges[count].name; count++)
        ranges[count] = harness_range(h, s->ranges[count].words);
    return count;
}

/* Makes one range wrong in every way. */
static void check_range(const harness *h, const subject *s, const gpu_range *good, uint32_t i)
{
    const char *name = s->ranges[i].name;
    gpu_range bad[MOST_RANGES];
    gpu_buffer claimed = h->data;
    claimed.bytes = UINT64_MAX / 2u;
    memcpy(bad, good, sizeof bad);
    bad[i].buffer = NULL;
    expect(h, s, bad, COUNT, PIETRA_ERROR_INPUT, name, "is not within a buffer");
    bad[i] = (gpu_range){&h->data, h->data.bytes, 0};
    expect(h, s, bad, COUNT, PIETRA_ERROR_INPUT, name, "is not within a buffer");
    bad[i] = (gpu_range){&h->data, UINT64_MAX - 255u, 0};
    expect(h, s, bad, COUNT, PIETRA_ERROR_INPUT, name, "is not within a buffer");
    bad[i] = (gpu_range){&h->data, good[i].offset, h->data.bytes - good[i].offset + 1u};
    expect(h, s, bad, COUNT, PIETRA_ERROR_INPUT, name, "is not within a buffer");
    bad[i] = (gpu_range){&h->data, good[i].offset, UINT64_MAX - 127u}; /* the end lies before the begin */
    expect(h, s, bad, COUNT, PIETRA_ERROR_INPUT, name, "is not within a buffer");
    bad[i] = (gpu_range){&h->data, good[i].offset + 2u, good[i].bytes};
    expect(h, s, bad, COUNT, PIETRA_ERROR_INPUT, name, "starts at");
    bad[i] = (gpu_range){&h->data, good[i].offset, good[i].bytes - 1u};
    expect(h, s, bad, COUNT, PIETRA_ERROR_INPUT, name, "bytes and needs");
    bad[i] = (gpu_range){&h->data, h->data.bytes - 256u, 0}; /* the rest of the buffer, which is too little */
    expect(h, s, bad, COUNT, 4u * s->ranges[i].words > 256u ? PIETRA_ERROR_INPUT : PIETRA_OK, name, "bytes and needs");
    bad[i] = (gpu_range){&claimed, 0, 0};
    expect(h, s, bad, COUNT, PIETRA_ERROR_BUDGET, name, "the device binds");
}

/* If two ranges share a word, this is an error that names both, in the order of the table, unless both are only read.
 * Adjacent ranges are no error. */
static void check_pair(const harness *h, const subject *s, const gpu_range *good, uint32_t i, uint32_t k)
{
    uint64_t alignment = gpu_get_limits(h->device)->storage_alignment, bytes = 4u * s->ranges[k].words;
    bool allowed = !s->ranges[i].written && !s->ranges[k].written;
    gpu_range bad[MOST_RANGES];
    memcpy(bad, good, sizeof bad);
    /* Nothing else lies there. */
    bad[k].offset = h->data.bytes / 2u;
    bad[k].bytes = bytes;
    bad[i].offset = bad[k].offset + (bytes - 1u) / alignment * alignment;
    expect(h, s, bad, COUNT, allowed ? PIETRA_OK : PIETRA_ERROR_INPUT, s->ranges[i].name, s->ranges[k].name);
    bad[i].offset = bad[k].offset + (bytes + alignment - 1u) / alignment * alignment;
    expect(h, s, bad, COUNT, PIETRA_OK, "", "");
}

static void test_ranges(void **state)
{
    harness *h = *state;
    subject subjects[8];
    size_t subject_count = subjects_of(subjects);
    for (size_t p = 0; p < subject_count; p++) {
        const subject *s = &subjects[p];
        gpu_range good[MOST_RANGES] = {0};
        uint32_t count = ranges_of(h, s, good);
        expect(h, s, good, COUNT, PIETRA_OK, "", "");
        expect(h, s, good, 1, PIETRA_OK, "", "");
        expect(h, s, good, 0, PIETRA_ERROR_INPUT, "0 items", "not 1 to");
        expect(h, s, good, UINT32_MAX, PIETRA_ERROR_INPUT,
               s->most < UINT32_MAX ? "4294967295 items" : s->ranges[0].name, "");
        if (s->most < UINT32_MAX)
            expect(h, s, good, s->most + 1u, PIETRA_ERROR_INPUT, "", "items, not 1 to");
        expect(h, s, good, s->most, PIETRA_ERROR_INPUT, s->ranges[0].name, "bytes and needs");
        for (uint32_t i = 0; i < count; i++) {
            check_range(h, s, good, i);
            for (uint32_t k = 0; k < i; k++)
                check_pair(h, s, good, i, k);
        }
    }
}

/* More bits than keys have, and a word for the count, or for the bits, that `counts` does not have. */
static void test_sort(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    harness_reset(h);
    sort_ranges ranges = {
        .keys_a = harness_range(h, COUNT), .keys_b = harness_range(h, COUNT), .bits_word = SORT_FIXED_BITS};
    ranges.scratch = harness_range(h, sort_scratch_bytes(COUNT, 64) / 4u);
    ranges.counts = harness_word(h, 0);
    assert_int_equal(sort_check(h->device, sorts[0], &ranges, COUNT, 32, &error), PIETRA_OK);
    assert_int_equal(sort_check(h->device, sorts[0], &ranges, COUNT, 33, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "33 bits"));
    assert_int_equal(sort_check(h->device, sorts[SORT_U64_KEYS], &ranges, COUNT / 2u, 65, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(sort_check(h->device, sorts[SORT_U64_KEYS], &ranges, COUNT / 2u, 64, &error), PIETRA_OK);
    assert_int_equal(sort_check(h->device, sorts[SORT_WITH_VALUES], &ranges, COUNT, 32, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "values_a is not within"));
    ranges.count_word = UINT32_MAX;
    assert_int_equal(sort_check(h->device, sorts[0], &ranges, COUNT, 32, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "counts has 4 bytes and needs 17179869184"));
    ranges.count_word = 0;
    ranges.bits_word = 1;
    assert_int_equal(sort_check(h->device, sorts[0], &ranges, COUNT, 32, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "counts has"));
}

/* Every device allows 65,535 workgroups in a dimension. */
static void test_grids(void **state)
{
    (void)state;
    static const uint32_t groups[] = {1,     2,     32767,    32768,           32769,           65535,
                                      65536, 65537, 1u << 22, (1u << 22) + 1u, (1u << 30) - 1u, 1u << 30};
    for (size_t i = 0; i < COUNT_OF(groups); i++) {
        primitive_grid grid = primitive_grid_of(groups[i]);
        assert_in_range(grid.x, 1, 65535);
        assert_in_range(grid.y, 1, 65535);
        assert_in_range((uint64_t)grid.x * grid.y, groups[i], 2u * (uint64_t)groups[i] - 1u);
    }
    assert_int_equal(primitive_grid_of(0).y, 0);
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * 16u * 65536u);
    for (uint32_t flags = 0; flags < 4u; flags++) {
        pietra_error error = {0};
        harness_check(sort_create(h.device, sort_family_of(flags), NULL, &error, &sorts[flags]), &error);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_ranges, &h),
        cmocka_unit_test_prestate(test_sort, &h),
        cmocka_unit_test_prestate(test_grids, &h),
    };
    int failed = cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
    for (uint32_t flags = 0; flags < 4u; flags++)
        sort_destroy(sorts[flags]);
    harness_close(&h);
    return failed;
}
