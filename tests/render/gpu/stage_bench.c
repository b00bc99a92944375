#include "render/gpu/stage_bench.h"

int bench_open(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    harness_open(&b->h, 64u << 20);
    *state = b;
    return 0;
}

int bench_close(void **state)
{
    bench *b = *state;
    harness_close(&b->h);
    free(b);
    return 0;
}

void bench_create_programs(bench *b, const primitive_program_info *infos, int count, const primitive_options *options)
{
    assert_true(count <= BENCH_PROGRAMS_MOST);
    b->program_count = count;
    for (int i = 0; i < count; i++) {
        pietra_error error = {0};
        harness_check(primitive_program_create(b->h.device, &infos[i], options, &error, &b->programs[i]), &error);
    }
}

void bench_destroy_programs(bench *b)
{
    for (int i = 0; i < b->program_count; i++)
        gpu_program_destroy(b->programs[i]);
}

gpu_range bench_input(bench *b, const void *items, uint64_t count, size_t item_bytes)
{
    gpu_range range = harness_range(&b->h, count * item_bytes / 4u);
    if (count != 0)
        memcpy(harness_input(&b->h, range), items, (size_t)count * item_bytes);
    return range;
}

gpu_range bench_zeros(bench *b, uint64_t words)
{
    gpu_range range = harness_range(&b->h, words);
    memset(harness_input(&b->h, range), 0, (size_t)range.bytes);
    return range;
}

gpu_range bench_table(bench *b, uint32_t items, uint32_t partition_size, uint32_t components)
{
    return bench_zeros(b, LOOK_BACK_TABLE_WORDS(items / partition_size + 1u, components));
}

void bench_run(bench *b, int program, const gpu_range *ranges, uint32_t groups)
{
    primitive_grid grid = primitive_grid_of(groups);
    harness_begin(&b->h);
    gpu_dispatch(b->h.recorder, b->programs[program], ranges, NULL, grid.x, grid.y, 1);
    harness_run(&b->h);
}

void bench_run_partitions(bench *b, int program, const gpu_range *ranges, uint32_t items, uint32_t partition_size)
{
    bench_run(b, program, ranges, items / partition_size + 2u);
}

void bench_compare(bench *b, const char *what, gpu_range range, const void *expected, uint64_t count, size_t item_bytes)
{
    harness_compare(what, harness_output(&b->h, range), expected, (uint32_t)(count * item_bytes / 4u));
}
