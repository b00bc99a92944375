/* SPDX-License-Identifier: Apache-2.0 OR MIT */
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
    gpu_program *programs[BENCH_PROGRAMS_MOST];
    pietra_stream *stream;
    reference_frame frame; /* the stream, drawn by the reference */
    uint32_t sorted_half;  /* the half of sorted pairs that the device reads */
} bench;

/* The stages that a test program checks. */
typedef struct bench_subject {
    const primitive_program_info *programs;
    int program_count;
    /* Makes one of the scenes that were made for these stages, and sets the side of its frame. */
    pietra_scene *(*make_scene)(uint32_t which, uint32_t *side);
    uint32_t scene_count;
    /* The first scenes are drawn under every schedule, the others under the usual one alone. */
    uint32_t scheduled_count;
    uint32_t first_seed, end_seed; /* seeds of random scenes */
    void (*check)(bench *b);
    /* Checks that nothing is written past the end of buffers that are too small, and that the full need is reported. */
    void (*check_too_small)(bench *b);
} bench_subject;

/* Runs the tests: random scenes, the subject's scenes under the schedules, and buffers that are too small. Returns the
 * status of the program. */
int bench_test(const bench_subject *subject);

/* Ranges of the harness, valid until harness_reset. */
gpu_range bench_input(bench *b, const void *items, uint64_t count, size_t item_bytes);
gpu_range bench_zeros(bench *b, uint64_t words);
/* Returns a look-back table for that many items in partitions of partition_size. */
gpu_range bench_table(bench *b, uint32_t items, uint32_t partition_size, uint32_t components);

/* Both run a program and wait: the first with that many workgroups, the second with one for each partition of items,
 * and some more. */
void bench_run(bench *b, int program, const gpu_range *ranges, uint32_t groups);
void bench_run_partitions(bench *b, int program, const gpu_range *ranges, uint32_t items, uint32_t partition_size);

void bench_compare(bench *b, const char *what, gpu_range range, const void *expected, uint64_t count,
                   size_t item_bytes);

#endif
