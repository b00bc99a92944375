/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Parts of the benchmark: every case is checked, a case for which there is no room is skipped, and what --tune tries
 * and keeps. Memory and dispatches fail on demand, by the linker's --wrap. */
#include <math.h>

#include "primitive/harness.h"

#include "bench.h"
#include "trial.h"
#include "tune.h"

#define STAGING_BYTES 65536u
#define ITEMS 1024u

pietra_result __real_gpu_buffer_create(gpu_device *device, uint64_t bytes, gpu_memory_kind kind, pietra_error *error,
                                       gpu_buffer *buffer);
pietra_result __wrap_gpu_buffer_create(gpu_device *device, uint64_t bytes, gpu_memory_kind kind, pietra_error *error,
                                       gpu_buffer *buffer);
void __real_gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                         uint32_t x, uint32_t y, uint32_t z);
void __wrap_gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                         uint32_t x, uint32_t y, uint32_t z);
void __real_gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                                  const void *push, gpu_range arguments);
void __wrap_gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                                  const void *push, gpu_range arguments);

static uint32_t refusals; /* how many buffers find no room */
static bool idle;         /* kernels do nothing */

pietra_result __wrap_gpu_buffer_create(gpu_device *device, uint64_t bytes, gpu_memory_kind kind, pietra_error *error,
                                       gpu_buffer *buffer)
{
    if (refusals == 0u)
        return __real_gpu_buffer_create(device, bytes, kind, error, buffer);
    refusals--;
    *buffer = (gpu_buffer){0};
    snprintf(error->message, sizeof error->message, "no room");
    return PIETRA_ERROR_BUDGET;
}

void __wrap_gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                         uint32_t x, uint32_t y, uint32_t z)
{
    if (!idle)
        __real_gpu_dispatch(recorder, program, ranges, push, x, y, z);
}

void __wrap_gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                                  const void *push, gpu_range arguments)
{
    if (!idle)
        __real_gpu_dispatch_indirect(recorder, program, ranges, push, arguments);
}

static gpu_buffer slots[BENCH_MAX_BUFFERS];

static bench open_bench(void)
{
    pietra_error error = {0};
    const pietra_device_options options = {.kind = PIETRA_DEVICE_GPU, .cache_directory = ""};
    bench b = {.slots = slots, .runs = 1, .check = true, .silent = true, .table = stdout};
    harness_check(gpu_open(&options, &error, &b.device), &error);
    harness_check(gpu_recorder_create(b.device, &error, &b.recorder), &error);
    harness_check(gpu_buffer_create(b.device, STAGING_BYTES, GPU_MEMORY_UPLOAD, &error, &b.up), &error);
    harness_check(gpu_buffer_create(b.device, STAGING_BYTES, GPU_MEMORY_READBACK, &error, &b.down), &error);
    b.tuning = tuning_of(gpu_get_limits(b.device));
    return b;
}

static void close_bench(bench *b)
{
    bench_forget(b);
    for (size_t i = 0; i < BENCH_MAX_BUFFERS; i++)
        gpu_buffer_destroy(b->device, &slots[i]);
    gpu_buffer_destroy(b->device, &b->up);
    gpu_buffer_destroy(b->device, &b->down);
    gpu_recorder_destroy(b->recorder);
    gpu_close(b->device);
}

/* The cases left out here have their input as their result. */
static void test_idle_kernels_are_wrong(void **state)
{
    (void)state;
    bench b = open_bench();
    b.options.tuning = &b.tuning;
    idle = true;
    bench_copy(&b, ITEMS);
    bench_scan(&b, ITEMS);
    bench_segmented_scan(&b, ITEMS);
    bench_compact(&b, ITEMS);
    bench_split(&b, ITEMS);
    bench_histogram(&b, ITEMS);
    bench_sorts(&b, ITEMS);
    bench_stacks(&b, ITEMS);
    idle = false;
    assert_true(b.row_count > 20u);
    for (size_t i = 0; i < b.row_count; i++)
        if (b.rows[i].right && !strstr(b.rows[i].name, "sorted") && !strstr(b.rows[i].name, "equal"))
            fail_msg("%s is not checked", b.rows[i].name);
    close_bench(&b);
}

/* Sorted keys differ in the bits that count, as far as there are enough keys. */
static void test_sorted_keys(void **state)
{
    (void)state;
    static const uint32_t widths[] = {8, 16, 20, 24, 32, 40, 56, 64};
    for (size_t w = 0; w < COUNT_OF(widths); w++) {
        for (uint32_t words = widths[w] <= 32u ? 1u : 2u; words <= 2u; words++) {
            uint32_t keys[2u * ITEMS];
            uint32_t different = 1;
            fill_keys(keys, ITEMS, "sorted", words, widths[w]);
            assert_true(keys_are_sorted(keys, NULL, keys, ITEMS, words, widths[w]));
            for (uint32_t i = 1; i < ITEMS; i++)
                different += memcmp(&keys[words * i], &keys[words * (i - 1u)], 4u * words) != 0;
            assert_int_equal(different, widths[w] < 10u ? 1u << widths[w] : ITEMS);
        }
    }
}

static void test_kinds_of_words(void **state)
{
    (void)state;
    static const char *const kinds[] = {"random", "and3", "equal", "sorted"};
    uint32_t keys[4][ITEMS];
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        fill_keys(keys[k], ITEMS, kinds[k], 1, 32);
        for (size_t j = 0; j < k; j++)
            assert_memory_not_equal(keys[j], keys[k], sizeof keys[k]);
    }
}

/* Keys that are nearly sorted are not accepted. */
static void test_sorts_are_checked(void **state)
{
    (void)state;
    static const uint32_t before[] = {0x302, 0x101, 0x202, 0x102}, sorted[] = {0x101, 0x302, 0x202, 0x102},
                          stood[] = {1, 0, 2, 3};
    assert_true(keys_are_sorted(sorted, NULL, before, 4, 1, 8));
    assert_true(keys_are_sorted(sorted, stood, before, 4, 1, 8));
    static const uint32_t unstable[] = {0x101, 0x202, 0x302, 0x102}, moved[] = {1, 2, 0, 3};
    assert_false(keys_are_sorted(unstable, NULL, before, 4, 1, 8));
    assert_false(keys_are_sorted(unstable, moved, before, 4, 1, 8));
    assert_false(keys_are_sorted(before, NULL, before, 4, 1, 8));
    static const uint32_t two[] = {2, 4}, others[] = {1, 5};
    assert_true(keys_are_sorted(two, NULL, two, 2, 1, 32));
    assert_false(keys_are_sorted(others, NULL, two, 2, 1, 32));
    /* Keys of 64 bits are two words each, the low one first. */
    static const uint32_t u64[] = {7, 1, 9, 0}, u64_sorted[] = {9, 0, 7, 1};
    assert_true(keys_are_sorted(u64_sorted, NULL, u64, 2, 2, 64));
    assert_true(keys_are_sorted(u64_sorted, NULL, u64, 2, 2, 40));
    assert_false(keys_are_sorted(u64, NULL, u64, 2, 2, 40));
}

static void test_no_room(void **state)
{
    (void)state;
    bench b = open_bench();
    b.options.tuning = &b.tuning;
    bench_scan(&b, ITEMS);
    /* The second attempt has the room of the cases before it. */
    refusals = 1;
    bench_copy(&b, 2u * ITEMS);
    assert_int_equal(b.row_count, 2);
    refusals = 2;
    bench_copy(&b, 4u * ITEMS);
    assert_int_equal(b.row_count, 2);
    assert_int_equal(b.skip_count, 1);
    assert_string_equal(b.skips[0].name, "copy_u32");
    assert_string_equal(b.skips[0].why, "no room");
    bench_copy(&b, 4u * ITEMS);
    assert_int_equal(b.row_count, 3);
    assert_int_equal(b.wrong, 0);
    close_bench(&b);
}

static void test_every_entry_is_tuned(void **state)
{
    (void)state;
    if (tune_misplaced_entry())
        fail_msg("%s is in no group, or in several", tune_misplaced_entry());
}

static void set(primitive_tuning *tuning, const char *entry, uint32_t value)
{
    if (!tuning_set(tuning, entry, value))
        fail_msg("%s cannot be %u", entry, value);
}

static void test_candidates_are_possible(void **state)
{
    (void)state;
    bench b = open_bench();
    for (size_t g = 0; g < tune_group_count; g++) {
        const tune_group *group = &tune_groups[g];
        primitive_tuning tuning = b.tuning;
        assert_true(group->shape_count > 1u && group->shape_count < TRIAL_TABLES && group->log2s[0] &&
                    group->software_log2s[0]);
        for (size_t f = 0; f < TUNE_FORCED && group->forced[f].entry; f++)
            set(&tuning, group->forced[f].entry, group->forced[f].value);
        for (uint32_t s = 0; s < group->shape_count; s++) {
            for (size_t e = 0; e < TUNE_ENTRIES && group->entries[e]; e++)
                set(&tuning, group->entries[e], group->shapes[s][e]);
            for (uint32_t k = 0; k < s; k++)
                assert_memory_not_equal(group->shapes[k], group->shapes[s], sizeof group->shapes[s]);
        }
        static const uint32_t none[TUNE_ENTRIES];
        for (uint32_t s = group->shape_count; s < TUNE_SHAPES; s++)
            assert_memory_equal(group->shapes[s], none, sizeof none);
    }
    close_bench(&b);
}

/* 8 items take a quarter of the time of others, 20 the same within a thousandth, and 12 half of it. Results are wrong
 * with wrong_items, or with any number of items. */
static uint32_t wrong_items;
#define ANY_ITEMS 99u

static void run_fake(bench *b, uint32_t n)
{
    (void)n;
    for (uint32_t i = 0; b->trial && i < b->trial->table_count; i++) {
        uint32_t items = b->trial->tables[i].scan_items;
        assert_int_equal(b->trial->tables[i].sort_look_ahead, 7);
        b->trial->log_times[i] += log(items == 8u ? 25.0 : items == 20u ? 24.975 : items == 12u ? 50.0 : 100.0);
    }
    if (b->trial)
        b->trial->case_count++;
    else
        report_row(b, &(bench_row){.right = wrong_items != ANY_ITEMS && b->options.tuning->scan_items != wrong_items});
}

static const tune_group fake = {
    .entries = {"scan_items"},
    .cases = "fake",
    .run = run_fake,
    .log2s = {10, 11},
    .software_log2s = {10, 11},
    .forced = {{"sort_look_ahead", 7}},
    .shape_count = 4,
    .shapes = {{4}, {8}, {12}, {20}},
};

static void expect_items(uint32_t wrong, uint32_t items, uint32_t wrong_count)
{
    bench b = open_bench();
    set(&b.tuning, "scan_items", 16);
    primitive_tuning expected = b.tuning;
    expected.scan_items = items;
    wrong_items = wrong;
    tune_group_decide(&b, &fake);
    assert_memory_equal(&b.tuning, &expected, sizeof expected);
    assert_int_equal(b.wrong, wrong_count);
    close_bench(&b);
}

static void test_choice(void **state)
{
    (void)state;
    expect_items(0, 8, 0);
    expect_items(8, 20, 0);
    expect_items(ANY_ITEMS, 16, 1);
}

/* A real group on this device keeps one of its candidates, a correct one. */
static void test_real_group(void **state)
{
    (void)state;
    bench b = open_bench();
    for (size_t g = 0; g < tune_group_count; g++)
        if (strcmp(tune_groups[g].entries[0], "compact_invocations") == 0)
            tune_group_decide(&b, &tune_groups[g]);
    assert_int_equal(b.wrong, 0);
    assert_true(tuning_fits(gpu_get_limits(b.device), &b.tuning));
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle_kernels_are_wrong),
        cmocka_unit_test(test_sorted_keys),
        cmocka_unit_test(test_kinds_of_words),
        cmocka_unit_test(test_sorts_are_checked),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_every_entry_is_tuned),
        cmocka_unit_test(test_candidates_are_possible),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_real_group),
    };
    return cmocka_run_group_tests_name("bench", tests, NULL, NULL);
}
