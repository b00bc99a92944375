/* The pipeline in plain C, stage by stage: the specification that the GPU's stages are compared with, buffer by buffer.
 *
 * A reference_frame holds every buffer of a frame under the name it has on the device. Each stage function reads what
 * the stages before it wrote and allocates what it writes, exactly as large as needed. One frame is used by one
 * thread. */
#ifndef PIETRA_RENDER_REFERENCE_REFERENCE_H
#define PIETRA_RENDER_REFERENCE_REFERENCE_H

#include "layout/frame.h"
#include "layout/stream.h"
#include "pietra/pietra.h"
#include "scene/stream.h"

#include <stddef.h>

#define REFERENCE_STAGE_COUNT 14

/* A stage's time, and the bytes of the buffers that it made. */
typedef struct reference_stage_time {
    const char *name;
    double milliseconds;
    uint64_t bytes;
} reference_stage_time;

typedef struct reference_frame {
    stream_view stream;
    frame_config config;
    uint64_t budget_bytes;         /* for all buffers below; 0: no limit */
    uint64_t used_bytes;           /* with the buffer that the budget refused, if it did */
    struct parallel_pool *pool;    /* for the pixels; NULL: one thread */
    struct reference_trace *trace; /* of one pixel; NULL: no trace */
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
    uint *tile_command_keys, *tile_command_values;
    uint *tile_keys, *tile_commands; /* sorted by tile */
    tile *tiles;
    uint *tile_lists; /* tiles by class: TILE_CLASS_* in order, each in the order of the grid */
    uint *masks;      /* of heavy tile_paths: 64 words of 4 coverage levels, row by row */
    uint32_t *pixels; /* the caller's: rows of config.target_pitch, the part's first row of tiles first */
} reference_frame;

/* Draws one part of a frame: all stages in order. PIETRA_ERROR_BUDGET where the part's buffers would pass the
 * budget. */
pietra_result reference_frame_run(reference_frame *frame, pietra_error *error);
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
pietra_result reference_08_expand(reference_frame *frame, pietra_error *error);
pietra_result reference_08_sort(reference_frame *frame, pietra_error *error);
pietra_result reference_09_coarse(reference_frame *frame, pietra_error *error);
pietra_result reference_10_mask(reference_frame *frame, pietra_error *error);
pietra_result reference_10_fine(reference_frame *frame, pietra_error *error);

/* Zeroed memory of the frame's budget; NULL only after setting the error. At least one item, so that no buffer is
 * NULL. */
void *reference_allocate(reference_frame *frame, uint64_t count, size_t item_bytes, pietra_error *error,
                         pietra_result *result);

/* The state before an element: what its predecessor among begins and ends left open. */
clip_info reference_context_before(const reference_frame *frame, uint element);
/* The coverage of a tile's pixels by a tile_command of it, clip box and aliased edges included. */
void reference_command_coverage(const reference_frame *frame, const visible_element *v, uint command, int tile_x,
                                int tile_y, uint8_t *coverage);

#endif
