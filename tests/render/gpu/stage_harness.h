/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One stage alone on the device: runs its kernels on what the reference made for it, and compares the result with what
 * the reference makes. Every failure fails the test. */
#ifndef PIETRA_RENDER_GPU_STAGE_HARNESS_H
#define PIETRA_RENDER_GPU_STAGE_HARNESS_H

#include "primitive/harness.h"

#include "scene/stream.h"
#include "render/reference/reference.h"

#define HARNESS_PROGRAMS_MOST 16

typedef struct stage_harness {
    harness h;
    gpu_program *programs[HARNESS_PROGRAMS_MOST];
    pietra_stream *stream;
    reference_frame frame; /* the stream, drawn by the reference */
    uint32_t sorted_half;  /* the half of sorted pairs that the device reads */
} stage_harness;

/* The stages that a test program checks. */
typedef struct stage_harness_subject {
    const primitive_program_info *programs;
    int program_count;
    /* Makes one of the scenes that were made for these stages, and sets the side of its frame. */
    pietra_scene *(*make_scene)(uint32_t which, uint32_t *side);
    uint32_t scene_count;
    /* The first scenes are drawn under every schedule, the others under the usual one alone. */
    uint32_t scheduled_count;
    uint32_t first_seed, end_seed; /* seeds of random scenes */
    void (*check)(stage_harness *h);
    /* Checks that nothing is written past the end of buffers that are too small, and that the full need is reported. */
    void (*check_too_small)(stage_harness *h);
} stage_harness_subject;

/* Runs the tests: random scenes, the subject's scenes under the schedules, and buffers that are too small. Returns the
 * status of the program. */
int stage_harness_test(const stage_harness_subject *subject);

/* Ranges of the harness, valid until harness_reset. */
gpu_range stage_harness_input(stage_harness *h, const void *items, uint64_t count, size_t item_bytes);
gpu_range stage_harness_zeros(stage_harness *h, uint64_t words);
/* Returns a look-back table for that many items in partitions of partition_size. */
gpu_range stage_harness_table(stage_harness *h, uint32_t items, uint32_t partition_size, uint32_t components);

/* Both run a program and wait: the first with that many workgroups, the second with one for each partition of items,
 * and some more. */
void stage_harness_run(stage_harness *h, int program, const gpu_range *ranges, uint32_t groups);
void stage_harness_run_partitions(stage_harness *h, int program, const gpu_range *ranges, uint32_t items,
                                  uint32_t partition_size);

void stage_harness_compare(stage_harness *h, const char *what, gpu_range range, const void *expected, uint64_t count,
                           size_t item_bytes);

#endif
