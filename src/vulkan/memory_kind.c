/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/memory_kind.h"

#include "vulkan/facts.h"

#define LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define VISIBLE VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
#define COHERENT VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
#define CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT

#define MAX_SCORE 3

/* Returns how well a type serves: higher is better, -1 means not at all. Types with properties beyond the four
 * (protected, lazily allocated, uncached on the device) have other purposes. */
static int memory_kind_score(const VkPhysicalDeviceMemoryProperties *memory, uint32_t type, gpu_memory_kind kind)
{
    VkMemoryPropertyFlags flags = memory->memoryTypes[type].propertyFlags;
    if (flags & ~(VkMemoryPropertyFlags)(LOCAL | VISIBLE | COHERENT | CACHED))
        return -1;
    if (kind == GPU_MEMORY_DEVICE)
        return !(flags & LOCAL) ? -1 : flags & VISIBLE ? 1 : 2;
    if (!(flags & VISIBLE) || !(flags & COHERENT))
        return -1;
    if (kind == GPU_MEMORY_READBACK)
        return (flags & CACHED ? 2 : 0) + (flags & LOCAL ? 0 : 1);
    if (flags & LOCAL) {
        /* A window of some 256 MiB onto a larger memory is too small to rely on. */
        return memory->memoryHeaps[memory->memoryTypes[type].heapIndex].size == facts_memory_bytes(memory) ? 3 : 0;
    }
    return flags & CACHED ? 1 : 2;
}

uint32_t memory_kind_types(const VkPhysicalDeviceMemoryProperties *memory, gpu_memory_kind kind, uint32_t allowed,
                           uint32_t types[VK_MAX_MEMORY_TYPES])
{
    uint32_t count = 0;
    for (int score = MAX_SCORE; score >= 0; score--) {
        for (uint32_t i = 0; i < memory->memoryTypeCount; i++)
            if ((allowed >> i & 1u) && memory_kind_score(memory, i, kind) == score)
                types[count++] = i;
    }
    return count;
}

bool memory_kind_upload_is_local(const VkPhysicalDeviceMemoryProperties *memory)
{
    uint32_t types[VK_MAX_MEMORY_TYPES];
    uint32_t count = memory_kind_types(memory, GPU_MEMORY_UPLOAD, UINT32_MAX, types);
    return count > 0 && memory_kind_score(memory, types[0], GPU_MEMORY_UPLOAD) == MAX_SCORE;
}
