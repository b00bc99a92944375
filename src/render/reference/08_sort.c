/* 08 sort: entries by tile alone. The sort is stable, so that each tile's entries stay in paint order.
 *
 * Reads entry_keys, entry_values; writes tile_keys, tile_entries. */
#include "render/reference/sort.h"

pietra_result reference_08_sort(reference_frame *frame, pietra_error *error)
{
    return reference_sort_pairs(frame, frame->entry_keys, frame->entry_values, frame->counters.entry_count, error, &frame->tile_keys,
                                &frame->tile_entries);
}
