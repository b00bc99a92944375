/* Copy, scan, segmented scan, compact, split and histogram: what reads its items once. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "layout/primitive.h"
#include "primitive/compact.h"
#include "primitive/histogram.h"
#include "primitive/scan.h"
#include "primitive/segmented_scan.h"
#include "primitive/split.h"

static const uint32_t copy_spv[] = {
#include "spv/copy.inc"
};

typedef struct copy_case {
    gpu_program *program;
    gpu_range ranges[2];
    uint32_t n;
} copy_case;

static void record_copy(gpu_recorder *recorder, void *user)
{
    const copy_case *c = user;
    primitive_grid grid = primitive_grid_of((c->n + COPY_TILE - 1u) / COPY_TILE);
    copy_push push = {c->n / 4u};
    gpu_dispatch(recorder, c->program, c->ranges, &push, grid.x, grid.y, 1);
}

/* By a kernel: some drivers copy by engines that are slower. */
void bench_copy(bench *b, uint32_t n)
{
    static const primitive_program_info info = PRIMITIVE_PROGRAM(copy, 2, copy_push);
    bench_case c;
    pietra_error error = {0};
    if (!case_begin(b, &c, n, "copy_u32"))
        return;
    copy_case copy = {.ranges = {case_buffer(&c, n), case_buffer(&c, n)}, .n = n};
    bench_must(primitive_program_create(b->device, &info, &b->options, &error, &copy.program), &error);
    case_measure(&c, record_copy, &copy);
    case_end(&c, 8.0 * n, true);
    gpu_program_destroy(copy.program);
}

typedef struct scan_case {
    scan_kernels scan;
    compact_kernels compact;
    primitive_kernel kernel;     /* segmented scan's and split's */
    gpu_program *program;        /* histogram's */
    union {
        scan_ranges scan;
        segmented_scan_ranges segmented;
        compact_ranges compact;
        split_ranges split;
        histogram_ranges histogram;
    } ranges;
    uint32_t n;
    uint32_t first_bit, digits;  /* histogram's */
} scan_case;

static void record_scan(gpu_recorder *recorder, void *user)
{
    const scan_case *c = user;
    scan_record(recorder, &c->scan, &c->ranges.scan, c->n, true);
}

void bench_scan(bench *b, uint32_t n)
{
    bench_case c;
    pietra_error error = {0};
    if (!case_begin(b, &c, n, "scan_incl_u32"))
        return;
    scan_case s = {.n = n};
    scan_ranges *ranges = &s.ranges.scan;
    bench_must(scan_create(b->device, &b->options, &error, &s.scan), &error);
    uint32_t *items = bench_allocate(4u * (uint64_t)n);
    fill_words(items, n, "random", 1u);
    ranges->items = case_input(&c, items, n, false);
    ranges->count = case_input(&c, &n, 1, false);
    ranges->sums = case_buffer(&c, n);
    ranges->scratch = case_buffer(&c, scan_scratch_bytes(n) / 4u);
    bench_must(scan_check(b->device, ranges, n, &error), &error);
    case_measure(&c, record_scan, &s);
    bool right = true;
    if (b->check) {
        uint32_t *sums = case_read(&c, ranges->sums);
        uint32_t sum = 0;
        for (uint32_t i = 0; i < n; i++) {
            sum += items[i];
            right = right && sums[i] == sum;
        }
        free(sums);
    }
    case_end(&c, 8.0 * n, right);
    free(items);
    scan_destroy(&s.scan);
}

static void record_segmented_scan(gpu_recorder *recorder, void *user)
{
    const scan_case *c = user;
    segmented_scan_record(recorder, &c->kernel, &c->ranges.segmented, c->n, true);
}

static bool check_segmented_scan(const bench_case *c, const scan_case *s, const uint32_t *items, const uint32_t *heads)
{
    uint32_t *sums = case_read(c, s->ranges.segmented.sums);
    bool right = true;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        sum = (heads[i / 32u] >> i % 32u & 1u ? 0u : sum) + items[i];
        right = right && sums[i] == sum;
    }
    free(sums);
    return right;
}

/* Segments of 64 items in the mean, of any length. */
void bench_segmented_scan(bench *b, uint32_t n)
{
    bench_case c;
    pietra_error error = {0};
    if (!case_begin(b, &c, n, "segmented_scan_incl_u32"))
        return;
    scan_case s = {.n = n};
    segmented_scan_ranges *ranges = &s.ranges.segmented;
    bench_must(segmented_scan_create(b->device, &b->options, &error, &s.kernel), &error);
    uint32_t head_words = n / 32u + 1u;
    uint32_t *items = bench_allocate(4u * (uint64_t)n);
    uint32_t *heads = bench_allocate(4u * (uint64_t)head_words);
    fill_words(items, n, "random", 1u);
    uint64_t state = n;
    for (uint32_t w = 0; w < head_words; w++) {
        uint32_t random = random_word(&state);
        heads[w] = random >> 31 << (random & 31u);
    }
    ranges->items = case_input(&c, items, n, false);
    ranges->heads = case_input(&c, heads, head_words, false);
    ranges->count = case_input(&c, &n, 1, false);
    ranges->sums = case_buffer(&c, n);
    ranges->scratch = case_buffer(&c, segmented_scan_scratch_bytes(n) / 4u);
    bench_must(segmented_scan_check(b->device, ranges, n, &error), &error);
    case_measure(&c, record_segmented_scan, &s);
    case_end(&c, 8.125 * n, !b->check || check_segmented_scan(&c, &s, items, heads));
    free(heads);
    free(items);
    primitive_kernel_destroy(&s.kernel);
}

static void record_compact(gpu_recorder *recorder, void *user)
{
    const scan_case *c = user;
    compact_record(recorder, &c->compact, &c->ranges.compact, c->n);
}

static void bench_compact(bench *b, uint32_t n)
{
    bench_case c;
    pietra_error error = {0};
    if (!case_begin(b, &c, n, "compact_half"))
        return;
    scan_case s = {.n = n};
    compact_ranges *ranges = &s.ranges.compact;
    bench_must(compact_create(b->device, &b->options, &error, &s.compact), &error);
    uint32_t *flags = bench_allocate(4u * (uint64_t)n);
    fill_words(flags, n, "random", 1u);
    for (uint32_t i = 0; i < n; i++)
        flags[i] &= 0x80u;
    ranges->flags = case_input(&c, flags, n, false);
    ranges->count = case_input(&c, &n, 1, false);
    ranges->indices = case_buffer(&c, n);
    ranges->index_count = case_buffer(&c, 1);
    ranges->scratch = case_buffer(&c, compact_scratch_bytes(n) / 4u);
    bench_must(compact_check(b->device, ranges, n, &error), &error);
    case_measure(&c, record_compact, &s);
    bool right = true;
    uint32_t found = 0;
    uint32_t *count = case_read(&c, ranges->index_count);
    if (b->check) {
        uint32_t *indices = case_read(&c, ranges->indices);
        for (uint32_t i = 0; i < n; i++) {
            if (flags[i])
                right = right && indices[found++] == i;
        }
        right = right && *count == found;
        free(indices);
    }
    case_end(&c, 4.0 * n + 4.0 * *count, right);
    free(count);
    free(flags);
    compact_destroy(&s.compact);
}

static void record_split(gpu_recorder *recorder, void *user)
{
    const scan_case *c = user;
    split_record(recorder, &c->kernel, &c->ranges.split, c->n);
}

static void bench_split(bench *b, uint32_t n)
{
    bench_case c;
    pietra_error error = {0};
    if (n > 1u << 26 || !case_begin(b, &c, n, "split_4"))
        return;
    scan_case s = {.n = n};
    split_ranges *ranges = &s.ranges.split;
    bench_must(split_create(b->device, &b->options, &error, &s.kernel), &error);
    uint32_t *classes = bench_allocate(4u * (uint64_t)n);
    fill_words(classes, n, "random", 1u);
    for (uint32_t i = 0; i < n; i++)
        classes[i] &= SPLIT_CLASSES - 1u;
    ranges->classes = case_input(&c, classes, n, false);
    ranges->count = case_input(&c, &n, 1, false);
    ranges->indices = case_buffer(&c, SPLIT_CLASSES * (uint64_t)n);
    ranges->lengths = case_buffer(&c, SPLIT_CLASSES);
    ranges->scratch = case_buffer(&c, split_scratch_bytes(n) / 4u);
    bench_must(split_check(b->device, ranges, n, &error), &error);
    case_measure(&c, record_split, &s);
    bool right = true;
    if (b->check) {
        uint32_t *indices = case_read(&c, ranges->indices);
        uint32_t *lengths = case_read(&c, ranges->lengths);
        uint32_t found[SPLIT_CLASSES] = {0};
        for (uint32_t i = 0; i < n; i++)
            right = right && indices[(uint64_t)classes[i] * n + found[classes[i]]++] == i;
        right = right && memcmp(found, lengths, sizeof found) == 0;
        free(indices);
        free(lengths);
    }
    case_end(&c, 8.0 * n, right);
    free(classes);
    primitive_kernel_destroy(&s.kernel);
}

void bench_lists(bench *b, uint32_t n)
{
    bench_compact(b, n);
    bench_split(b, n);
}

static void record_histogram(gpu_recorder *recorder, void *user)
{
    const scan_case *c = user;
    histogram_record(recorder, c->program, &c->ranges.histogram, c->n, c->first_bit, c->digits);
}

static bool check_histogram(const bench_case *c, const scan_case *s, const uint32_t *keys)
{
    uint32_t expected[HISTOGRAM_DIGITS * HISTOGRAM_BINS] = {0};
    for (uint32_t i = 0; i < s->n; i++) {
        for (uint32_t d = 0; d < s->digits; d++)
            expected[d * HISTOGRAM_BINS + (keys[i] >> (s->first_bit + 8u * d) & 0xffu)]++;
    }
    uint32_t *bins = case_read(c, s->ranges.histogram.bins);
    bool right = memcmp(expected, bins, 4u * s->digits * HISTOGRAM_BINS) == 0;
    free(bins);
    return right;
}

/* The highest digits of the keys. */
static void bench_histogram_of(bench *b, uint32_t n, uint32_t digits, const char *kind)
{
    bench_case c;
    pietra_error error = {0};
    if (!case_begin(b, &c, n, "histogram_%ux256_%s", digits, kind))
        return;
    scan_case s = {.n = n, .first_bit = 32u - 8u * digits, .digits = digits};
    histogram_ranges *ranges = &s.ranges.histogram;
    bench_must(histogram_create(b->device, &b->options, &error, &s.program), &error);
    uint32_t *keys = bench_allocate(4u * (uint64_t)n);
    fill_words(keys, n, kind, 1u);
    ranges->keys = case_input(&c, keys, n, false);
    ranges->count = case_input(&c, &n, 1, false);
    ranges->bins = case_buffer(&c, digits * HISTOGRAM_BINS);
    bench_must(histogram_check(b->device, ranges, n, digits, &error), &error);
    case_measure(&c, record_histogram, &s);
    case_end(&c, 4.0 * n, !b->check || check_histogram(&c, &s, keys));
    free(keys);
    gpu_program_destroy(s.program);
}

void bench_histogram(bench *b, uint32_t n)
{
    static const char *const kinds[] = {"random", "and3", "sorted", "equal"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && (b->all || k == 0u); k++) {
        bench_histogram_of(b, n, 1, kinds[k]);
        bench_histogram_of(b, n, HISTOGRAM_DIGITS, kinds[k]);
    }
}
