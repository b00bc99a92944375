/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How a program is made, for code in this folder that makes it in another way. */
#ifndef PIETRA_VULKAN_PROGRAM_BUILD_H
#define PIETRA_VULKAN_PROGRAM_BUILD_H

#include "vulkan/program.h"
#include "vulkan/vulkan.h"

/* Does the same as gpu_program_create, with flags for the pipeline and any cache. */
pietra_result program_build(gpu_device *device, const gpu_program_info *info, VkPipelineCreateFlags flags,
                            VkPipelineCache cache, pietra_error *error, gpu_program **program);

#endif
