/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs the steps of an effect by the functions of a device. */
#ifndef PIETRA_RENDER_EFFECT_RUN_H
#define PIETRA_RENDER_EFFECT_RUN_H

#include "render/effect/effect.h"
#include "render/effect/graph.h"

/* Premultiplied pixels of 8 bits a channel, R in the low byte. */
typedef struct effect_pixels {
    void *memory;     /* in which they lie; the caller's */
    uint32_t *pixels; /* those of the box, in rows of `stride` pixels; NULL if the box is empty */
    size_t stride;
    effect_box box;
} effect_pixels;

/* What a graph takes beside the pixels that it is given. */
typedef struct effect_needs {
    uint64_t bytes;
    uint64_t image_bytes; /* of the largest image that has to lie in one piece; 0: any may */
    double cost;          /* render/effect/cost.h */
} effect_needs;

/* Gives the most that a graph takes on a device. False: out of memory. */
typedef bool effect_measure(const effect_graph *graph, effect_needs *needs);

/* Gives what effect_run takes. */
effect_measure effect_run_measure;

/* Runs the steps whose results are needed (effect_graph_demand). `sources` hold what is needed of each source, and
 * `result` gets what is shown: the last step's `out`. False: out of memory. */
bool effect_run(const effect_graph *graph, const effect_functions *functions, parallel_pool *pool,
                const effect_pixels *sources, const effect_pixels *result);

#endif
