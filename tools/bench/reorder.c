/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A radix sort that counts, scans and reorders each digit, for comparison with the primitive sort:
 * shaders/primitive/reorder_*.comp. Onesweep saves the second reading of the keys, the table of counts and its scan. */
#include "bench.h"

#include <stdlib.h>

#include "layout/compare.h"
#include "primitive/device_wide/scan.h"

static const uint32_t reorder_count_spv[] = {
#include "spv/reorder_count.inc"
};
static const uint32_t reorder_scatter_spv[] = {
#include "spv/reorder_scatter.inc"
};

#define PASSES 4u
#define COUNT_RANGES 3u
#define SCATTER_RANGES 4u
#define FULL_SHARED_BYTES 49152u

typedef struct reorder_case {
    gpu_program *count, *scatter;
    scan_kernels scan;
    gpu_range keys_a, keys_b, table;
    scan_ranges offsets;
    const uint32_t *keys;                  /* as they were before */
    uint32_t n, items, partition, entries; /* items: keys per invocation; entries: of the table */
} reorder_case;

static void record_reorder(gpu_recorder *recorder, void *user)
{
    const reorder_case *c = user;
    primitive_grid grid = primitive_grid_of((c->n + c->partition - 1u) / c->partition);
    sort_push push = {.max_count = c->n, .partition_keys = c->partition};
    for (; push.pass < PASSES; push.pass++) {
        if (push.pass)
            gpu_barrier(recorder);
        gpu_dispatch(recorder, c->count, (gpu_range[COUNT_RANGES]){c->keys_a, c->keys_b, c->table}, &push, grid.x,
                     grid.y, 1);
        gpu_barrier(recorder);
        scan_record(recorder, &c->scan, &c->offsets, c->entries, false);
        gpu_barrier(recorder);
        gpu_dispatch(recorder, c->scatter, (gpu_range[SCATTER_RANGES]){c->keys_a, c->keys_b, c->table, c->offsets.sums},
                     &push, grid.x, grid.y, 1);
    }
}

static pietra_result create_reorder(gpu_device *device, const primitive_options *options, pietra_error *error,
                                    void *user)
{
    static const primitive_program_info count = PRIMITIVE_PROGRAM(reorder_count, COUNT_RANGES, sort_push);
    static const primitive_program_info scatter = PRIMITIVE_PROGRAM(reorder_scatter, SCATTER_RANGES, sort_push);
    reorder_case *r = user;
    primitive_shape shape = {.invocations = COMPARE_INVOCATIONS, .items = r->items};
    shape.shared_words =
        shape.invocations / primitive_subgroup_least(gpu_get_limits(device)) * (SORT_BINS / 2u) + r->partition;
    pietra_result result = primitive_program_create_shaped(device, &count, shape, options, error, &r->count);
    if (result == PIETRA_OK)
        result = primitive_program_create_shaped(device, &scatter, shape, options, error, &r->scatter);
    return result == PIETRA_OK ? scan_create(device, options, error, &r->scan) : result;
}

static bool check_reorder(const bench_case *c, const void *user)
{
    const reorder_case *r = user;
    uint32_t *sorted = case_read(c, r->keys_a);
    bool right = keys_are_sorted(sorted, NULL, r->keys, r->n, 1u, 32u);
    free(sorted);
    return right;
}

static void destroy_reorder(void *user)
{
    reorder_case *r = user;
    gpu_program_destroy(r->count);
    gpu_program_destroy(r->scatter);
    scan_destroy(&r->scan);
}

void bench_reorder(bench *b, uint32_t n, const char *input)
{
    static const case_kind kind = {sizeof(reorder_case), create_reorder, record_reorder, check_reorder,
                                   destroy_reorder};
    bench_case c;
    if (!case_begin(b, &c, n, "reorder_keys_u32_b32_%s", input))
        return;
    /* It takes as many keys per invocation as shared memory holds beside the counts of the subgroups. */
    reorder_case r = {.n = n,
                      .items = gpu_get_limits(b->device)->shared_bytes < FULL_SHARED_BYTES
                                   ? COMPARE_ITEMS_PER_INVOCATION / 2u
                                   : COMPARE_ITEMS_PER_INVOCATION};
    r.partition = COMPARE_INVOCATIONS * r.items;
    r.entries = SORT_BINS * ((n + r.partition - 1u) / r.partition);
    r.keys_a = case_fresh_buffer(&c, n);
    r.keys_b = case_buffer(&c, n);
    r.offsets.items = r.table = case_buffer(&c, r.entries);
    r.offsets.sums = case_buffer(&c, r.entries);
    r.offsets.count = case_buffer(&c, 1);
    r.offsets.scratch = case_buffer(&c, scan_scratch_bytes(r.entries) / 4u);
    if (!case_make_buffers(&c))
        return;
    uint32_t *keys = bench_allocate(4u * (uint64_t)n);
    fill_keys(keys, n, input, 1u, 32u);
    case_fill(&c, r.keys_a, keys, n);
    case_fill(&c, r.offsets.count, &r.entries, 1);
    r.keys = keys;
    case_run(&c, &kind, &r, 4.0 * PASSES * 3.0 * n);
    free(keys);
}
