/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* split: the indices of the items of each class, in order, in one pass over memory. */
#ifndef PIETRA_PRIMITIVE_SPLIT_H
#define PIETRA_PRIMITIVE_SPLIT_H

#include "primitive/primitive.h"

typedef struct split_ranges {
    gpu_range classes; /* max_count u32; SPLIT_CLASSES and above: in no list */
    gpu_range indices; /* SPLIT_CLASSES * max_count u32 */
    gpu_range lengths; /* SPLIT_CLASSES u32 */
    gpu_range count;   /* one u32; more than max_count is cut to it */
    gpu_range scratch; /* split_scratch_bytes */
} split_ranges;

/* Makes the kernel. primitive_kernel_destroy destroys it. */
pietra_result split_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                           primitive_kernel *kernel);

uint64_t split_scratch_bytes(uint32_t max_count);

/* Records one run. The list of class c starts at indices[c * max_count] and has lengths[c] indices. max_count is 1 to
 * LOOK_BACK_MAX. */
void split_record(gpu_recorder *recorder, const primitive_kernel *kernel, const split_ranges *ranges,
                  uint32_t max_count);

/* See ranges.h for what it reports. */
pietra_result split_check(const gpu_device *device, const split_ranges *ranges, uint32_t max_count,
                          pietra_error *error);

#endif
