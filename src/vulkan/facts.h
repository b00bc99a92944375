/* All that is asked of a physical device, asked once. */
#ifndef PIETRA_VULKAN_FACTS_H
#define PIETRA_VULKAN_FACTS_H

#include "vulkan/instance.h"

#define GPU_NO_QUEUE UINT32_MAX

/* The members' pNext are NULL. What the device does not know is zero. */
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
    uint32_t queue_family;    /* for compute; GPU_NO_QUEUE: there is none */
    uint32_t timestamp_bits;  /* of its queues */
} gpu_facts;

/* Not software: drawing on it is meant to be faster than on the processor. */
bool facts_hardware(const VkPhysicalDeviceProperties *properties);
/* Of the largest heap local to the device. */
uint64_t facts_memory_bytes(const VkPhysicalDeviceMemoryProperties *memory);
/* PIETRA_ERROR_MEMORY, or PIETRA_ERROR_DEVICE where the driver fails to answer. */
pietra_result facts_query(const gpu_instance *instance, VkPhysicalDevice handle, pietra_error *error, gpu_facts *facts);
/* As if the device had none of these: GPU_OPTIONAL_* (device.h). Of memory nothing changes. */
void facts_forget(gpu_facts *facts, uint32_t optional);

#endif
