/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "primitive/ranges.h"

#include <inttypes.h>

#include "base/error.h"

static uint64_t range_end(gpu_range range)
{
    return range.bytes ? range.offset + range.bytes : range.buffer->bytes;
}

static pietra_result check_one(const gpu_limits *limits, const char *primitive, const primitive_range *r,
                               pietra_error *error)
{
    if (!r->range.buffer || r->range.offset >= r->range.buffer->bytes ||
        r->range.bytes > r->range.buffer->bytes - r->range.offset)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%s: %s is not within a buffer", primitive, r->name);
    if (r->range.offset % limits->storage_alignment != 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%s: %s starts at %" PRIu64 ", which is no multiple of %u",
                         primitive, r->name, r->range.offset, limits->storage_alignment);
    uint64_t bytes = range_end(r->range) - r->range.offset;
    if (bytes < r->bytes)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%s: %s has %" PRIu64 " bytes and needs %" PRIu64, primitive,
                         r->name, bytes, r->bytes);
    /* The whole range is bound, however much of it is needed. */
    if (bytes > limits->max_binding_bytes)
        return error_set(error, PIETRA_ERROR_BUDGET, 0,
                         "%s: %s has %" PRIu64 " bytes, and the device binds %" PRIu64 " at most", primitive, r->name,
                         bytes, limits->max_binding_bytes);
    return PIETRA_OK;
}

static bool overlap(const primitive_range *a, const primitive_range *b)
{
    return a->range.buffer == b->range.buffer && a->range.offset < b->range.offset + b->bytes &&
           b->range.offset < a->range.offset + a->bytes;
}

pietra_result ranges_check(const gpu_device *device, const char *primitive, uint32_t max_count, uint32_t most,
                           const primitive_range *ranges, size_t range_count, pietra_error *error)
{
    if (max_count == 0u || max_count > most)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%s: %u items, not 1 to %u", primitive, max_count, most);
    for (size_t i = 0; i < range_count; i++) {
        pietra_result result = check_one(gpu_get_limits(device), primitive, &ranges[i], error);
        if (result != PIETRA_OK)
            return result;
        for (size_t k = 0; k < i; k++)
            if ((ranges[i].written || ranges[k].written) && overlap(&ranges[i], &ranges[k]))
                return error_set(error, PIETRA_ERROR_INPUT, 0, "%s: %s overlaps %s", primitive, ranges[i].name,
                                 ranges[k].name);
    }
    return PIETRA_OK;
}
