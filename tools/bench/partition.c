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
    const uint32_t *keys;        /* before */
    uint32_t n;
} partition_case;

static pietra_result create_partition(gpu_device *device, const primitive_options *options, pietra_error *error, void *user)
{
    partition_case *c = user;
    pietra_result result = PIETRA_OK;
    for (size_t i = 0; i < PROGRAMS && result == PIETRA_OK; i++)
        result = primitive_program_create(device, &infos[i], options, error, &c->programs[i]);
    return result;
}

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

static bool check_partition(const bench_case *c, const void *user)
{
    const partition_case *s = user;
    uint32_t *sorted = case_read(c, s->ranges[KEYS_A]);
    bool right = keys_are_sorted(sorted, NULL, s->keys, s->n, 1u, 32u);
    free(sorted);
    return right;
}

static void destroy_partition(void *user)
{
    partition_case *c = user;
    for (size_t i = 0; i < PROGRAMS; i++)
        gpu_program_destroy(c->programs[i]);
}

void bench_partition(bench *b, uint32_t n, const char *input)
{
    static const case_kind kind = {sizeof(partition_case), create_partition, record_partition, check_partition, destroy_partition};
    bench_case c;
    if (!case_begin(b, &c, n, "partition_keys_u32_b32_%s", input))
        return;
    /* Its kernels know dispatches of one dimension alone. */
    uint32_t tiles = PARTITION_TILES(n), most = gpu_get_limits(b->device)->max_groups[0];
    if (tiles > most) {
        case_skip(&c, "a level may have %u workgroups, where the device takes %u in a dimension", tiles, most);
        return;
    }
    partition_case p = {.n = n};
    p.ranges[KEYS_A] = case_fresh_buffer(&c, n);
    p.ranges[KEYS_B] = case_buffer(&c, n);
    p.ranges[STATE] = case_buffer(&c, sizeof(partition_state) / 4u);
    p.ranges[SEGMENTS] = case_buffer(&c, 2u * PARTITION_SEGMENTS((uint64_t)n) * sizeof(partition_segment) / 4u);
    p.ranges[TILES] = case_buffer(&c, 2u * PARTITION_TILES((uint64_t)n) * sizeof(partition_tile) / 4u);
    p.ranges[PIECES] = case_buffer(&c, PARTITION_PIECES((uint64_t)n) * sizeof(partition_piece) / 4u);
    if (!case_make_buffers(&c))
        return;
    uint32_t *keys = bench_allocate(4u * (uint64_t)n);
    fill_keys(keys, n, input, 1u, 32u);
    case_fill(&c, p.ranges[KEYS_A], keys, n);
    p.keys = keys;
    case_run(&c, &kind, &p, 0.0);
    free(keys);
}
