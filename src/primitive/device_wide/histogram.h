/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* histogram: counts how often each value of each of some 8-bit digits occurs in u32 keys. */
#ifndef PIETRA_PRIMITIVE_HISTOGRAM_H
#define PIETRA_PRIMITIVE_HISTOGRAM_H

#include "primitive/primitive.h"

typedef struct histogram_ranges {
    gpu_range keys;  /* max_count u32 */
    gpu_range bins;  /* digits * HISTOGRAM_BINS u32, lowest digit first */
    gpu_range count; /* one u32; more than max_count is cut to it */
} histogram_ranges;

/* Makes the program. gpu_program_destroy destroys it. */
pietra_result histogram_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                               gpu_program **program);

/* Records one run. max_count is 1 or more. digits is 1 to HISTOGRAM_DIGITS, counted from bit first_bit up, and all
 * digits lie within the key. */
void histogram_record(gpu_recorder *recorder, const gpu_program *program, const histogram_ranges *ranges,
                      uint32_t max_count, uint32_t first_bit, uint32_t digits);

/* See ranges.h for what it reports. */
pietra_result histogram_check(const gpu_device *device, const histogram_ranges *ranges, uint32_t max_count,
                              uint32_t digits, pietra_error *error);

#endif
