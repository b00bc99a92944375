/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The pipeline in plain C, stage by stage. It is the specification with which the GPU's stages are compared, buffer by
 * buffer.
 *
 * A reference_frame holds every buffer of a frame under its name on the device. Each stage function reads what the
 * stages before it wrote, and allocates what it writes, exactly as large as needed. One thread uses one frame. */
#ifndef PIETRA_RENDER_REFERENCE_REFERENCE_H
#define PIETRA_RENDER_REFERENCE_REFERENCE_H

#include <stddef.h>

#include "layout/frame.h"
#include "layout/stream.h"
#include "pietra/pietra.h"
#include "render/frame/cancel.h"
#include "scene/stream.h"

#define REFERENCE_STAGE_COUNT 15

/* A stage's time, and the bytes of the buffers that it made. */
typedef struct reference_stage_time {
    const char *name;
    double milliseconds;
    uint64_t bytes;
} reference_stage_time;

typedef struct reference_frame {
    stream_view stream;
    frame_config config;
    const frame_sheet *sheets;     /* config.first_sheet to last_sheet; NULL: the frame itself is drawn */
    uint64_t budget_bytes;         /* for all buffers below; 0: no limit */
    uint64_t used_bytes;           /* includes the buffer that the budget refused, if it refused one */
    struct parallel_pool *pool;    /* for the pixels; NULL: one thread */
    cancel_watch *watch;           /* the whole frame's; NULL: nothing cancels it */
    struct reference_trace *trace; /* trace of one pixel; NULL: no trace */
    frame_counters counters;
    reference_stage_time times[REFERENCE_STAGE_COUNT];

    segment_info *segments;
    element_info *elements;
    clip_event *clip_events;
    clip_info *clip_infos;
    uint *bin_occluders; /* element index + 1 of the last occluder, 0 for none */
    visible_element *visible;
    measure *measures;
    edge *edges;
    line *lines;
    uint *tile_line_keys, *tile_line_values; /* in the order of emission */
    uint *sorted_keys, *sorted_values;
    tile_path *tile_paths;
    uint *tile_occluders; /* visible index + 1 of the last opaque element that covers the tile in full */
    uint *path_tile_offsets;
    uint *tile_command_keys, *tile_command_values;
    uint *tile_keys, *tile_commands; /* sorted by tile */
    tile *tiles;
    uint *tile_lists; /* tiles by class: TILE_CLASS_* in order, each in the order of the grid */
    uint *masks;      /* masks of heavy tile_paths: 64 words of 4 coverage levels, row by row */
    uint32_t *pixels; /* the caller's: rows of config.target_pitch, the part's first row of tiles first */
} reference_frame;

/* Draws one part of a frame by all stages in order. PIETRA_ERROR_BUDGET: the part's buffers would exceed the budget. */
pietra_result reference_frame_run(reference_frame *frame, pietra_error *error);
/* Runs the stages before 10 alone. The frame needs no pixels. */
pietra_result reference_frame_run_to_tiles(reference_frame *frame, pietra_error *error);
void reference_frame_free(reference_frame *frame);

pietra_result reference_01_decode(reference_frame *frame, pietra_error *error);
pietra_result reference_02_clip(reference_frame *frame, pietra_error *error);
pietra_result reference_03_cull(reference_frame *frame, pietra_error *error);
pietra_result reference_04_measure(reference_frame *frame, pietra_error *error);
pietra_result reference_04_flatten(reference_frame *frame, pietra_error *error);
pietra_result reference_05_tile_lines(reference_frame *frame, pietra_error *error);
pietra_result reference_06_sort(reference_frame *frame, pietra_error *error);
pietra_result reference_07_wind(reference_frame *frame, pietra_error *error);
pietra_result reference_08_occluders(reference_frame *frame, pietra_error *error);
pietra_result reference_08_offsets(reference_frame *frame, pietra_error *error);
pietra_result reference_08_expand(reference_frame *frame, pietra_error *error);
pietra_result reference_08_sort(reference_frame *frame, pietra_error *error);
pietra_result reference_09_coarse(reference_frame *frame, pietra_error *error);
pietra_result reference_10_mask(reference_frame *frame, pietra_error *error);
pietra_result reference_10_fine(reference_frame *frame, pietra_error *error);

/* Allocates zeroed memory within the frame's budget, for one item at least, so that no buffer is NULL. Returns NULL
 * only after setting the error. */
void *reference_allocate(reference_frame *frame, uint64_t count, size_t item_bytes, pietra_error *error,
                         pietra_result *result);

/* Returns the state before an element, which the last begin or end before it left. */
clip_info reference_context_before(const reference_frame *frame, uint element);
/* Finds the coverage of a tile's pixels by one of its tile_commands, with the clip box and aliased edges applied. */
void reference_command_coverage(const reference_frame *frame, const visible_element *v, uint command, int tile_x,
                                int tile_y, uint8_t *coverage);

#endif
