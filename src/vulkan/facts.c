/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "vulkan/device.h"
#include "vulkan/requirements.h"
#include "vulkan/result.h"

bool facts_hardware(const VkPhysicalDeviceProperties *properties)
{
    return properties->deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
}

uint64_t facts_memory_bytes(const VkPhysicalDeviceMemoryProperties *memory)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &memory->memoryHeaps[i];
        if ((heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap->size > bytes)
            bytes = heap->size;
    }
    return bytes;
}

/* The extensions that the queries below depend on. The structure of a missing extension must not be chained. */
typedef struct facts_extensions {
    bool push_descriptor, subgroup_size, executable, sm_builtins, shader_core;
} facts_extensions;

static pietra_result facts_query_extensions(const gpu_functions *vk, VkPhysicalDevice handle, pietra_error *error,
                                            facts_extensions *has)
{
    VkExtensionProperties *list = NULL;
    uint32_t count = 0;
    *has = (facts_extensions){false};
    VkResult result = vk->EnumerateDeviceExtensionProperties(handle, NULL, &count, NULL);
    if (result == VK_SUCCESS && count > 0) {
        list = calloc(count, sizeof *list);
        if (!list)
            return error_set_memory(error);
        result = vk->EnumerateDeviceExtensionProperties(handle, NULL, &count, list);
    }
    if (result < VK_SUCCESS) {
        free(list);
        return result_fail(error, result, "the extensions of a GPU cannot be listed");
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *name = list[i].extensionName;
        has->push_descriptor |= strcmp(name, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME) == 0;
        has->subgroup_size |= strcmp(name, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME) == 0;
        has->executable |= strcmp(name, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME) == 0;
        has->sm_builtins |= strcmp(name, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME) == 0;
        has->shader_core |= strcmp(name, VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME) == 0;
    }
    free(list);
    return PIETRA_OK;
}

static void facts_query_properties(const gpu_functions *vk, const facts_extensions *has, gpu_facts *facts)
{
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    void **end = &properties.pNext;
#define CHAIN(member, type) \
    do { \
        facts->member.sType = type; \
        *end = &facts->member; \
        end = &facts->member.pNext; \
    } while (0)
    CHAIN(properties11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
    if (has->push_descriptor)
        CHAIN(push_descriptor, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR);
    if (has->subgroup_size)
        CHAIN(subgroup_size, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES_EXT);
    if (has->sm_builtins)
        CHAIN(multiprocessors, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
    if (has->shader_core)
        CHAIN(compute_units, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD);
    vk->GetPhysicalDeviceProperties2(facts->handle, &properties);

    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    end = &features.pNext;
    CHAIN(features12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    if (has->subgroup_size)
        CHAIN(subgroup_size_features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT);
    if (has->executable)
        CHAIN(executable_features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
#undef CHAIN
    vk->GetPhysicalDeviceFeatures2(facts->handle, &features);

    /* The facts may be copied, so they hold no pointers into themselves. */
    facts->properties11.pNext = facts->push_descriptor.pNext = facts->subgroup_size.pNext = NULL;
    facts->multiprocessors.pNext = facts->compute_units.pNext = NULL;
    facts->features12.pNext = facts->subgroup_size_features.pNext = facts->executable_features.pNext = NULL;
}

#define FAMILIES_MOST 32

/* Prefers a family with timestamps, then one that graphics does not share, then the driver's order. */
static void facts_query_queues(const gpu_functions *vk, gpu_facts *facts)
{
    VkQueueFamilyProperties families[FAMILIES_MOST];
    uint32_t count = FAMILIES_MOST;
    int best = -1;
    facts->queue_family = GPU_NO_QUEUE;
    vk->GetPhysicalDeviceQueueFamilyProperties(facts->handle, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0)
            continue;
        int score = (families[i].timestampValidBits ? 2 : 0) + (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT ? 0 : 1);
        if (score > best) {
            best = score;
            facts->queue_family = i;
            facts->timestamp_bits = families[i].timestampValidBits;
        }
    }
}

bool facts_take_family(const gpu_instance *instance, uint32_t family, gpu_facts *facts)
{
    VkQueueFamilyProperties families[FAMILIES_MOST];
    uint32_t count = FAMILIES_MOST;
    instance->vk.GetPhysicalDeviceQueueFamilyProperties(facts->handle, &count, families);
    if (family >= count || !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        return false;
    facts->queue_family = family;
    facts->timestamp_bits = families[family].timestampValidBits;
    return true;
}

pietra_result facts_query(const gpu_instance *instance, VkPhysicalDevice handle, pietra_error *error, gpu_facts *facts)
{
    const gpu_functions *vk = &instance->vk;
    *facts = (gpu_facts){.handle = handle, .queue_family = GPU_NO_QUEUE};
    vk->GetPhysicalDeviceProperties(handle, &facts->properties);
    vk->GetPhysicalDeviceMemoryProperties(handle, &facts->memory);
    if (facts->properties.apiVersion < VK_API_VERSION_1_2)
        return PIETRA_OK; /* the device could not answer the other queries */
    facts_extensions has;
    pietra_result result = facts_query_extensions(vk, handle, error, &has);
    if (result != PIETRA_OK)
        return result;
    facts_query_properties(vk, &has, facts);
    facts_query_queues(vk, facts);
    return PIETRA_OK;
}

static void keep_most(uint32_t *limit, uint32_t most)
{
    if (*limit > most)
        *limit = most;
}

/* Sets the limits to the least that Vulkan 1.2 demands, or to the requirements if these are higher. */
static void facts_forget_limits(gpu_facts *facts)
{
    VkPhysicalDeviceLimits *limits = &facts->properties.limits;
    keep_most(&limits->maxComputeWorkGroupInvocations, GPU_MIN_WORKGROUP_INVOCATIONS);
    keep_most(&limits->maxComputeSharedMemorySize, GPU_MIN_SHARED_BYTES);
    keep_most(&limits->maxStorageBufferRange, 1u << 27);
    for (size_t i = 0; i < 3; i++)
        keep_most(&limits->maxComputeWorkGroupCount[i], 65535u);
    limits->minStorageBufferOffsetAlignment = 256;
    if (facts->properties11.maxMemoryAllocationSize > UINT64_C(1) << 30)
        facts->properties11.maxMemoryAllocationSize = UINT64_C(1) << 30;
}

void facts_forget(gpu_facts *facts, uint32_t optional)
{
    if (optional & GPU_OPTIONAL_SUBGROUP_SIZE_CONTROL)
        facts->subgroup_size_features.subgroupSizeControl = VK_FALSE;
    if (optional & GPU_OPTIONAL_STATISTICS)
        facts->executable_features.pipelineExecutableInfo = VK_FALSE;
    if (optional & GPU_OPTIONAL_TIMESTAMPS)
        facts->timestamp_bits = 0;
    if (optional & GPU_OPTIONAL_MULTIPROCESSORS)
        facts->multiprocessors.shaderSMCount = facts->compute_units.shaderEngineCount = 0;
    if (optional & GPU_OPTIONAL_LIMITS)
        facts_forget_limits(facts);
}
