/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* libvulkan and a VkInstance on it, with the validation layer if the options ask for it. */
#ifndef PIETRA_VULKAN_INSTANCE_H
#define PIETRA_VULKAN_INSTANCE_H

#include <pietra/pietra.h>

#include "vulkan/loader.h"

typedef struct gpu_instance {
    void *library;
    gpu_functions vk;
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger;
    void (*log)(void *user, const char *message);
    void *log_user;
} gpu_instance;

/* NULL options mean no validation. The instance must not move while it is open, because the messenger points to it.
 * PIETRA_ERROR_DEVICE: Vulkan, a driver or the layer is not installed. After a failure there is nothing to close. */
pietra_result instance_open(const pietra_device_options *options, pietra_error *error, gpu_instance *instance);
void instance_close(gpu_instance *instance);

#endif
