/* What the parts of bench share: the device, a case's buffers, and timed runs of it.
 *
 * A case names its buffers, which are made all at once, uploads its inputs, measures one recording over and over, reads the last run's
 * outputs back, checks them against a loop on the host and reports. A case that the device cannot hold is left out, and a line says
 * so. Whatever else fails ends the program with status 2: a benchmark has nobody to answer to. */
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
    double items, bytes;         /* 10^9 a second at the median; bytes: what the algorithm has to move, not a counter's; 0: not known */
    double share;                /* of the measured copy bandwidth */
    bool right;
} bench_row;

/* A case that was not measured. */
typedef struct bench_skip {
    char name[BENCH_NAME], why[BENCH_WHY];
    uint32_t n;
} bench_skip;

typedef struct bench {
    gpu_device *device;
    gpu_recorder *recorder;
    gpu_buffer up, down;         /* staging */
    gpu_buffer *slots;           /* BENCH_MAX_BUFFERS for the buffers of all cases, one after the other: made anew only where too small */
    primitive_options options;
    primitive_tuning tuning;     /* of options */
    const char *only;            /* comma-separated texts, one of which a case's name holds; NULL: all cases */
    uint32_t runs;
    struct trial *trial;         /* cases are measured with its tables instead (trial.h); NULL: with options.tuning */
    bool all, check, warm_up, progress, silent; /* warm_up: the clock is raised before every case */
    FILE *table;                 /* where rows are printed */
    double copy_bandwidth;       /* 10^9 bytes a second, read and written */
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
    uint32_t buffer_count;       /* slots in use */
    uint64_t wanted[BENCH_MAX_BUFFERS]; /* bytes of each */
    gpu_range fresh[BENCH_MAX_BUFFERS], fresh_from[BENCH_MAX_BUFFERS]; /* copied before each run, outside the time */
    uint32_t fresh_count;
    double times[BENCH_MAX_RUNS]; /* microseconds, sorted */
} bench_case;

typedef void bench_record(gpu_recorder *recorder, void *user);

/* What is measured. `user` is a struct of so many bytes that has ranges, inputs and, once made, kernels. */
typedef struct case_kind {
    size_t user_bytes;
    /* The kernels, and whether the ranges suit them. On failure too, destroy follows. */
    pietra_result (*create)(gpu_device *device, const primitive_options *options, pietra_error *error, void *user);
    bench_record *record;
    bool (*check)(const bench_case *c, const void *user); /* of the last run */
    void (*destroy)(void *user);
} case_kind;

_Noreturn void bench_stop(const char *format, ...);
void bench_must(pietra_result result, const pietra_error *error);
void *bench_allocate(uint64_t bytes);
double bench_seconds(void);
/* Whether a name holds one of comma-separated texts; NULL is held by all. */
bool bench_is_wanted(const char *only, const char *name);

/* The same, but reporting nothing, with rows of its own, which bench_forget frees. */
bench bench_quietly(const bench *b);
void bench_forget(bench *quiet);

/* Whether a case of this name is asked for; if so it starts. */
bool case_begin(bench *b, bench_case *c, uint32_t n, const char *format, ...);
/* A range of a buffer that case_make_buffers makes; fresh: every run starts from what case_fill wrote. */
gpu_range case_buffer(bench_case *c, uint64_t words);
gpu_range case_fresh_buffer(bench_case *c, uint64_t words);
/* False: the device has no room for them, and the case ends with a line that says so. */
bool case_make_buffers(bench_case *c);
void case_skip(const bench_case *c, const char *format, ...);
/* From the start of the range. */
void case_fill(const bench_case *c, gpu_range range, const void *contents, uint64_t words);
/* Makes the kernels, measures, checks and reports. bytes: what one run has to read and write, or 0: the data decides.
 * With a trial: measures for it alone. */
void case_run(bench_case *c, const case_kind *kind, void *user, double bytes);
/* So many runs in one submission, at most BENCH_RUNS_A_SUBMISSION; their times in microseconds. */
void case_time(const bench_case *c, bench_record *record, void *user, uint32_t runs, double *times);
/* Runs the case until it does not get faster any more. */
void case_raise_clock(const bench_case *c, bench_record *record, void *user);
double case_median(double *times, uint32_t count); /* sorts them */
/* A copy of the contents, to be freed by the caller. */
uint32_t *case_read(const bench_case *c, gpu_range range);

/* Each measures one primitive at one size. */
void bench_copy(bench *b, uint32_t n);
void bench_compact(bench *b, uint32_t n);
void bench_split(bench *b, uint32_t n);
void bench_scan(bench *b, uint32_t n);
void bench_segmented_scan(bench *b, uint32_t n);
void bench_histogram(bench *b, uint32_t n);
void bench_sorts(bench *b, uint32_t n);
/* Sorts that the primitive is compared with: keys of 32 bits alone. */
void bench_quicksort(bench *b, uint32_t n, const char *kind);
void bench_reorder(bench *b, uint32_t n, const char *kind);
void bench_stacks(bench *b, uint32_t n);

/* Prints what is known of the kernels and of how many of them the device runs at once; and draws it as SVG, unless NULL. */
void bench_occupancy(bench *b, FILE *picture);

/* Inputs. */
uint32_t random_word(uint64_t *state);
/* kind: random, and3 (the AND of three) or equal. */
void fill_words(uint32_t *items, uint32_t n, const char *kind, uint32_t words_an_item);
/* Of keys of so many words; sorted ones, too, which spread over their low bits. */
void fill_keys(uint32_t *keys, uint32_t n, const char *kind, uint32_t words, uint32_t bits);
/* Whether keys are sorted by their low bits, the same as before, and equal ones as they stood; values, unless NULL, tell where each
 * stood. */
bool keys_are_sorted(const uint32_t *keys, const uint32_t *values, const uint32_t *before, uint32_t n, uint32_t words, uint32_t bits);

void report_head(const bench *b);
void report_clear(const bench *b); /* the line of progress, on a terminal */
void report_row(bench *b, const bench_row *row);
void report_skip(bench *b, const bench_skip *skip);
void report_csv(const bench *b, FILE *file);
void report_json(const bench *b, FILE *file);
void report_plot(const bench *b, FILE *file);

#endif
