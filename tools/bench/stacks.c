#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "layout/primitive.h"
#include "primitive/stack_monoid.h"

#define SAW_WIDTH 1024u

typedef struct stack_case {
    stack_kernels *kernels;
    stack_monoid_ranges ranges;
    uint32_t n;
} stack_case;

static void record_stack(gpu_recorder *recorder, void *user)
{
    const stack_case *c = user;
    stack_monoid_record(recorder, c->kernels, &c->ranges, c->n);
}

static bool begins(const char *kind, uint32_t i, uint32_t n, uint32_t depth, uint64_t *state)
{
    if (!strcmp(kind, "chain"))
        return i < n / 2u;
    if (!strcmp(kind, "saw"))
        return depth < n - i && i / SAW_WIDTH % 3u != 2u;
    if (!strcmp(kind, "stairs"))
        return i < n / 2u ? i % 3u != 2u : (n - 1u - i) % 3u == 2u;
    if (!strcmp(kind, "comb"))
        return depth < n - i && i % 4u != 2u;
    return depth == 0u || random_word(state) % 2u;
}

static stack_box intersection(stack_box a, stack_box b)
{
    return (stack_box){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

static bool check(const bench_case *c, const stack_case *s, const uint32_t *brackets, const stack_box *boxes)
{
    uint32_t *matches = case_read(c, s->ranges.matches), *contexts = case_read(c, s->ranges.contexts);
    uint32_t *depths = case_read(c, s->ranges.depths), *open_words = case_read(c, s->ranges.open_boxes);
    const stack_box *open = (const stack_box *)(void *)open_words;
    uint32_t *stack = bench_allocate(4u * (uint64_t)s->n);
    uint32_t depth = 0;
    bool right = true;
    for (uint32_t i = 0; i < s->n && right; i++) {
        if (brackets[i] & STACK_BEGIN) {
            stack_box box = depth ? intersection(open[stack[depth - 1u]], boxes[i]) : boxes[i];
            right = memcmp(&box, &open[i], sizeof box) == 0;
            stack[depth++] = i;
        } else if (depth) {
            depth--;
            right = matches[i] == stack[depth] && matches[stack[depth]] == i;
        }
        right = right && contexts[i] == (depth ? stack[depth - 1u] : STACK_NONE) && depths[i] == depth;
    }
    while (right && depth)
        right = matches[stack[--depth]] == STACK_NONE;
    free(matches);
    free(contexts);
    free(depths);
    free(open_words);
    free(stack);
    return right;
}

static void bench_stack(bench *b, uint32_t n, const char *kind)
{
    bench_case c;
    pietra_error error = {0};
    if (!case_begin(b, &c, n, "stack_%s", kind))
        return;
    stack_case s = {.n = n};
    bench_must(stack_monoid_create(b->device, &b->options, &error, &s.kernels), &error);
    uint32_t *brackets = bench_allocate(4u * (uint64_t)n);
    stack_box *boxes = bench_allocate(sizeof *boxes * (uint64_t)n);
    uint64_t state = n;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool begin = begins(kind, i, n, depth, &state);
        depth = begin ? depth + 1u : depth ? depth - 1u : 0u;
        brackets[i] = begin ? STACK_BEGIN : 0u;
        int32_t r = (int32_t)(random_word(&state) >> 8);
        boxes[i] = (stack_box){r - 0x1000000, -r, r, 0x1000000 - r};
    }
    s.ranges.brackets = case_input(&c, brackets, n, false);
    s.ranges.boxes = case_input(&c, boxes, 4u * (uint64_t)n, false);
    s.ranges.count = case_input(&c, &n, 1, false);
    s.ranges.matches = case_buffer(&c, n);
    s.ranges.contexts = case_buffer(&c, n);
    s.ranges.depths = case_buffer(&c, n);
    s.ranges.open_boxes = case_buffer(&c, 4u * (uint64_t)n);
    s.ranges.scratch = case_buffer(&c, stack_monoid_scratch_bytes(n) / 4u);
    bench_must(stack_monoid_check(b->device, &s.ranges, n, &error), &error);
    case_measure(&c, record_stack, &s);
    bool right = !b->check || check(&c, &s, brackets, boxes);
    case_end(&c, 48.0 * n, right);
    free(brackets);
    free(boxes);
    stack_monoid_destroy(s.kernels);
}

void bench_stacks(bench *b, uint32_t n)
{
    static const char *const kinds[] = {"random", "chain", "saw", "stairs", "comb"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && n <= 1u << 25; k++)
        bench_stack(b, n, kinds[k]);
}
