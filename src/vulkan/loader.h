/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The functions of Vulkan that Pietra uses, in one list. They are looked up in a libvulkan opened at run time. */
#ifndef PIETRA_VULKAN_LOADER_H
#define PIETRA_VULKAN_LOADER_H

#include "vulkan/vulkan.h"

/* Found before there is an instance. */
#define GPU_GLOBAL_FUNCTIONS(X) \
    X(CreateInstance) \
    X(EnumerateInstanceLayerProperties) \
    X(EnumerateInstanceVersion)

#define GPU_INSTANCE_FUNCTIONS(X) \
    X(CreateDevice) \
    X(DestroyInstance) \
    X(EnumerateDeviceExtensionProperties) \
    X(EnumeratePhysicalDevices) \
    X(GetDeviceProcAddr) \
    X(GetPhysicalDeviceFeatures2) \
    X(GetPhysicalDeviceMemoryProperties) \
    X(GetPhysicalDeviceProperties) \
    X(GetPhysicalDeviceProperties2) \
    X(GetPhysicalDeviceQueueFamilyProperties)

/* Functions of extensions that are enabled only on request; NULL otherwise. */
#define GPU_OPTIONAL_INSTANCE_FUNCTIONS(X) \
    X(CreateDebugUtilsMessengerEXT) \
    X(DestroyDebugUtilsMessengerEXT)

#define GPU_DEVICE_FUNCTIONS(X) \
    X(AllocateCommandBuffers) \
    X(AllocateMemory) \
    X(BeginCommandBuffer) \
    X(BindBufferMemory) \
    X(CmdBindPipeline) \
    X(CmdCopyBuffer) \
    X(CmdCopyBufferToImage) \
    X(CmdDispatch) \
    X(CmdDispatchIndirect) \
    X(CmdFillBuffer) \
    X(CmdPipelineBarrier) \
    X(CmdPushConstants) \
    X(CmdPushDescriptorSetKHR) \
    X(CmdWriteTimestamp) \
    X(CreateBuffer) \
    X(CreateCommandPool) \
    X(CreateComputePipelines) \
    X(CreateDescriptorSetLayout) \
    X(CreateFence) \
    X(CreatePipelineCache) \
    X(CreatePipelineLayout) \
    X(CreateQueryPool) \
    X(CreateShaderModule) \
    X(DestroyBuffer) \
    X(DestroyCommandPool) \
    X(DestroyDescriptorSetLayout) \
    X(DestroyDevice) \
    X(DestroyFence) \
    X(DestroyPipeline) \
    X(DestroyPipelineCache) \
    X(DestroyPipelineLayout) \
    X(DestroyQueryPool) \
    X(DestroyShaderModule) \
    X(EndCommandBuffer) \
    X(FreeMemory) \
    X(GetBufferMemoryRequirements) \
    X(GetDeviceQueue) \
    X(GetPipelineCacheData) \
    X(GetQueryPoolResults) \
    X(MapMemory) \
    X(QueueSubmit) \
    X(ResetCommandPool) \
    X(ResetFences) \
    X(ResetQueryPool) \
    X(WaitForFences)

#define GPU_OPTIONAL_DEVICE_FUNCTIONS(X) \
    X(GetPipelineExecutablePropertiesKHR) \
    X(GetPipelineExecutableStatisticsKHR)

#define GPU_ALL_FUNCTIONS(X) \
    GPU_GLOBAL_FUNCTIONS(X) \
    GPU_INSTANCE_FUNCTIONS(X) \
    GPU_OPTIONAL_INSTANCE_FUNCTIONS(X) \
    GPU_DEVICE_FUNCTIONS(X) \
    GPU_OPTIONAL_DEVICE_FUNCTIONS(X)

typedef struct gpu_functions {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define GPU_MEMBER(name) PFN_vk##name name;
    GPU_ALL_FUNCTIONS(GPU_MEMBER)
#undef GPU_MEMBER
} gpu_functions;

/* Opens libvulkan and finds the global functions. NULL: there is none, or it is older than Vulkan 1.1. */
void *loader_open(gpu_functions *vk);
void loader_close(void *library);
/* Find the functions of an instance, and of a device. Return the name of the first that is missing, or NULL. */
const char *loader_load_instance(gpu_functions *vk, VkInstance owner);
const char *loader_load_device(gpu_functions *vk, VkDevice owner);

#endif
