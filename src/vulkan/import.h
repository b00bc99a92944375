/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Devices of the caller (pietra_vulkan.h). */
#ifndef PIETRA_VULKAN_IMPORT_H
#define PIETRA_VULKAN_IMPORT_H

#include <pietra/pietra_vulkan.h>

#include "vulkan/device.h"
#include "vulkan/vulkan.h"

/* Do what pietra_vulkan_get_needs and pietra_device_create_vulkan promise. No pointer is NULL. gpu_close leaves the
 * caller's handles as they are. */
pietra_result gpu_get_needs(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance, VkPhysicalDevice gpu,
                            pietra_error *error, pietra_vulkan_needs *needs);
pietra_result gpu_import(const pietra_device_options *options, const pietra_vulkan_device *vulkan, pietra_error *error,
                         gpu_device **device);

bool gpu_is_imported(const gpu_device *device);

#endif
