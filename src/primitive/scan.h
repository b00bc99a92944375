/* scan: prefix sums of u32 items, modulo 2^32, in one pass over memory. */
#ifndef PIETRA_PRIMITIVE_SCAN_H
#define PIETRA_PRIMITIVE_SCAN_H

#include "primitive/primitive.h"

typedef struct scan_ranges {
    gpu_range items;          /* max_count u32 */
    gpu_range sums;           /* max_count u32 */
    gpu_range count;          /* one u32; more than max_count is cut to it */
    gpu_range scratch;        /* scan_scratch_bytes */
} scan_ranges;

/* The kernel is destroyed with primitive_kernel_destroy. */
pietra_result scan_create(gpu_device *device, const primitive_options *options, pietra_error *error, primitive_kernel *kernel);

uint64_t scan_scratch_bytes(uint32_t max_count);

/* sums[i] = items[0] + ... + items[i - 1], and + items[i] if inclusive. max_count: 1 or more. */
void scan_record(gpu_recorder *recorder, const primitive_kernel *kernel, const scan_ranges *ranges, uint32_t max_count, bool inclusive);

/* ranges.h says what it tells. */
pietra_result scan_check(const gpu_device *device, const scan_ranges *ranges, uint32_t max_count, pietra_error *error);

#endif
