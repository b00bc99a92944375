/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/read_back.h"

#include <string.h>

pietra_result read_back(gpu_device *device, gpu_recorder *recorder, gpu_range from, pietra_error *error, void *to)
{
    const uint64_t bytes = from.bytes;
    if (bytes == 0)
        return PIETRA_OK;
    gpu_buffer copy = {.bytes = 0};
    pietra_result result = gpu_buffer_create(device, bytes, GPU_MEMORY_READBACK, error, &copy);
    if (result != PIETRA_OK)
        return result;
    result = gpu_recorder_begin(recorder, error);
    if (result == PIETRA_OK) {
        gpu_copy(recorder, from, (gpu_range){.buffer = &copy});
        result = gpu_recorder_submit_and_wait(recorder, error);
    }
    if (result == PIETRA_OK)
        memcpy(to, copy.mapped, bytes);
    gpu_buffer_destroy(device, &copy);
    return result;
}
