/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/instance.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/library.h"
#include "vulkan/result.h"

static const char validation_layer[] = "VK_LAYER_KHRONOS_validation";

static bool instance_has_layer(const gpu_functions *vk, const char *name)
{
    uint32_t count = 0;
    if (vk->EnumerateInstanceLayerProperties(&count, NULL) != VK_SUCCESS || count == 0)
        return false;
    VkLayerProperties *layers = calloc(count, sizeof *layers);
    bool found = false;
    if (layers && vk->EnumerateInstanceLayerProperties(&count, layers) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count && !found; i++)
            found = strcmp(layers[i].layerName, name) == 0;
    free(layers);
    return found;
}

static VkBool32 VKAPI_PTR instance_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity;
    (void)types;
    const gpu_instance *instance = user;
    if (instance->log)
        instance->log(instance->log_user, data->pMessage);
    return VK_FALSE;
}

static pietra_result instance_create(gpu_instance *instance, bool validation, pietra_error *error)
{
    const gpu_functions *vk = &instance->vk;
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "pietra",
        .pEngineName = "pietra",
        .engineVersion = VK_MAKE_API_VERSION(0, PIETRA_VERSION_MAJOR, PIETRA_VERSION_MINOR, PIETRA_VERSION_PATCH),
        .apiVersion = VK_API_VERSION_1_2,
    };
    VkInstanceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};

    static const char *const layers[] = {validation_layer};
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                             VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    const VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = enables,
    };
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = instance_message,
        .pUserData = instance,
    };
    if (validation) {
        /* Chained here, the messenger also receives messages about the creation and destruction of the instance. */
        messenger.pNext = &features;
        create.pNext = &messenger;
        create.enabledLayerCount = 1;
        create.ppEnabledLayerNames = layers;
        create.enabledExtensionCount = 2;
        create.ppEnabledExtensionNames = extensions;
    }
    VkResult result = vk->CreateInstance(&create, NULL, &instance->handle);
    if (result != VK_SUCCESS) {
        instance->handle = VK_NULL_HANDLE;
        return result_fail(error, result, "Vulkan cannot be started");
    }
    const char *missing = loader_load_instance(&instance->vk, instance->handle);
    if (missing)
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "libvulkan lacks %s", missing);
    if (validation) {
        messenger.pNext = NULL;
        result = vk->CreateDebugUtilsMessengerEXT(instance->handle, &messenger, NULL, &instance->messenger);
        if (result != VK_SUCCESS)
            return result_fail(error, result, "the validation layer cannot be listened to");
    }
    return PIETRA_OK;
}

pietra_result instance_open(const pietra_device_options *options, pietra_error *error, gpu_instance *instance)
{
    pietra_result result;
    bool validation = options && options->validation;
    *instance = (gpu_instance){.log = options ? options->log : NULL, .log_user = options ? options->log_user : NULL};
    if (!library_may_open())
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "a program that is linked statically opens no Vulkan driver");
    instance->library = loader_open(&instance->vk);
    if (!instance->library) {
        return error_set(error, PIETRA_ERROR_DEVICE, 0,
                         "Vulkan is not installed: libvulkan.so.1 of version 1.2 or later was not found");
    }
    uint32_t version = 0;
    if (instance->vk.EnumerateInstanceVersion(&version) != VK_SUCCESS || version < VK_API_VERSION_1_2) {
        result = error_set(error, PIETRA_ERROR_DEVICE, 0, "libvulkan.so.1 is older than Vulkan 1.2");
        goto fail;
    }
    if (validation && !instance_has_layer(&instance->vk, validation_layer)) {
        result = error_set(error, PIETRA_ERROR_DEVICE, 0, "validation was asked for, but %s is not installed",
                           validation_layer);
        goto fail;
    }
    result = instance_create(instance, validation, error);
    if (result != PIETRA_OK)
        goto fail;
    return PIETRA_OK;

fail:
    instance_close(instance);
    return result;
}

void instance_close(gpu_instance *instance)
{
    const gpu_functions *vk = &instance->vk;
    if (instance->messenger)
        vk->DestroyDebugUtilsMessengerEXT(instance->handle, instance->messenger, NULL);
    if (instance->handle && vk->DestroyInstance)
        vk->DestroyInstance(instance->handle, NULL);
    loader_close(instance->library);
    *instance = (gpu_instance){0};
}
