/* compact: the indices of set flags, in order, in one pass over memory. */
#ifndef PIETRA_PRIMITIVE_COMPACT_H
#define PIETRA_PRIMITIVE_COMPACT_H

#include "primitive/primitive.h"

typedef struct compact_ranges {
    gpu_range flags;          /* max_count u32, zero or not */
    gpu_range indices;        /* max_count u32 */
    gpu_range index_count;    /* one u32 */
    gpu_range count;          /* one u32; more than max_count is cut to it */
    gpu_range scratch;        /* compact_scratch_bytes */
} compact_ranges;

/* The kernel is destroyed with primitive_kernel_destroy. */
pietra_result compact_create(gpu_device *device, const primitive_options *options, pietra_error *error, primitive_kernel *kernel);

uint64_t compact_scratch_bytes(uint32_t max_count);

/* max_count: 1 to LOOK_BACK_MAX. */
void compact_record(gpu_recorder *recorder, const primitive_kernel *kernel, const compact_ranges *ranges, uint32_t max_count);

/* ranges.h says what it tells. */
pietra_result compact_check(const gpu_device *device, const compact_ranges *ranges, uint32_t max_count, pietra_error *error);

#endif
