/* histogram: how often each value of each 8-bit digit occurs in u32 keys. */
#ifndef PIETRA_PRIMITIVE_HISTOGRAM_H
#define PIETRA_PRIMITIVE_HISTOGRAM_H

#include "primitive/primitive.h"

typedef struct histogram_ranges {
    gpu_range keys;           /* max_count u32 */
    gpu_range bins;           /* HISTOGRAM_DIGITS * HISTOGRAM_BINS u32, lowest digit first */
    gpu_range count;          /* one u32; more than max_count is cut to it */
} histogram_ranges;

/* The program is destroyed with gpu_program_destroy. */
pietra_result histogram_create(gpu_device *device, const primitive_options *options, pietra_error *error, gpu_program **program);

/* max_count: 1 or more. */
void histogram_record(gpu_recorder *recorder, const gpu_program *program, const histogram_ranges *ranges, uint32_t max_count);

#endif
