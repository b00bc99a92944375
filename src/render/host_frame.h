/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames of a GPU that the processor draws. A GPU takes five microseconds for each of a frame's dispatches, however
 * little they do; a caret takes the processor less than to record them. The bytes are the same. */
#ifndef PIETRA_RENDER_HOST_FRAME_H
#define PIETRA_RENDER_HOST_FRAME_H

#include "render/device.h"

/* Returns whether that is known to take little of a processor. */
bool host_frame_is_cheap(const flight_plan *plan);

/* Submits a frame that fits (gpu_flight_fits) for a part of an image, which is written whole. `most` frames may be in
 * flight. The errors are those of pietra_view_submit_vulkan. */
pietra_result host_frame_submit(pietra_device *device, const flight_plan *plan, const pietra_frame *frame,
                                const image_target *image, uint32_t most, pietra_error *error, uint64_t *number);

#endif
