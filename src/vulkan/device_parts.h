/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What devices that are opened here and those of the caller are made of, for this folder alone. */
#ifndef PIETRA_VULKAN_DEVICE_PARTS_H
#define PIETRA_VULKAN_DEVICE_PARTS_H

#include "vulkan/context.h"
#include "vulkan/facts.h"

/* Returns whether programs may ask for subgroups of a size. */
bool device_controls_subgroups(const gpu_facts *facts);

/* Return what is enabled: always, and where subgroups are controlled. */
VkPhysicalDeviceVulkan12Features device_required_features(void);
VkPhysicalDeviceSubgroupSizeControlFeaturesEXT device_subgroup_size_features(void);

/* Sets what of a device is known before it is created. `index` is its place in the list of GPUs, and `without` what it
 * is to lack (GPU_OPTIONAL_*). */
void device_describe(gpu_device *device, const gpu_facts *facts, uint32_t index, uint32_t without);
/* Finds the functions of the device. PIETRA_ERROR_DEVICE: the driver lacks one. */
pietra_result device_load(gpu_device *device, const gpu_facts *facts, pietra_error *error);

#endif
