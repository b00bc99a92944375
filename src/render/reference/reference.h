/* The pipeline in plain C, stage by stage: the specification that the GPU's stages are compared with, buffer by buffer.
 *
 * A twin_frame holds every buffer of a frame under the name it has on the device. Each stage function reads what the stages before
 * it wrote and allocates what it writes, exactly as large as needed. One frame is used by one thread. */
#ifndef PIETRA_RENDER_REFERENCE_REFERENCE_H
#define PIETRA_RENDER_REFERENCE_REFERENCE_H

#include "layout/frame.h"
#include "layout/stream.h"
#include "pietra/pietra.h"

#include <stddef.h>

#define TWIN_STAGE_COUNT 14

/* What a stage took, with the bytes of the buffers that it made. */
typedef struct twin_stage_time {
    const char *name;
    double milliseconds;
    uint64_t bytes;
} twin_stage_time;

typedef struct twin_frame {
    const uint32_t *words;     /* the stream */
    frame_config config;
    uint64_t budget_bytes;     /* for all buffers below; 0: no limit */
    uint64_t used_bytes;       /* with the buffer that the budget refused, if it did */
    struct parallel_pool *pool; /* for the pixels; NULL: one thread */
    frame_counters counters;
    twin_stage_time times[TWIN_STAGE_COUNT];

    segment_info *segments;
    element_info *elements;
    bracket *brackets;
    bracket_info *bracket_infos;
    uint *bin_covers;          /* element index + 1 of the last cover, 0 for none */
    visible_element *visible;
    measure *measures;
    edge *edges;
    line *lines;
    uint *record_keys, *record_values; /* in the order of emission */
    uint *sorted_keys, *sorted_values;
    run *runs;
    uint *tile_covers;         /* visible index + 1 of the last opaque element that covers the tile in full */
    uint *entry_keys, *entry_values;
    uint *tile_keys, *tile_entries; /* sorted by tile */
    tile *tiles;
    uint *tile_lists;          /* tiles by class: TILE_CLASS_* in order, each in the order of the grid */
    uint *masks;               /* of heavy runs: 64 words of 4 coverage levels, row by row */
    uint32_t *pixels;          /* the caller's: rows of config.target_pitch, the part's first row of tiles first */
} twin_frame;

/* Draws one part of a frame: all stages in order. PIETRA_ERROR_BUDGET where the part's buffers would pass the budget. */
pietra_result twin_frame_run(twin_frame *frame, pietra_error *error);
void twin_frame_free(twin_frame *frame);

pietra_result twin_01_decode(twin_frame *frame, pietra_error *error);
pietra_result twin_02_clip(twin_frame *frame, pietra_error *error);
pietra_result twin_03_cull(twin_frame *frame, pietra_error *error);
pietra_result twin_04_measure(twin_frame *frame, pietra_error *error);
pietra_result twin_04_flatten(twin_frame *frame, pietra_error *error);
pietra_result twin_05_record(twin_frame *frame, pietra_error *error);
pietra_result twin_06_sort(twin_frame *frame, pietra_error *error);
pietra_result twin_07_wind(twin_frame *frame, pietra_error *error);
pietra_result twin_08_cover(twin_frame *frame, pietra_error *error);
pietra_result twin_08_expand(twin_frame *frame, pietra_error *error);
pietra_result twin_08_sort(twin_frame *frame, pietra_error *error);
pietra_result twin_09_coarse(twin_frame *frame, pietra_error *error);
pietra_result twin_10_mask(twin_frame *frame, pietra_error *error);
pietra_result twin_10_fine(twin_frame *frame, pietra_error *error);

/* Zeroed memory of the frame's budget; NULL only after setting the error. At least one item, so that no buffer is NULL. */
void *twin_allocate(twin_frame *frame, uint64_t count, size_t item_bytes, pietra_error *error, pietra_result *result);

const stream_header *twin_header(const twin_frame *frame);
const stream_element *twin_stream_elements(const twin_frame *frame);
const stream_path *twin_stream_paths(const twin_frame *frame);
const stream_transform *twin_stream_transforms(const twin_frame *frame);
const stream_style *twin_stream_styles(const twin_frame *frame);
const stream_paint *twin_stream_paints(const twin_frame *frame);
const stream_stop *twin_stream_stops(const twin_frame *frame);
const stream_level *twin_stream_levels(const twin_frame *frame);
const uint *twin_stream_texels(const twin_frame *frame);
const float *twin_stream_points(const twin_frame *frame);
const float *twin_stream_dashes(const twin_frame *frame);
uint twin_stream_tag(const twin_frame *frame, uint segment);

#endif
