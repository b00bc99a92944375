/* A fault of the reference, linked into a command that is only for tests: in 07 wind a tile's backdrop of -1 counts as
 * -2. */
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
