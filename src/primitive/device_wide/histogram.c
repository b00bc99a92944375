/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/device_wide/histogram.h"

#include <assert.h>

#include "layout/primitive.h"

static const uint32_t histogram_spv[] = {
#include "spv/histogram.inc"
};

pietra_result histogram_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                               gpu_program **program)
{
    static const primitive_program_info info = PRIMITIVE_PROGRAM(histogram, 3u, histogram_push);
    const primitive_shape shape = {.shared_words = primitive_tuning_of(device, options).histogram_words};
    return primitive_program_create_shaped(device, &info, shape, options, error, program);
}

void histogram_record(gpu_recorder *recorder, const gpu_program *program, const histogram_ranges *ranges,
                      uint32_t max_count, uint32_t first_bit, uint32_t digits)
{
    assert(digits >= 1u && digits <= HISTOGRAM_DIGITS && first_bit + 8u * digits <= 32u);
    gpu_range bins = ranges->bins;
    bins.bytes = 4u * digits * HISTOGRAM_BINS;
    gpu_fill(recorder, bins, 0u);
    gpu_barrier_dispatches(recorder);
    histogram_push push = {max_count, first_bit, digits};
    gpu_dispatch(recorder, program, (gpu_range[]){ranges->keys, bins, ranges->count}, &push,
                 primitive_shared_groups(max_count), 1u, 1u);
}

pietra_result histogram_check(const gpu_device *device, const histogram_ranges *ranges, uint32_t max_count,
                              uint32_t digits, pietra_error *error)
{
    const primitive_range table[] = {
        {"keys", ranges->keys, 4u * (uint64_t)max_count, false},
        {"bins", ranges->bins, 4u * digits * HISTOGRAM_BINS, true},
        {"count", ranges->count, 4u, false},
    };
    return ranges_check(device, "histogram", max_count, UINT32_MAX, table, sizeof table / sizeof table[0], error);
}
