/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A frame's buffers, as ranges of device memory. */
#ifndef PIETRA_RENDER_GPU_FRAME_BUFFERS_H
#define PIETRA_RENDER_GPU_FRAME_BUFFERS_H

#include "vulkan/memory.h"
#include "render/gpu/capacity.h"

typedef enum frame_buffer {
#define BUFFER(name, comparison, item_bytes, count) BUFFER_##name,
#include "render/gpu/buffers.def"
#undef BUFFER
    BUFFER_OF_FRAME_COUNT,
    BUFFER_STREAM = BUFFER_OF_FRAME_COUNT,
    BUFFER_CONFIG,
    BUFFER_SHEETS,
    BUFFER_TARGET,
    BUFFER_TEXELS_0, /* the stream's texels, one window each */
    BUFFER_TEXELS_1,
    BUFFER_TEXELS_2,
    BUFFER_TEXELS_3,
    BUFFER_COUNT,
} frame_buffer;

typedef struct frame_layout {
    uint64_t offsets[BUFFER_OF_FRAME_COUNT];
    uint64_t bytes[BUFFER_OF_FRAME_COUNT];
    uint64_t total_bytes;
    uint64_t largest_bytes; /* bytes of the largest buffer */
    uint64_t cleared_bytes; /* bytes from the start on that are zero when a frame begins */
} frame_layout;

/* Lays the buffers out one behind another, at multiples of `alignment`. */
frame_layout frame_layout_of(const frame_capacity *capacity, uint32_t alignment);

const char *frame_buffer_name(frame_buffer buffer);

#endif
