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

static uint32_t significant(uint32_t key, uint32_t bits)
{
    return bits >= 32u ? key : key & ((1u << bits) - 1u);
}

/* Sorted, a permutation (each value names its key), and stable (equal keys keep their order). */
static bool is_sorted(const uint32_t *keys, const uint32_t *values, const uint32_t *before, uint32_t n, uint32_t bits)
{
    uint64_t sum = 0, sum_before = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += keys[i] * (uint64_t)(keys[i] | 1u);
        sum_before += before[i] * (uint64_t)(before[i] | 1u);
        if (values && (values[i] >= n || before[values[i]] != keys[i]))
            return false;
        if (i == 0u)
            continue;
        uint32_t last = significant(keys[i - 1u], bits), key = significant(keys[i], bits);
        if (last > key || (values && last == key && values[i - 1u] >= values[i]))
            return false;
    }
    return sum == sum_before;
}

static bool check(const bench_case *c, const sort_case *s, const uint32_t *before, bool with_values)
{
    uint32_t *plan = case_read(c, (gpu_range){s->ranges.scratch.buffer, s->ranges.scratch.offset, sizeof(sort_plan)});
    bool in_b = plan[0] != 0u;
    uint32_t *keys = case_read(c, in_b ? s->ranges.keys_b : s->ranges.keys_a);
    uint32_t *values = with_values ? case_read(c, in_b ? s->ranges.values_b : s->ranges.values_a) : NULL;
    bool right = is_sorted(keys, values, before, s->n, s->bits);
    free(plan);
    free(keys);
    free(values);
    return right;
}

static void bench_sort(bench *b, uint32_t n, bool with_values, uint32_t bits, const char *kind)
{
    bench_case c;
    pietra_error error = {0};
    if (!case_begin(b, &c, n, "sort_%s_u32_b%u_%s", with_values ? "pairs" : "keys", bits, kind))
        return;
    sort_case s = {.n = n, .bits = bits};
    bench_must(sort_create(b->device, with_values, &b->options, &error, &s.kernels), &error);
    uint32_t *keys = bench_allocate(4u * (uint64_t)n);
    uint32_t *values = bench_allocate(with_values ? 4u * (uint64_t)n : 4u);
    fill_words(keys, n, kind, 1u);
    s.ranges.keys_a = case_input(&c, keys, n, true);
    s.ranges.keys_b = case_buffer(&c, n);
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
    case_measure(&c, record_sort, &s);
    bool right = !b->check || check(&c, &s, keys, with_values);
    double words = 1.0 + 2.0 * ((bits + 7u) / 8u) * (with_values ? 2.0 : 1.0);
    case_end(&c, 4.0 * words * n, right);
    free(keys);
    sort_destroy(s.kernels);
}

void bench_sorts(bench *b, uint32_t n)
{
    static const char *const kinds[] = {"random", "and3", "sorted", "equal"};
    static const uint32_t widths[] = {8, 16, 20, 24, 32};
    for (uint32_t with_values = 0; with_values < 2u; with_values++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
                if (b->all || (k == 0u ? widths[w] == 20u || widths[w] == 32u : widths[w] == 32u && with_values))
                    bench_sort(b, n, with_values, widths[w], kinds[k]);
            }
        }
    }
}
