#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "layout/primitive.h"
#include "primitive/sort.h"

typedef struct sort_case {
    sort_kernels *kernels;
    sort_ranges ranges;
    uint32_t n, bits;
} sort_case;

static void record_sort(gpu_recorder *recorder, void *user)
{
    const sort_case *c = user;
    sort_record(recorder, c->kernels, &c->ranges, c->n, c->bits);
}

/* Key i of an array, and what of it counts. */
static uint64_t key_at(const uint32_t *keys, uint32_t i, uint32_t words)
{
    return words == 2u ? keys[2u * (uint64_t)i] | (uint64_t)keys[2u * (uint64_t)i + 1u] << 32 : keys[i];
}

static uint64_t significant(uint64_t key, uint32_t bits)
{
    return bits >= 64u ? key : key & ((UINT64_C(1) << bits) - 1u);
}

bool keys_are_sorted(const uint32_t *keys, const uint32_t *values, const uint32_t *before, uint32_t n, uint32_t words, uint32_t bits)
{
    uint64_t sum = 0, sum_before = 0, last = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t whole = key_at(keys, i, words), key = significant(whole, bits);
        sum += whole * (whole | 1u);
        sum_before += key_at(before, i, words) * (key_at(before, i, words) | 1u);
        if (values && (values[i] >= n || key_at(before, values[i], words) != whole))
            return false;
        if (i && (last > key || (values && last == key && values[i - 1u] >= values[i])))
            return false;
        last = key;
    }
    return sum == sum_before;
}

static bool check(const bench_case *c, const sort_case *s, const uint32_t *before, uint32_t words, bool with_values)
{
    uint32_t *plan = case_read(c, (gpu_range){s->ranges.scratch.buffer, s->ranges.scratch.offset, sizeof(sort_plan)});
    bool in_b = plan[0] != 0u;
    uint32_t *keys = case_read(c, in_b ? s->ranges.keys_b : s->ranges.keys_a);
    uint32_t *values = with_values ? case_read(c, in_b ? s->ranges.values_b : s->ranges.values_a) : NULL;
    bool right = keys_are_sorted(keys, values, before, s->n, words, s->bits);
    free(plan);
    free(keys);
    free(values);
    return right;
}

static void bench_sort(bench *b, uint32_t n, uint32_t flags, uint32_t bits, const char *kind)
{
    bench_case c;
    pietra_error error = {0};
    bool with_values = flags & SORT_WITH_VALUES;
    uint32_t words = flags & SORT_WIDE_KEYS ? 2u : 1u;
    if (!case_begin(b, &c, n, "sort_%s_u%u_b%u_%s", with_values ? "pairs" : "keys", 32u * words, bits, kind))
        return;
    sort_case s = {.n = n, .bits = bits};
    bench_must(sort_create(b->device, flags, &b->options, &error, &s.kernels), &error);
    uint32_t *keys = bench_allocate(4u * words * (uint64_t)n);
    uint32_t *values = bench_allocate(with_values ? 4u * (uint64_t)n : 4u);
    fill_words(keys, n, kind, words);
    s.ranges.keys_a = case_input(&c, keys, words * (uint64_t)n, true);
    s.ranges.keys_b = case_buffer(&c, words * (uint64_t)n);
    if (with_values) {
        for (uint32_t i = 0; i < n; i++)
            values[i] = i;
        s.ranges.values_a = case_input(&c, values, n, true);
        s.ranges.values_b = case_buffer(&c, n);
    }
    free(values);
    s.ranges.counts = case_input(&c, &n, 1, false);
    s.ranges.bits_word = SORT_FIXED_BITS;
    s.ranges.scratch = case_buffer(&c, sort_scratch_bytes(n, bits) / 4u);
    bench_must(sort_check(b->device, s.kernels, &s.ranges, n, bits, &error), &error);
    case_measure(&c, record_sort, &s);
    bool right = !b->check || check(&c, &s, keys, words, with_values);
    double moved = words + 2.0 * ((bits + 7u) / 8u) * (words + (with_values ? 1.0 : 0.0));
    case_end(&c, 4.0 * moved * n, right);
    free(keys);
    sort_destroy(s.kernels);
}

/* What --all leaves out: the kinds that tell least. */
static bool is_usual(uint32_t flags, uint32_t bits, const char *kind)
{
    if (!strcmp(kind, "random"))
        return bits == 20u || bits == (flags & SORT_WIDE_KEYS ? 64u : 32u);
    return flags == SORT_WITH_VALUES && bits == 32u;
}

static void bench_comparators(bench *b, uint32_t n, const char *kind)
{
    bench_reorder(b, n, kind);
    bench_partition(b, n, kind);
}

void bench_sorts(bench *b, uint32_t n)
{
    static const char *const kinds[] = {"random", "and3", "sorted", "equal"};
    static const uint32_t widths[] = {8, 16, 20, 24, 32, 40, 48, 64};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && (b->all || k == 0u); k++)
        bench_comparators(b, n, kinds[k]);
    for (uint32_t flags = 0; flags < 4u; flags++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
                bool fits = widths[w] <= 32u || flags & SORT_WIDE_KEYS;
                if (fits && (b->all || is_usual(flags, widths[w], kinds[k])))
                    bench_sort(b, n, flags, widths[w], kinds[k]);
            }
        }
    }
}
