/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "layout/primitive.h"
#include "primitive/device_wide/stack_monoid.h"

#define SAW_WIDTH 4096u /* a partition of GPUs: 512 invocations, eight brackets each */

typedef struct stack_case {
    stack_kernels *kernels;
    stack_monoid_ranges ranges;
    const uint32_t *brackets;
    const stack_box *boxes;
    uint32_t n;
} stack_case;

static pietra_result create_stack(gpu_device *device, const primitive_options *options, pietra_error *error, void *user)
{
    stack_case *c = user;
    pietra_result result = stack_monoid_create(device, options, error, &c->kernels);
    return result == PIETRA_OK ? stack_monoid_check(device, &c->ranges, c->n, error) : result;
}

static void record_stack(gpu_recorder *recorder, void *user)
{
    const stack_case *c = user;
    stack_monoid_record(recorder, c->kernels, &c->ranges, c->n);
}

static bool begins(const char *kind, uint32_t i, uint32_t n, uint32_t depth, uint64_t *state)
{
    if (strcmp(kind, "chain") == 0)
        return i < n / 2u;
    if (strcmp(kind, "saw") == 0)
        return depth < n - i && i / SAW_WIDTH % 3u != 2u;
    if (strcmp(kind, "stairs") == 0)
        return i < n / 2u ? i % 3u != 2u : (n - 1u - i) % 3u == 2u;
    if (strcmp(kind, "comb") == 0)
        return depth < n - i && i % 4u != 2u;
    return depth == 0u || random_word(state) % 2u;
}

static stack_box intersection(stack_box a, stack_box b)
{
    return (stack_box){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                       a.y1 < b.y1 ? a.y1 : b.y1};
}

static bool check_stack(const bench_case *c, const void *user)
{
    static const stack_box whole = {STACK_WHOLE_MIN, STACK_WHOLE_MIN, STACK_WHOLE_MAX, STACK_WHOLE_MAX};
    const stack_case *s = user;
    uint32_t *matches = case_read(c, s->ranges.matches), *contexts = case_read(c, s->ranges.contexts);
    uint32_t *depths = case_read(c, s->ranges.depths), *open_words = case_read(c, s->ranges.open_boxes);
    const stack_box *open = (const stack_box *)(void *)open_words;
    uint32_t *stack = bench_allocate(4u * (uint64_t)s->n);
    uint32_t depth = 0;
    bool right = true;
    for (uint32_t i = 0; i < s->n && right; i++) {
        const bool is_begin = (s->brackets[i] & STACK_BEGIN) != 0;
        if (!is_begin)
            right =
                depth ? matches[i] == stack[depth - 1u] && matches[stack[depth - 1u]] == i : matches[i] == STACK_NONE;
        depth -= !is_begin && depth > 0;
        stack_box box = depth ? open[stack[depth - 1u]] : whole;
        if (is_begin) {
            box = intersection(box, s->boxes[i]);
            stack[depth++] = i;
        }
        right = right && memcmp(&box, &open[i], sizeof box) == 0 && depths[i] == depth &&
                contexts[i] == (depth ? stack[depth - 1u] : STACK_NONE);
    }
    free(matches);
    free(contexts);
    free(depths);
    free(open_words);
    free(stack);
    return right;
}

static void destroy_stack(void *user)
{
    stack_case *c = user;
    stack_monoid_destroy(c->kernels);
}

static void take_buffers(bench_case *c, stack_case *s)
{
    s->ranges.brackets = case_buffer(c, s->n);
    s->ranges.boxes = case_buffer(c, 4u * (uint64_t)s->n);
    s->ranges.count = case_buffer(c, 1);
    s->ranges.matches = case_buffer(c, s->n);
    s->ranges.contexts = case_buffer(c, s->n);
    s->ranges.depths = case_buffer(c, s->n);
    s->ranges.open_boxes = case_buffer(c, 4u * (uint64_t)s->n);
    s->ranges.scratch = case_buffer(c, stack_monoid_scratch_bytes(s->n) / 4u);
}

static void make_brackets(const char *input, uint32_t n, uint32_t *brackets, stack_box *boxes)
{
    uint64_t state = n;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool begin = begins(input, i, n, depth, &state);
        depth = begin ? depth + 1u : depth ? depth - 1u : 0u;
        brackets[i] = begin ? STACK_BEGIN : 0u;
        int32_t r = (int32_t)(random_word(&state) >> 8);
        boxes[i] = (stack_box){r - 0x1000000, -r, r, 0x1000000 - r};
    }
}

static void bench_stack(bench *b, uint32_t n, const char *input)
{
    static const case_kind kind = {sizeof(stack_case), create_stack, record_stack, check_stack, destroy_stack};
    bench_case c;
    if (!case_begin(b, &c, n, "stack_%s", input))
        return;
    stack_case s = {.n = n};
    take_buffers(&c, &s);
    if (!case_make_buffers(&c))
        return;
    uint32_t *brackets = bench_allocate(4u * (uint64_t)n);
    stack_box *boxes = bench_allocate(sizeof *boxes * (uint64_t)n);
    make_brackets(input, n, brackets, boxes);
    case_fill(&c, s.ranges.brackets, brackets, n);
    case_fill(&c, s.ranges.boxes, boxes, 4u * (uint64_t)n);
    case_fill(&c, s.ranges.count, &n, 1);
    s.brackets = brackets;
    s.boxes = boxes;
    case_run(&c, &kind, &s, 48.0 * n);
    free(brackets);
    free(boxes);
}

void bench_stacks(bench *b, uint32_t n)
{
    static const char *const inputs[] = {"random", "chain", "saw", "stairs", "comb"};
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++)
        bench_stack(b, n, inputs[k]);
}
