/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/frame_buffers.h"

#include "layout/primitive.h"
#include "lib/element.h"
#include "primitive/sort.h"

frame_layout frame_layout_of(const frame_capacity *c, uint32_t alignment)
{
    const uint64_t bytes[BUFFER_OF_FRAME_COUNT] = {
#define BUFFER(name, comparison, item_bytes, count) (uint64_t)(item_bytes) * (uint64_t)(count),
#include "render/gpu/buffers.def"
#undef BUFFER
    };
    frame_layout layout = {.total_bytes = 0};
    for (int i = 0; i < BUFFER_OF_FRAME_COUNT; i++) {
        uint64_t size = bytes[i] == 0 ? 4 : bytes[i];
        if (i == BUFFER_CLEARED_END)
            layout.cleared_bytes = layout.total_bytes;
        layout.offsets[i] = layout.total_bytes;
        layout.bytes[i] = size;
        layout.largest_bytes = size > layout.largest_bytes ? size : layout.largest_bytes;
        layout.total_bytes += (size + alignment - 1) / alignment * alignment;
    }
    return layout;
}

const char *frame_buffer_name(frame_buffer buffer)
{
    static const char *const names[BUFFER_COUNT] = {
#define BUFFER(name, comparison, item_bytes, count) #name,
#include "render/gpu/buffers.def"
#undef BUFFER
        "STREAM", "CONFIG", "SHEETS", "TARGET", "TEXELS_0", "TEXELS_1", "TEXELS_2", "TEXELS_3",
    };
    return names[buffer];
}
