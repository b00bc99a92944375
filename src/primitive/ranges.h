/* Checks the ranges of a primitive before anything is recorded.
 *
 * Recording trusts its ranges. Each primitive has a function <primitive>_check that reports whether they are right:
 * every range is large enough, is aligned as the device needs it, and can be bound whole, and no range that is written
 * overlaps another. PIETRA_ERROR_INPUT, with a message that names the range; PIETRA_ERROR_BUDGET where the device
 * cannot bind so much. */
#ifndef PIETRA_PRIMITIVE_RANGES_H
#define PIETRA_PRIMITIVE_RANGES_H

#include "vulkan/memory.h"

typedef struct primitive_range {
    const char *name;
    gpu_range range;
    uint64_t bytes; /* that the primitive needs */
    bool written;
} primitive_range;

/* max_count, from 1 to most, is the number of items for which the ranges are asked. */
pietra_result ranges_check(const gpu_device *device, const char *primitive, uint32_t max_count, uint32_t most,
                           const primitive_range *ranges, size_t range_count, pietra_error *error);

#endif
