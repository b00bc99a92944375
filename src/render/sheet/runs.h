/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The runs that draw the sheets of a plan on the GPU. A run draws sheets of one depth, packed into an atlas, by the
 * ordinary stages. Then stage 11 makes the results of the effects whose sheets these are. The deepest effects come
 * first, because those around them show their results.
 *
 * One run takes all sheets of a depth, unless the atlas gets too large. */
#ifndef PIETRA_RENDER_SHEET_RUNS_H
#define PIETRA_RENDER_SHEET_RUNS_H

#include "render/sheet/plan.h"
#include "scene/rules.h"

/* Sheets are numbered from 1 on, in the order of runs; 0 is the frame. What stands on no sheet has SHEET_NONE. */
#define SHEET_NONE 0xffffffu

typedef struct sheet_run {
    uint32_t first_sheet, sheet_count;   /* a run may have none, if its effects read nothing */
    uint32_t first_effect, effect_count; /* in the order of sheet_runs.effects */
    uint32_t root_count;                 /* of the run that draws the roots of the plan, which are its sheets; else 0 */
    int columns, rows;                   /* of the atlas, in tiles */
    rules_totals totals;                 /* of the elements that it draws; made_stream_create_packed sets them */
} sheet_run;

typedef struct sheet_runs {
    ARRAY(sheet_run) runs;
    ARRAY(frame_sheet) sheets;     /* sheet n is sheets.items[n - 1] */
    ARRAY(uint32_t) effects;       /* those that are shown, as numbers of the plan */
    ARRAY(uint32_t) source_sheets; /* the sheet of each source of the plan, or SHEET_NONE */
    uint32_t first_root_sheet;     /* that of the first root; those of the others follow; 0: the frame is the root */
    rules_totals totals;           /* of the elements of the frame itself */
} sheet_runs;

/* What the atlas of a run may take. */
typedef struct sheet_limits {
    uint64_t bytes;       /* for the atlas, and for the steps of one effect after the other */
    uint64_t range_bytes; /* for the atlas alone, and for each image of a step */
} sheet_limits;

/* Makes the runs of a plan, in place of zero bytes. If the plan has roots, the last run draws all of them. The runs
 * must be freed even after a failure. PIETRA_ERROR_BUDGET: one effect, or all roots, exceed the limits. */
pietra_result sheet_runs_make(const sheet_plan *plan, const sheet_limits *limits, pietra_error *error,
                              sheet_runs *runs);
void sheet_runs_free(sheet_runs *runs);

/* Gives the most bytes that one effect asks of sheet_limits.bytes, or that the roots do. False: out of memory. */
bool sheet_runs_least(const sheet_plan *plan, uint64_t *bytes);

/* Returns an effect of a run. */
static inline const sheet_effect *sheet_run_effect(const sheet_plan *plan, const sheet_runs *runs, const sheet_run *run,
                                                   uint32_t index)
{
    return &plan->effects.items[runs->effects.items[run->first_effect + index]];
}

/* Returns the configuration of a run. */
frame_config sheet_run_config(const sheet_run *run);

/* Returns the bytes of a run's atlas: rows of 4-byte pixels, each as long as the atlas is wide. */
uint64_t sheet_run_bytes(const sheet_run *run);

#endif
