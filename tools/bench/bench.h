/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the parts of bench share: the device, a case's buffers, and timed runs of it.
 *
 * A case names its buffers, which are then made all at once. It uploads its inputs, measures one recording many times,
 * reads back the outputs of the last run, checks them against a loop on the host, and reports. A case that the device
 * cannot hold is skipped, and a line says so. Every other failure ends the program with status 2, since nothing depends
 * on a benchmark. */
#ifndef PIETRA_BENCH_BENCH_H
#define PIETRA_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "vulkan/memory.h"
#include "vulkan/recorder.h"
#include "primitive/primitive.h"

#define BENCH_MAX_RUNS 200u
#define BENCH_MAX_BUFFERS 12u
#define BENCH_NAME 48u
#define BENCH_WHY 128u
#define BENCH_RUNS_A_SUBMISSION 10u

/* One line of the report. */
typedef struct bench_row {
    char name[BENCH_NAME];
    uint32_t n;
    double median, minimum, p90; /* microseconds */
    double items, bytes;         /* 10^9 a second at the median. bytes: what the algorithm must move, not what a counter
                                  * says; 0: not known */
    double share;                /* share of the measured bandwidth of copies */
    bool right;
} bench_row;

/* A case that was skipped. */
typedef struct bench_skip {
    char name[BENCH_NAME], why[BENCH_WHY];
    uint32_t n;
} bench_skip;

typedef struct bench {
    gpu_device *device;
    gpu_recorder *recorder;
    gpu_buffer up, down; /* staging buffers */
    gpu_buffer *slots;   /* BENCH_MAX_BUFFERS, in turn for the buffers of every case; made anew only if too
                                  * small */
    primitive_options options;
    primitive_tuning tuning; /* from the options */
    const char *only;        /* comma-separated texts; a case is run if its name contains one of them; NULL: all
                                  * cases */
    uint32_t runs;
    struct trial *trial; /* cases are measured with the tables of this trial (trial.h); NULL: with
                                  * options.tuning */
    bool all, check, warm_up, progress, silent; /* warm_up: raise the clock before every case */
    FILE *table;                                /* the file to which rows are printed */
    double copy_bandwidth;                      /* 10^9 bytes a second, read plus written */
    bench_row *rows;
    size_t row_count, row_capacity;
    bench_skip *skips;
    size_t skip_count;
    uint32_t wrong;
} bench;

typedef struct bench_case {
    bench *b;
    char name[BENCH_NAME];
    uint32_t n;
    uint32_t buffer_count;                                             /* slots in use */
    uint64_t wanted[BENCH_MAX_BUFFERS];                                /* size of each */
    gpu_range fresh[BENCH_MAX_BUFFERS], fresh_from[BENCH_MAX_BUFFERS]; /* copied before each run, outside the measured
                                                                        * time */
    uint32_t fresh_count;
    double times[BENCH_MAX_RUNS]; /* microseconds, sorted */
} bench_case;

typedef void bench_record(gpu_recorder *recorder, void *user);

/* What is measured. `user` is a struct of that many bytes with ranges, inputs and, once made, kernels. */
typedef struct case_kind {
    size_t user_bytes;
    /* Makes the kernels, if the ranges suit them. destroy is called even after a failure. */
    pietra_result (*create)(gpu_device *device, const primitive_options *options, pietra_error *error, void *user);
    bench_record *record;
    bool (*check)(const bench_case *c, const void *user); /* checks the outputs of the last run */
    void (*destroy)(void *user);
} case_kind;

_Noreturn void bench_stop(const char *format, ...);
void bench_must(pietra_result result, const pietra_error *error);
void *bench_allocate(uint64_t bytes);
double bench_seconds(void);
/* Returns whether a name contains one of the comma-separated texts, or the list is NULL. */
bool bench_is_wanted(const char *only, const char *name);

/* Returns a bench that does the same, reports nothing and has rows of its own, which bench_forget frees. */
bench bench_quietly(const bench *b);
void bench_forget(bench *quiet);

/* Returns whether the case of this name is asked for, and begins it if so. */
bool case_begin(bench *b, bench_case *c, uint32_t n, const char *format, ...);
/* Returns a range of a buffer that case_make_buffers makes. fresh: every run starts with what case_fill wrote. */
gpu_range case_buffer(bench_case *c, uint64_t words);
gpu_range case_fresh_buffer(bench_case *c, uint64_t words);
/* Makes the buffers that the case has named. Returns false if the device has no room for them. The case has then ended
 * with a line that says so. */
bool case_make_buffers(bench_case *c);
void case_skip(const bench_case *c, const char *format, ...);
/* Writes `words` words from the start of the range. */
void case_fill(const bench_case *c, gpu_range range, const void *contents, uint64_t words);
/* Makes the kernels, measures, checks and reports. `bytes` is what one run must read and write, or 0 if that depends on
 * the data. With a trial it only measures for the trial. */
void case_run(bench_case *c, const case_kind *kind, void *user, double bytes);
/* Times that many runs in one submission, at most BENCH_RUNS_A_SUBMISSION. Times are in microseconds. */
void case_time(const bench_case *c, bench_record *record, void *user, uint32_t runs, double *times);
/* Runs the case until it gets no faster. */
void case_raise_clock(const bench_case *c, bench_record *record, void *user);
double case_median(double *times, uint32_t count); /* sorts the times */
/* Returns a copy of the contents, which the caller frees. */
uint32_t *case_read(const bench_case *c, gpu_range range);

/* Each measures one primitive at one size. */
void bench_copy(bench *b, uint32_t n);
void bench_compact(bench *b, uint32_t n);
void bench_split(bench *b, uint32_t n);
void bench_scan(bench *b, uint32_t n);
void bench_segmented_scan(bench *b, uint32_t n);
void bench_histogram(bench *b, uint32_t n);
void bench_sorts(bench *b, uint32_t n);
/* Other sorts, with which the primitive is compared, for 32-bit keys. */
void bench_quicksort(bench *b, uint32_t n, const char *kind);
void bench_reorder(bench *b, uint32_t n, const char *kind);
void bench_stacks(bench *b, uint32_t n);

/* Prints what is known of the kernels and of how many of their workgroups the device runs at once. Draws it as SVG too,
 * unless picture is NULL. */
void bench_occupancy(bench *b, FILE *picture);

/* Inputs. */
uint32_t random_word(uint64_t *state);
/* Fills items with words. kind is random, and3 (the AND of three random words) or equal. */
void fill_words(uint32_t *items, uint32_t n, const char *kind, uint32_t words_an_item);
/* Fills keys of that many words. They may be sorted ones, which then spread over their low bits. */
void fill_keys(uint32_t *keys, uint32_t n, const char *kind, uint32_t words, uint32_t bits);
/* Returns whether the keys are those of `before`, sorted by their low bits, with equal ones in their old order. values,
 * unless NULL, must say where each key stood. */
bool keys_are_sorted(const uint32_t *keys, const uint32_t *values, const uint32_t *before, uint32_t n, uint32_t words,
                     uint32_t bits);

void report_head(const bench *b);
void report_clear(const bench *b); /* clears the line of progress, on a terminal */
void report_row(bench *b, const bench_row *row);
void report_skip(bench *b, const bench_skip *skip);
void report_csv(const bench *b, FILE *file);
void report_json(const bench *b, FILE *file);
void report_plot(const bench *b, FILE *file);

#endif
