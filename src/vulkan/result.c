/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/result.h"

static const char *result_text(VkResult vk)
{
    switch (vk) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "out of memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "out of device memory";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "initialization failed";
    case VK_ERROR_DEVICE_LOST:
        return "the device was lost";
    case VK_ERROR_MEMORY_MAP_FAILED:
        return "mapping memory failed";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "a layer is not installed";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "an extension is not there";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "a feature is not there";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "no compatible driver";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "too many objects";
    case VK_ERROR_INVALID_SHADER_NV:
        return "the shader is not valid";
    default:
        return NULL;
    }
}

pietra_result result_fail(pietra_error *error, VkResult vk, const char *what)
{
    pietra_result result = vk == VK_ERROR_OUT_OF_HOST_MEMORY     ? PIETRA_ERROR_MEMORY
                           : vk == VK_ERROR_OUT_OF_DEVICE_MEMORY ? PIETRA_ERROR_BUDGET
                                                                 : PIETRA_ERROR_DEVICE;
    const char *text = result_text(vk);
    if (text)
        return error_set(error, result, 0, "%s: %s", what, text);
    return error_set(error, result, 0, "%s: Vulkan's result %d", what, (int)vk);
}
