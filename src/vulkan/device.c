/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/device.h"

#include <stdlib.h>

#include "base/error.h"
#include "vulkan/candidates.h"
#include "vulkan/device_parts.h"
#include "vulkan/memory_kind.h"
#include "vulkan/requirements.h"
#include "vulkan/result.h"

pietra_result gpu_list(size_t capacity, pietra_error *error, pietra_device_info *infos, size_t *count)
{
    gpu_instance instance;
    *count = 0;
    pietra_error absent;
    pietra_result result = instance_open(NULL, &absent, &instance);
    if (result == PIETRA_ERROR_DEVICE)
        return PIETRA_OK;
    if (result != PIETRA_OK)
        return error_set(error, result, 0, "%s", absent.message);
    gpu_candidate *candidates;
    uint32_t found;
    result = candidates_list(&instance, error, &candidates, &found);
    for (uint32_t i = 0; i < found && i < capacity && result == PIETRA_OK; i++) {
        gpu_facts facts;
        result = facts_query(&instance, candidates[i].handle, error, &facts);
        if (result == PIETRA_OK)
            candidates_describe(&facts, i, &infos[i]);
    }
    *count = result == PIETRA_OK ? found : 0;
    free(candidates);
    instance_close(&instance);
    return result;
}

bool device_controls_subgroups(const gpu_facts *facts)
{
    return facts->subgroup_size_features.subgroupSizeControl && facts->subgroup_size_features.computeFullSubgroups &&
           (facts->subgroup_size.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT);
}

static gpu_limits device_limits(const gpu_facts *facts)
{
    const VkPhysicalDeviceLimits *limits = &facts->properties.limits;
    gpu_limits known = {
        .vendor = facts->properties.vendorID,
        .subgroup_size = facts->properties11.subgroupSize,
        .min_subgroup_size = facts->properties11.subgroupSize,
        .max_subgroup_size = facts->properties11.subgroupSize,
        .max_workgroup_invocations = limits->maxComputeWorkGroupInvocations,
        .shared_bytes = limits->maxComputeSharedMemorySize,
        .max_groups = {limits->maxComputeWorkGroupCount[0], limits->maxComputeWorkGroupCount[1],
                       limits->maxComputeWorkGroupCount[2]},
        .storage_alignment =
            limits->minStorageBufferOffsetAlignment > 4 ? (uint32_t)limits->minStorageBufferOffsetAlignment : 4,
        .max_binding_bytes = limits->maxStorageBufferRange,
        .max_allocation_bytes = facts->properties11.maxMemoryAllocationSize,
        .memory_bytes = facts_memory_bytes(&facts->memory),
        .timestamp_period_ns = facts->timestamp_bits ? limits->timestampPeriod : 0.0f,
        .hardware = facts_hardware(&facts->properties),
        .subgroup_size_control = device_controls_subgroups(facts),
        .statistics = facts->executable_features.pipelineExecutableInfo,
    };
    if (facts->multiprocessors.shaderSMCount) {
        known.multiprocessors = facts->multiprocessors.shaderSMCount;
        known.multiprocessor_subgroups = facts->multiprocessors.shaderWarpsPerSM;
    } else if (facts->compute_units.shaderEngineCount) {
        const VkPhysicalDeviceShaderCorePropertiesAMD *units = &facts->compute_units;
        known.multiprocessors =
            units->shaderEngineCount * units->shaderArraysPerEngineCount * units->computeUnitsPerShaderArray;
        known.multiprocessor_subgroups = units->simdPerComputeUnit * units->wavefrontsPerSimd;
    }
    if (known.subgroup_size_control) {
        known.min_subgroup_size = facts->subgroup_size.minSubgroupSize;
        known.max_subgroup_size = facts->subgroup_size.maxSubgroupSize;
    }
    return known;
}

VkPhysicalDeviceVulkan12Features device_required_features(void)
{
    return (VkPhysicalDeviceVulkan12Features){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
#define ENABLE(name) .name = VK_TRUE,
                                              GPU_REQUIRED_FEATURES(ENABLE)
#undef ENABLE
    };
}

VkPhysicalDeviceSubgroupSizeControlFeaturesEXT device_subgroup_size_features(void)
{
    return (VkPhysicalDeviceSubgroupSizeControlFeaturesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT,
        .subgroupSizeControl = VK_TRUE,
        .computeFullSubgroups = VK_TRUE,
    };
}

void device_describe(gpu_device *device, const gpu_facts *facts, uint32_t index, uint32_t without)
{
    device->queue_family = facts->queue_family;
    device->timestamp_bits = facts->timestamp_bits;
    device->memory = facts->memory;
    device->limits = device_limits(facts);
    device->limits.upload_is_local =
        !(without & GPU_OPTIONAL_LOCAL_UPLOAD) && memory_kind_upload_is_local(&facts->memory);
    candidates_describe(facts, index, &device->info);
}

pietra_result device_load(gpu_device *device, const gpu_facts *facts, pietra_error *error)
{
    const char *missing = loader_load_device(&device->instance.vk, device->handle);
    if (!missing)
        return PIETRA_OK;
    return error_set(error, PIETRA_ERROR_DEVICE, 0, "the driver of %s lacks %s", facts->properties.deviceName, missing);
}

/* Enables exactly the required features, and the optional ones that gpu_limits reports. */
static pietra_result device_create(gpu_device *device, const gpu_facts *facts, pietra_error *error)
{
    gpu_functions *vk = &device->instance.vk;
    const gpu_limits *limits = &device->limits;
    const char *extensions[4] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    uint32_t extension_count = 1;
    VkPhysicalDeviceVulkan12Features features12 = device_required_features();
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &features12,
    };
    void **end = &features12.pNext;
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT subgroup_size = device_subgroup_size_features();
    if (limits->subgroup_size_control) {
        extensions[extension_count++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
        *end = &subgroup_size;
        end = &subgroup_size.pNext;
    }
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pipelineExecutableInfo = VK_TRUE,
    };
    if (limits->statistics) {
        extensions[extension_count++] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
        *end = &executable;
    }
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = facts->queue_family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    VkResult result = vk->CreateDevice(facts->handle, &create, NULL, &device->handle);
    if (result != VK_SUCCESS) {
        device->handle = VK_NULL_HANDLE;
        return result_fail(error, result, "the GPU cannot be opened");
    }
    if (device_load(device, facts, error) != PIETRA_OK)
        return PIETRA_ERROR_DEVICE;
    vk->GetDeviceQueue(device->handle, facts->queue_family, 0, &device->queue);
    return PIETRA_OK;
}

pietra_result gpu_open(const pietra_device_options *options, pietra_error *error, gpu_device **device)
{
    return gpu_open_without(options, 0, error, device);
}

pietra_result gpu_open_without(const pietra_device_options *options, uint32_t optional, pietra_error *error,
                               gpu_device **device)
{
    gpu_device *opened = calloc(1, sizeof *opened);
    *device = NULL;
    if (!opened)
        return error_set_memory(error);
    gpu_facts facts;
    uint32_t index = 0;
    pietra_result result = instance_open(options, error, &opened->instance);
    if (result != PIETRA_OK)
        goto fail;
    result = candidates_choose(&opened->instance, options, error, &facts, &index);
    if (result != PIETRA_OK)
        goto fail;
    facts_forget(&facts, optional);
    opened->trace = (trace){options->span, options->span_user};
    device_describe(opened, &facts, index, optional);
    result = device_create(opened, &facts, error);
    if (result != PIETRA_OK)
        goto fail;
    cache_open(&opened->instance.vk, opened->handle, &facts.properties, options->cache_directory, &opened->cache);
    *device = opened;
    return PIETRA_OK;

fail:
    gpu_close(opened);
    return result;
}

void gpu_close(gpu_device *device)
{
    if (!device)
        return;
    const gpu_functions *vk = &device->instance.vk;
    if (device->abandoned)
        return;
    if (device->handle && vk->DestroyDevice) {
        cache_save(vk, device->handle, &device->cache);
        cache_close(vk, device->handle, &device->cache);
        if (!device->imported)
            vk->DestroyDevice(device->handle, NULL);
    }
    if (!device->imported)
        instance_close(&device->instance);
    free(device);
}

const gpu_limits *gpu_get_limits(const gpu_device *device)
{
    return &device->limits;
}

void gpu_get_info(const gpu_device *device, pietra_device_info *info)
{
    *info = device->info;
}

char *gpu_read_tuning(const gpu_device *device)
{
    return cache_read_tuning(&device->cache);
}

bool gpu_write_tuning(const gpu_device *device, const char *text)
{
    return cache_write_tuning(&device->cache, text);
}

const char *gpu_get_tuning_path(const gpu_device *device)
{
    return device->cache.tuning_path;
}
