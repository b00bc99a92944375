/* A radix sort that counts, scans and reorders each digit, to compare the primitive sort with: shaders/primitive/reorder_*.comp. What
 * Onesweep spares is the second reading of the keys, the table of counts and its scan. */
#include "bench.h"

#include <stdlib.h>

#include "layout/compare.h"
#include "primitive/scan.h"

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
    uint32_t n, tile, entries;   /* entries: of the table */
} reorder_case;

static void record_reorder(gpu_recorder *recorder, void *user)
{
    const reorder_case *c = user;
    primitive_grid grid = primitive_grid_of((c->n + c->tile - 1u) / c->tile);
    sort_push push = {.max_count = c->n, .tile = c->tile};
    for (; push.pass < PASSES; push.pass++) {
        if (push.pass)
            gpu_barrier(recorder);
        gpu_dispatch(recorder, c->count, (gpu_range[COUNT_RANGES]){c->keys_a, c->keys_b, c->table}, &push, grid.x, grid.y, 1);
        gpu_barrier(recorder);
        scan_record(recorder, &c->scan, &c->offsets, c->entries, false);
        gpu_barrier(recorder);
        gpu_dispatch(recorder, c->scatter, (gpu_range[SCATTER_RANGES]){c->keys_a, c->keys_b, c->table, c->offsets.sums}, &push, grid.x, grid.y, 1);
    }
}

/* As many keys an invocation as shared memory has room for, beside the counts of its subgroups. */
static void create_programs(bench *b, reorder_case *r)
{
    static const primitive_program_info count = PRIMITIVE_PROGRAM(reorder_count, COUNT_RANGES, sort_push);
    static const primitive_program_info scatter = PRIMITIVE_PROGRAM(reorder_scatter, SCATTER_RANGES, sort_push);
    const gpu_limits *limits = gpu_get_limits(b->device);
    pietra_error error = {0};
    uint32_t items = limits->shared_bytes < FULL_SHARED_BYTES ? COMPARE_ITEMS / 2u : COMPARE_ITEMS;
    primitive_shape shape = {.invocations = COMPARE_INVOCATIONS, .items = items};
    r->tile = shape.invocations * shape.items;
    shape.shared_words = shape.invocations / primitive_subgroup_least(limits) * (SORT_BINS / 2u) + r->tile;
    bench_must(primitive_program_create_shaped(b->device, &count, shape, &b->options, &error, &r->count), &error);
    bench_must(primitive_program_create_shaped(b->device, &scatter, shape, &b->options, &error, &r->scatter), &error);
    bench_must(scan_create(b->device, &b->options, &error, &r->scan), &error);
}

void bench_reorder(bench *b, uint32_t n, const char *kind)
{
    bench_case c;
    if (!case_begin(b, &c, n, "reorder_keys_u32_b32_%s", kind))
        return;
    reorder_case r = {.n = n};
    create_programs(b, &r);
    r.entries = SORT_BINS * ((n + r.tile - 1u) / r.tile);
    uint32_t *keys = bench_allocate(4u * (uint64_t)n);
    fill_words(keys, n, kind, 1u);
    r.keys_a = case_input(&c, keys, n, true);
    r.keys_b = case_buffer(&c, n);
    r.offsets.items = r.table = case_buffer(&c, r.entries);
    r.offsets.sums = case_buffer(&c, r.entries);
    r.offsets.count = case_input(&c, &r.entries, 1, false);
    r.offsets.scratch = case_buffer(&c, scan_scratch_bytes(r.entries) / 4u);
    case_measure(&c, record_reorder, &r);
    bool right = true;
    if (b->check) {
        uint32_t *sorted = case_read(&c, r.keys_a);
        right = keys_are_sorted(sorted, NULL, keys, n, 1u, 32u);
        free(sorted);
    }
    case_end(&c, 4.0 * PASSES * 3.0 * n, right);
    free(keys);
    gpu_program_destroy(r.count);
    gpu_program_destroy(r.scatter);
    scan_destroy(&r.scan);
}
