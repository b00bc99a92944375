/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A quicksort whose levels the device launches, for comparison with the primitive sort:
 * shaders/primitive/quicksort_*.comp. */
#include "bench.h"

#include <stddef.h>
#include <stdlib.h>

#include "layout/compare.h"

static const uint32_t quicksort_begin_spv[] = {
#include "spv/quicksort_begin.inc"
};
static const uint32_t quicksort_split_spv[] = {
#include "spv/quicksort_split.inc"
};
static const uint32_t quicksort_next_spv[] = {
#include "spv/quicksort_next.inc"
};
static const uint32_t quicksort_finish_spv[] = {
#include "spv/quicksort_finish.inc"
};

enum { BEGIN, SPLIT, NEXT, FINISH, PROGRAMS };
enum { KEYS_A, KEYS_B, STATE, SEGMENTS, PARTITIONS, PIECES, RANGES };

static const primitive_program_info infos[PROGRAMS] = {
    [BEGIN] = PRIMITIVE_PROGRAM(quicksort_begin, RANGES, quicksort_push),
    [SPLIT] = PRIMITIVE_PROGRAM(quicksort_split, RANGES, quicksort_push),
    [NEXT] = PRIMITIVE_PROGRAM(quicksort_next, RANGES, quicksort_push),
    [FINISH] = PRIMITIVE_PROGRAM(quicksort_finish, RANGES, quicksort_push),
};

typedef struct quicksort_case {
    gpu_program *programs[PROGRAMS];
    gpu_range ranges[RANGES];
    const uint32_t *keys; /* as they were before */
    uint32_t n;
} quicksort_case;

static pietra_result create_quicksort(gpu_device *device, const primitive_options *options, pietra_error *error,
                                      void *user)
{
    quicksort_case *c = user;
    pietra_result result = PIETRA_OK;
    for (size_t i = 0; i < PROGRAMS && result == PIETRA_OK; i++)
        result = primitive_program_create(device, &infos[i], options, error, &c->programs[i]);
    return result;
}

static void record_quicksort(gpu_recorder *recorder, void *user)
{
    const quicksort_case *c = user;
    quicksort_push push = {.count = c->n};
    gpu_dispatch(recorder, c->programs[BEGIN], c->ranges, &push, 1, 1, 1);
    for (; push.level < QUICKSORT_LEVELS; push.level++) {
        gpu_range state = c->ranges[STATE];
        uint64_t level = state.offset + offsetof(quicksort_state, levels) + push.level * sizeof(quicksort_level);
        gpu_barrier(recorder);
        gpu_dispatch_indirect(
            recorder, c->programs[SPLIT], c->ranges, &push,
            (gpu_range){state.buffer, level + offsetof(quicksort_level, partitions), sizeof(sort_arguments)});
        gpu_barrier(recorder);
        gpu_dispatch_indirect(
            recorder, c->programs[NEXT], c->ranges, &push,
            (gpu_range){state.buffer, level + offsetof(quicksort_level, segments), sizeof(sort_arguments)});
    }
    gpu_barrier(recorder);
    gpu_dispatch(recorder, c->programs[FINISH], c->ranges, &push, QUICKSORT_FINISHERS, 1, 1);
}

static bool check_quicksort(const bench_case *c, const void *user)
{
    const quicksort_case *s = user;
    uint32_t *sorted = case_read(c, s->ranges[KEYS_A]);
    bool right = keys_are_sorted(sorted, NULL, s->keys, s->n, 1u, 32u);
    free(sorted);
    return right;
}

static void destroy_quicksort(void *user)
{
    quicksort_case *c = user;
    for (size_t i = 0; i < PROGRAMS; i++)
        gpu_program_destroy(c->programs[i]);
}

void bench_quicksort(bench *b, uint32_t n, const char *input)
{
    static const case_kind kind = {sizeof(quicksort_case), create_quicksort, record_quicksort, check_quicksort,
                                   destroy_quicksort};
    bench_case c;
    if (!case_begin(b, &c, n, "quicksort_keys_u32_b32_%s", input))
        return;
    /* Its kernels support only dispatches of one dimension. */
    uint32_t partitions = QUICKSORT_PARTITIONS(n), most = gpu_get_limits(b->device)->max_groups[0];
    if (partitions > most) {
        case_skip(&c, "a level may have %u workgroups, where the device takes %u in a dimension", partitions, most);
        return;
    }
    quicksort_case p = {.n = n};
    p.ranges[KEYS_A] = case_fresh_buffer(&c, n);
    p.ranges[KEYS_B] = case_buffer(&c, n);
    p.ranges[STATE] = case_buffer(&c, sizeof(quicksort_state) / 4u);
    p.ranges[SEGMENTS] = case_buffer(&c, 2u * QUICKSORT_SEGMENTS((uint64_t)n) * sizeof(quicksort_segment) / 4u);
    p.ranges[PARTITIONS] = case_buffer(&c, 2u * QUICKSORT_PARTITIONS((uint64_t)n) * sizeof(quicksort_partition) / 4u);
    p.ranges[PIECES] = case_buffer(&c, QUICKSORT_PIECES((uint64_t)n) * sizeof(quicksort_piece) / 4u);
    if (!case_make_buffers(&c))
        return;
    uint32_t *keys = bench_allocate(4u * (uint64_t)n);
    fill_keys(keys, n, input, 1u, 32u);
    case_fill(&c, p.ranges[KEYS_A], keys, n);
    p.keys = keys;
    case_run(&c, &kind, &p, 0.0);
    free(keys);
}
