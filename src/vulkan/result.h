/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a VkResult means to the caller. */
#ifndef PIETRA_VULKAN_RESULT_H
#define PIETRA_VULKAN_RESULT_H

#include "base/error.h"
#include "vulkan/vulkan.h"

/* Reports "`what`: the result in words" as PIETRA_ERROR_MEMORY (the host's memory), PIETRA_ERROR_BUDGET (the device's
 * memory) or PIETRA_ERROR_DEVICE. `vk` is a failure. */
pietra_result result_fail(pietra_error *error, VkResult vk, const char *what);

#endif
