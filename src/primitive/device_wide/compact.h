/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* compact: the indices of set flags, in order, in two dispatches. The first reads the flags and leaves one bit for
 * each, and totals. The second makes the indices from the bits, which are a thirty-second part of the flags. No
 * workgroup waits for another, and nothing is cleared. */
#ifndef PIETRA_PRIMITIVE_COMPACT_H
#define PIETRA_PRIMITIVE_COMPACT_H

#include "primitive/primitive.h"

typedef struct compact_ranges {
    gpu_range flags;       /* max_count u32, zero or not */
    gpu_range indices;     /* max_count u32 */
    gpu_range index_count; /* one u32 */
    gpu_range count;       /* one u32; more than max_count is cut to it */
    gpu_range scratch;     /* compact_scratch_bytes */
} compact_ranges;

typedef struct compact_kernels {
    gpu_program *mark, *list;
    uint32_t row;        /* flags */
    uint32_t partitions; /* workgroups at most */
} compact_kernels;

pietra_result compact_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                             compact_kernels *kernels);
void compact_destroy(compact_kernels *kernels); /* kernels that are all zero are left alone */

/* Returns at most an eighth of max_count and 16 KiB. */
uint64_t compact_scratch_bytes(uint32_t max_count);

/* Records one run. max_count is 1 or more. */
void compact_record(gpu_recorder *recorder, const compact_kernels *kernels, const compact_ranges *ranges,
                    uint32_t max_count);

/* See ranges.h for what it reports. */
pietra_result compact_check(const gpu_device *device, const compact_ranges *ranges, uint32_t max_count,
                            pietra_error *error);

#endif
