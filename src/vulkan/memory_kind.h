/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds which of a device's memory types serve a kind of memory, best first. */
#ifndef PIETRA_VULKAN_MEMORY_KIND_H
#define PIETRA_VULKAN_MEMORY_KIND_H

#include "vulkan/memory.h"

/* Writes the indices of the types in the mask `allowed` that serve. Returns how many there are. */
uint32_t memory_kind_types(const VkPhysicalDeviceMemoryProperties *memory, gpu_memory_kind kind, uint32_t allowed,
                           uint32_t types[VK_MAX_MEMORY_TYPES]);
/* Returns whether the best type for uploads lies in the device's memory. */
bool memory_kind_upload_is_local(const VkPhysicalDeviceMemoryProperties *memory);

#endif
