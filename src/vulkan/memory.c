/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/memory.h"

#include <assert.h>
#include <inttypes.h>

#include "base/error.h"
#include "vulkan/context.h"
#include "vulkan/memory_kind.h"
#include "vulkan/result.h"

static pietra_result memory_refuse(pietra_error *error, uint64_t bytes)
{
    return error_set(error, PIETRA_ERROR_BUDGET, 0, "the device has no memory for a buffer of %" PRIu64 " bytes",
                     bytes);
}

/* Takes the best type that still has room. */
static VkResult memory_allocate(gpu_device *device, const VkMemoryRequirements *needs, gpu_memory_kind kind,
                                VkDeviceMemory *memory)
{
    uint32_t types[VK_MAX_MEMORY_TYPES];
    uint32_t count = memory_kind_types(&device->memory, kind, needs->memoryTypeBits, types);
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (uint32_t i = 0; i < count && result == VK_ERROR_OUT_OF_DEVICE_MEMORY; i++) {
        /* It is not valid to ask for more than the size of the heap. */
        if (needs->size <= device->memory.memoryHeaps[device->memory.memoryTypes[types[i]].heapIndex].size) {
            const VkMemoryAllocateInfo allocate = {
                .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                .allocationSize = needs->size,
                .memoryTypeIndex = types[i],
            };
            result = device->instance.vk.AllocateMemory(device->handle, &allocate, NULL, memory);
        }
    }
    return result;
}

static VkResult memory_create(gpu_device *device, uint64_t bytes, gpu_memory_kind kind, gpu_buffer *buffer)
{
    const gpu_functions *vk = &device->instance.vk;
    const VkBufferCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = (bytes + 3) & ~UINT64_C(3), /* whole words, so that all of the buffer can be filled */
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    VkResult result = vk->CreateBuffer(device->handle, &create, NULL, &buffer->handle);
    if (result != VK_SUCCESS)
        return result;
    VkMemoryRequirements needs;
    vk->GetBufferMemoryRequirements(device->handle, buffer->handle, &needs);
    result = memory_allocate(device, &needs, kind, &buffer->memory);
    if (result != VK_SUCCESS)
        return result;
    result = vk->BindBufferMemory(device->handle, buffer->handle, buffer->memory, 0);
    if (result == VK_SUCCESS && kind != GPU_MEMORY_DEVICE)
        result = vk->MapMemory(device->handle, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped);
    return result;
}

pietra_result gpu_buffer_create(gpu_device *device, uint64_t bytes, gpu_memory_kind kind, pietra_error *error,
                                gpu_buffer *buffer)
{
    assert(bytes > 0);
    *buffer = (gpu_buffer){.bytes = bytes};
    if (bytes > device->limits.max_allocation_bytes) {
        *buffer = (gpu_buffer){0};
        return memory_refuse(error, bytes);
    }
    VkResult result = memory_create(device, bytes, kind, buffer);
    if (result != VK_SUCCESS) {
        gpu_buffer_destroy(device, buffer);
        return result == VK_ERROR_OUT_OF_DEVICE_MEMORY ? memory_refuse(error, bytes)
                                                       : result_fail(error, result, "a buffer cannot be made");
    }
    return PIETRA_OK;
}

pietra_result gpu_buffer_ensure(gpu_device *device, uint64_t bytes, gpu_memory_kind kind, pietra_error *error,
                                gpu_buffer *buffer)
{
    if (buffer->bytes >= bytes)
        return PIETRA_OK;
    gpu_buffer_destroy(device, buffer);
    return gpu_buffer_create(device, bytes, kind, error, buffer);
}

void gpu_buffer_destroy(gpu_device *device, gpu_buffer *buffer)
{
    const gpu_functions *vk = &device->instance.vk;
    if (!device->abandoned && buffer->handle)
        vk->DestroyBuffer(device->handle, buffer->handle, NULL);
    if (!device->abandoned && buffer->memory)
        vk->FreeMemory(device->handle, buffer->memory, NULL);
    *buffer = (gpu_buffer){0};
}
