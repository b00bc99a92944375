/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An effect in its filter space: the parameters of each step in texels, where its result may show, and which texels of
 * it are needed. */
#ifndef PIETRA_RENDER_EFFECT_GRAPH_H
#define PIETRA_RENDER_EFFECT_GRAPH_H

#include "base/array.h"
#include "layout/stream_effect.h"
#include "render/effect/blur.h"
#include "render/effect/demand.h"
#include "render/effect/prepare.h"
#include "render/effect/space.h"

typedef union effect_parameters {
    effect_texel flood;
    effect_offset offset;
    effect_composite composite;
    uint32_t mode;
    effect_color_matrix matrix;
    effect_transfer transfer; /* its values are words of the stream */
    effect_box tile;
    effect_displacement displacement;
    struct {
        effect_shadow shadow;
        effect_blur blur;
    } shadow;
    effect_blur blur;
    struct {
        effect_convolution convolution;
        size_t first_number; /* of the kernel, among the graph's numbers */
    } convolve;
    effect_extreme extreme;
    effect_light light;
    uint32_t picture; /* counted from 0 */
} effect_parameters;

typedef struct effect_node {
    const stream_effect_step *step;
    const uint32_t *values; /* words of the step */
    effect_outcome outcome;
    effect_box region; /* what it may show */
    effect_box reach;  /* outside of it, its result is transparent */
    effect_box out;    /* what of its result is needed */
    effect_parameters parameters;
} effect_node;

/* What an effect reads from outside: its content, or a picture of a step. */
typedef struct effect_source {
    effect_box reach; /* outside of it, it is transparent */
    effect_box out;   /* what of it is needed */
} effect_source;

typedef struct effect_graph {
    effect_space space;
    effect_box region; /* what the effect may show */
    ARRAY(effect_node) nodes;
    ARRAY(effect_source) sources; /* the content, then the pictures */
    ARRAY(float) numbers;         /* of kernels */
} effect_graph;

/* Makes the graph, in place of the one that was there. `steps` and `values` are the stream's arrays, which must outlive
 * it. `region` is in user units. `reaches` are those of the content and of the pictures, in texels. False: out of
 * memory. */
bool effect_graph_make(const stream_effect *effect, const stream_effect_step *steps, const uint32_t *values,
                       const effect_space *space, pietra_box region, const effect_box *reaches, effect_graph *graph);
void effect_graph_free(effect_graph *graph);

/* Returns the box that edge modes of a step's input repeat. */
effect_box effect_graph_region_of_input(const effect_graph *graph, uint32_t input);

/* Returns a box as large as the largest image that a step makes while it runs: that of its result, or if it repeats its
 * input, that of all rows that it repeats. */
effect_box effect_graph_work(const effect_graph *graph, const effect_node *node);

/* Finds which texels of all results and sources are needed to show those of a box. Returns what the effect shows
 * there. */
effect_box effect_graph_demand(effect_graph *graph, effect_box shown);

/* Returns the parameters of noise, and writes its words: it has too many of them to be kept. */
effect_outcome effect_graph_noise(const effect_graph *graph, const effect_node *node, effect_noise *noise, uint *words);

#endif
