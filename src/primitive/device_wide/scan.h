/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* scan: prefix sums of u32 items, modulo 2^32, in two dispatches. The first adds up the first partitions. The second
 * scans all partitions, and adds up those that lie a fixed number of partitions ahead. So what a partition needs is
 * there when its turn comes, and its items still lie in the cache. shaders/primitive/scan_partition.glsl says how. */
#ifndef PIETRA_PRIMITIVE_SCAN_H
#define PIETRA_PRIMITIVE_SCAN_H

#include "primitive/primitive.h"

typedef struct scan_ranges {
    gpu_range items;   /* max_count u32 */
    gpu_range sums;    /* max_count u32 */
    gpu_range count;   /* one u32; more than max_count is cut to it */
    gpu_range scratch; /* scan_scratch_bytes */
} scan_ranges;

typedef struct scan_kernels {
    gpu_program *begin, *scan;
    uint32_t partition;  /* items */
    uint32_t look_ahead; /* partitions */
} scan_kernels;

/* Makes the kernels. PIETRA_ERROR_INPUT: partitions of the tuned shape are too small. */
pietra_result scan_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                          scan_kernels *kernels);
void scan_destroy(scan_kernels *kernels); /* kernels that are all zero are left alone */

uint64_t scan_scratch_bytes(uint32_t max_count);

/* Records one run: sums[i] = items[0] + ... + items[i - 1], and + items[i] if inclusive. max_count is 1 or more. */
void scan_record(gpu_recorder *recorder, const scan_kernels *kernels, const scan_ranges *ranges, uint32_t max_count,
                 bool inclusive);

/* See ranges.h for what it reports. */
pietra_result scan_check(const gpu_device *device, const scan_ranges *ranges, uint32_t max_count, pietra_error *error);

#endif
