/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "layout/primitive.h"
#include "primitive/device_wide/sort_families.h"

typedef struct sort_case {
    sort_kernels *kernels;
    sort_ranges ranges;
    const uint32_t *keys; /* as they were before */
    uint32_t n, flags, bits;
} sort_case;

static uint32_t words_of(uint32_t flags)
{
    return flags & SORT_U64_KEYS ? 2u : 1u;
}

static pietra_result create_sort(gpu_device *device, const primitive_options *options, pietra_error *error, void *user)
{
    sort_case *c = user;
    pietra_result result = sort_create(device, sort_family_of(c->flags), options, error, &c->kernels);
    return result == PIETRA_OK ? sort_check(device, c->kernels, &c->ranges, c->n, c->bits, error) : result;
}

static void record_sort(gpu_recorder *recorder, void *user)
{
    const sort_case *c = user;
    sort_record(recorder, c->kernels, &c->ranges, c->n, c->bits);
}

static bool check_sort(const bench_case *c, const void *user)
{
    const sort_case *s = user;
    uint32_t *plan = case_read(c, (gpu_range){s->ranges.scratch.buffer, s->ranges.scratch.offset, sizeof(sort_plan)});
    bool in_b = plan[0] != 0u;
    uint32_t *keys = case_read(c, in_b ? s->ranges.keys_b : s->ranges.keys_a);
    uint32_t *values =
        s->flags & SORT_WITH_VALUES ? case_read(c, in_b ? s->ranges.values_b : s->ranges.values_a) : NULL;
    bool right = keys_are_sorted(keys, values, s->keys, s->n, words_of(s->flags), s->bits);
    free(plan);
    free(keys);
    free(values);
    return right;
}

static void destroy_sort(void *user)
{
    sort_case *c = user;
    sort_destroy(c->kernels);
}

static void take_buffers(bench_case *c, sort_case *s)
{
    uint64_t key_words = words_of(s->flags) * (uint64_t)s->n;
    s->ranges.keys_a = case_fresh_buffer(c, key_words);
    s->ranges.keys_b = case_buffer(c, key_words);
    if (s->flags & SORT_WITH_VALUES) {
        s->ranges.values_a = case_fresh_buffer(c, s->n);
        s->ranges.values_b = case_buffer(c, s->n);
    }
    s->ranges.counts = case_buffer(c, 1);
    s->ranges.bits_word = SORT_FIXED_BITS;
    s->ranges.scratch = case_buffer(c, sort_scratch_bytes(s->n, s->bits) / 4u);
}

/* Each value says where its key stood. */
static void fill_values(const bench_case *c, const sort_case *s)
{
    uint32_t *values = bench_allocate(4u * (uint64_t)s->n);
    for (uint32_t i = 0; i < s->n; i++)
        values[i] = i;
    case_fill(c, s->ranges.values_a, values, s->n);
    free(values);
}

static void bench_sort(bench *b, uint32_t n, uint32_t flags, uint32_t bits, const char *input)
{
    static const case_kind kind = {sizeof(sort_case), create_sort, record_sort, check_sort, destroy_sort};
    bench_case c;
    bool with_values = flags & SORT_WITH_VALUES;
    uint32_t words = words_of(flags);
    if (!case_begin(b, &c, n, "sort_%s_u%u_b%u_%s", with_values ? "pairs" : "keys", 32u * words, bits, input))
        return;
    sort_case s = {.n = n, .flags = flags, .bits = bits};
    take_buffers(&c, &s);
    if (!case_make_buffers(&c))
        return;
    uint32_t *keys = bench_allocate(4u * words * (uint64_t)n);
    fill_keys(keys, n, input, words, bits);
    case_fill(&c, s.ranges.keys_a, keys, words * (uint64_t)n);
    case_fill(&c, s.ranges.counts, &n, 1);
    if (with_values)
        fill_values(&c, &s);
    s.keys = keys;
    double moved = words + 2.0 * ((bits + 7u) / 8u) * (words + (with_values ? 1.0 : 0.0));
    case_run(&c, &kind, &s, 4.0 * moved * n);
    free(keys);
}

/* Returns whether a case is run without --all. The kinds that say least are left out. */
static bool is_usual(uint32_t flags, uint32_t bits, const char *kind)
{
    if (strcmp(kind, "random") == 0)
        return bits == 20u || bits == (flags & SORT_U64_KEYS ? 64u : 32u);
    return flags == SORT_WITH_VALUES && bits == 32u;
}

static void bench_comparators(bench *b, uint32_t n, const char *kind)
{
    bench_reorder(b, n, kind);
    bench_quicksort(b, n, kind);
}

void bench_sorts(bench *b, uint32_t n)
{
    static const char *const kinds[] = {"random", "and3", "sorted", "equal"};
    static const uint32_t widths[] = {8, 16, 20, 24, 32, 40, 48, 56, 64};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && (b->all || k == 0u); k++)
        bench_comparators(b, n, kinds[k]);
    for (uint32_t flags = 0; flags < 4u; flags++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
                bool fits = widths[w] <= 32u || flags & SORT_U64_KEYS;
                if (fits && (b->all || is_usual(flags, widths[w], kinds[k])))
                    bench_sort(b, n, flags, widths[w], kinds[k]);
            }
        }
    }
}
