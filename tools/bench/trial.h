/* Several tuning tables on the same cases: the kernels of all are made first, then their runs take turns, so that whatever the device's
 * clock does befalls all of them. */
#ifndef PIETRA_BENCH_TRIAL_H
#define PIETRA_BENCH_TRIAL_H

#include "bench.h"

#define TRIAL_TABLES 24u

typedef struct trial {
    primitive_tuning tables[TRIAL_TABLES];
    uint32_t table_count;
    bool impossible[TRIAL_TABLES];   /* the kernels cannot be made */
    double log_times[TRIAL_TABLES];  /* microseconds: sums of logarithms, so that every case counts the same */
    uint32_t case_count;
    double busy_until;               /* when the device had last something to do */
} trial;

/* Measures the case with every table of c->b->trial that is possible. */
void trial_run(const bench_case *c, const case_kind *kind, const void *user);

/* Geometric mean over the cases, microseconds. */
double trial_time(const trial *t, uint32_t table);

#endif
