/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws a frame in parts if it needs more memory than there is. Any cut along tiles gives the same bytes. */
#ifndef PIETRA_RENDER_FRAME_PARTS_H
#define PIETRA_RENDER_FRAME_PARTS_H

#include <stdbool.h>

#include "layout/frame.h"
#include "pietra/pietra.h"
#include "render/frame/cancel.h"
#include "render/frame/work.h"

/* Draws one part. PIETRA_ERROR_BUDGET: the part must be smaller. */
typedef pietra_result part_function(void *user, tile_box part, pietra_error *error);

/* The budget of a drawing whose error names the floor. */
typedef struct part_budget {
    uint64_t asked_bytes;  /* what the caller allows */
    uint64_t bytes;        /* what the next part may take: more than that while the floor is searched */
    uint64_t wanted_bytes; /* set by draw with PIETRA_ERROR_BUDGET: the bytes that were refused; 0: another limit */
    bool is_too_wide;      /* set by draw with PIETRA_ERROR_BUDGET: fewer rows would not help */
    bool prefers_rows;     /* a part is cut into rows of tiles before it is cut into columns */
    bool is_too_slow;      /* set by draw with PIETRA_ERROR_BUDGET: smaller parts would take too long */
    uint64_t least_bytes;  /* the floor that the error names, if that suffices; 0: it must be searched */
    /* What `draw` has painted of a part stays painted, so its halves begin with this element. parts_draw sets it before
     * each call, and `draw` may raise it with PIETRA_ERROR_BUDGET. */
    uint32_t begin;
    frame_work work;               /* of the frame: its effects are spent while its parts are drawn */
    const pietra_stream *labelled; /* has the labels of the frame's elements; NULL: nobody knows them */
    cancel_watch *watch;           /* the frame's; NULL: nothing cancels it */
    bool is_trial; /* the CPU device paints nothing: the caller wants to know whether the budget suffices */
} part_budget;

static inline part_budget part_budget_of(uint64_t bytes)
{
    return (part_budget){.asked_bytes = bytes, .bytes = bytes};
}

/* Returns whether more is taken than the caller allows, so that the frame must fail. */
static inline bool part_budget_is_raised(const part_budget *budget)
{
    return budget->bytes != budget->asked_bytes;
}

/* Returns PIETRA_ERROR_BUDGET, which names the bytes that suffice. */
pietra_result part_budget_error(const part_budget *budget, pietra_error *error);

/* Draws all of `whole` and counts the parts that were drawn. A part that does not fit is halved. A single tile that
 * does not fit is an error.
 *
 * The error names a budget that suffices. To find it, the budget is raised and the parts are drawn to the end, or all
 * of `whole` again with the floor that is known. The
 * search stops at some megabytes and after a limited time. Then the error is that of `draw`. */
pietra_result parts_draw(tile_box whole, part_function *draw, void *user, part_budget *budget, pietra_error *error,
                         uint32_t *count);

/* Returns PIETRA_ERROR_BUDGET, for a part with more than DASH_TASK_LIMIT tasks of dashes. */
pietra_result parts_dash_error(pietra_error *error);

#endif
