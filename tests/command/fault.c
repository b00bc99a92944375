/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Faults that are linked into a command that is only for tests. In the reference, stage 07 wind makes a tile's backdrop
 * of -1 one of -2. If the environment has PIETRA_LOST_DEVICE, the device is lost and draws nothing. */
#include <stdlib.h>

#include "base/error.h"
#include "render/reference/reference.h"

pietra_result __real_reference_07_wind(reference_frame *frame, pietra_error *error);
pietra_result __wrap_reference_07_wind(reference_frame *frame, pietra_error *error);

pietra_result __wrap_reference_07_wind(reference_frame *frame, pietra_error *error)
{
    pietra_result result = __real_reference_07_wind(frame, error);
    for (uint i = 0; result == PIETRA_OK && i < frame->counters.tile_path_count; i++)
        frame->tile_paths[i].backdrop -= frame->tile_paths[i].backdrop == -1;
    return result;
}

pietra_result __real_pietra_render(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   const pietra_target *target, pietra_error *error, pietra_stats *stats);
pietra_result __wrap_pietra_render(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   const pietra_target *target, pietra_error *error, pietra_stats *stats);

pietra_result __wrap_pietra_render(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   const pietra_target *target, pietra_error *error, pietra_stats *stats)
{
    return getenv("PIETRA_LOST_DEVICE") ? error_set(error, PIETRA_ERROR_DEVICE, 0, "the device was lost")
                                        : __real_pietra_render(device, stream, frame, target, error, stats);
}
