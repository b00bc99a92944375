/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/loader.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void *loader_open(gpu_functions *vk)
{
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL;
    /* ISO C has no cast from an object pointer to a function pointer, so POSIX asks for this copy. */
    void *symbol = dlsym(library, "vkGetInstanceProcAddr");
    memcpy(&vk->GetInstanceProcAddr, &symbol, sizeof symbol);
    bool complete = symbol != NULL;
#define LOAD(name) \
    if (complete) { \
        vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(VK_NULL_HANDLE, "vk" #name); \
        complete = vk->name != NULL; \
    }
    GPU_GLOBAL_FUNCTIONS(LOAD)
#undef LOAD
    if (!complete) {
        dlclose(library);
        return NULL;
    }
    return library;
}

void loader_close(void *library)
{
    if (library)
        dlclose(library);
}

/* Finds the functions of a list that the driver has. `missing` is the name of the first one that it lacks. */
#define LOAD_OPTIONAL(name) vk->name = (PFN_vk##name)find(owner, "vk" #name);
#define LOAD_REQUIRED(name) \
    LOAD_OPTIONAL(name) \
    missing = vk->name || missing ? missing : "vk" #name;

const char *loader_load_instance(gpu_functions *vk, VkInstance owner)
{
    const PFN_vkGetInstanceProcAddr find = vk->GetInstanceProcAddr;
    const char *missing = NULL;
    GPU_INSTANCE_FUNCTIONS(LOAD_REQUIRED)
    GPU_OPTIONAL_INSTANCE_FUNCTIONS(LOAD_OPTIONAL)
    return missing;
}

const char *loader_load_device(gpu_functions *vk, VkDevice owner)
{
    const PFN_vkGetDeviceProcAddr find = vk->GetDeviceProcAddr;
    const char *missing = NULL;
    GPU_DEVICE_FUNCTIONS(LOAD_REQUIRED)
    GPU_OPTIONAL_DEVICE_FUNCTIONS(LOAD_OPTIONAL)
    return missing;
}
