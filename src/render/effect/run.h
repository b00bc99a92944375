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

/* Gives the most bytes that a run takes, beside the pixels that it is given. False: out of memory. */
bool effect_run_bytes(const effect_graph *graph, uint64_t *bytes);

/* Runs the steps whose results are needed (effect_graph_demand). `sources` hold what is needed of each source, and
 * `result` gets what is shown: the last step's `out`. False: out of memory. */
bool effect_run(const effect_graph *graph, const effect_functions *functions, parallel_pool *pool,
                const effect_pixels *sources, const effect_pixels *result);

#endif
