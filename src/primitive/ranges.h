/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks the ranges of a primitive before anything is recorded.
 *
 * Recording trusts its ranges. Each primitive has a function <primitive>_check that reports whether they are right.
 * Every range must be large enough, be aligned as the device needs it, and be small enough to be bound whole. No range
 * that is written may overlap another. PIETRA_ERROR_INPUT: the message names the range. PIETRA_ERROR_BUDGET: the device
 * cannot bind so much. */
#ifndef PIETRA_PRIMITIVE_RANGES_H
#define PIETRA_PRIMITIVE_RANGES_H

#include "vulkan/memory.h"

typedef struct primitive_range {
    const char *name;
    gpu_range range;
    uint64_t bytes; /* bytes that the primitive needs */
    bool written;
} primitive_range;

/* Checks ranges for max_count items. max_count must be 1 to `most`. */
pietra_result ranges_check(const gpu_device *device, const char *primitive, uint32_t max_count, uint32_t most,
                           const primitive_range *ranges, size_t range_count, pietra_error *error);

#endif
