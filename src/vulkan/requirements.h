/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a device must have, in one table from which it is checked, reported and (for features) enabled. */
#ifndef PIETRA_VULKAN_REQUIREMENTS_H
#define PIETRA_VULKAN_REQUIREMENTS_H

#include "vulkan/facts.h"

/* Members of VkPhysicalDeviceVulkan12Features that a device must have. They are enabled. */
#define GPU_REQUIRED_FEATURES(X) \
    X(hostQueryReset) \
    X(scalarBlockLayout) \
    X(vulkanMemoryModel) \
    X(vulkanMemoryModelDeviceScope)

#define GPU_MIN_WORKGROUP_INVOCATIONS 256
#define GPU_MIN_SHARED_BYTES 32768

/* Writes what the device lacks, separated by commas, and cuts it if it is too long (capacity is not 0). Empty: the
 * device is usable. */
void requirements_missing(const gpu_facts *facts, size_t capacity, char *text);

#endif
