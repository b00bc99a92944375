/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vulkan's types without its prototypes: functions are found at run time (loader.h). */
#ifndef PIETRA_VULKAN_VULKAN_H
#define PIETRA_VULKAN_VULKAN_H

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#endif
