/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Everything that is asked of a physical device. It is asked once. */
#ifndef PIETRA_VULKAN_FACTS_H
#define PIETRA_VULKAN_FACTS_H

#include "vulkan/instance.h"

#define GPU_NO_QUEUE UINT32_MAX

/* The pNext of all members are NULL. What the device does not know is zero. */
typedef struct gpu_facts {
    VkPhysicalDevice handle;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceVulkan11Properties properties11;
    VkPhysicalDevicePushDescriptorPropertiesKHR push_descriptor;
    VkPhysicalDeviceSubgroupSizeControlPropertiesEXT subgroup_size;
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV multiprocessors;
    VkPhysicalDeviceShaderCorePropertiesAMD compute_units;
    VkPhysicalDeviceVulkan12Features features12;
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT subgroup_size_features;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable_features;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t queue_family;   /* for compute; GPU_NO_QUEUE: there is none */
    uint32_t timestamp_bits; /* bits of a timestamp in queues of that family */
} gpu_facts;

/* Returns whether the device is not software: drawing on it is meant to be faster than on the processor. */
bool facts_hardware(const VkPhysicalDeviceProperties *properties);
/* Returns the size of the largest heap local to the device. */
uint64_t facts_memory_bytes(const VkPhysicalDeviceMemoryProperties *memory);
/* PIETRA_ERROR_DEVICE: the driver does not answer. PIETRA_ERROR_MEMORY is the other failure. */
pietra_result facts_query(const gpu_instance *instance, VkPhysicalDevice handle, pietra_error *error, gpu_facts *facts);
/* Takes the queue family that the caller has. False: there is none of that number with compute. */
bool facts_take_family(const gpu_instance *instance, uint32_t family, gpu_facts *facts);
/* Pretends that the device lacks some of GPU_OPTIONAL_* (device.h). What is known about memory does not change. */
void facts_forget(gpu_facts *facts, uint32_t optional);

#endif
