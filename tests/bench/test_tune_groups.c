/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What bench --tune tries on devices of every kind, without having one. The candidates of a group must differ in what
 * they dispatch, which they only do if its cases run the kernels that its entries decide. The linker's --wrap replaces
 * everything that would reach a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layout/primitive.h"
#include "tune.h"

const gpu_limits *__wrap_gpu_get_limits(const gpu_device *device);
pietra_result __wrap_gpu_program_create(gpu_device *device, const gpu_program_info *info, pietra_error *error,
                                        gpu_program **program);
void __wrap_gpu_program_destroy(gpu_program *program);
void __wrap_gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                         uint32_t x, uint32_t y, uint32_t z);
void __wrap_gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                                  const void *push, gpu_range arguments);
void __wrap_gpu_barrier(gpu_recorder *recorder);
void __wrap_gpu_barrier_dispatches(gpu_recorder *recorder);
void __wrap_gpu_fill(gpu_recorder *recorder, gpu_range range, uint32_t value);
double __wrap_bench_seconds(void);
bool __wrap_case_make_buffers(bench_case *c);
void __wrap_case_fill(const bench_case *c, gpu_range range, const void *contents, uint64_t words);
void __wrap_case_time(const bench_case *c, bench_record *record, void *user, uint32_t runs, double *times);
void __wrap_fill_words(uint32_t *items, uint32_t n, const char *kind, uint32_t words_an_item);

static const struct {
    const char *name;
    gpu_limits limits;
} devices[] = {
    {"NVIDIA",
     {.subgroup_size = 32,
      .min_subgroup_size = 32,
      .max_subgroup_size = 32,
      .max_workgroup_invocations = 1024,
      .shared_bytes = 49152,
      .hardware = true,
      .subgroup_size_control = true,
      .multiprocessors = 132}},
    {"AMD",
     {.subgroup_size = 64,
      .min_subgroup_size = 32,
      .max_subgroup_size = 64,
      .max_workgroup_invocations = 1024,
      .shared_bytes = 65536,
      .hardware = true,
      .subgroup_size_control = true}},
    {"Intel",
     {.subgroup_size = 16,
      .min_subgroup_size = 8,
      .max_subgroup_size = 32,
      .max_workgroup_invocations = 1024,
      .shared_bytes = 65536,
      .hardware = true,
      .subgroup_size_control = true}},
    {"Apple",
     {.subgroup_size = 32,
      .min_subgroup_size = 32,
      .max_subgroup_size = 32,
      .max_workgroup_invocations = 1024,
      .shared_bytes = 32768,
      .hardware = true,
      .subgroup_size_control = true}},
    {"a device that gives no subgroups of one size",
     {.subgroup_size = 32,
      .min_subgroup_size = 32,
      .max_subgroup_size = 32,
      .max_workgroup_invocations = 1024,
      .shared_bytes = 32768,
      .hardware = true}},
    {"lavapipe",
     {.subgroup_size = 8,
      .min_subgroup_size = 8,
      .max_subgroup_size = 8,
      .max_workgroup_invocations = 1024,
      .shared_bytes = 32768,
      .subgroup_size_control = true}},
};

static gpu_limits limits;
static uint64_t dispatched; /* a hash of the run's dispatches */

/* For the current case. */
static const void *seen[TRIAL_TABLES]; /* what ran */
static uint32_t seen_count;
static uint64_t first; /* what the first one dispatched */
static bool differs;   /* another one dispatched something else */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
}

const gpu_limits *__wrap_gpu_get_limits(const gpu_device *device)
{
    (void)device;
    return &limits;
}

/* A program is a hash of what makes it. */
pietra_result __wrap_gpu_program_create(gpu_device *device, const gpu_program_info *info, pietra_error *error,
                                        gpu_program **program)
{
    (void)device, (void)error;
    assert_in_range(4u * info->constants[PRIMITIVE_CONSTANT_SHARED_WORDS], 0, limits.shared_bytes);
    uint64_t *hash = malloc(sizeof *hash);
    assert_non_null(hash);
    *hash = info->word_count;
    for (const char *c = info->name; *c; c++)
        *hash = mix(*hash, (uint64_t)*c);
    for (uint32_t i = 0; i < info->constant_count; i++)
        *hash = mix(*hash, info->constants[i]);
    *program = (gpu_program *)(void *)hash;
    return PIETRA_OK;
}

void __wrap_gpu_program_destroy(gpu_program *program)
{
    free(program);
}

void __wrap_gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                         uint32_t x, uint32_t y, uint32_t z)
{
    (void)recorder, (void)ranges, (void)push;
    dispatched = mix(mix(dispatched, *(const uint64_t *)(const void *)program), (uint64_t)x * y * z);
}

void __wrap_gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                                  const void *push, gpu_range arguments)
{
    (void)recorder, (void)ranges, (void)push, (void)arguments;
    dispatched = mix(dispatched, *(const uint64_t *)(const void *)program);
}

void __wrap_gpu_barrier(gpu_recorder *recorder)
{
    (void)recorder;
}

void __wrap_gpu_barrier_dispatches(gpu_recorder *recorder)
{
    (void)recorder;
}

void __wrap_gpu_fill(gpu_recorder *recorder, gpu_range range, uint32_t value)
{
    (void)recorder, (void)range, (void)value;
}

/* Time passes with every call. */
double __wrap_bench_seconds(void)
{
    static double now;
    return now += 1.0;
}

bool __wrap_case_make_buffers(bench_case *c)
{
    for (uint32_t i = 0; i < c->buffer_count; i++)
        c->b->slots[i].bytes = c->wanted[i];
    seen_count = 0;
    return true;
}

void __wrap_case_fill(const bench_case *c, gpu_range range, const void *contents, uint64_t words)
{
    (void)c, (void)range, (void)contents, (void)words;
}

void __wrap_fill_words(uint32_t *items, uint32_t n, const char *kind, uint32_t words_an_item)
{
    (void)items, (void)n, (void)kind, (void)words_an_item;
}

void __wrap_case_time(const bench_case *c, bench_record *record, void *user, uint32_t runs, double *times)
{
    uint32_t at = 0;
    while (at < seen_count && seen[at] != user)
        at++;
    if (at == seen_count) {
        assert_true(seen_count < TRIAL_TABLES);
        seen[seen_count++] = user;
        dispatched = 0;
        record(c->b->recorder, user);
        first = at ? first : dispatched;
        differs = differs || dispatched != first;
    }
    for (uint32_t i = 0; i < runs; i++)
        times[i] = 1.0;
}

static bool has_choice(const char *device, const bench *b, const tune_group *group)
{
    trial t;
    primitive_tuning kept[TRIAL_TABLES];
    differs = false;
    tune_measure(b, group, &t, kept);
    if (t.table_count > 1u && t.case_count == 0u)
        fail_msg("%s: the group of %s has no cases", device, group->entries[0]);
    return t.table_count < 2u || differs;
}

/* At each size a case has something to choose, though some of the candidates may do the same. If shared memory is
 * small, candidates too large for it come out the same, and then one size is enough. */
static void expect_choice(const char *device, const bench *b, tune_group group)
{
    uint32_t *log2s = limits.hardware ? group.log2s : group.software_log2s, sizes[TUNE_SIZES], found = 0, count = 0;
    memcpy(sizes, log2s, sizeof sizes);
    memset(log2s, 0, sizeof sizes);
    for (; count < TUNE_SIZES && sizes[count]; count++) {
        log2s[0] = sizes[count];
        found += has_choice(device, b, &group);
    }
    if (found < (limits.shared_bytes < 49152u ? 1u : count))
        fail_msg("%s: %s makes a difference at %u of %u sizes", device, group.entries[0], found, count);
}

static void test_candidates_differ(void **state)
{
    (void)state;
    static gpu_buffer slots[BENCH_MAX_BUFFERS];
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        limits = devices[d].limits;
        limits.storage_alignment = 256;
        limits.max_binding_bytes = limits.max_allocation_bytes = UINT32_MAX;
        limits.max_groups[0] = limits.max_groups[1] = limits.max_groups[2] = 65535;
        bench b = {.slots = slots, .runs = 1, .tuning = tuning_of(&limits)};
        for (size_t g = 0; g < tune_group_count; g++)
            expect_choice(devices[d].name, &b, tune_groups[g]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_candidates_differ),
    };
    return cmocka_run_group_tests_name("tune_groups", tests, NULL, NULL);
}
