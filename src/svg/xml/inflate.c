/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/xml/inflate.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/packing.h"

#define DEFLATE_RATIO_MOST 1032u /* one match of 258 bytes in two bits */

bool svg_is_gzip(const void *bytes, size_t byte_count)
{
    const uint8_t *head = bytes;
    return byte_count >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

typedef ARRAY(uint8_t) byte_array;

typedef struct inflation {
    const packing_functions *packing;
    struct libdeflate_decompressor *decompressor;
    const uint8_t *next, *end;
    byte_array output;
    svg_budget *budget;
    pietra_error *error;
} inflation;

/* Returns the size that the last four bytes of a file state. This is a guess: if there are several members, it is the
 * size of the last one, and the bytes may be wrong. */
static size_t guess_size(const inflation *at)
{
    if (at->end - at->next < 4)
        return 1;
    const uint8_t *tail = at->end - 4;
    uint64_t stated = tail[0] | (uint64_t)tail[1] << 8 | (uint64_t)tail[2] << 16 | (uint64_t)tail[3] << 24;
    uint64_t most = (uint64_t)(at->end - at->next) * DEFLATE_RATIO_MOST;
    uint64_t left = svg_budget_left(at->budget, SVG_LIMIT_unpacked_bytes);
    most = most < left ? most : left;
    return (size_t)(stated < most ? stated : most) + 1;
}

/* Unpacks one member. The library needs room for all of it. If there is too little, the member is unpacked again into
 * at least twice as much. So all attempts together take about twice as long as the last one. */
static pietra_result inflate_member(inflation *at, size_t wanted)
{
    const uint64_t left = svg_budget_left(at->budget, SVG_LIMIT_unpacked_bytes);
    for (;;) {
        if (!array_reserve(&at->output, wanted))
            return error_set_memory(at->error);
        size_t room = at->output.capacity - at->output.count, read, written;
        bool is_most = left <= room;
        switch (at->packing->libdeflate_gzip_decompress_ex(at->decompressor, at->next, (size_t)(at->end - at->next),
                                                           at->output.items + at->output.count,
                                                           is_most ? (size_t)left : room, &read, &written)) {
        case LIBDEFLATE_SUCCESS:
            if (!svg_budget_take(at->budget, SVG_LIMIT_unpacked_bytes, written))
                return svg_budget_error(at->budget, at->budget->refused, at->error, 0);
            at->next += read;
            at->output.count += written;
            return PIETRA_OK;
        case LIBDEFLATE_INSUFFICIENT_SPACE:
            if (is_most) {
                svg_budget_take(at->budget, SVG_LIMIT_unpacked_bytes, left + 1);
                return svg_budget_error(at->budget, SVG_LIMIT_unpacked_bytes, at->error, 0);
            }
            wanted = room + 1;
            break;
        default:
            return error_set(at->error, PIETRA_ERROR_INPUT, 0, "broken gzip data, or it ends too early");
        }
    }
}

static pietra_result open_decompressor(inflation *at)
{
    const library_state library = packing_open(&at->packing);
    if (library == LIBRARY_MISSING)
        return error_set(at->error, PIETRA_ERROR_INPUT, 0,
                         "it is packed, and libdeflate, which unpacks it, is not installed");
    if (library == LIBRARY_OPEN)
        at->decompressor = at->packing->libdeflate_alloc_decompressor();
    return at->decompressor ? PIETRA_OK : error_set_memory(at->error);
}

pietra_result svg_inflate(const void *bytes, size_t byte_count, svg_budget *budget, pietra_error *error,
                          char **unpacked, size_t *unpacked_count)
{
    inflation at = {.next = bytes, .end = (const uint8_t *)bytes + byte_count, .budget = budget, .error = error};
    pietra_result result = open_decompressor(&at);
    for (size_t wanted = guess_size(&at); result == PIETRA_OK && at.next < at.end; wanted = 1)
        result = inflate_member(&at, wanted);
    if (at.decompressor)
        at.packing->libdeflate_free_decompressor(at.decompressor);
    if (result != PIETRA_OK) {
        array_free(&at.output);
        return result;
    }
    *unpacked = (char *)at.output.items;
    *unpacked_count = at.output.count;
    return PIETRA_OK;
}
