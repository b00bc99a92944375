/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trial.h"

_Noreturn void bench_stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void bench_must(pietra_result result, const pietra_error *error)
{
    if (result != PIETRA_OK)
        bench_stop("%s", error->message);
}

void *bench_allocate(uint64_t bytes)
{
    void *memory = malloc(bytes ? (size_t)bytes : 1u);
    if (!memory)
        bench_stop("out of memory");
    return memory;
}

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool bench_is_wanted(const char *only, const char *name)
{
    if (!only)
        return true;
    while (only) {
        size_t length = strcspn(only, ",");
        for (const char *at = name; length && strlen(at) >= length; at++)
            if (strncmp(at, only, length) == 0)
                return true;
        only = only[length] ? only + length + 1 : NULL;
    }
    return false;
}

bench bench_quietly(const bench *b)
{
    bench quiet = *b;
    quiet.silent = true;
    quiet.rows = NULL;
    quiet.skips = NULL;
    quiet.row_count = quiet.row_capacity = quiet.skip_count = 0;
    quiet.wrong = 0;
    return quiet;
}

void bench_forget(bench *quiet)
{
    free(quiet->rows);
    free(quiet->skips);
}

bool case_begin(bench *b, bench_case *c, uint32_t n, const char *format, ...)
{
    *c = (bench_case){.b = b, .n = n};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->name, sizeof c->name, format, arguments);
    va_end(arguments);
    if (!bench_is_wanted(b->only, c->name))
        return false;
    if (b->progress)
        fprintf(stderr, "\r%-*s %u ...\033[K", (int)BENCH_NAME, c->name, n);
    return true;
}

gpu_range case_buffer(bench_case *c, uint64_t words)
{
    if (c->buffer_count == BENCH_MAX_BUFFERS)
        bench_stop("%s: too many buffers", c->name);
    uint64_t bytes = 4u * (words ? words : 1u);
    c->wanted[c->buffer_count] = bytes;
    return (gpu_range){&c->b->slots[c->buffer_count++], 0, bytes};
}

gpu_range case_fresh_buffer(bench_case *c, uint64_t words)
{
    c->fresh_from[c->fresh_count] = case_buffer(c, words);
    return c->fresh[c->fresh_count++] = case_buffer(c, words);
}

static pietra_result make_buffers(const bench_case *c, pietra_error *error)
{
    pietra_result result = PIETRA_OK;
    for (uint32_t i = 0; i < c->buffer_count && result == PIETRA_OK; i++) {
        gpu_buffer *slot = &c->b->slots[i];
        if (slot->bytes >= c->wanted[i])
            continue;
        gpu_buffer_destroy(c->b->device, slot);
        result = gpu_buffer_create(c->b->device, c->wanted[i], GPU_MEMORY_DEVICE, error, slot);
    }
    return result;
}

static bool is_no_room(pietra_result result)
{
    return result == PIETRA_ERROR_BUDGET || result == PIETRA_ERROR_MEMORY;
}

bool case_make_buffers(bench_case *c)
{
    const gpu_limits *limits = gpu_get_limits(c->b->device);
    pietra_error error = {0};
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        if (c->wanted[i] > limits->max_binding_bytes) {
            case_skip(c, "a range of %" PRIu64 " bytes, where the device binds %" PRIu64, c->wanted[i],
                      limits->max_binding_bytes);
            return false;
        }
    }
    pietra_result result = make_buffers(c, &error);
    if (is_no_room(result)) {
        /* The buffers of other cases may take up the room. */
        for (uint32_t i = 0; i < BENCH_MAX_BUFFERS; i++)
            gpu_buffer_destroy(c->b->device, &c->b->slots[i]);
        result = make_buffers(c, &error);
    }
    if (is_no_room(result)) {
        case_skip(c, "%s", error.message);
        return false;
    }
    bench_must(result, &error);
    return true;
}

void case_skip(const bench_case *c, const char *format, ...)
{
    bench_skip skip = {.n = c->n};
    memcpy(skip.name, c->name, sizeof skip.name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(skip.why, sizeof skip.why, format, arguments);
    va_end(arguments);
    report_skip(c->b, &skip);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void begin(const bench *b)
{
    pietra_error error = {0};
    bench_must(gpu_recorder_begin(b->recorder, &error), &error);
}

static void submit(const bench *b)
{
    pietra_error error = {0};
    bench_must(gpu_recorder_submit(b->recorder, &error), &error);
    bench_must(gpu_recorder_wait(b->recorder, &error), &error);
}

/* Returns where a range is filled: a fresh one, where its runs copy from. */
static gpu_range origin(const bench_case *c, gpu_range range)
{
    for (uint32_t i = 0; i < c->fresh_count; i++)
        if (c->fresh[i].buffer == range.buffer)
            return c->fresh_from[i];
    return range;
}

void case_fill(const bench_case *c, gpu_range range, const void *contents, uint64_t words)
{
    const bench *b = c->b;
    range = origin(c, range);
    for (uint64_t at = 0; at < 4u * words; at += b->up.bytes) {
        uint64_t bytes = smaller(4u * words - at, b->up.bytes);
        memcpy(b->up.mapped, (const char *)contents + at, (size_t)bytes);
        begin(b);
        gpu_copy(b->recorder, (gpu_range){&b->up, 0, bytes}, (gpu_range){range.buffer, range.offset + at, bytes});
        submit(b);
    }
}

uint32_t *case_read(const bench_case *c, gpu_range range)
{
    const bench *b = c->b;
    char *contents = bench_allocate(range.bytes);
    for (uint64_t at = 0; at < range.bytes; at += b->down.bytes) {
        uint64_t bytes = smaller(range.bytes - at, b->down.bytes);
        begin(b);
        gpu_copy(b->recorder, (gpu_range){range.buffer, range.offset + at, bytes}, (gpu_range){&b->down, 0, bytes});
        submit(b);
        memcpy(contents + at, b->down.mapped, (size_t)bytes);
    }
    return (uint32_t *)(void *)contents;
}

static const char *const run_names[BENCH_RUNS_A_SUBMISSION] = {"run 0", "run 1", "run 2", "run 3", "run 4",
                                                               "run 5", "run 6", "run 7", "run 8", "run 9"};

void case_time(const bench_case *c, bench_record *record, void *user, uint32_t runs, double *times)
{
    const bench *b = c->b;
    begin(b);
    for (uint32_t r = 0; r < runs; r++) {
        for (uint32_t i = 0; i < c->fresh_count; i++)
            gpu_copy(b->recorder, c->fresh_from[i], c->fresh[i]);
        gpu_barrier(b->recorder);
        gpu_mark(b->recorder, "inputs");
        record(b->recorder, user);
        gpu_barrier(b->recorder);
        gpu_mark(b->recorder, run_names[r]);
    }
    submit(b);
    gpu_stage_time stages[1u + BENCH_RUNS_A_SUBMISSION];
    size_t count = 0;
    double total = 0;
    gpu_recorder_times(b->recorder, 1u + BENCH_RUNS_A_SUBMISSION, stages, &count, &total);
    for (uint32_t r = 0; r < runs; r++)
        times[r] = 1u + r < count ? 1000.0 * stages[1u + r].milliseconds : 0.0;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double case_median(double *times, uint32_t count)
{
    qsort(times, count, sizeof *times, compare_doubles);
    return times[count / 2u];
}

/* One run comes first, because some drivers compile a kernel when it first runs. A software device has no clock to
 * raise. */
static void measure(bench_case *c, bench_record *record, void *user)
{
    case_time(c, record, user, 1u, c->times);
    if (c->b->warm_up && gpu_get_limits(c->b->device)->hardware)
        case_raise_clock(c, record, user);
    uint32_t runs = c->b->runs;
    for (uint32_t done = 0; done < runs; done += BENCH_RUNS_A_SUBMISSION)
        case_time(c, record, user, (uint32_t)smaller(runs - done, BENCH_RUNS_A_SUBMISSION), c->times + done);
    qsort(c->times, runs, sizeof *c->times, compare_doubles);
}

static void report(const bench_case *c, double bytes, bool right)
{
    bench *b = c->b;
    bench_row row = {.n = c->n,
                     .median = c->times[b->runs / 2u],
                     .minimum = c->times[0],
                     .p90 = c->times[b->runs * 9u / 10u],
                     .right = right};
    memcpy(row.name, c->name, sizeof row.name);
    if (row.median > 0.0) {
        row.items = c->n / row.median * 1e-3;
        row.bytes = bytes / row.median * 1e-3;
        row.share = b->copy_bandwidth > 0.0 ? row.bytes / b->copy_bandwidth : 0.0;
    }
    report_row(b, &row);
}

void case_run(bench_case *c, const case_kind *kind, void *user, double bytes)
{
    pietra_error error = {0};
    bench *b = c->b;
    if (b->trial) {
        trial_run(c, kind, user);
        return;
    }
    bench_must(kind->create(b->device, &b->options, &error, user), &error);
    measure(c, kind->record, user);
    report(c, bytes, !b->check || kind->check(c, user));
    kind->destroy(user);
}

uint32_t random_word(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

void fill_words(uint32_t *items, uint32_t n, const char *kind, uint32_t words_an_item)
{
    uint64_t state = n;
    uint64_t words = (uint64_t)n * words_an_item;
    bool low_entropy = strcmp(kind, "and3") == 0, equal = strcmp(kind, "equal") == 0;
    if (!low_entropy && !equal && strcmp(kind, "random") != 0)
        bench_stop("%s: no kind of words", kind);
    for (uint64_t i = 0; i < words; i++) {
        uint32_t x = random_word(&state);
        if (low_entropy)
            x &= random_word(&state) & random_word(&state);
        if (equal)
            x = 0x5a5a5a5au;
        items[i] = x;
    }
}
