/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The command line of bench. */
#ifndef PIETRA_BENCH_OPTIONS_H
#define PIETRA_BENCH_OPTIONS_H

#include "bench.h"

#define OPTIONS_MAX_SETS 64u
#define OPTIONS_MAX_LOG2 28u

typedef struct bench_options {
    bool help, occupancy, tune;
    bool all, no_check;
    const char *device;      /* NULL: the first GPU */
    const char *only;        /* as in bench */
    uint32_t min, max, step; /* sizes, as powers of two */
    uint32_t runs;
    uint32_t spin_limit;                /* 0: the device's default */
    const char *csv, *json, *plot;      /* paths; "-": standard output; NULL: none */
    const char *sets[OPTIONS_MAX_SETS]; /* each NAME=N */
    uint32_t set_count;
} bench_options;

/* Ends the program with status 2 if something is wrong. Texts point into `arguments`. */
void options_parse(bench_options *options, int count, char **arguments);

void options_print_help(void);

#endif
