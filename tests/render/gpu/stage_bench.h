/* One stage alone on the device: runs its kernels on what the reference made for it, and compares the result with what
 * the reference makes. Every failure fails the test. */
#ifndef PIETRA_RENDER_GPU_STAGE_BENCH_H
#define PIETRA_RENDER_GPU_STAGE_BENCH_H

#include "primitive/harness.h"

#include "scene/stream.h"
#include "render/reference/reference.h"

#define BENCH_PROGRAMS_MOST 16

typedef struct bench {
    harness h;
    int program_count;
    gpu_program *programs[BENCH_PROGRAMS_MOST];
    pietra_stream *stream;
    reference_frame frame; /* of the stream, drawn by the reference */
    uint32_t sorted_half;  /* the half of sorted pairs that the device reads */
} bench;

/* Set up and tear down a group of tests whose state is a bench. */
int bench_open(void **state);
int bench_close(void **state);

void bench_create_programs(bench *b, const primitive_program_info *infos, int count, const primitive_options *options);
void bench_destroy_programs(bench *b);

/* Ranges of the harness, valid until harness_reset. */
gpu_range bench_input(bench *b, const void *items, uint64_t count, size_t item_bytes);
gpu_range bench_zeros(bench *b, uint64_t words);
/* Returns a look-back table for that many items in partitions of partition_size. */
gpu_range bench_table(bench *b, uint32_t items, uint32_t partition_size, uint32_t components);

/* Run a program and wait: with that many workgroups; or with one for each partition of items, and some more. */
void bench_run(bench *b, int program, const gpu_range *ranges, uint32_t groups);
void bench_run_partitions(bench *b, int program, const gpu_range *ranges, uint32_t items, uint32_t partition_size);

void bench_compare(bench *b, const char *what, gpu_range range, const void *expected, uint64_t count,
                   size_t item_bytes);

#endif
