/* bench: how fast the primitives are, by the device's own timestamps; every result is checked against a loop on the host.
 *
 *     bench [--device NAME] [--only TEXT] [--min LOG2] [--max LOG2] [--runs N]
 *
 * Prints one line a case: name, items, median and minimum in microseconds, items a second at the median. Status 1: a result was
 * wrong; 2: the device failed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/memory.h"
#include "device/recorder.h"
#include "layout/primitive.h"
#include "primitive/compact.h"
#include "primitive/histogram.h"
#include "primitive/scan.h"
#include "primitive/sort.h"
#include "primitive/stack_monoid.h"

#define MAX_RUNS 200u
#define ALIGNMENT 256u
#define WARM_UP_SECONDS 0.1
#define MAX_STACK_LOG2 24u

typedef struct bench {
    gpu_device *device;
    gpu_recorder *recorder;
    gpu_buffer upload, data, readback; /* the first `inputs` bytes of data are copied from upload before each run */
    void *inputs_copy;        /* of upload, which the host reads slowly */
    uint64_t used, inputs;
    uint32_t runs;
    const char *only;
    double times[MAX_RUNS];   /* microseconds, sorted */
    uint32_t wrong;
} bench;

static _Noreturn void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static void must(pietra_result result, const pietra_error *error)
{
    if (result != PIETRA_OK)
        stop("%s", error->message);
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1u);
    if (!memory)
        stop("out of memory");
    return memory;
}

static uint32_t random_word(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static gpu_range take(bench *b, uint64_t words)
{
    gpu_range range = {&b->data, b->used, 4u * words};
    if (range.offset + range.bytes > b->data.bytes)
        stop("the buffers are too small for %llu words more", (unsigned long long)words);
    b->used = (b->used + range.bytes + ALIGNMENT - 1u) / ALIGNMENT * ALIGNMENT;
    return range;
}

static uint32_t *input(const bench *b, gpu_range range)
{
    return (uint32_t *)(void *)((char *)b->inputs_copy + range.offset);
}

static const uint32_t *output(const bench *b, gpu_range range)
{
    return (const uint32_t *)(const void *)((const char *)b->readback.mapped + range.offset);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef void record_function(bench *b, void *user);

/* One run, in microseconds; with the buffers read back if asked. */
static double run_once(bench *b, record_function *record, void *user, bool read_back)
{
    pietra_error error = {0};
    must(gpu_recorder_begin(b->recorder, &error), &error);
    gpu_copy(b->recorder, (gpu_range){&b->upload, 0, b->inputs}, (gpu_range){&b->data, 0, b->inputs});
    gpu_barrier(b->recorder);
    gpu_mark(b->recorder, "upload");
    record(b, user);
    gpu_barrier(b->recorder);
    gpu_mark(b->recorder, "run");
    if (read_back)
        gpu_copy(b->recorder, (gpu_range){&b->data, 0, b->used}, (gpu_range){&b->readback, 0, b->used});
    must(gpu_recorder_submit(b->recorder, &error), &error);
    must(gpu_recorder_wait(b->recorder, &error), &error);
    gpu_stage_time stages[2];
    size_t count = 0;
    double total = 0;
    gpu_recorder_times(b->recorder, 2, stages, &count, &total);
    return count == 2u ? 1000.0 * stages[1].milliseconds : 0.0;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Runs a case over and over, first until the device's clocks are up; the last run's output stays for the check. */
static void measure(bench *b, record_function *record, void *user)
{
    memcpy(b->upload.mapped, b->inputs_copy, b->inputs);
    for (double end = seconds() + WARM_UP_SECONDS; seconds() < end;)
        run_once(b, record, user, false);
    for (uint32_t run = 0; run < b->runs; run++)
        b->times[run] = run_once(b, record, user, false);
    qsort(b->times, b->runs, sizeof *b->times, compare_doubles);
    run_once(b, record, user, true);
}

static bool begin_case(bench *b, const char *name)
{
    b->used = 0;
    return !b->only || strstr(name, b->only);
}

static void report(bench *b, const char *name, uint32_t n, bool right)
{
    double median = b->times[b->runs / 2u];
    printf("%-28s %10u %10.1f us %10.1f us %9.3f G/s%s\n", name, n, median, b->times[0], median > 0.0 ? n / median * 1e-3 : 0.0,
           right ? "" : "  WRONG");
    fflush(stdout);
    b->wrong += !right;
}

static void fill(uint32_t *items, uint32_t n, const char *kind)
{
    uint64_t state = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = random_word(&state);
        if (!strcmp(kind, "and3"))
            x &= random_word(&state) & random_word(&state);
        if (!strcmp(kind, "equal"))
            x = 0x5a5a5a5au;
        if (!strcmp(kind, "sorted"))
            x = (uint32_t)(((uint64_t)i << 32) / n);
        items[i] = x;
    }
}

typedef struct scan_case {
    gpu_program *program;
    scan_ranges ranges;
    uint32_t n;
} scan_case;

static void record_scan(bench *b, void *user)
{
    scan_case *c = user;
    scan_record(b->recorder, c->program, &c->ranges, c->n, true);
}

static void bench_scan(bench *b, uint32_t n)
{
    if (!begin_case(b, "scan"))
        return;
    pietra_error error = {0};
    scan_case c = {.n = n};
    must(scan_create(b->device, NULL, &error, &c.program), &error);
    c.ranges.items = take(b, n);
    c.ranges.count = take(b, 1);
    b->inputs = b->used;
    c.ranges.sums = take(b, n);
    c.ranges.scratch = take(b, scan_scratch_bytes(n) / 4u);
    fill(input(b, c.ranges.items), n, "random");
    *input(b, c.ranges.count) = n;
    measure(b, record_scan, &c);
    bool right = true;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += input(b, c.ranges.items)[i];
        right = right && output(b, c.ranges.sums)[i] == sum;
    }
    report(b, "scan", n, right);
    gpu_program_destroy(c.program);
}

typedef struct compact_case {
    gpu_program *program;
    compact_ranges ranges;
    uint32_t n;
} compact_case;

static void record_compact(bench *b, void *user)
{
    compact_case *c = user;
    compact_record(b->recorder, c->program, &c->ranges, c->n);
}

static void bench_compact(bench *b, uint32_t n)
{
    if (!begin_case(b, "compact"))
        return;
    pietra_error error = {0};
    compact_case c = {.n = n};
    must(compact_create(b->device, NULL, &error, &c.program), &error);
    c.ranges.flags = take(b, n);
    c.ranges.count = take(b, 1);
    b->inputs = b->used;
    c.ranges.indices = take(b, n);
    c.ranges.index_count = take(b, 1);
    c.ranges.scratch = take(b, compact_scratch_bytes(n) / 4u);
    uint32_t *flags = input(b, c.ranges.flags);
    fill(flags, n, "random");
    for (uint32_t i = 0; i < n; i++)
        flags[i] &= 0x80u;
    *input(b, c.ranges.count) = n;
    measure(b, record_compact, &c);
    bool right = true;
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (flags[i])
            right = right && output(b, c.ranges.indices)[found++] == i;
    }
    report(b, "compact half", n, right && *output(b, c.ranges.index_count) == found);
    gpu_program_destroy(c.program);
}

typedef struct histogram_case {
    gpu_program *program;
    histogram_ranges ranges;
    uint32_t n;
} histogram_case;

static void record_histogram(bench *b, void *user)
{
    histogram_case *c = user;
    histogram_record(b->recorder, c->program, &c->ranges, c->n);
}

static void bench_histogram(bench *b, uint32_t n)
{
    if (!begin_case(b, "histogram"))
        return;
    pietra_error error = {0};
    histogram_case c = {.n = n};
    must(histogram_create(b->device, NULL, &error, &c.program), &error);
    c.ranges.keys = take(b, n);
    c.ranges.count = take(b, 1);
    b->inputs = b->used;
    c.ranges.bins = take(b, HISTOGRAM_DIGITS * HISTOGRAM_BINS);
    fill(input(b, c.ranges.keys), n, "random");
    *input(b, c.ranges.count) = n;
    measure(b, record_histogram, &c);
    uint32_t expected[HISTOGRAM_DIGITS * HISTOGRAM_BINS] = {0};
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t d = 0; d < HISTOGRAM_DIGITS; d++)
            expected[d * HISTOGRAM_BINS + (input(b, c.ranges.keys)[i] >> 8u * d & 0xffu)]++;
    }
    report(b, "histogram 4 digits", n, memcmp(expected, output(b, c.ranges.bins), sizeof expected) == 0);
    gpu_program_destroy(c.program);
}

typedef struct sort_case {
    sort_kernels *kernels;
    sort_ranges ranges;
    uint32_t n, bits;
} sort_case;

static void record_sort(bench *b, void *user)
{
    sort_case *c = user;
    sort_record(b->recorder, c->kernels, &c->ranges, c->n, c->bits);
}

/* Sorted, a permutation (each value names its key), and stable (equal keys keep their order). */
static bool sorted_right(const uint32_t *keys, const uint32_t *values, const uint32_t *before, uint32_t n, uint32_t bits)
{
    uint32_t mask = bits >= 32u ? 0xffffffffu : (1u << bits) - 1u;
    uint64_t sum = 0, sum_before = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += keys[i] * (uint64_t)(keys[i] | 1u);
        sum_before += before[i] * (uint64_t)(before[i] | 1u);
        if (values && (values[i] >= n || before[values[i]] != keys[i]))
            return false;
        if (i == 0u)
            continue;
        if ((keys[i - 1u] & mask) > (keys[i] & mask))
            return false;
        if (values && (keys[i - 1u] & mask) == (keys[i] & mask) && values[i - 1u] >= values[i])
            return false;
    }
    return sum == sum_before;
}

static void bench_sort(bench *b, uint32_t n, bool with_values, uint32_t bits, const char *kind)
{
    char name[64];
    snprintf(name, sizeof name, "sort %s %u bits %s", with_values ? "pairs" : "keys", bits, kind);
    if (!begin_case(b, name))
        return;
    pietra_error error = {0};
    sort_case c = {.n = n, .bits = bits};
    must(sort_create(b->device, with_values, NULL, &error, &c.kernels), &error);
    c.ranges.keys_a = take(b, n);
    if (with_values)
        c.ranges.values_a = take(b, n);
    c.ranges.counts = take(b, 1);
    c.ranges.bits_word = SORT_FIXED_BITS;
    b->inputs = b->used;
    c.ranges.keys_b = take(b, n);
    if (with_values)
        c.ranges.values_b = take(b, n);
    c.ranges.scratch = take(b, sort_scratch_bytes(n, bits) / 4u);
    fill(input(b, c.ranges.keys_a), n, kind);
    for (uint32_t i = 0; with_values && i < n; i++)
        input(b, c.ranges.values_a)[i] = i;
    *input(b, c.ranges.counts) = n;
    measure(b, record_sort, &c);
    bool half = *output(b, c.ranges.scratch) != 0u;
    bool right = sorted_right(output(b, half ? c.ranges.keys_b : c.ranges.keys_a),
                              with_values ? output(b, half ? c.ranges.values_b : c.ranges.values_a) : NULL, input(b, c.ranges.keys_a), n, bits);
    report(b, name, n, right);
    sort_destroy(c.kernels);
}

typedef struct stack_case {
    gpu_program *program;
    stack_monoid_ranges ranges;
    uint32_t n;
} stack_case;

static void record_stack(bench *b, void *user)
{
    stack_case *c = user;
    stack_monoid_record(b->recorder, c->program, &c->ranges, c->n);
}

static bool stack_begins(const char *kind, uint32_t i, uint32_t n, uint32_t depth, uint64_t *state)
{
    if (!strcmp(kind, "chain"))
        return i < n / 2u;
    if (!strcmp(kind, "saw"))
        return depth < n - i && i / STACK_PARTITION % 3u != 2u;
    if (!strcmp(kind, "stairs"))
        return i < n / 2u ? i % 3u != 2u : (n - 1u - i) % 3u == 2u;
    return depth == 0u || random_word(state) % 2u;
}

static bool stack_right(const bench *b, const stack_case *c)
{
    const uint32_t *brackets = input(b, c->ranges.brackets);
    const stack_box *boxes = (const stack_box *)(const void *)input(b, c->ranges.boxes);
    const stack_box *open = (const stack_box *)(const void *)output(b, c->ranges.open_boxes);
    uint32_t *stack = allocate(4u * (size_t)c->n);
    uint32_t depth = 0;
    bool right = true;
    for (uint32_t i = 0; i < c->n && right; i++) {
        if (brackets[i] & STACK_BEGIN) {
            stack_box box = boxes[i];
            if (depth) {
                stack_box around = open[stack[depth - 1u]];
                box = (stack_box){around.x0 > box.x0 ? around.x0 : box.x0, around.y0 > box.y0 ? around.y0 : box.y0,
                                  around.x1 < box.x1 ? around.x1 : box.x1, around.y1 < box.y1 ? around.y1 : box.y1};
            }
            right = memcmp(&box, &open[i], sizeof box) == 0;
            stack[depth++] = i;
        } else if (depth) {
            depth--;
            right = output(b, c->ranges.matches)[i] == stack[depth] && output(b, c->ranges.matches)[stack[depth]] == i;
        }
        right = right && output(b, c->ranges.contexts)[i] == (depth ? stack[depth - 1u] : STACK_NONE) && output(b, c->ranges.depths)[i] == depth;
    }
    free(stack);
    return right;
}

static void bench_stack(bench *b, uint32_t n, const char *kind)
{
    char name[64];
    snprintf(name, sizeof name, "stack %s", kind);
    if (!begin_case(b, name))
        return;
    pietra_error error = {0};
    stack_case c = {.n = n};
    must(stack_monoid_create(b->device, NULL, &error, &c.program), &error);
    c.ranges.brackets = take(b, n);
    c.ranges.boxes = take(b, 4u * (uint64_t)n);
    c.ranges.count = take(b, 1);
    b->inputs = b->used;
    c.ranges.matches = take(b, n);
    c.ranges.contexts = take(b, n);
    c.ranges.depths = take(b, n);
    c.ranges.open_boxes = take(b, 4u * (uint64_t)n);
    c.ranges.scratch = take(b, stack_monoid_scratch_bytes(n) / 4u);
    uint64_t state = n;
    uint32_t depth = 0;
    stack_box *boxes = (stack_box *)(void *)input(b, c.ranges.boxes);
    for (uint32_t i = 0; i < n; i++) {
        bool begins = stack_begins(kind, i, n, depth, &state);
        depth = begins ? depth + 1u : depth ? depth - 1u : 0u;
        input(b, c.ranges.brackets)[i] = begins ? STACK_BEGIN : 0u;
        int32_t r = (int32_t)(random_word(&state) >> 8);
        boxes[i] = (stack_box){r - 0x1000000, -r, r, 0x1000000 - r};
    }
    *input(b, c.ranges.count) = n;
    measure(b, record_stack, &c);
    report(b, name, n, stack_right(b, &c));
    gpu_program_destroy(c.program);
}

int main(int argc, char **argv)
{
    bench b = {.runs = 30};
    uint32_t min = 16, max = 22;
    pietra_device_options options = {.kind = PIETRA_DEVICE_GPU};
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!value)
            stop("%s: what?", argv[i]);
        if (!strcmp(argv[i], "--device"))
            options.gpu_name = value;
        else if (!strcmp(argv[i], "--only"))
            b.only = value;
        else if (!strcmp(argv[i], "--min"))
            min = (uint32_t)strtoul(value, NULL, 10);
        else if (!strcmp(argv[i], "--max"))
            max = (uint32_t)strtoul(value, NULL, 10);
        else if (!strcmp(argv[i], "--runs"))
            b.runs = (uint32_t)strtoul(value, NULL, 10);
        else
            stop("%s: unknown option", argv[i]);
    }
    if (min > max || max > 26u || b.runs == 0u || b.runs > MAX_RUNS)
        stop("sizes are 2^0 to 2^26, runs 1 to %u", MAX_RUNS);
    pietra_error error = {0};
    must(gpu_open(&options, &error, &b.device), &error);
    must(gpu_recorder_create(b.device, &error, &b.recorder), &error);
    pietra_device_info info;
    gpu_get_info(b.device, &info);
    printf("%s, %u runs\n", info.name, b.runs);
    /* Words an item: 24 for a stack, of which no more than 2^24 items are made; 5 for pairs with their tables. */
    uint64_t stack_bytes = 4u * 25u * ((uint64_t)1 << (max < MAX_STACK_LOG2 ? max : MAX_STACK_LOG2));
    uint64_t sort_bytes = 4u * 5u * ((uint64_t)1 << max);
    uint64_t bytes = (stack_bytes > sort_bytes ? stack_bytes : sort_bytes) + ((uint64_t)1 << 20);
    must(gpu_buffer_create(b.device, bytes, GPU_MEMORY_UPLOAD, &error, &b.upload), &error);
    must(gpu_buffer_create(b.device, bytes, GPU_MEMORY_DEVICE, &error, &b.data), &error);
    must(gpu_buffer_create(b.device, bytes, GPU_MEMORY_READBACK, &error, &b.readback), &error);
    b.inputs_copy = allocate(bytes);
    for (uint32_t log2 = min; log2 <= max; log2 += 2) {
        uint32_t n = 1u << log2;
        bench_scan(&b, n);
        bench_compact(&b, n);
        bench_histogram(&b, n);
        bench_sort(&b, n, false, 32, "random");
        bench_sort(&b, n, true, 32, "random");
        bench_sort(&b, n, true, 20, "random");
        bench_sort(&b, n, true, 32, "and3");
        bench_sort(&b, n, true, 32, "sorted");
        if (log2 <= MAX_STACK_LOG2) {
            bench_stack(&b, n, "random");
            bench_stack(&b, n, "chain");
            bench_stack(&b, n, "saw");
            bench_stack(&b, n, "stairs");
        }
    }
    free(b.inputs_copy);
    gpu_buffer_destroy(b.device, &b.upload);
    gpu_buffer_destroy(b.device, &b.data);
    gpu_buffer_destroy(b.device, &b.readback);
    gpu_recorder_destroy(b.recorder);
    gpu_close(b.device);
    return b.wrong ? 1 : 0;
}
