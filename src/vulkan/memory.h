/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Buffers: few and large, each with device memory of its own. They can be bound to programs, filled and copied, and can
 * hold the arguments of indirect dispatches. */
#ifndef PIETRA_VULKAN_MEMORY_H
#define PIETRA_VULKAN_MEMORY_H

#include "vulkan/device.h"
#include "vulkan/vulkan.h"

typedef enum gpu_memory_kind {
    GPU_MEMORY_DEVICE = 0, /* kernels work on it; not mapped */
    GPU_MEMORY_UPLOAD,     /* the host writes it in order, and reads it slowly */
    GPU_MEMORY_READBACK,   /* the host reads it as fast as its own memory */
} gpu_memory_kind;

/* All zero means no buffer. */
typedef struct gpu_buffer {
    uint64_t bytes; /* as asked for */
    void *mapped;   /* UPLOAD and READBACK: the contents, coherent, as long as the buffer lives; else NULL */
    VkBuffer handle;
    VkDeviceMemory memory;
} gpu_buffer;

/* A part of a buffer. If bytes is 0 it extends from offset to the buffer's end. */
typedef struct gpu_range {
    const gpu_buffer *buffer;
    uint64_t offset, bytes;
} gpu_range;

/* Creates a buffer of bytes, which is not 0; its contents are undefined. PIETRA_ERROR_BUDGET: the device has no room
 * for it, or for any buffer of this size (gpu_limits.max_allocation_bytes). After a failure the buffer is all zero. */
pietra_result gpu_buffer_create(gpu_device *device, uint64_t bytes, gpu_memory_kind kind, pietra_error *error,
                                gpu_buffer *buffer);
/* Makes a buffer at least this large; all zero, or one of the same kind, whose contents are lost if it has to grow. The
 * errors are those of gpu_buffer_create. */
pietra_result gpu_buffer_ensure(gpu_device *device, uint64_t bytes, gpu_memory_kind kind, pietra_error *error,
                                gpu_buffer *buffer);
/* Destroys a buffer that no submitted work uses any more. It is all zero afterwards. Does nothing if it was already. */
void gpu_buffer_destroy(gpu_device *device, gpu_buffer *buffer);

#endif
