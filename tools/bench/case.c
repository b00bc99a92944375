#include "bench.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WARM_UP_SECONDS 0.5
#define RUNS_A_SUBMISSION 10u

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

static bool is_wanted(const char *only, const char *name)
{
    while (only) {
        size_t length = strcspn(only, ",");
        for (const char *at = name; strlen(at) >= length; at++) {
            if (strncmp(at, only, length) == 0)
                return true;
        }
        only = only[length] ? only + length + 1 : NULL;
    }
    return false;
}

bool case_begin(bench *b, bench_case *c, uint32_t n, const char *format, ...)
{
    *c = (bench_case){.b = b, .n = n};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->name, sizeof c->name, format, arguments);
    va_end(arguments);
    if (b->only && !is_wanted(b->only, c->name))
        return false;
    if (b->progress)
        fprintf(stderr, "\r%-*s %u ...\033[K", (int)BENCH_NAME, c->name, n);
    return true;
}

gpu_range case_buffer(bench_case *c, uint64_t words)
{
    pietra_error error = {0};
    if (c->buffer_count == BENCH_MAX_BUFFERS)
        bench_stop("%s: too many buffers", c->name);
    gpu_buffer *buffer = &c->b->slots[c->buffer_count++];
    uint64_t bytes = 4u * (words ? words : 1u);
    if (buffer->bytes < bytes) {
        gpu_buffer_destroy(c->b->device, buffer);
        bench_must(gpu_buffer_create(c->b->device, bytes, GPU_MEMORY_DEVICE, &error, buffer), &error);
    }
    return (gpu_range){buffer, 0, bytes};
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

gpu_range case_input(bench_case *c, const void *contents, uint64_t words, bool fresh)
{
    const bench *b = c->b;
    gpu_range range = case_buffer(c, words);
    for (uint64_t at = 0; at < 4u * words; at += b->up.bytes) {
        uint64_t bytes = smaller(4u * words - at, b->up.bytes);
        memcpy(b->up.mapped, (const char *)contents + at, (size_t)bytes);
        begin(b);
        gpu_copy(b->recorder, (gpu_range){&b->up, 0, bytes}, (gpu_range){range.buffer, at, bytes});
        submit(b);
    }
    if (fresh) {
        c->fresh_from[c->fresh_count] = range;
        range = c->fresh[c->fresh_count++] = case_buffer(c, words);
    }
    return range;
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

static const char *const run_names[RUNS_A_SUBMISSION] = {"run 0", "run 1", "run 2", "run 3", "run 4", "run 5", "run 6", "run 7", "run 8", "run 9"};

/* So many runs in one submission; their times in microseconds. */
static void run_some(const bench_case *c, bench_record *record, void *user, uint32_t runs, double *times)
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
    gpu_stage_time stages[1u + RUNS_A_SUBMISSION];
    size_t count = 0;
    double total = 0;
    gpu_recorder_times(b->recorder, 1u + RUNS_A_SUBMISSION, stages, &count, &total);
    for (uint32_t r = 0; r < runs; r++)
        times[r] = 1u + r < count ? 1000.0 * stages[1u + r].milliseconds : 0.0;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* First until the device's clocks are up: while the host checks results they fall, on an H200 from 1,980 to 345 MHz, and 50 ms of work did
 * not bring them back: then a copy took 342 us instead of 135. */
void case_measure(bench_case *c, bench_record *record, void *user)
{
    double end = seconds() + WARM_UP_SECONDS;
    do {
        run_some(c, record, user, 1u, c->times);
    } while (seconds() < end);
    uint32_t runs = c->b->runs;
    for (uint32_t done = 0; done < runs; done += RUNS_A_SUBMISSION)
        run_some(c, record, user, (uint32_t)smaller(runs - done, RUNS_A_SUBMISSION), c->times + done);
    qsort(c->times, runs, sizeof *c->times, compare_doubles);
}

void case_end(bench_case *c, double bytes, bool right)
{
    bench *b = c->b;
    bench_row row = {
        .n = c->n, .median = c->times[b->runs / 2u], .minimum = c->times[0], .p90 = c->times[b->runs * 9u / 10u], .right = right};
    memcpy(row.name, c->name, sizeof row.name);
    if (row.median > 0.0) {
        row.items = c->n / row.median * 1e-3;
        row.bytes = bytes / row.median * 1e-3;
        row.share = b->copy_bandwidth > 0.0 ? row.bytes / b->copy_bandwidth : 0.0;
    }
    report_row(b, &row);
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
    bool low_entropy = !strcmp(kind, "and3"), equal = !strcmp(kind, "equal"), sorted = !strcmp(kind, "sorted");
    for (uint64_t i = 0; i < words; i++) {
        uint32_t x = random_word(&state);
        if (low_entropy)
            x &= random_word(&state) & random_word(&state);
        if (equal)
            x = 0x5a5a5a5au;
        if (sorted)
            x = i % words_an_item == words_an_item - 1u ? (uint32_t)((i / words_an_item << 32) / n) : 0u;
        items[i] = x;
    }
}
