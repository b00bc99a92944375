/* Buffers: few and big, each with device memory of its own. They may be bound to programs, filled, copied and hold the arguments
 * of indirect dispatches. */
#ifndef PIETRA_VULKAN_MEMORY_H
#define PIETRA_VULKAN_MEMORY_H

#include "vulkan/device.h"
#include "vulkan/vulkan.h"

typedef enum gpu_memory_kind {
    GPU_MEMORY_DEVICE = 0,    /* what kernels work on; not mapped */
    GPU_MEMORY_UPLOAD,        /* written by the host in order; read slowly by it */
    GPU_MEMORY_READBACK,      /* read by the host at the speed of its own memory */
} gpu_memory_kind;

/* All zero: no buffer. */
typedef struct gpu_buffer {
    uint64_t bytes;           /* as asked for */
    void *mapped;             /* UPLOAD and READBACK: the contents, as long as the buffer lives, coherent; else NULL */
    VkBuffer handle;
    VkDeviceMemory memory;
} gpu_buffer;

/* A part of a buffer. bytes 0: from offset to the buffer's end. */
typedef struct gpu_range {
    const gpu_buffer *buffer;
    uint64_t offset, bytes;
} gpu_range;

/* bytes is not 0; the contents are undefined. PIETRA_ERROR_BUDGET: the device has no room for it, or for any buffer of this size
 * (gpu_limits.max_allocation_bytes). On failure the buffer is all zero. */
pietra_result gpu_buffer_create(gpu_device *device, uint64_t bytes, gpu_memory_kind kind, pietra_error *error, gpu_buffer *buffer);
/* No submitted work uses it any more. It is all zero afterwards; one that was so before is left alone. */
void gpu_buffer_destroy(gpu_device *device, gpu_buffer *buffer);

#endif
