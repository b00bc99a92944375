/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/import.h"

#include <stdlib.h>

#include "base/error.h"
#include "vulkan/device_parts.h"
#include "vulkan/requirements.h"

/* Asks what a GPU can do through an instance of the caller. */
static pietra_result query_imported(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance, VkPhysicalDevice gpu,
                                    pietra_error *error, gpu_instance *opened, gpu_facts *facts)
{
    char missing[sizeof((pietra_device_info *)0)->missing];
    *opened = (gpu_instance){.vk = {.GetInstanceProcAddr = get_proc}, .handle = instance};
    const char *absent = loader_load_instance(&opened->vk, instance);
    if (absent)
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "the instance lacks %s", absent);
    pietra_result result = facts_query(opened, gpu, error, facts);
    if (result != PIETRA_OK)
        return result;
    facts_forget(facts, GPU_OPTIONAL_STATISTICS); /* nobody asked the caller for them */
    requirements_missing(facts, sizeof missing, missing);
    if (missing[0] == '\0')
        return PIETRA_OK;
    return error_set(error, PIETRA_ERROR_DEVICE, 0, "%s lacks %s", facts->properties.deviceName, missing);
}

pietra_result gpu_get_needs(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance, VkPhysicalDevice gpu,
                            pietra_error *error, pietra_vulkan_needs *needs)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                             VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME};
    gpu_instance opened;
    gpu_facts facts;
    pietra_result result = query_imported(get_proc, instance, gpu, error, &opened, &facts);
    if (result != PIETRA_OK)
        return result;
    const bool controls_subgroups = device_controls_subgroups(&facts);
    *needs = (pietra_vulkan_needs){.extensions = extensions,
                                   .extension_count = controls_subgroups ? 2 : 1,
                                   .features = device_required_features(),
                                   .subgroup_size = device_subgroup_size_features()};
    if (controls_subgroups)
        needs->features.pNext = &needs->subgroup_size;
    return PIETRA_OK;
}

pietra_result gpu_import(const pietra_device_options *options, const pietra_vulkan_device *vulkan, pietra_error *error,
                         gpu_device **device)
{
    gpu_device *opened = calloc(1, sizeof *opened);
    gpu_facts facts;
    if (!opened)
        return error_set_memory(error);
    opened->imported = true;
    pietra_result result =
        query_imported(vulkan->get_proc, vulkan->instance, vulkan->gpu, error, &opened->instance, &facts);
    if (result == PIETRA_OK && !facts_take_family(&opened->instance, vulkan->queue_family, &facts)) {
        result = error_set(error, PIETRA_ERROR_DEVICE, 0, "%s has no queue family %u with compute",
                           facts.properties.deviceName, vulkan->queue_family);
    }
    if (result == PIETRA_OK) {
        opened->trace = (trace){options->span, options->span_user};
        opened->handle = vulkan->device;
        opened->queue = vulkan->queue;
        opened->lock = vulkan->lock;
        opened->unlock = vulkan->unlock;
        opened->lock_user = vulkan->user;
        device_describe(opened, &facts, 0, 0);
        result = device_load(opened, &facts, error);
    }
    if (result != PIETRA_OK) {
        free(opened);
        return result;
    }
    cache_open(&opened->instance.vk, opened->handle, &facts.properties, options->cache_directory, &opened->cache);
    *device = opened;
    return PIETRA_OK;
}

bool gpu_is_imported(const gpu_device *device)
{
    return device->imported;
}
