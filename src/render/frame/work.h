/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What drawing a frame costs, with all surfaces that it shows: how its kinds of work are summed, and when the sum is
 * too much. All estimates are made on the host, so all devices refuse the same frames. */
#ifndef PIETRA_RENDER_FRAME_WORK_H
#define PIETRA_RENDER_FRAME_WORK_H

#include <stdbool.h>

#include "pietra/pietra.h"

typedef enum work_kind {
    WORK_STROKES,  /* render/stroke_cost.h */
    WORK_PAINTING, /* render/paint_cost.h */
    WORK_EFFECTS,  /* render/effect/cost.h */
    WORK_KIND_COUNT,
} work_kind;

/* In thousandths of a step. Zero bytes: any cost is allowed. */
typedef struct frame_work {
    double most[WORK_KIND_COUNT]; /* what each kind may cost where no other costs anything; 0: anything, of all kinds */
    double spent[WORK_KIND_COUNT];
} frame_work;

static inline bool frame_work_is_bounded(const frame_work *work)
{
    return work->most[0] > 0;
}

/* Returns what of all work is spent: the sum of each kind's share of what it may cost. */
double frame_work_share(const frame_work *work);
/* Returns what else a kind may cost; INFINITY: anything. */
double frame_work_left(const frame_work *work, work_kind kind);
/* Returns PIETRA_ERROR_INPUT if more of a kind would be too much. It names the kind that has most of the work. */
pietra_result frame_work_check(const frame_work *work, work_kind kind, double more, pietra_error *error);
/* Does the same, and spends it. */
pietra_result frame_work_spend(frame_work *work, work_kind kind, double more, pietra_error *error);

/* Gives what was spent since then, which a later frame spends again that shows the same surfaces. */
void frame_work_since(const frame_work *work, const frame_work *before, double *spent);
pietra_result frame_work_spend_again(frame_work *work, const double *spent, pietra_error *error);

#endif
