/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A walk along the segments of a path. */
#ifndef PIETRA_RENDER_CPU_PATH_WALK_H
#define PIETRA_RENDER_CPU_PATH_WALK_H

#include "render/cpu/frame.h"

/* A place in a path. The stages get the same from the scan over tags. */
typedef struct path_walk {
    const cpu_frame *frame;
    uint segment, end;
    uint tag;
    const float *points;       /* the segment's start point */
    const float *first_points; /* points of its subpath */
    uint first_tag;
} path_walk;

static inline path_walk path_begin(const cpu_frame *frame, const stream_path *path)
{
    path_walk walk = {.frame = frame, .segment = path->first_segment, .end = path->first_segment + path->segment_count};
    walk.points = frame->stream.points + 2 * (size_t)path->first_point;
    walk.first_points = walk.points;
    walk.tag = walk.segment < walk.end ? frame->stream.tags[walk.segment] : 0;
    walk.first_tag = walk.tag;
    return walk;
}

static inline void path_next(path_walk *walk)
{
    walk->points += 2 * (walk->tag & TAG_POINTS_MASK);
    if (++walk->segment < walk->end) {
        walk->tag = walk->frame->stream.tags[walk->segment];
        if (walk->tag & TAG_FIRST) {
            walk->points += 2;
            walk->first_points = walk->points;
            walk->first_tag = walk->tag;
        }
    }
}

#endif
