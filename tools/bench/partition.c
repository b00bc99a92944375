/* A partition (quick) sort whose levels the device launches, to compare the primitive sort with: shaders/primitive/partition_*.comp. */
#include "bench.h"

#include <stddef.h>
#include <stdlib.h>

#include "layout/compare.h"

static const uint32_t partition_begin_spv[] = {
#include "spv/partition_begin.inc"
};
static const uint32_t partition_split_spv[] = {
#include "spv/partition_split.inc"
};
static const uint32_t partition_next_spv[] = {
#include "spv/partition_next.inc"
};
static const uint32_t partition_finish_spv[] = {
#include "spv/partition_finish.inc"
};

enum { BEGIN, SPLIT, NEXT, FINISH, PROGRAMS };
enum { KEYS_A, KEYS_B, STATE, SEGMENTS, TILES, PIECES, RANGES };

static const primitive_program_info infos[PROGRAMS] = {
    [BEGIN] = PRIMITIVE_PROGRAM(partition_begin, RANGES, partition_push),
    [SPLIT] = PRIMITIVE_PROGRAM(partition_split, RANGES, partition_push),
    [NEXT] = PRIMITIVE_PROGRAM(partition_next, RANGES, partition_push),
    [FINISH] = PRIMITIVE_PROGRAM(partition_finish, RANGES, partition_push),
};

typedef struct partition_case {
    gpu_program *programs[PROGRAMS];
    gpu_range ranges[RANGES];
    uint32_t n;
} partition_case;

static void record_partition(gpu_recorder *recorder, void *user)
{
    const partition_case *c = user;
    partition_push push = {.count = c->n};
    gpu_dispatch(recorder, c->programs[BEGIN], c->ranges, &push, 1, 1, 1);
    for (; push.level < PARTITION_LEVELS; push.level++) {
        gpu_range state = c->ranges[STATE];
        uint64_t level = state.offset + offsetof(partition_state, levels) + push.level * sizeof(partition_level);
        gpu_barrier(recorder);
        gpu_dispatch_indirect(recorder, c->programs[SPLIT], c->ranges, &push,
                              (gpu_range){state.buffer, level + offsetof(partition_level, tiles), sizeof(sort_arguments)});
        gpu_barrier(recorder);
        gpu_dispatch_indirect(recorder, c->programs[NEXT], c->ranges, &push,
                              (gpu_range){state.buffer, level + offsetof(partition_level, segments), sizeof(sort_arguments)});
    }
    gpu_barrier(recorder);
    gpu_dispatch(recorder, c->programs[FINISH], c->ranges, &push, PARTITION_FINISHERS, 1, 1);
}

void bench_partition(bench *b, uint32_t n, const char *kind)
{
    bench_case c;
    pietra_error error = {0};
    if (n > COMPARE_MAX_COUNT || !case_begin(b, &c, n, "partition_keys_u32_b32_%s", kind))
        return;
    partition_case p = {.n = n};
    for (size_t i = 0; i < PROGRAMS; i++)
        bench_must(primitive_program_create(b->device, &infos[i], &b->options, &error, &p.programs[i]), &error);
    uint32_t *keys = bench_allocate(4u * (uint64_t)n);
    fill_words(keys, n, kind, 1u);
    p.ranges[KEYS_A] = case_input(&c, keys, n, true);
    p.ranges[KEYS_B] = case_buffer(&c, n);
    p.ranges[STATE] = case_buffer(&c, sizeof(partition_state) / 4u);
    p.ranges[SEGMENTS] = case_buffer(&c, 2u * PARTITION_SEGMENTS((uint64_t)n) * sizeof(partition_segment) / 4u);
    p.ranges[TILES] = case_buffer(&c, 2u * PARTITION_TILES((uint64_t)n) * sizeof(partition_tile) / 4u);
    p.ranges[PIECES] = case_buffer(&c, PARTITION_PIECES((uint64_t)n) * sizeof(partition_piece) / 4u);
    case_measure(&c, record_partition, &p);
    bool right = true;
    if (b->check) {
        uint32_t *sorted = case_read(&c, p.ranges[KEYS_A]);
        right = keys_are_sorted(sorted, NULL, keys, n, 1u, 32u);
        free(sorted);
    }
    case_end(&c, 8.0 * n, right);
    free(keys);
    for (size_t i = 0; i < PROGRAMS; i++)
        gpu_program_destroy(p.programs[i]);
}
