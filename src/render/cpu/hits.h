/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds the fills and strokes of a stream that contain a point. */
#ifndef PIETRA_RENDER_CPU_HITS_H
#define PIETRA_RENDER_CPU_HITS_H

#include "base/array.h"
#include "render/cpu/winding.h"

typedef struct cpu_hit {
    uint element;  /* the stream's */
    float opacity; /* of its paint and of the groups around it, 0 to 1 */
    bool masked;   /* a mask is around it */
} cpu_hit;

/* In paint order. */
typedef ARRAY(cpu_hit) cpu_hits;

/* Adds what contains a point of a frame. After a failure the hits hold some of them. */
pietra_result cpu_find_hits(const uint32_t *words, const frame_config *config, cpu_point at, pietra_error *error,
                            cpu_hits *hits);

#endif
