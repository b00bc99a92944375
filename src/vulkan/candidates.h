/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which physical device: the order of the list, and the choice by the caller's options. */
#ifndef PIETRA_VULKAN_CANDIDATES_H
#define PIETRA_VULKAN_CANDIDATES_H

#include "vulkan/facts.h"

typedef struct gpu_candidate {
    VkPhysicalDevice handle;
    VkPhysicalDeviceProperties properties;
} gpu_candidate;

/* Lists all physical devices: hardware before software, discrete before integrated, else in the driver's order. The
 * caller frees `candidates`, which is NULL if there are none. */
pietra_result candidates_list(const gpu_instance *instance, pietra_error *error, gpu_candidate **candidates,
                              uint32_t *count);
/* Chooses a device by gpu_open's rules, and gives its place in the list. */
pietra_result candidates_choose(const gpu_instance *instance, const pietra_device_options *options, pietra_error *error,
                                gpu_facts *facts, uint32_t *index);
/* Describes a device to the caller. `index` is its place in the list, which gpu_index counts. */
void candidates_describe(const gpu_facts *facts, uint32_t index, pietra_device_info *info);

#endif
