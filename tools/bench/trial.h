/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Measures several tuning tables on the same cases. The kernels of all tables are made first, and then their runs take
 * turns, so that changes of the device's clock affect all of them alike. */
#ifndef PIETRA_BENCH_TRIAL_H
#define PIETRA_BENCH_TRIAL_H

#include "bench.h"

#define TRIAL_TABLES 24u

typedef struct trial {
    primitive_tuning tables[TRIAL_TABLES];
    uint32_t table_count;
    bool impossible[TRIAL_TABLES];  /* the kernels cannot be made */
    double log_times[TRIAL_TABLES]; /* sums of logarithms of microseconds, so that every case has the same weight */
    uint32_t case_count;
    double busy_until; /* when the device last had work */
} trial;

/* Measures the case with every possible table of c->b->trial. */
void trial_run(const bench_case *c, const case_kind *kind, const void *user);

/* Returns the geometric mean over the cases, in microseconds. */
double trial_time(const trial *t, uint32_t table);

#endif
