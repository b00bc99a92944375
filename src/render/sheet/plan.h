/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Plans the effects of a stream for a part of a frame: the filter space of each, what its sheets have to show, and
 * which texels of its result are needed. All devices draw by the same plan.
 *
 * A plan reads the stream, which must outlive it. It depends on the part by what it needs alone: where filter spaces
 * lie, and how large their texels are, follows from the stream and the whole frame. */
#ifndef PIETRA_RENDER_SHEET_PLAN_H
#define PIETRA_RENDER_SHEET_PLAN_H

#include "base/array.h"
#include "layout/frame.h"
#include "render/effect/graph.h"
#include "render/effect/run.h"
#include "render/effect/space.h"
#include "render/frame/parts.h"
#include "scene/stream.h"

/* An effect of the stream. */
typedef struct sheet_effect {
    uint32_t begin, end; /* its elements */
    uint32_t depth;      /* 1: no other effect is around it; set if it is shown */
    uint32_t first_source, source_count;
    bool keeps_pixels;         /* ELEMENT_BACKDROP */
    pietra_transform to_scene; /* from user units */
    effect_space space;
    pietra_transform to_sheet; /* from the stream's units */
    effect_box whole;          /* texels of the result that the whole frame shows */
    effect_box shown;          /* texels of it that this part shows; empty: the effect is left out */
    uint32_t image;            /* its number among those that are shown; NONE: it is left out */
    uint64_t first_texel;      /* of its result, among those of all that are shown */
    effect_needs run;          /* what its steps take, beside its sheets and its result */
} sheet_effect;

/* What an effect reads: pixels of a sheet. */
typedef struct sheet_source {
    uint32_t begin, end;  /* its elements, between which effects may stand */
    pietra_box scene_box; /* outside of it, it is transparent; in the stream's units */
    effect_box whole;     /* texels that the whole frame needs */
    effect_box part;      /* texels that this part needs */
} sheet_source;

/* A picture of some elements of the stream, in place of the frame. Roots stand one behind the other. */
typedef struct sheet_root {
    uint32_t begin, end;  /* its elements, whose unit square fills the picture */
    int width, height;    /* of the whole picture, in pixels */
    tile_box part;        /* what is drawn of it */
    uint64_t first_texel; /* of the whole picture, where it is kept */
} sheet_root;

/* What effects cost, in thousandths of a step. */
typedef struct sheet_cost {
    double all;
    double most;      /* cost of the dearest one */
    uint32_t dearest; /* the element with which that one begins */
} sheet_cost;

typedef struct sheet_plan {
    stream_view view;
    uint64_t held_texels;    /* texels of the stream that its words have; the rest lies on a device */
    const sheet_root *roots; /* NULL: there is one, the frame */
    size_t root_count;
    ARRAY(sheet_effect) effects; /* in the order of their begins */
    ARRAY(sheet_source) sources; /* of each effect the content, then the pictures */
    uint32_t image_count;        /* effects that are shown */
    uint64_t texel_count;        /* of all results */
    sheet_cost cost;             /* of all effects that are shown */
    effect_graph graph;          /* of one effect (sheet_plan_graph) */
    ARRAY(effect_box) reaches;   /* of the sources of that effect */
} sheet_plan;

/* Makes the plan for config->part, in place of zero bytes. `measure` says what steps take on the device that is to run
 * them. False: out of memory. It must be freed either way. */
bool sheet_plan_make(const pietra_stream *stream, const frame_config *config, effect_measure *measure,
                     sheet_plan *plan);
/* Does the same for pictures in place of the frame, which must outlive the plan. */
bool sheet_plan_make_roots(const pietra_stream *stream, const sheet_root *roots, size_t root_count,
                           effect_measure *measure, sheet_plan *plan);
void sheet_plan_free(sheet_plan *plan);

/* Places the results for devices that draw effects in the order of their ends: those of inner effects make room for
 * that of the effect around them. Each is drawn behind the one before it, and then moves to its place. Sets texel_count
 * to what that takes. False: out of memory. */
bool sheet_plan_stack_results(sheet_plan *plan);

/* Returns PIETRA_ERROR_INPUT if effects cost more than the budget has left for them. The error has the label of the
 * dearest one. */
pietra_result sheet_check_cost(const sheet_cost *cost, const part_budget *budget, pietra_error *error);

/* Makes plan->graph that of an effect which is shown, with what is needed of each step. False: out of memory. */
bool sheet_plan_graph(sheet_plan *plan, const sheet_effect *effect);

/* Returns the whole tiles around a box, and the pixels of a sheet that has them; 0 for an empty box. */
tile_box sheet_tiles(effect_box box);
uint64_t sheet_pixels(effect_box box);

/* Returns the texels of a box. */
uint64_t sheet_texels(effect_box box);

/* Returns the pixels that are drawn of a root. */
effect_box sheet_root_pixels(const sheet_root *root);

#endif
