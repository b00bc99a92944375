/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parts that all device-wide primitives share.
 *
 * A primitive consists of a few programs, made once for a device, and a function that records one run of them. The
 * number of items lies in a buffer on the device. The host knows only an upper limit. Recording allocates nothing and
 * waits for nothing.
 *
 * Barriers: what a run reads must be visible (gpu_barrier) before the run is recorded. What it writes becomes visible
 * after the next gpu_barrier, which the caller records. Scratch need not be cleared. Ranges of one run must not overlap
 * unless a header allows it.
 *
 * Threads: the rules are those of the device. The errors of *_create are those of gpu_program_create. */
#ifndef PIETRA_PRIMITIVE_PRIMITIVE_H
#define PIETRA_PRIMITIVE_PRIMITIVE_H

#include "vulkan/program.h"
#include "vulkan/recorder.h"
#include "primitive/ranges.h"
#include "primitive/tuning.h"

/* Options for tests and for devices whose tuning differs: how workgroups wait for one another. Zero or NULL: the
 * defaults. */
typedef struct primitive_options {
    uint32_t order; /* LOOK_BACK_ORDER_*: which partition a ticket stands for */
    /* if p > 0, partitions p - 1, 2 p - 1, ... publish nothing, so that every wait for them reaches the spin limit */
    uint32_t fault_period;
    /* polls of one workgroup; 0: what suits the device; software takes at most that, because it cuts loops off */
    uint32_t spin_limit;
    const primitive_tuning *tuning; /* NULL: what suits the device */
    /* Called with each program before it is made; NULL: not called. */
    void (*observe)(void *user, const gpu_program_info *info);
    void *observe_user;
} primitive_options;

typedef struct primitive_grid {
    uint32_t x, y;
} primitive_grid;

typedef struct primitive_program_info {
    const char *name;
    const uint32_t *spirv;
    size_t word_count;
    uint32_t buffer_count;
    size_t push_bytes;
} primitive_program_info;

/* The info of the kernel <stem>, which is embedded as <stem>_spv. */
#define PRIMITIVE_PROGRAM(stem, bindings, push) \
    { \
        .name = #stem, .spirv = stem##_spv, .word_count = sizeof stem##_spv / 4, .buffer_count = bindings, \
        .push_bytes = sizeof(push) \
    }

/* The shape of a tuned kernel: the values of PRIMITIVE_CONSTANT_* (layout/primitive.h). */
typedef struct primitive_shape {
    uint32_t invocations; /* 0: 1,024, or 256 if the device allows no more or is software */
    uint32_t items, shared_words, look_ahead, ring_slots, digit_bits;
} primitive_shape;

/* The most bytes of shared memory that a kernel needs besides its partition: for the bins of a pass, or for scans over
 * the workgroup. */
#define PRIMITIVE_BYTES_BESIDE 4224u

/* Makes a program with full subgroups and with the specialization constants that every kernel of this folder has. */
pietra_result primitive_program_create(gpu_device *device, const primitive_program_info *info,
                                       const primitive_options *options, pietra_error *error, gpu_program **program);
pietra_result primitive_program_create_shaped(gpu_device *device, const primitive_program_info *info,
                                              primitive_shape shape, const primitive_options *options,
                                              pietra_error *error, gpu_program **program);

/* Returns the options' tuning table, or the device's if the options have none. */
primitive_tuning primitive_tuning_of(const gpu_device *device, const primitive_options *options);

/* Returns a lower limit of the subgroup size of such programs. */
uint32_t primitive_subgroup_least(const gpu_limits *limits);

/* Returns the number of pieces of `size` items that hold `count` items. The last piece may be partly filled. */
uint32_t primitive_pieces(uint32_t count, uint32_t size);

/* Returns a dispatch that every device allows, of at least `groups` workgroups (up to 2^30) and fewer than twice as
 * many. */
primitive_grid primitive_grid_of(uint32_t groups);

/* A program that takes its items by partitions. */
typedef struct primitive_kernel {
    gpu_program *program;
    uint32_t partition; /* items */
} primitive_kernel;

/* Makes a kernel of partition_scan.glsl. PIETRA_ERROR_INPUT: partitions of this shape are too small. */
pietra_result primitive_scan_create(gpu_device *device, const primitive_program_info *info, primitive_shape shape,
                                    const primitive_options *options, pietra_error *error, primitive_kernel *kernel);
void primitive_kernel_destroy(primitive_kernel *kernel); /* a kernel that is all zero is left alone */
uint32_t primitive_partitions(const primitive_kernel *kernel, uint32_t max_count);
/* Returns the bytes of the look-back table for as many partitions as the smallest tuned shape makes, with `components`
 * words each. */
uint64_t primitive_scan_scratch_bytes(uint32_t max_count, uint32_t components);
/* Clears the table of the partitions that exist, waits for that, and returns the table's range. */
gpu_range primitive_scan_table(gpu_recorder *recorder, const primitive_kernel *kernel, gpu_range scratch,
                               uint32_t max_count, uint32_t components);

/* Returns the number of workgroups for a kernel that shares its items between any number of them. It is enough to fill
 * a large device. */
uint32_t primitive_shared_groups(uint32_t max_count);

#endif
