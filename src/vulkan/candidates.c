/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/candidates.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "vulkan/requirements.h"
#include "vulkan/result.h"

static int candidate_rank(const VkPhysicalDeviceProperties *properties)
{
    switch (properties->deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 4;
    default:
        return 3;
    }
}

/* Insertion sort keeps the driver's order among equals. The list is short. */
static void candidates_sort(gpu_candidate *candidates, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        gpu_candidate moved = candidates[i];
        int rank = candidate_rank(&moved.properties);
        uint32_t place = i;
        while (place > 0 && candidate_rank(&candidates[place - 1].properties) > rank) {
            candidates[place] = candidates[place - 1];
            place--;
        }
        candidates[place] = moved;
    }
}

pietra_result candidates_list(const gpu_instance *instance, pietra_error *error, gpu_candidate **candidates,
                              uint32_t *count)
{
    const gpu_functions *vk = &instance->vk;
    VkPhysicalDevice *handles = NULL;
    *candidates = NULL;
    *count = 0;
    uint32_t found = 0;
    VkResult result = vk->EnumeratePhysicalDevices(instance->handle, &found, NULL);
    if (result == VK_SUCCESS && found > 0) {
        handles = calloc(found, sizeof(VkPhysicalDevice));
        *candidates = calloc(found, sizeof **candidates);
        result = handles && *candidates ? vk->EnumeratePhysicalDevices(instance->handle, &found, handles)
                                        : VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    /* A driver that cannot start reports this error. If there is no other driver, there is simply no GPU. */
    if (result == VK_ERROR_INITIALIZATION_FAILED) {
        found = 0;
    } else if (result < VK_SUCCESS) {
        free(handles);
        free(*candidates);
        *candidates = NULL;
        return result_fail(error, result, "the GPUs cannot be listed");
    }
    for (uint32_t i = 0; i < found; i++) {
        (*candidates)[i].handle = handles[i];
        vk->GetPhysicalDeviceProperties(handles[i], &(*candidates)[i].properties);
    }
    candidates_sort(*candidates, found);
    *count = found;
    free(handles);
    return PIETRA_OK;
}

/* Ignores the case of ASCII letters. */
static bool candidate_name_holds(const char *name, const char *text)
{
    for (; *name; name++) {
        size_t i = 0;
        while (text[i] && tolower((uint8_t)name[i]) == tolower((uint8_t)text[i]))
            i++;
        if (!text[i])
            return true;
    }
    return false;
}

static bool candidate_fits(const gpu_candidate *candidate, uint32_t index, const pietra_device_options *options)
{
    if (options->by_index)
        return index == options->gpu_index;
    if (options->gpu_name)
        return candidate_name_holds(candidate->properties.deviceName, options->gpu_name);
    return options->kind != PIETRA_DEVICE_AUTO || facts_hardware(&candidate->properties);
}

static pietra_result candidates_none(const pietra_device_options *options, uint32_t count, pietra_error *error)
{
    if (count == 0)
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "there is no GPU: no Vulkan driver found one");
    if (options->by_index) {
        return error_set(error, PIETRA_ERROR_DEVICE, 0,
                         "there is no GPU with index %u: they count from 0, and there %s %u", options->gpu_index,
                         count == 1 ? "is" : "are", count);
    }
    if (options->gpu_name)
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "no GPU's name holds \"%.100s\"", options->gpu_name);
    return error_set(error, PIETRA_ERROR_DEVICE, 0, "there is no hardware GPU");
}

/* Chooses the first device that fits and lacks nothing. If there is none, reports what the first that fits lacks. */
pietra_result candidates_choose(const gpu_instance *instance, const pietra_device_options *options, pietra_error *error,
                                gpu_facts *facts, uint32_t *index)
{
    gpu_candidate *candidates;
    uint32_t count;
    pietra_result result = candidates_list(instance, error, &candidates, &count);
    if (result != PIETRA_OK)
        return result;
    bool found = false, refused = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        if (!candidate_fits(&candidates[i], i, options))
            continue;
        char missing[sizeof((pietra_device_info *)0)->missing];
        result = facts_query(instance, candidates[i].handle, error, facts);
        if (result != PIETRA_OK)
            goto fail;
        requirements_missing(facts, sizeof missing, missing);
        found = missing[0] == '\0';
        if (found) {
            *index = i;
        } else if (!refused) {
            error_set(error, PIETRA_ERROR_DEVICE, 0, "%s lacks %s", facts->properties.deviceName, missing);
            refused = true;
        }
    }
    if (!found)
        result = refused ? PIETRA_ERROR_DEVICE : candidates_none(options, count, error);

fail:
    free(candidates);
    return result;
}

void candidates_describe(const gpu_facts *facts, uint32_t index, pietra_device_info *info)
{
    *info = (pietra_device_info){
        .kind = PIETRA_DEVICE_GPU,
        .gpu_index = index,
        .hardware = facts_hardware(&facts->properties),
        .memory_bytes = facts_memory_bytes(&facts->memory),
        .binding_limit_bytes = facts->properties.limits.maxStorageBufferRange,
    };
    snprintf(info->name, sizeof info->name, "%s", facts->properties.deviceName);
    info->name[utf8_make_printable(info->name, utf8_whole_prefix(info->name, strlen(info->name)), '?')] = '\0';
    requirements_missing(facts, sizeof info->missing, info->missing);
    info->usable = info->missing[0] == '\0';
}
