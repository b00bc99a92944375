/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Loses the viewer's device: as long as the file that PIETRA_LOSE names has bytes, a frame takes one of them and
 * fails. */
#include "pietra/pietra_vulkan.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The linker puts this in place of the library's function, which __real_ names. */
pietra_result __real_pietra_render_vulkan(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                          const pietra_vulkan_target *target, const pietra_vulkan_order *order,
                                          pietra_error *error, pietra_stats *stats);
pietra_result __wrap_pietra_render_vulkan(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                          const pietra_vulkan_target *target, const pietra_vulkan_order *order,
                                          pietra_error *error, pietra_stats *stats);

pietra_result __wrap_pietra_render_vulkan(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                          const pietra_vulkan_target *target, const pietra_vulkan_order *order,
                                          pietra_error *error, pietra_stats *stats)
{
    const char *path = getenv("PIETRA_LOSE");
    struct stat file;

    if (path && stat(path, &file) == 0 && file.st_size > 0 && truncate(path, file.st_size - 1) == 0) {
        *error = (pietra_error){.result = PIETRA_ERROR_DEVICE, .message = "the test lost the device"};
        return error->result;
    }
    return __real_pietra_render_vulkan(device, stream, frame, target, order, error, stats);
}
