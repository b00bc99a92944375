/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Matches, contexts, depths and intersected boxes on the device, against a plain stack. */
#include "primitive/harness.h"
#include "primitive/device_wide/stack_monoid.h"

#define MAX_SIZE 1048577u
#define LARGEST (1u << 24)
#define UNTOUCHED 0x5eed5eedu /* what a begin without an end keeps as its match */

static uint32_t partition; /* of the kernel that is tested: the width of saws */

typedef struct shape {
    const char *name;
    /* Returns whether bracket i is a begin. `depth` is that of the stack before it. */
    bool (*begins)(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state);
} shape;

static bool random_walk(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)i, (void)count;
    return depth == 0u || harness_random(state) % 2u;
}

static bool chain(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)depth, (void)state;
    return i < (count + 1u) / 2u;
}

static bool only_begins(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)i, (void)count, (void)depth, (void)state;
    return true;
}

static bool only_ends(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)count, (void)depth, (void)state;
    return i == 3u;
}

static bool siblings(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)count, (void)depth, (void)state;
    return i % 2u == 0u;
}

/* W opens, W opens, W closes, as long as enough brackets remain to close all. */
static bool saw(uint32_t i, uint32_t count, uint32_t depth, uint32_t width)
{
    return depth < count - i && i / width % 3u != 2u;
}

static bool saw_partition(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)state;
    return saw(i, count, depth, partition);
}

static bool saw_below(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)state;
    return saw(i, count, depth, partition - 1u);
}

static bool saw_above(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)state;
    return saw(i, count, depth, partition + 1u);
}

static bool saw_half(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)state;
    return saw(i, count, depth, partition / 2u);
}

/* W opens, W closes. */
static bool teeth(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)count, (void)depth, (void)state;
    return i / partition % 2u == 0u;
}

/* Two opens and one close upward, then downward in the same way: every partition needs what lies under its
 * predecessors. */
static bool stairs(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)depth, (void)state;
    return i < count / 2u ? i % 3u != 2u : (count - 1u - i) % 3u == 2u;
}

/* A deep spine, with a tooth on each step. */
static bool comb(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)state;
    return depth < count - i && i % 4u != 3u && i % 4u != 2u ? true : depth < count - i && i % 4u == 3u;
}

/* Bursts of either kind, around a fifth of a partition and its multiples. */
static bool bursts(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)depth, (void)state;
    uint32_t burst = i / (partition / 5u + 7u) + count;
    return harness_random(&burst) % 5u < 3u;
}

/* More ends than begins: the stack becomes empty again and again. */
static bool starving(uint32_t i, uint32_t count, uint32_t depth, uint32_t *state)
{
    (void)i, (void)count, (void)depth;
    return harness_random(state) % 5u < 2u;
}

static const shape shapes[] = {
    {"random walk", random_walk}, {"saw", saw_partition}, {"saw below", saw_below},
    {"saw above", saw_above},     {"chain", chain},       {"only begins", only_begins},
    {"only ends", only_ends},     {"siblings", siblings}, {"stairs", stairs},
    {"saw half", saw_half},       {"comb", comb},         {"bursts", bursts},
    {"starving", starving},       {"teeth", teeth},
};

typedef struct expectation {
    uint32_t *matches, *contexts, *depths;
    stack_box *boxes;
} expectation;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static const stack_box whole = {STACK_WHOLE_MIN, STACK_WHOLE_MIN, STACK_WHOLE_MAX, STACK_WHOLE_MAX};

static void oracle(const uint32_t *brackets, const stack_box *boxes, uint32_t count, expectation *e)
{
    uint32_t *stack = malloc(4u * ((size_t)count + 1u));
    assert_non_null(stack);
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        e->matches[i] = brackets[i] & STACK_BEGIN ? UNTOUCHED : STACK_NONE;
        if (brackets[i] & STACK_BEGIN) {
            stack_box around = depth ? e->boxes[stack[depth - 1u]] : whole;
            e->boxes[i] = (stack_box){larger(around.x0, boxes[i].x0), larger(around.y0, boxes[i].y0),
                                      smaller(around.x1, boxes[i].x1), smaller(around.y1, boxes[i].y1)};
            stack[depth++] = i;
        } else {
            if (depth) {
                e->matches[i] = stack[--depth];
                e->matches[e->matches[i]] = i;
            }
            e->boxes[i] = depth ? e->boxes[stack[depth - 1u]] : whole;
        }
        e->contexts[i] = depth ? stack[depth - 1u] : STACK_NONE;
        e->depths[i] = depth;
    }
    free(stack);
}

static void fill(uint32_t *brackets, stack_box *boxes, uint32_t count, const shape *s)
{
    uint32_t state = count;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool begins = s->begins(i, count, depth, &state);
        depth = begins ? depth + 1u : depth ? depth - 1u : 0u;
        brackets[i] = (begins ? STACK_BEGIN : 0u) | (i & 0xffffu);
        uint32_t r = harness_random(&state);
        boxes[i] = (stack_box){(int32_t)(r & 0xffffu) - 100000, (int32_t)(r >> 16) - 100000,
                               100000 - (int32_t)(r >> 8 & 0xffffu), (int32_t)(r * 5u >> 16)};
    }
}

static void check(harness *h, const stack_kernels *kernels, const shape *s, uint32_t count, uint32_t max_count)
{
    harness_reset(h);
    stack_monoid_ranges ranges = {
        .brackets = harness_range(h, max_count),
        .boxes = harness_range(h, 4u * (uint64_t)max_count),
        .matches = harness_range(h, max_count),
        .contexts = harness_range(h, max_count),
        .depths = harness_range(h, max_count),
        .open_boxes = harness_range(h, 4u * (uint64_t)max_count),
        .count = harness_word(h, count),
        .scratch = harness_range(h, stack_monoid_scratch_bytes(max_count) / 4u),
    };
    uint32_t n = count < max_count ? count : max_count;
    uint32_t *brackets = harness_input(h, ranges.brackets);
    stack_box *boxes = (stack_box *)(void *)harness_input(h, ranges.boxes);
    fill(brackets, boxes, n, s);
    uint32_t *matches = harness_input(h, ranges.matches);
    for (uint32_t i = 0; i < max_count; i++)
        matches[i] = UNTOUCHED;
    harness_begin(h);
    stack_monoid_record(h->recorder, kernels, &ranges, max_count);
    harness_run(h);

    uint32_t *words = malloc(4u * 7u * ((size_t)n + 1u));
    assert_non_null(words);
    expectation e = {words, words + n, words + 2u * (size_t)n, (stack_box *)(void *)(words + 3u * (size_t)n)};
    oracle(brackets, boxes, n, &e);
    char what[64];
    snprintf(what, sizeof what, "%s, matches", s->name);
    harness_compare(what, harness_output(h, ranges.matches), e.matches, n);
    snprintf(what, sizeof what, "%s, contexts", s->name);
    harness_compare(what, harness_output(h, ranges.contexts), e.contexts, n);
    snprintf(what, sizeof what, "%s, depths", s->name);
    harness_compare(what, harness_output(h, ranges.depths), e.depths, n);
    snprintf(what, sizeof what, "%s, boxes", s->name);
    harness_compare(what, harness_output(h, ranges.open_boxes), words + 3u * (size_t)n, 4u * n);
    free(words);
}

static void check_shapes(harness *h, const primitive_options *options, size_t stride, const uint32_t *sizes,
                         size_t size_count)
{
    pietra_error error = {0};
    stack_kernels *kernels = NULL;
    const primitive_tuning tuning = options && options->tuning ? *options->tuning : tuning_for(h->device);
    partition = tuning.stack_invocations * tuning.stack_items;
    harness_check(stack_monoid_create(h->device, options, &error, &kernels), &error);
    for (size_t s = 0; s < COUNT_OF(shapes); s += stride)
        for (size_t i = 0; i < size_count; i++)
            check(h, kernels, &shapes[s], sizes[i], sizes[i]);
    stack_monoid_destroy(kernels);
}

static void test_small(void **state)
{
    static const uint32_t sizes[] = {1,   2,   3,   7,   8,   9,   31,  32,  33,  127,  128,  129,
                                     255, 256, 257, 511, 512, 513, 767, 768, 769, 1023, 1024, 1025};
    check_shapes(*state, NULL, 1, sizes, COUNT_OF(sizes));
}

/* The device's partition. */
static uint32_t find_partition(const harness *h)
{
    const primitive_tuning tuning = tuning_for(h->device);
    return tuning.stack_invocations * tuning.stack_items;
}

static void test_partitions(void **state)
{
    const uint32_t one = find_partition(*state);
    const uint32_t sizes[] = {2u * one - 1u, 9u * one + 1u};
    check_shapes(*state, NULL, 1, sizes, COUNT_OF(sizes));
}

static void test_large(void **state)
{
    static const uint32_t sizes[] = {8193, 65537};
    check_shapes(*state, NULL, 1, sizes, 1);
    check_shapes(*state, NULL, harness_all_sizes(*state) ? 1 : 3, sizes + 1, 1);
}

/* Around every power of two, up to a million brackets. */
static void test_all_sizes(void **state)
{
    if (!harness_all_sizes(*state))
        skip();
    for (uint32_t size = 2048; size < MAX_SIZE; size *= 2u) {
        const uint32_t sizes[] = {size - 1u, size, size + 1u};
        check_shapes(*state, NULL, 1, sizes, COUNT_OF(sizes));
    }
}

/* Sixteen million brackets, on hardware at night. */
static void test_largest(void **state)
{
    const harness *other = *state;
    if (!gpu_get_limits(other->device)->hardware || !all_sizes())
        skip();
    static const uint32_t sizes[] = {LARGEST};
    harness h;
    harness_open(&h, 4u * 32u * (uint64_t)LARGEST);
    check_shapes(&h, NULL, 1, sizes, COUNT_OF(sizes));
    harness_close(&h);
}

/* Up to twenty partitions. */
static void test_schedules(void **state)
{
    const uint32_t one = find_partition(*state);
    const uint32_t sizes[] = {one + 1u, 5u * one, harness_all_sizes(*state) ? 20u * one + 9u : 9u * one + 9u};
    for (size_t s = 1; s < harness_schedule_count(*state); s++)
        check_shapes(*state, &harness_schedules[s], 1, sizes, COUNT_OF(sizes));
}

/* Shapes: partitions of one group of words, and of several; one bracket an invocation, and eight. */
static const struct {
    uint32_t invocations, items, look_ahead;
} test_shapes[] = {{64, 1, 64}, {128, 2, 64}, {256, 2, 256}, {64, 8, 64}};

static void check_test_shape(harness *h, size_t i, const primitive_options *schedule, size_t stride,
                             const uint32_t *sizes, size_t size_count)
{
    primitive_tuning tuning = tuning_for(h->device);
    tuning.stack_invocations = test_shapes[i].invocations;
    tuning.stack_items = test_shapes[i].items;
    tuning.stack_look_ahead = test_shapes[i].look_ahead;
    assert_true(tuning_fits(gpu_get_limits(h->device), &tuning));
    primitive_options options = *schedule;
    options.tuning = &tuning;
    check_shapes(h, &options, stride, sizes, size_count);
}

/* By day the last alone: its partitions have the most words, and links to silence take the first. */
static void check_test_shapes(harness *h, const primitive_options *schedule, size_t stride, const uint32_t *sizes,
                              size_t size_count)
{
    for (size_t i = harness_all_sizes(h) ? 0 : COUNT_OF(test_shapes) - 1u; i < COUNT_OF(test_shapes); i++)
        check_test_shape(h, i, schedule, stride, sizes, size_count);
}

static void test_shapes_of_partitions(void **state)
{
    static const uint32_t sizes[] = {1, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1025, 9000};
    check_test_shapes(*state, &(primitive_options){0}, harness_all_sizes(*state) ? 1 : 2, sizes, COUNT_OF(sizes));
}

/* More partitions than a look-back reads at once. */
static void test_windows(void **state)
{
    static const uint32_t sizes[] = {64u * 64u, 64u * 65u, 64u * 300u + 7u};
    check_test_shapes(*state, &(primitive_options){0}, harness_all_sizes(*state) ? 1 : 4, sizes, COUNT_OF(sizes));
}

static void test_schedules_of_shapes(void **state)
{
    if (!harness_all_sizes(*state))
        skip(); /* test_links_to_silence has one */
    static const uint32_t sizes[] = {64u * 9u + 5u, 4000};
    for (size_t s = 1; s < harness_schedule_count(*state); s++)
        check_test_shapes(*state, &harness_schedules[s], 3, sizes, COUNT_OF(sizes));
}

/* Links that lead past a window, to partitions that publish nothing: random, one chain, stairs and starving. */
static void test_links_to_silence(void **state)
{
    static const uint32_t sizes[] = {64u * 110u + 9u};
    static const primitive_options schedules[] = {
        {.fault_period = 3, .spin_limit = 32},
        {.fault_period = 7, .spin_limit = 32},
        {.order = LOOK_BACK_ORDER_SHUFFLED, .fault_period = 5, .spin_limit = 32},
    };
    for (size_t s = harness_all_sizes(*state) ? 0 : COUNT_OF(schedules) - 1u; s < COUNT_OF(schedules); s++)
        check_test_shape(*state, 0, &schedules[s], 4, sizes, COUNT_OF(sizes));
}

static void test_counts(void **state)
{
    harness *h = *state;
    pietra_error error = {0};
    stack_kernels *kernels = NULL;
    harness_check(stack_monoid_create(h->device, NULL, &error, &kernels), &error);
    check(h, kernels, &shapes[0], 0, 10000);
    check(h, kernels, &shapes[0], 300, 10000);
    check(h, kernels, &shapes[0], 0xffffffffu, 10000);
    stack_monoid_destroy(kernels);
}

int main(void)
{
    harness h;
    harness_open(&h, 4u * 32u * (MAX_SIZE + 65536u));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_small, &h),
        cmocka_unit_test_prestate(test_counts, &h),
        cmocka_unit_test_prestate(test_partitions, &h),
        cmocka_unit_test_prestate(test_large, &h),
        cmocka_unit_test_prestate(test_all_sizes, &h),
        cmocka_unit_test_prestate(test_largest, &h),
        cmocka_unit_test_prestate(test_schedules, &h),
        cmocka_unit_test_prestate(test_shapes_of_partitions, &h),
        cmocka_unit_test_prestate(test_windows, &h),
        cmocka_unit_test_prestate(test_schedules_of_shapes, &h),
        cmocka_unit_test_prestate(test_links_to_silence, &h),
    };
    int failed = cmocka_run_group_tests_name("stack_monoid", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
