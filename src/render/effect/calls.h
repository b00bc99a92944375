/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An effect as a list of calls, each of which makes one image of others: what the devices run, in this order. */
#ifndef PIETRA_RENDER_EFFECT_CALLS_H
#define PIETRA_RENDER_EFFECT_CALLS_H

#include "render/effect/graph.h"

typedef enum effect_call_kind {
    EFFECT_CALL_LOAD,       /* `out` of the pixels of a source, in the colour space of the call */
    EFFECT_CALL_LOAD_ALPHA, /* the same, of alpha alone */
    EFFECT_CALL_STORE,      /* the pixels of the result of `in` */
    EFFECT_CALL_TO_LINEAR,
    EFFECT_CALL_TO_SRGB,
    EFFECT_CALL_CLEAR,
    EFFECT_CALL_COPY,
    EFFECT_CALL_MERGE,  /* `in` on top of `in2`; `in2` may be `out` */
    EFFECT_CALL_BLUR,   /* by `blur` */
    EFFECT_CALL_SHADOW, /* `in2` is `in` after the blur */
    EFFECT_CALL_STEP,   /* what the kind of the node's step says */
    EFFECT_CALL_NONE,   /* nothing any more */
} effect_call_kind;

/* A part of a buffer, or nothing. */
typedef struct effect_part {
    uint32_t buffer; /* counts if the box is not empty */
    effect_box box;
} effect_part;

typedef struct effect_call {
    effect_call_kind kind;
    bool linear;             /* EFFECT_CALL_LOAD: the image is in linearRGB */
    uint32_t source;         /* EFFECT_CALL_LOAD*: among those of the graph */
    const effect_node *node; /* of EFFECT_CALL_SHADOW and EFFECT_CALL_STEP */
    const effect_blur *blur;
    effect_box region; /* that edge modes repeat */
    effect_part in, in2, out;
} effect_call;

typedef enum effect_content {
    EFFECT_CONTENT_TEXELS,
    EFFECT_CONTENT_SOURCE, /* the pixels of a source stand for the texels */
    EFFECT_CONTENT_ALPHA,  /* their alpha does */
    EFFECT_CONTENT_RESULT, /* the pixels of the result do */
} effect_content;

/* The texels of a box, from the first call that writes them to the last one that reads them. */
typedef struct effect_buffer {
    effect_box box;
    uint32_t last_call;
    effect_content content;
    uint32_t source; /* of EFFECT_CONTENT_SOURCE and EFFECT_CONTENT_ALPHA */
} effect_buffer;

typedef struct effect_calls {
    ARRAY(effect_call) calls;
    ARRAY(effect_buffer) buffers;
} effect_calls;

/* Lists the calls that the results which are needed take (effect_graph_demand), in place of those that were there.
 * `boxes` are those of the sources' pixels; empty: there are none. The last call stores what the effect shows, unless
 * that is nothing. The graph must outlive the list. False: out of memory. */
bool effect_calls_make(const effect_graph *graph, const effect_box *boxes, effect_calls *calls);
/* Lets calls that can read and write pixels do so, where no other call needs the texels: the calls that load and store
 * these do nothing then. Blurs can read and write, unless they have EFFECT_EDGE_WRAP or are none,
 * and EFFECT_CALL_TO_SRGB can write.
 * `result` is the box of the result's pixels. */
void effect_calls_take_pixels(effect_calls *calls, effect_box result);
void effect_calls_free(effect_calls *calls);

#endif
