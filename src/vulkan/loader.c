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

const char *loader_load_instance(gpu_functions *vk, VkInstance instance)
{
    const char *missing = NULL;
#define LOAD(name) vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(instance, "vk" #name);
#define LOAD_REQUIRED(name) \
    LOAD(name) \
    missing = vk->name || missing ? missing : "vk" #name;
    GPU_INSTANCE_FUNCTIONS(LOAD_REQUIRED)
    GPU_OPTIONAL_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD_REQUIRED
#undef LOAD
    return missing;
}

const char *loader_load_device(gpu_functions *vk, VkDevice device)
{
    const char *missing = NULL;
#define LOAD(name) vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name);
#define LOAD_REQUIRED(name) \
    LOAD(name) \
    missing = vk->name || missing ? missing : "vk" #name;
    GPU_DEVICE_FUNCTIONS(LOAD_REQUIRED)
    GPU_OPTIONAL_DEVICE_FUNCTIONS(LOAD)
#undef LOAD_REQUIRED
#undef LOAD
    return missing;
}
