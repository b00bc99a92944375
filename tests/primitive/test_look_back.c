/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Look-back by itself: saturating sums, several components, segmented sums; with every schedule, and with one row an
 * invocation. */
#include "primitive/harness.h"

#define PARTITION 64u
#define SEGMENT_STARTS 0x20000000u
#define SEGMENT_MASK 0x1fffffffu

static const uint32_t sum_spv[] = {
#include "spv/look_back_sum.inc"
};
static const uint32_t triple_spv[] = {
#include "spv/look_back_triple.inc"
};
static const uint32_t segmented_spv[] = {
#include "spv/look_back_segmented.inc"
};
static const uint32_t mixed_spv[] = {
#include "spv/look_back_mixed.inc"
};

typedef struct kind {
    primitive_program_info info;
    uint32_t components;
    uint32_t segments; /* how many of them, from the first on, are segmented */
} kind;

static const kind kinds[] = {
    {{"sum", sum_spv, sizeof sum_spv / 4, 4, 0}, 1, 0},
    {{"triple", triple_spv, sizeof triple_spv / 4, 4, 0}, 3, 0},
    {{"segmented", segmented_spv, sizeof segmented_spv / 4, 4, 0}, 1, 1},
    {{"mixed", mixed_spv, sizeof mixed_spv / 4, 4, 0}, 3, 2},
};

static uint32_t combine(bool segmented, uint32_t earlier, uint32_t later)
{
    if (!segmented)
        return earlier + later < LOOK_BACK_MAX ? earlier + later : LOOK_BACK_MAX;
    if (later & SEGMENT_STARTS)
        return later;
    return ((earlier + later) & SEGMENT_MASK) | (earlier & SEGMENT_STARTS);
}

/* Segments start at one row in `spread`, and their values are small and of either sign. Sums have values up to
 * `largest`. */
static uint32_t item(bool segmented, uint32_t *state, uint32_t largest, uint32_t spread)
{
    uint32_t r = harness_random(state);
    if (!segmented)
        return r % (largest + 1u);
    uint32_t value = (uint32_t)((int32_t)(r % 255u) - 127) & SEGMENT_MASK;
    return value | (harness_random(state) % spread ? 0u : SEGMENT_STARTS);
}

static void check(harness *h, const gpu_program *program, const kind *k, uint32_t rows, uint32_t largest,
                  uint32_t spread)
{
    uint32_t partitions = (rows + PARTITION - 1u) / PARTITION;
    uint32_t words = rows * k->components;
    harness_reset(h);
    gpu_range ranges[4] = {harness_range(h, words), harness_range(h, words), harness_word(h, rows),
                           harness_range(h, LOOK_BACK_TABLE_WORDS(partitions, k->components))};
    uint32_t *items = harness_input(h, ranges[0]);
    uint32_t *expected = malloc(4u * ((size_t)words + 1u));
    assert_non_null(expected);
    uint32_t state = rows + spread;
    for (uint32_t i = 0; i < words; i++) {
        bool segmented = i % k->components < k->segments;
        items[i] = item(segmented, &state, largest, spread);
        expected[i] =
            i < k->components ? 0u : combine(segmented, expected[i - k->components], items[i - k->components]);
    }
    memset(harness_input(h, ranges[3]), 0, ranges[3].bytes);
    harness_begin(h);
    gpu_dispatch(h->recorder, program, ranges, NULL, partitions + 3u, 1u, 1u);
    harness_run(h);
    harness_compare(k->info.name, harness_output(h, ranges[1]), expected, words);
    free(expected);
}

static void test_kinds(void **state)
{
    static const uint32_t sizes[] = {1, 63, 64, 65, 511, 512, 513, 576, 577, 4095, 4097, 20000};
    harness *h = *state;
    for (size_t s = 0; s < harness_schedule_count(h); s++) {
        for (size_t k = 0; k < COUNT_OF(kinds); k++) {
            pietra_error error = {0};
            gpu_program *program = NULL;
            harness_check(primitive_program_create(h->device, &kinds[k].info, &harness_schedules[s], &error, &program),
                          &error);
            for (size_t i = 0; i < COUNT_OF(sizes); i++)
                check(h, program, &kinds[k], sizes[i], 1000u, 1u + 700u * (uint32_t)(i % 3u));
            /* Here a sum exceeds what a word holds, and a segment never starts. */
            check(h, program, &kinds[k], 3000u, 0x3fffffffu, 0xffffffffu);
            gpu_program_destroy(program);
        }
    }
}

int main(void)
{
    harness h;
    harness_open(&h, 1u << 20);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_kinds, &h),
    };
    int failed = cmocka_run_group_tests_name("look_back", tests, NULL, NULL);
    harness_close(&h);
    return failed;
}
