/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* segmented_scan: prefix sums of u32 items, modulo 2^32, that begin anew at each head, in one pass over memory.
 *
 * Source: Schwartz, "Ultracomputers", 1980; Blelloch, "Scans as Primitive Parallel Operations", 1989. */
#ifndef PIETRA_PRIMITIVE_SEGMENTED_SCAN_H
#define PIETRA_PRIMITIVE_SEGMENTED_SCAN_H

#include "primitive/primitive.h"

typedef struct segmented_scan_ranges {
    gpu_range items;   /* max_count u32 */
    gpu_range heads;   /* one bit an item, the lowest first: a segment begins there; max_count / 32 u32, rounded up */
    gpu_range sums;    /* max_count u32 */
    gpu_range count;   /* one u32; more than max_count is cut to it */
    gpu_range scratch; /* segmented_scan_scratch_bytes */
} segmented_scan_ranges;

/* Makes the kernel. primitive_kernel_destroy destroys it. */
pietra_result segmented_scan_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                                    primitive_kernel *kernel);

uint64_t segmented_scan_scratch_bytes(uint32_t max_count);

/* Records one run: sums[i] = items[h] + ... + items[i - 1], and + items[i] if inclusive, where h is the last head up to
 * i, or 0. max_count is 1 or more. */
void segmented_scan_record(gpu_recorder *recorder, const primitive_kernel *kernel, const segmented_scan_ranges *ranges,
                           uint32_t max_count, bool inclusive);

/* See ranges.h for what it reports. */
pietra_result segmented_scan_check(const gpu_device *device, const segmented_scan_ranges *ranges, uint32_t max_count,
                                   pietra_error *error);

#endif
