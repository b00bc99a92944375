/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 08 sort: tile_commands by tile alone. The sort is stable, so that each tile's commands stay in paint order.
 *
 * Reads tile_command_keys, tile_command_values; writes tile_keys, tile_commands. */
#include "render/reference/sort.h"

pietra_result reference_08_sort(reference_frame *frame, pietra_error *error)
{
    return reference_sort_pairs(frame, frame->tile_command_keys, frame->tile_command_values,
                                frame->counters.tile_command_count, error, &frame->tile_keys, &frame->tile_commands);
}
