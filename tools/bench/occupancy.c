/* Occupancy: what the driver says of each kernel of the primitives, and how many workgroups of its shape stay on the device at once,
 * measured by a kernel of that workgroup size and shared memory that counts those that are there. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "layout/primitive.h"
#include "primitive/compact.h"
#include "primitive/histogram.h"
#include "primitive/scan.h"
#include "primitive/sort.h"
#include "primitive/split.h"
#include "primitive/stack_monoid.h"

static const uint32_t residency_spv[] = {
#include "spv/residency.inc"
};

#define GROUPS 32768u

typedef struct residency_case {
    gpu_program *program;
    gpu_range counters;
} residency_case;

static void record_residency(gpu_recorder *recorder, void *user)
{
    const residency_case *r = user;
    gpu_dispatch(recorder, r->program, &r->counters, NULL, GROUPS, 1, 1);
}

/* Workgroups of the device that run at once; 0: it has too little shared memory for one. */
static uint32_t residency(bench *b, uint32_t invocations, uint32_t shared_words)
{
    static const primitive_program_info info = {
        .name = "residency", .spirv = residency_spv, .word_count = sizeof residency_spv / 4, .buffer_count = 1};
    const gpu_limits *limits = gpu_get_limits(b->device);
    if (invocations > limits->max_workgroup_invocations || 4u * shared_words > limits->shared_bytes)
        return 0;
    pietra_error error = {0};
    bench_case c;
    residency_case r;
    const uint32_t zeros[2] = {0, 0};
    bench quiet = *b;
    quiet.only = NULL;
    quiet.runs = 1;
    case_begin(&quiet, &c, 1, "residency");
    primitive_shape shape = {.invocations = invocations, .shared_words = shared_words};
    bench_must(primitive_program_create_shaped(b->device, &info, shape, NULL, &error, &r.program), &error);
    r.counters = case_input(&c, zeros, 2, true);
    case_measure(&c, record_residency, &r);
    uint32_t *counters = case_read(&c, r.counters);
    uint32_t peak = counters[1];
    memcpy(b->slots, quiet.slots, sizeof b->slots);
    free(counters);
    gpu_program_destroy(r.program);
    return peak;
}

typedef struct kernel_report {
    const gpu_program_info *info;
    uint32_t lines;
} kernel_report;

static void print_statistic(void *user, const char *name, double value)
{
    kernel_report *report = user;
    printf("    %-40s %.0f\n", name, value);
    report->lines++;
}

static void print_kernel(void *user, const gpu_program_info *info)
{
    bench *b = user;
    pietra_error error = {0};
    kernel_report report = {info, 0};
    printf("%s: workgroups of %u\n", info->name, info->constants[PRIMITIVE_CONSTANT_INVOCATIONS]);
    bench_must(gpu_program_statistics(b->device, info, print_statistic, &report, &error), &error);
    if (report.lines == 0)
        puts("    the driver says nothing of it");
}

static void print_kernels(bench *b)
{
    pietra_error error = {0};
    primitive_options options = b->options;
    options.observe = print_kernel;
    options.observe_user = b;
    primitive_kernel scan, compact, split;
    gpu_program *histogram;
    stack_kernels *stack;
    bench_must(scan_create(b->device, &options, &error, &scan), &error);
    bench_must(compact_create(b->device, &options, &error, &compact), &error);
    bench_must(split_create(b->device, &options, &error, &split), &error);
    bench_must(histogram_create(b->device, &options, &error, &histogram), &error);
    bench_must(stack_monoid_create(b->device, &options, &error, &stack), &error);
    for (uint32_t flags = 0; flags < 4u; flags++) {
        sort_kernels *sort;
        bench_must(sort_create(b->device, flags, &options, &error, &sort), &error);
        sort_destroy(sort);
    }
    primitive_kernel_destroy(&scan);
    primitive_kernel_destroy(&compact);
    primitive_kernel_destroy(&split);
    gpu_program_destroy(histogram);
    stack_monoid_destroy(stack);
}

void bench_occupancy(bench *b)
{
    static const uint32_t sizes[] = {64, 128, 256, 512, 1024};
    static const uint32_t kilobytes[] = {1, 4, 8, 12, 16, 20, 24, 32, 40, 47};
    print_kernels(b);
    printf("\nworkgroups resident at once on the device, by invocations and KiB of shared memory\n%8s", "");
    for (size_t k = 0; k < sizeof kilobytes / sizeof kilobytes[0]; k++)
        printf(" %6u", kilobytes[k]);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        printf("\n%8u", sizes[s]);
        for (size_t k = 0; k < sizeof kilobytes / sizeof kilobytes[0]; k++)
            printf(" %6u", residency(b, sizes[s], 256u * kilobytes[k]));
        fflush(stdout);
    }
    putchar('\n');
}
