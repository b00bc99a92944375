/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The room that a frame's buffers have, and the room that a frame needs. */
#ifndef PIETRA_RENDER_GPU_CAPACITY_H
#define PIETRA_RENDER_GPU_CAPACITY_H

#include <stdint.h>

#include "layout/frame.h"
#include "layout/stream.h"
#include "render/bounds/bounds.h"

/* The number of items of each buffer. The first group is known from the stream and the part. The second group is
 * learned: a frame that finds too little room counts what it needs and is run again. */
typedef struct frame_capacity {
    uint32_t segments, elements, clip_events;
    uint32_t tiles, bins, boxes;
    uint32_t occluder_groups; /* workgroups of 03_occluders */

    uint32_t tasks, measures;
    uint32_t lines, tile_lines, tile_paths, tile_commands;
    uint32_t masks, spill;
    uint32_t fine_passes;
    uint32_t line_key_bits; /* significant bits of the tile_lines' keys; 0: as many as there can be */
    uint32_t no_classes;    /* a bit for each TILE_CLASS_* that no tile has; 0: any may be there */
} frame_capacity;

/* Returns the capacity of a part. The known group is computed, and the learned group is copied from `learned`. */
frame_capacity capacity_of_part(const stream_header *stream, const frame_config *config, const frame_capacity *learned);

/* Returns a first guess of the learned group. */
frame_capacity capacity_guess(const stream_header *stream, const frame_config *config);

/* What a frame in one part drew and counted. */
typedef struct frame_sample {
    uint32_t stream_tasks; /* stream_header.task_count; 0: there was no such frame */
    uint32_t tiles;
    frame_counters counters;
} frame_sample;

/* Does the same after a frame of another stream, for one with so many tiles. If the stream was about as large, this one
 * is taken to need as much for each task and a quarter more: programs that encode a stream for each frame draw much the
 * same again. Else fine_passes is 0: nothing is known of this stream. */
frame_capacity capacity_guess_after(const frame_sample *before, const stream_header *stream, uint32_t tiles);

/* Gives the learned group for a frame in one part after frames of a stream with about as many tasks, by what the most
 * demanding of them counted lately. Returns false if nothing is known of such a frame. */
bool capacity_of_sample(const frame_sample *lately, const stream_header *stream, const frame_config *config,
                        const stream_sums *sums, frame_capacity *learned);
/* Adds a frame to what frames counted lately: what the others counted more is forgotten bit by bit, unless the frame
 * was of a part of their picture, or did not count all. */
void frame_sample_add(frame_sample *lately, const frame_sample *drawn);
/* Returns what of a capacity no counter of overflows tells of. */
frame_room capacity_room(const frame_capacity *capacity, const frame_config *config);

/* Returns the significant bits of `count` numbers from 0 on, and at least 1. */
uint32_t capacity_bits_of(uint32_t count);

/* Gives the learned group for a frame in one part that counts at most so much, of a stream with these sums. Returns
 * false if a frame with these bounds might have to be drawn in parts, or in more passes of 10 fine, within its limit of
 * work, than are worth recording. */
bool capacity_of_bounds(const frame_bounds *bounds, const stream_header *stream, const frame_config *config,
                        const stream_sums *sums, frame_capacity *learned);

/* Returns the least that the learned group may be. */
frame_capacity capacity_least(const stream_header *stream);

/* Returns whether a frame that ran with this capacity had room for everything. If not, it must be run again with
 * *grown, which is what it counted and `slack` quarters more. */
bool capacity_sufficed(const frame_capacity *had, const frame_counters *counters, const frame_config *config,
                       uint32_t slack, frame_capacity *grown);

/* Returns the number of partitions that hold `items` items. */
uint32_t partitions_of(uint64_t items, uint32_t partition);

#endif
