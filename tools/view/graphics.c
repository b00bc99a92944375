/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for strcasestr */

#include "graphics.h"

#include <stdlib.h>
#include <string.h>

#include <SDL_vulkan.h>

#include "base/error.h"

#define GPUS_MOST 16u
#define FAMILIES_MOST 32u
#define EXTENSIONS_MOST 64u

static bool fail(pietra_error *error, const char *message)
{
    return error_set(error, PIETRA_ERROR_DEVICE, 0, "%s", message) == PIETRA_OK;
}

static bool fail_by(pietra_error *error, const char *what, VkResult result)
{
    return error_set(error, PIETRA_ERROR_DEVICE, 0, "%s: VkResult %d", what, (int)result) == PIETRA_OK;
}

/* ---- Instance and surface ---- */

static bool open_instance(graphics *graphics, SDL_Window *window, pietra_error *error)
{
    const char *extensions[EXTENSIONS_MOST];
    unsigned count = EXTENSIONS_MOST;
    void *found = SDL_Vulkan_GetVkGetInstanceProcAddr();

    if (!found || !SDL_Vulkan_GetInstanceExtensions(window, &count, extensions))
        return fail(error, SDL_GetError());
    memcpy(&graphics->get_proc, &found, sizeof found);
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "pietra-view",
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                         .pApplicationInfo = &application,
                                         .enabledExtensionCount = count,
                                         .ppEnabledExtensionNames = extensions};
    PFN_vkCreateInstance create_instance = (PFN_vkCreateInstance)graphics->get_proc(NULL, "vkCreateInstance");
    const VkResult result =
        create_instance ? create_instance(&create, NULL, &graphics->instance) : VK_ERROR_INITIALIZATION_FAILED;
    if (result != VK_SUCCESS)
        return fail_by(error, "Vulkan does not start", result);
    bool complete = true;
#define LOAD(name) \
    complete &= (graphics->name = (PFN_vk##name)graphics->get_proc(graphics->instance, "vk" #name)) != (PFN_vk##name)0;
    GRAPHICS_FUNCTIONS(LOAD)
#undef LOAD
    return complete || fail(error, "Vulkan lacks functions");
}

/* ---- The GPU ---- */

static bool has_extension(const graphics *graphics, VkPhysicalDevice gpu, const char *name)
{
    uint32_t count = 0;
    bool has = false;

    if (graphics->EnumerateDeviceExtensionProperties(gpu, NULL, &count, NULL) != VK_SUCCESS)
        return false;
    VkExtensionProperties *list = calloc(count + 1, sizeof *list);
    if (list && graphics->EnumerateDeviceExtensionProperties(gpu, NULL, &count, list) == VK_SUCCESS)
        for (uint32_t i = 0; i < count && !has; i++)
            has = strcmp(list[i].extensionName, name) == 0;
    free(list);
    return has;
}

/* Finds a family of queues that computes and shows pictures. */
static bool find_family(const graphics *graphics, VkPhysicalDevice gpu, uint32_t *family)
{
    VkQueueFamilyProperties families[FAMILIES_MOST];
    uint32_t count = FAMILIES_MOST;

    graphics->GetPhysicalDeviceQueueFamilyProperties(gpu, &count, families);
    for (*family = 0; *family < count; ++*family) {
        VkBool32 presents = VK_FALSE;
        if (families[*family].queueFlags & VK_QUEUE_COMPUTE_BIT &&
            graphics->GetPhysicalDeviceSurfaceSupportKHR(gpu, *family, graphics->surface, &presents) == VK_SUCCESS &&
            presents)
            return true;
    }
    return false;
}

static unsigned rank_of(VkPhysicalDeviceType type)
{
    return type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU     ? 4
           : type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU ? 3
           : type == VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU    ? 2
                                                            : 1;
}

/* Returns how good a GPU is; 0: it cannot be used, and the error says why. */
static unsigned try_gpu(const graphics *graphics, VkPhysicalDevice gpu, const options *options, pietra_error *error,
                        uint32_t *family)
{
    VkPhysicalDeviceProperties properties;
    pietra_vulkan_needs needs;

    graphics->GetPhysicalDeviceProperties(gpu, &properties);
    if (options->gpu_name && !strcasestr(properties.deviceName, options->gpu_name))
        return 0;
    if (options->device == CHOOSE_AUTO && properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        return 0;
    if (pietra_vulkan_get_needs(graphics->get_proc, graphics->instance, gpu, error, &needs) != PIETRA_OK)
        return 0;
    if (!has_extension(graphics, gpu, VK_KHR_SWAPCHAIN_EXTENSION_NAME) || !find_family(graphics, gpu, family)) {
        error_set(error, PIETRA_ERROR_DEVICE, 0, "%s shows no pictures in this window", properties.deviceName);
        return 0;
    }
    return rank_of(properties.deviceType);
}

static bool choose_gpu(graphics *graphics, const options *options, pietra_error *error)
{
    VkPhysicalDevice gpus[GPUS_MOST];
    uint32_t count = GPUS_MOST, family;
    unsigned best = 0;

    const VkResult result = graphics->EnumeratePhysicalDevices(graphics->instance, &count, gpus);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return fail_by(error, "the GPUs cannot be listed", result);
    fail(error, options->gpu_name ? "no GPU has this name" : "there is no GPU");
    for (uint32_t i = 0; i < count; i++) {
        const unsigned rank = try_gpu(graphics, gpus[i], options, error, &family);
        if (rank > best) {
            best = rank;
            graphics->gpu = gpus[i];
            graphics->family = family;
        }
    }
    return best > 0;
}

/* ---- The device ---- */

static bool open_device(graphics *graphics, pietra_error *error)
{
    const char *extensions[EXTENSIONS_MOST] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    const float priority = 1;
    pietra_vulkan_needs needs;
    VkPhysicalDeviceFeatures has;

    if (pietra_vulkan_get_needs(graphics->get_proc, graphics->instance, graphics->gpu, error, &needs) != PIETRA_OK)
        return false;
    if (needs.extension_count >= EXTENSIONS_MOST)
        return fail(error, "the library needs too many extensions");
    memcpy(extensions + 1, needs.extensions, needs.extension_count * sizeof *extensions);
    graphics->GetPhysicalDeviceFeatures(graphics->gpu, &has);
    graphics->stores = has.shaderStorageImageWriteWithoutFormat;
    const VkPhysicalDeviceFeatures features = {.shaderStorageImageWriteWithoutFormat = graphics->stores};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = graphics->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &needs.features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = needs.extension_count + 1,
                                       .ppEnabledExtensionNames = extensions,
                                       .pEnabledFeatures = &features};
    const VkResult result = graphics->CreateDevice(graphics->gpu, &create, NULL, &graphics->device);
    if (result != VK_SUCCESS)
        return fail_by(error, "no device opens on the GPU", result);
    graphics->GetDeviceQueue(graphics->device, graphics->family, 0, &graphics->queue);
    return true;
}

bool graphics_open(graphics *graphics, SDL_Window *window, const options *options, pietra_error *error)
{
    *graphics = (struct graphics){.instance = VK_NULL_HANDLE};
    bool opened = open_instance(graphics, window, error);
    if (opened && !SDL_Vulkan_CreateSurface(window, graphics->instance, &graphics->surface))
        opened = fail(error, SDL_GetError());
    opened = opened && choose_gpu(graphics, options, error) && open_device(graphics, error);
    if (!opened)
        graphics_close(graphics);
    return opened;
}

void graphics_close(graphics *graphics)
{
    if (graphics->device)
        graphics->DestroyDevice(graphics->device, NULL);
    if (graphics->surface)
        graphics->DestroySurfaceKHR(graphics->instance, graphics->surface, NULL);
    if (graphics->instance && graphics->DestroyInstance)
        graphics->DestroyInstance(graphics->instance, NULL);
    *graphics = (struct graphics){.instance = VK_NULL_HANDLE};
}
