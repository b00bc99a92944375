/* How much room a frame's buffers have, and how much a frame needs. */
#ifndef PIETRA_RENDER_GPU_CAPACITY_H
#define PIETRA_RENDER_GPU_CAPACITY_H

#include "layout/frame.h"
#include "layout/stream.h"

#include <stdint.h>

/* Items of each buffer. The first group is known from the stream and the part; the second is learned: a frame that
 * finds too little counts what it needs and is run again. */
typedef struct frame_capacity {
    uint32_t segments, elements, clip_events;
    uint32_t tiles, bins;
    uint32_t occluder_groups; /* workgroups of 03_occluders */

    uint32_t tasks, measures;
    uint32_t lines, tile_lines, tile_paths, tile_commands;
    uint32_t masks, spill;
    uint32_t fine_passes;
} frame_capacity;

/* The known group for a part; the learned one as `learned` has it. */
frame_capacity capacity_of_part(const stream_header *stream, const frame_config *config, const frame_capacity *learned);

/* A first guess of the learned group. */
frame_capacity capacity_guess(const stream_header *stream, const frame_config *config);

/* The least that the learned group may be. */
frame_capacity capacity_least(const stream_header *stream);

/* Whether a frame that ran with this capacity found room for everything. If not, *grown is what to run it with again:
 * what it counted, and `slack` quarters more. */
bool capacity_sufficed(const frame_capacity *had, const frame_counters *counters, const frame_config *config,
                       uint32_t slack, frame_capacity *grown);

/* Partitions of so many items each. */
uint32_t partitions_of(uint64_t items, uint32_t partition);

#endif
