/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which surfaces a GPU draws for a frame, at which sizes, and in which order.
 *
 * A node is a surface at one size. What several streams show of one is drawn once. Nodes have levels: those of level 0
 * show no surface, the others some of lower levels. So all nodes of a level can be drawn at once. */
#ifndef PIETRA_RENDER_SURFACE_PLAN_H
#define PIETRA_RENDER_SURFACE_PLAN_H

#include "render/surface_work.h"

/* Limits of what a plan holds; a frame that asks for more is refused. */
#define SURFACE_NODE_TEXELS_MOST ((uint64_t)1 << 27) /* of all nodes */
#define SURFACE_SHOWN_MOST ((size_t)1 << 24)

/* An element of a node that shows another. */
typedef struct surface_shown {
    uint32_t element, node;
} surface_shown;

typedef struct surface_node {
    const uint32_t *words; /* of its stream */
    uint32_t width, height;
    uint32_t level;
    size_t first_shown, shown_count; /* by their elements */
    uint64_t first_texel;            /* among those of all nodes; those that the frame shows come first */
} surface_node;

typedef struct surface_plan {
    surface_sizes frame;         /* what the frame shows */
    ARRAY(uint32_t) frame_nodes; /* the node of each of its images */
    ARRAY(surface_node) nodes;
    ARRAY(surface_shown) shown;
    uint32_t level_count;
    uint64_t texel_count;
    frame_work *work; /* spends strokes and painting (surface_work); set before the plan is made */
} surface_plan;

/* Plans the nodes of plan->frame; everything else but plan->work is zero. The stream must outlive the plan,
 * which must be freed even after a failure. PIETRA_ERROR_MEMORY. PIETRA_ERROR_BUDGET, PIETRA_ERROR_INPUT: a frame may
 * not cost so much. */
pietra_result surface_plan_make(surface_plan *plan, pietra_error *error);
/* Frees it with plan->frame. */
void surface_plan_free(surface_plan *plan);

#endif
