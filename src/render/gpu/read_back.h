/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads what lies on the device, for what is no picture. */
#ifndef PIETRA_RENDER_GPU_READ_BACK_H
#define PIETRA_RENDER_GPU_READ_BACK_H

#include "vulkan/recorder.h"

/* Copies a range of a buffer to the host, and waits for it. A range of no bytes is nothing. */
pietra_result read_back(gpu_device *device, gpu_recorder *recorder, gpu_range from, pietra_error *error, void *to);

#endif
