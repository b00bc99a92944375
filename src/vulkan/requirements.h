/* What a device must have, in one table that is checked, told and (for features) enabled. */
#ifndef PIETRA_VULKAN_REQUIREMENTS_H
#define PIETRA_VULKAN_REQUIREMENTS_H

#include "vulkan/facts.h"

/* Members of VkPhysicalDeviceVulkan12Features that must be there and are enabled. */
#define GPU_REQUIRED_FEATURES(X) \
    X(hostQueryReset) \
    X(scalarBlockLayout) \
    X(vulkanMemoryModel) \
    X(vulkanMemoryModelDeviceScope)

#define GPU_MIN_WORKGROUP_INVOCATIONS 256
#define GPU_MIN_SHARED_BYTES 32768

/* Writes what the device lacks, comma separated and cut where it is too long (capacity is not 0); empty: it is usable. */
void requirements_missing(const gpu_facts *facts, size_t capacity, char *text);

#endif
