/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 06 sort: tile_lines by key. The sort is stable, so that each element's rows are walked from left to right.
 *
 * Reads tile_line_keys, tile_line_values; writes sorted_keys, sorted_values. The same radix sort serves stage 08. */
#include "render/reference/sort.h"

#include <stdlib.h>
#include <string.h>

pietra_result reference_sort_pairs(reference_frame *frame, const uint *keys, const uint *values, uint count,
                                   pietra_error *error, uint **sorted_keys, uint **sorted_values)
{
    pietra_result result;
    if (!(*sorted_keys = reference_allocate(frame, count, sizeof(uint), error, &result)) ||
        !(*sorted_values = reference_allocate(frame, count, sizeof(uint), error, &result))) {
        return result;
    }
    uint *spare_keys = reference_allocate(frame, count, sizeof(uint), error, &result);
    uint *spare_values = spare_keys ? reference_allocate(frame, count, sizeof(uint), error, &result) : NULL;
    if (!spare_values) {
        free(spare_keys);
        return result;
    }
    memcpy(*sorted_keys, keys, count * sizeof(uint));
    memcpy(*sorted_values, values, count * sizeof(uint));
    for (uint shift = 0; shift < 32; shift += 8) {
        uint first[257] = {0};
        for (uint i = 0; i < count; i++)
            first[((*sorted_keys)[i] >> shift & 0xffu) + 1]++;
        for (uint digit = 0; digit < 256; digit++)
            first[digit + 1] += first[digit];
        for (uint i = 0; i < count; i++) {
            uint to = first[(*sorted_keys)[i] >> shift & 0xffu]++;
            spare_keys[to] = (*sorted_keys)[i];
            spare_values[to] = (*sorted_values)[i];
        }
        uint *swap = *sorted_keys;
        *sorted_keys = spare_keys;
        spare_keys = swap;
        swap = *sorted_values;
        *sorted_values = spare_values;
        spare_values = swap;
    }
    free(spare_keys);
    free(spare_values);
    return PIETRA_OK;
}

pietra_result reference_06_sort(reference_frame *frame, pietra_error *error)
{
    return reference_sort_pairs(frame, frame->tile_line_keys, frame->tile_line_values, frame->counters.tile_line_count,
                                error, &frame->sorted_keys, &frame->sorted_values);
}
