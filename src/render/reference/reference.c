/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/reference/reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

void *reference_allocate(reference_frame *frame, uint64_t count, size_t item_bytes, pietra_error *error,
                         pietra_result *result)
{
    uint64_t items = count > 0 ? count : 1;
    if (items > (uint64_t)1 << 40) {
        *result = error_set(error, PIETRA_ERROR_BUDGET, 0, "a buffer of the frame would hold %llu items",
                            (unsigned long long)items);
        return NULL;
    }
    uint64_t bytes = items * item_bytes;
    if (frame->budget_bytes != 0 && frame->used_bytes + bytes > frame->budget_bytes) {
        *result = error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame needs more than %llu bytes for its buffers",
                            (unsigned long long)frame->budget_bytes);
        frame->used_bytes += bytes;
        return NULL;
    }
    void *memory = calloc((size_t)items, item_bytes);
    if (!memory) {
        *result = error_set_memory(error);
        return NULL;
    }
    frame->used_bytes += bytes;
    *result = PIETRA_OK;
    return memory;
}

/* Runs all stages, or those before 10: all that a tile holds is known then. */
static pietra_result run_stages(reference_frame *frame, bool to_tiles, pietra_error *error)
{
    static const struct {
        const char *name;
        pietra_result (*run)(reference_frame *, pietra_error *);
    } stages[] = {
        {"01 decode", reference_01_decode},       {"02 clip", reference_02_clip},
        {"03 cull", reference_03_cull},           {"04 measure", reference_04_measure},
        {"04 flatten", reference_04_flatten},     {"05 tile_lines", reference_05_tile_lines},
        {"06 sort", reference_06_sort},           {"07 wind", reference_07_wind},
        {"08 occluders", reference_08_occluders}, {"08 offsets", reference_08_offsets},
        {"08 expand", reference_08_expand},       {"08 sort", reference_08_sort},
        {"09 coarse", reference_09_coarse},       {"10 mask", reference_10_mask},
        {"10 fine", reference_10_fine},
    };
    _Static_assert(sizeof stages / sizeof stages[0] == REFERENCE_STAGE_COUNT, "every stage has a place for its time");
    for (size_t i = 0; i < REFERENCE_STAGE_COUNT && !(to_tiles && strncmp(stages[i].name, "10", 2) == 0); i++) {
        double start = clock_ms();
        uint64_t bytes = frame->used_bytes;
        pietra_result result = stages[i].run(frame, error);
        if (result == PIETRA_OK)
            result = cancel_check(frame->watch, error);
        if (result != PIETRA_OK)
            return result;
        frame->times[i] = (reference_stage_time){stages[i].name, clock_ms() - start, frame->used_bytes - bytes};
    }
    return PIETRA_OK;
}

pietra_result reference_frame_run(reference_frame *frame, pietra_error *error)
{
    return run_stages(frame, false, error);
}

pietra_result reference_frame_run_to_tiles(reference_frame *frame, pietra_error *error)
{
    return run_stages(frame, true, error);
}

void reference_frame_free(reference_frame *frame)
{
    free(frame->segments);
    free(frame->elements);
    free(frame->clip_events);
    free(frame->clip_infos);
    free(frame->bin_occluders);
    free(frame->visible);
    free(frame->measures);
    free(frame->edges);
    free(frame->lines);
    free(frame->tile_line_keys);
    free(frame->tile_line_values);
    free(frame->sorted_keys);
    free(frame->sorted_values);
    free(frame->tile_paths);
    free(frame->tile_occluders);
    free(frame->path_tile_offsets);
    free(frame->tile_command_keys);
    free(frame->tile_command_values);
    free(frame->tile_keys);
    free(frame->tile_commands);
    free(frame->tiles);
    free(frame->tile_lists);
    free(frame->masks);
}
