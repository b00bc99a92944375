/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* bench --tune: finds which shapes and crossovers suit the device. Groups of entries are tried one after the other. All
 * candidates of a group are measured side by side while the other entries stay. A candidate must beat the table so far
 * by more than measurements vary. Its results are checked on all cases of the group before it is kept: one that is
 * wrong is dropped, and a line says so. */
#ifndef PIETRA_BENCH_TUNE_H
#define PIETRA_BENCH_TUNE_H

#include "trial.h"

#define TUNE_ENTRIES 3u
#define TUNE_SHAPES 20u
#define TUNE_SIZES 6u
#define TUNE_FORCED 6u

typedef struct tune_value {
    const char *entry;
    uint32_t value;
} tune_value;

typedef struct tune_group {
    const char *entries[TUNE_ENTRIES]; /* what it decides; ends with NULL */
    const char *cases;                 /* what is measured, comma-separated; every time has the same weight. Software
                                        * devices take the first alone */
    void (*run)(bench *b, uint32_t n);
    uint32_t log2s[TUNE_SIZES]; /* log2 of n, on hardware; ends with 0 */
    uint32_t software_log2s[TUNE_SIZES];
    tune_value forced[TUNE_FORCED]; /* forced while it measures, so that the kernel of these entries runs and no
                                        * other */
    bool (*matters)(const gpu_limits *limits, const primitive_tuning *tuning); /* whether such a table makes a
                                                                                * difference on this device; NULL: it
                                                                                * does */
    uint32_t shape_count;
    uint32_t shapes[TUNE_SHAPES][TUNE_ENTRIES];
} tune_group;

/* All groups. Those that decide a crossover come after the shapes on both sides of it. */
extern const tune_group tune_groups[];
extern const size_t tune_group_count;

/* Returns an entry of the tuning table that is in no group or in more than one. NULL: each is in exactly one. */
const char *tune_misplaced_entry(void);

/* Measures the table so far, which is number 0, and those of the group's candidates for which this device has room.
 * kept: TRIAL_TABLES, the same tables without what is forced. If no case is run, there is nothing to choose from. */
void tune_measure(const bench *b, const tune_group *group, trial *t, primitive_tuning *kept);

/* Decides the group's entries in b->tuning. Counts in b->wrong if even the table as it was gives wrong results. */
void tune_group_decide(bench *b, const tune_group *group);

/* Tunes the groups of which b->only names an entry or a case, and writes the table to the device's file, from which
 * tuning_for (primitive/tuning.h) reads it. */
void bench_tune(bench *b);

#endif
