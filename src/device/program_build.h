/* How a program is made, for those in this folder who want it made otherwise. */
#ifndef PIETRA_DEVICE_PROGRAM_BUILD_H
#define PIETRA_DEVICE_PROGRAM_BUILD_H

#include "device/program.h"
#include "device/vulkan.h"

/* gpu_program_create, with flags for the pipeline and any cache. */
pietra_result program_build(gpu_device *device, const gpu_program_info *info, VkPipelineCreateFlags flags, VkPipelineCache cache,
                            pietra_error *error, gpu_program **program);

#endif
