/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Copy, scan, segmented scan, compact, split and histogram: primitives that read their items once. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "layout/primitive.h"
#include "primitive/device_wide/compact.h"
#include "primitive/device_wide/histogram.h"
#include "primitive/device_wide/scan.h"
#include "primitive/device_wide/segmented_scan.h"
#include "primitive/device_wide/split.h"

static const uint32_t copy_spv[] = {
#include "spv/copy.inc"
};

typedef struct copy_case {
    gpu_program *program;
    gpu_range ranges[2];
    const uint32_t *items;
    uint32_t n;
} copy_case;

static pietra_result create_copy(gpu_device *device, const primitive_options *options, pietra_error *error, void *user)
{
    static const primitive_program_info info = PRIMITIVE_PROGRAM(copy, 2, copy_push);
    copy_case *c = user;
    return primitive_program_create(device, &info, options, error, &c->program);
}

static void record_copy(gpu_recorder *recorder, void *user)
{
    const copy_case *c = user;
    primitive_grid grid = primitive_grid_of((c->n + COPY_PARTITION - 1u) / COPY_PARTITION);
    copy_push push = {c->n / 4u};
    gpu_dispatch(recorder, c->program, c->ranges, &push, grid.x, grid.y, 1);
}

static bool check_copy(const bench_case *c, const void *user)
{
    const copy_case *s = user;
    uint32_t *copied = case_read(c, s->ranges[1]);
    bool right = memcmp(copied, s->items, 4u * (size_t)(s->n / 4u * 4u)) == 0;
    free(copied);
    return right;
}

static void destroy_copy(void *user)
{
    copy_case *c = user;
    gpu_program_destroy(c->program);
}

/* Copies by a kernel, because some drivers copy by engines that are slower. It copies four words at a time and leaves
 * out the rest. */
void bench_copy(bench *b, uint32_t n)
{
    static const case_kind kind = {sizeof(copy_case), create_copy, record_copy, check_copy, destroy_copy};
    bench_case c;
    if (!case_begin(b, &c, n, "copy_u32"))
        return;
    copy_case copy = {.ranges = {case_buffer(&c, n), case_buffer(&c, n)}, .n = n};
    if (!case_make_buffers(&c))
        return;
    uint32_t *items = bench_allocate(4u * (uint64_t)n);
    fill_words(items, n, "random", 1u);
    case_fill(&c, copy.ranges[0], items, n);
    copy.items = items;
    case_run(&c, &kind, &copy, 8.0 * n);
    free(items);
}

typedef struct scan_case {
    scan_kernels kernels;
    scan_ranges ranges;
    const uint32_t *items;
    uint32_t n;
} scan_case;

static pietra_result create_scan(gpu_device *device, const primitive_options *options, pietra_error *error, void *user)
{
    scan_case *c = user;
    pietra_result result = scan_create(device, options, error, &c->kernels);
    return result == PIETRA_OK ? scan_check(device, &c->ranges, c->n, error) : result;
}

static void record_scan(gpu_recorder *recorder, void *user)
{
    const scan_case *c = user;
    scan_record(recorder, &c->kernels, &c->ranges, c->n, true);
}

static bool check_scan(const bench_case *c, const void *user)
{
    const scan_case *s = user;
    uint32_t *sums = case_read(c, s->ranges.sums);
    bool right = true;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        sum += s->items[i];
        right = right && sums[i] == sum;
    }
    free(sums);
    return right;
}

static void destroy_scan(void *user)
{
    scan_case *c = user;
    scan_destroy(&c->kernels);
}

void bench_scan(bench *b, uint32_t n)
{
    static const case_kind kind = {sizeof(scan_case), create_scan, record_scan, check_scan, destroy_scan};
    bench_case c;
    if (!case_begin(b, &c, n, "scan_incl_u32"))
        return;
    scan_case s = {.n = n};
    s.ranges.items = case_buffer(&c, n);
    s.ranges.count = case_buffer(&c, 1);
    s.ranges.sums = case_buffer(&c, n);
    s.ranges.scratch = case_buffer(&c, scan_scratch_bytes(n) / 4u);
    if (!case_make_buffers(&c))
        return;
    uint32_t *items = bench_allocate(4u * (uint64_t)n);
    fill_words(items, n, "random", 1u);
    case_fill(&c, s.ranges.items, items, n);
    case_fill(&c, s.ranges.count, &n, 1);
    s.items = items;
    case_run(&c, &kind, &s, 8.0 * n);
    free(items);
}

typedef struct segmented_case {
    primitive_kernel kernel;
    segmented_scan_ranges ranges;
    const uint32_t *items, *heads;
    uint32_t n;
} segmented_case;

static pietra_result create_segmented(gpu_device *device, const primitive_options *options, pietra_error *error,
                                      void *user)
{
    segmented_case *c = user;
    pietra_result result = segmented_scan_create(device, options, error, &c->kernel);
    return result == PIETRA_OK ? segmented_scan_check(device, &c->ranges, c->n, error) : result;
}

static void record_segmented(gpu_recorder *recorder, void *user)
{
    const segmented_case *c = user;
    segmented_scan_record(recorder, &c->kernel, &c->ranges, c->n, true);
}

static bool check_segmented(const bench_case *c, const void *user)
{
    const segmented_case *s = user;
    uint32_t *sums = case_read(c, s->ranges.sums);
    bool right = true;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        sum = (s->heads[i / 32u] >> i % 32u & 1u ? 0u : sum) + s->items[i];
        right = right && sums[i] == sum;
    }
    free(sums);
    return right;
}

static void destroy_segmented(void *user)
{
    segmented_case *c = user;
    primitive_kernel_destroy(&c->kernel);
}

/* Segments have any length, 64 items on average. */
void bench_segmented_scan(bench *b, uint32_t n)
{
    static const case_kind kind = {sizeof(segmented_case), create_segmented, record_segmented, check_segmented,
                                   destroy_segmented};
    bench_case c;
    if (!case_begin(b, &c, n, "segmented_scan_incl_u32"))
        return;
    segmented_case s = {.n = n};
    uint32_t head_words = n / 32u + 1u;
    s.ranges.items = case_buffer(&c, n);
    s.ranges.heads = case_buffer(&c, head_words);
    s.ranges.count = case_buffer(&c, 1);
    s.ranges.sums = case_buffer(&c, n);
    s.ranges.scratch = case_buffer(&c, segmented_scan_scratch_bytes(n) / 4u);
    if (!case_make_buffers(&c))
        return;
    uint32_t *items = bench_allocate(4u * (uint64_t)n);
    uint32_t *heads = bench_allocate(4u * (uint64_t)head_words);
    fill_words(items, n, "random", 1u);
    uint64_t state = n;
    for (uint32_t w = 0; w < head_words; w++) {
        uint32_t random = random_word(&state);
        heads[w] = random >> 31 << (random & 31u);
    }
    case_fill(&c, s.ranges.items, items, n);
    case_fill(&c, s.ranges.heads, heads, head_words);
    case_fill(&c, s.ranges.count, &n, 1);
    s.items = items;
    s.heads = heads;
    case_run(&c, &kind, &s, 8.125 * n);
    free(heads);
    free(items);
}

typedef struct compact_case {
    compact_kernels kernels;
    compact_ranges ranges;
    const uint32_t *flags;
    uint32_t n;
} compact_case;

static pietra_result create_compact(gpu_device *device, const primitive_options *options, pietra_error *error,
                                    void *user)
{
    compact_case *c = user;
    pietra_result result = compact_create(device, options, error, &c->kernels);
    return result == PIETRA_OK ? compact_check(device, &c->ranges, c->n, error) : result;
}

static void record_compact(gpu_recorder *recorder, void *user)
{
    const compact_case *c = user;
    compact_record(recorder, &c->kernels, &c->ranges, c->n);
}

static bool check_compact(const bench_case *c, const void *user)
{
    const compact_case *s = user;
    uint32_t *count = case_read(c, s->ranges.index_count), *indices = case_read(c, s->ranges.indices);
    bool right = true;
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->flags[i])
            right = right && indices[found++] == i;
    right = right && *count == found;
    free(count);
    free(indices);
    return right;
}

static void destroy_compact(void *user)
{
    compact_case *c = user;
    compact_destroy(&c->kernels);
}

void bench_compact(bench *b, uint32_t n)
{
    static const case_kind kind = {sizeof(compact_case), create_compact, record_compact, check_compact,
                                   destroy_compact};
    bench_case c;
    if (!case_begin(b, &c, n, "compact_half"))
        return;
    compact_case s = {.n = n};
    s.ranges.flags = case_buffer(&c, n);
    s.ranges.count = case_buffer(&c, 1);
    s.ranges.indices = case_buffer(&c, n);
    s.ranges.index_count = case_buffer(&c, 1);
    s.ranges.scratch = case_buffer(&c, compact_scratch_bytes(n) / 4u);
    if (!case_make_buffers(&c))
        return;
    uint32_t *flags = bench_allocate(4u * (uint64_t)n);
    fill_words(flags, n, "random", 1u);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        flags[i] &= 0x80u;
        count += flags[i] != 0u;
    }
    case_fill(&c, s.ranges.flags, flags, n);
    case_fill(&c, s.ranges.count, &n, 1);
    s.flags = flags;
    case_run(&c, &kind, &s, 4.0 * n + 4.0 * count);
    free(flags);
}

typedef struct split_case {
    primitive_kernel kernel;
    split_ranges ranges;
    const uint32_t *classes;
    uint32_t n;
} split_case;

static pietra_result create_split(gpu_device *device, const primitive_options *options, pietra_error *error, void *user)
{
    split_case *c = user;
    pietra_result result = split_create(device, options, error, &c->kernel);
    return result == PIETRA_OK ? split_check(device, &c->ranges, c->n, error) : result;
}

static void record_split(gpu_recorder *recorder, void *user)
{
    const split_case *c = user;
    split_record(recorder, &c->kernel, &c->ranges, c->n);
}

static bool check_split(const bench_case *c, const void *user)
{
    const split_case *s = user;
    uint32_t *indices = case_read(c, s->ranges.indices), *lengths = case_read(c, s->ranges.lengths);
    uint32_t found[SPLIT_CLASSES] = {0};
    bool right = true;
    for (uint32_t i = 0; i < s->n; i++)
        right = right && indices[(uint64_t)s->classes[i] * s->n + found[s->classes[i]]++] == i;
    right = right && memcmp(found, lengths, sizeof found) == 0;
    free(indices);
    free(lengths);
    return right;
}

static void destroy_split(void *user)
{
    split_case *c = user;
    primitive_kernel_destroy(&c->kernel);
}

void bench_split(bench *b, uint32_t n)
{
    static const case_kind kind = {sizeof(split_case), create_split, record_split, check_split, destroy_split};
    bench_case c;
    if (!case_begin(b, &c, n, "split_4"))
        return;
    split_case s = {.n = n};
    s.ranges.classes = case_buffer(&c, n);
    s.ranges.count = case_buffer(&c, 1);
    s.ranges.indices = case_buffer(&c, SPLIT_CLASSES * (uint64_t)n);
    s.ranges.lengths = case_buffer(&c, SPLIT_CLASSES);
    s.ranges.scratch = case_buffer(&c, split_scratch_bytes(n) / 4u);
    if (!case_make_buffers(&c))
        return;
    uint32_t *classes = bench_allocate(4u * (uint64_t)n);
    fill_words(classes, n, "random", 1u);
    for (uint32_t i = 0; i < n; i++)
        classes[i] &= SPLIT_CLASSES - 1u;
    case_fill(&c, s.ranges.classes, classes, n);
    case_fill(&c, s.ranges.count, &n, 1);
    s.classes = classes;
    case_run(&c, &kind, &s, 8.0 * n);
    free(classes);
}

typedef struct histogram_case {
    gpu_program *program;
    histogram_ranges ranges;
    const uint32_t *keys;
    uint32_t n, first_bit, digits;
} histogram_case;

static pietra_result create_histogram(gpu_device *device, const primitive_options *options, pietra_error *error,
                                      void *user)
{
    histogram_case *c = user;
    pietra_result result = histogram_create(device, options, error, &c->program);
    return result == PIETRA_OK ? histogram_check(device, &c->ranges, c->n, c->digits, error) : result;
}

static void record_histogram(gpu_recorder *recorder, void *user)
{
    const histogram_case *c = user;
    histogram_record(recorder, c->program, &c->ranges, c->n, c->first_bit, c->digits);
}

static bool check_histogram(const bench_case *c, const void *user)
{
    const histogram_case *s = user;
    uint32_t expected[HISTOGRAM_DIGITS * HISTOGRAM_BINS] = {0};
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t d = 0; d < s->digits; d++)
            expected[d * HISTOGRAM_BINS + (s->keys[i] >> (s->first_bit + 8u * d) & 0xffu)]++;
    uint32_t *bins = case_read(c, s->ranges.bins);
    bool right = memcmp(expected, bins, 4u * s->digits * HISTOGRAM_BINS) == 0;
    free(bins);
    return right;
}

static void destroy_histogram(void *user)
{
    histogram_case *c = user;
    gpu_program_destroy(c->program);
}

/* Counts the highest digits of the keys. */
static void bench_histogram_of(bench *b, uint32_t n, uint32_t digits, const char *input)
{
    static const case_kind kind = {sizeof(histogram_case), create_histogram, record_histogram, check_histogram,
                                   destroy_histogram};
    bench_case c;
    if (!case_begin(b, &c, n, "histogram_%ux256_%s", digits, input))
        return;
    histogram_case s = {.n = n, .first_bit = 32u - 8u * digits, .digits = digits};
    s.ranges.keys = case_buffer(&c, n);
    s.ranges.count = case_buffer(&c, 1);
    s.ranges.bins = case_buffer(&c, digits * HISTOGRAM_BINS);
    if (!case_make_buffers(&c))
        return;
    uint32_t *keys = bench_allocate(4u * (uint64_t)n);
    fill_keys(keys, n, input, 1u, 32u);
    case_fill(&c, s.ranges.keys, keys, n);
    case_fill(&c, s.ranges.count, &n, 1);
    s.keys = keys;
    case_run(&c, &kind, &s, 4.0 * n);
    free(keys);
}

void bench_histogram(bench *b, uint32_t n)
{
    static const char *const inputs[] = {"random", "and3", "sorted", "equal"};
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0] && (b->all || k == 0u); k++) {
        bench_histogram_of(b, n, 1, inputs[k]);
        bench_histogram_of(b, n, HISTOGRAM_DIGITS, inputs[k]);
    }
}
