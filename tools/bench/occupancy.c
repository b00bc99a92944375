/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Occupancy: the registers and shared memory of each kernel of the primitives, how many of its workgroups are resident
 * on a multiprocessor at once, and what limits that number. The result is a table and a picture. The number of resident
 * workgroups is measured by a kernel with the same workgroup size and shared memory, which counts the workgroups that
 * are present. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "layout/primitive.h"
#include "primitive/device_wide/compact.h"
#include "primitive/device_wide/histogram.h"
#include "primitive/device_wide/scan.h"
#include "primitive/device_wide/segmented_scan.h"
#include "primitive/device_wide/sort_families.h"
#include "primitive/device_wide/split.h"
#include "primitive/device_wide/stack_monoid.h"

static const uint32_t residency_spv[] = {
#include "spv/residency.inc"
};

#define GROUPS 32768u
#define GROUPS_SOFTWARE 64u

typedef struct residency_case {
    gpu_program *program;
    gpu_range counters;
    uint32_t groups;
} residency_case;

static void record_residency(gpu_recorder *recorder, void *user)
{
    const residency_case *r = user;
    gpu_dispatch(recorder, r->program, &r->counters, NULL, r->groups, 1, 1);
}

/* Returns how many workgroups the device runs at once; 0: it has too little shared memory for one. */
static uint32_t residency(bench *b, uint32_t invocations, uint32_t shared_words)
{
    static const primitive_program_info info = {
        .name = "residency", .spirv = residency_spv, .word_count = sizeof residency_spv / 4, .buffer_count = 1};
    const gpu_limits *limits = gpu_get_limits(b->device);
    if (invocations > limits->max_workgroup_invocations || 4u * shared_words > limits->shared_bytes)
        return 0;
    pietra_error error = {0};
    bench_case c;
    residency_case r = {.groups = limits->hardware ? GROUPS : GROUPS_SOFTWARE};
    const uint32_t zeros[2] = {0, 0};
    double ignored;
    bench quiet = bench_quietly(b);
    quiet.only = NULL;
    quiet.progress = false;
    case_begin(&quiet, &c, 1, "residency");
    primitive_shape shape = {.invocations = invocations, .shared_words = shared_words};
    bench_must(primitive_program_create_shaped(b->device, &info, shape, NULL, &error, &r.program), &error);
    r.counters = case_fresh_buffer(&c, 2);
    if (!case_make_buffers(&c))
        bench_stop("no room for two counters");
    case_fill(&c, r.counters, zeros, 2);
    case_time(&c, record_residency, &r, 1, &ignored);
    uint32_t *counters = case_read(&c, r.counters);
    uint32_t peak = counters[1];
    free(counters);
    gpu_program_destroy(r.program);
    return peak;
}

/* What the driver says about a kernel, and how many of its workgroups are resident on a multiprocessor. */
typedef struct kernel {
    char name[BENCH_NAME];
    uint32_t invocations;
    uint32_t items;                   /* per invocation; 0: the kernel's items are not tuned */
    uint32_t registers, shared_bytes; /* 0: the driver does not say */
    uint32_t resident;                /* workgroups on a multiprocessor, or on the device if it does not say how many
                                * multiprocessors it has */
    const char *limit;                /* "-": not known */
} kernel;

#define MAX_KERNELS 64u

typedef struct kernel_list {
    bench *b;
    kernel kernels[MAX_KERNELS];
    uint32_t count;
} kernel_list;

/* Drivers name statistics as they like. These are the names of NVIDIA and AMD. */
static void take_statistic(void *user, const char *name, double value)
{
    kernel *k = user;
    if (strstr(name, "Register Count") || strcmp(name, "VGPRs") == 0)
        k->registers = (uint32_t)value;
    if (strstr(name, "Shared Memory") || strstr(name, "LDS"))
        k->shared_bytes = (uint32_t)value;
}

static void take_kernel(void *user, const gpu_program_info *info)
{
    kernel_list *list = user;
    pietra_error error = {0};
    if (list->count == MAX_KERNELS)
        bench_stop("more than %u kernels", MAX_KERNELS);
    kernel *k = &list->kernels[list->count++];
    *k = (kernel){.invocations = info->constants[PRIMITIVE_CONSTANT_INVOCATIONS],
                  .items = info->constants[PRIMITIVE_CONSTANT_ITEMS]};
    snprintf(k->name, sizeof k->name, "%s", info->name);
    bench_must(gpu_program_statistics(list->b->device, info, take_statistic, k, &error), &error);
}

static void take_kernels(kernel_list *list)
{
    gpu_device *device = list->b->device;
    pietra_error error = {0};
    primitive_options options = list->b->options;
    options.observe = take_kernel;
    options.observe_user = list;
    scan_kernels scan;
    compact_kernels compact;
    primitive_kernel segmented, split;
    gpu_program *histogram;
    stack_kernels *stack;
    bench_must(scan_create(device, &options, &error, &scan), &error);
    bench_must(segmented_scan_create(device, &options, &error, &segmented), &error);
    bench_must(compact_create(device, &options, &error, &compact), &error);
    bench_must(split_create(device, &options, &error, &split), &error);
    bench_must(histogram_create(device, &options, &error, &histogram), &error);
    bench_must(stack_monoid_create(device, &options, &error, &stack), &error);
    for (uint32_t flags = 0; flags < 4u; flags++) {
        sort_kernels *sort;
        bench_must(sort_create(device, sort_family_of(flags), &options, &error, &sort), &error);
        sort_destroy(sort);
    }
    scan_destroy(&scan);
    primitive_kernel_destroy(&segmented);
    compact_destroy(&compact);
    primitive_kernel_destroy(&split);
    gpu_program_destroy(histogram);
    stack_monoid_destroy(stack);
}

/* Vulkan does not report how many registers a multiprocessor has. NVIDIA's have had this many since 2012, allocated in
 * portions of 8 for each invocation. */
#define NVIDIA_REGISTERS 65536u

static bool registers_are_known(const gpu_limits *limits)
{
    return limits->multiprocessors && limits->vendor == GPU_VENDOR_NVIDIA;
}

/* Says what the table cannot show for this device. */
static const char *unknown_limits(const gpu_limits *limits)
{
    if (!limits->statistics)
        return "The driver reports neither registers nor shared memory (VK_KHR_pipeline_executable_properties): no limit by these is known.";
    if (!registers_are_known(limits))
        return "How many registers a multiprocessor has is known of NVIDIA's alone: a limit by registers may be lower than what is shown.";
    return NULL;
}

/* The limits by workgroup size and by shared memory are measured, with a kernel of few registers. The limit by
 * registers is computed. */
static void limit_kernel(bench *b, kernel *k)
{
    const gpu_limits *limits = gpu_get_limits(b->device);
    uint32_t parts = limits->multiprocessors ? limits->multiprocessors : 1u;
    uint32_t bare = residency(b, k->invocations, 1u) / parts;
    k->resident = residency(b, k->invocations, (k->shared_bytes + 3u) / 4u + 1u) / parts;
    k->limit = !limits->statistics ? "-" : k->resident < bare ? "shared memory" : "invocations";
    if (registers_are_known(limits) && k->registers) {
        uint32_t by_registers = NVIDIA_REGISTERS / ((k->registers + 7u) / 8u * 8u * k->invocations);
        if (by_registers < k->resident) {
            k->resident = by_registers;
            k->limit = "registers";
        }
    }
}

static uint32_t subgroups_of(const bench *b, const kernel *k)
{
    return k->resident * k->invocations / gpu_get_limits(b->device)->subgroup_size;
}

/* Unknown figures are dashes. */
typedef struct kernel_texts {
    char items[12], registers[12], shared_bytes[12];
} kernel_texts;

static void print_known(char text[12], uint32_t number)
{
    snprintf(text, 12, number ? "%u" : "-", number);
}

static kernel_texts texts_of(const kernel *k)
{
    kernel_texts texts;
    print_known(texts.items, k->items);
    print_known(texts.registers, k->registers);
    print_known(texts.shared_bytes, k->shared_bytes);
    return texts;
}

static void print_kernels(const bench *b, const kernel_list *list)
{
    const gpu_limits *limits = gpu_get_limits(b->device);
    fprintf(b->table, "%u multiprocessors, at most %u subgroups of %u in each%s\n", limits->multiprocessors,
            limits->multiprocessor_subgroups, limits->subgroup_size,
            limits->multiprocessors ? "" : " (not reported: what follows concerns the whole device)");
    if (unknown_limits(limits))
        fprintf(b->table, "%s\n", unknown_limits(limits));
    fprintf(b->table, "%-24s %9s %5s %9s %9s %10s %9s  %s\n", "kernel", "workgroup", "items", "registers", "shared B",
            "workgroups", "subgroups", "limited by");
    for (uint32_t i = 0; i < list->count; i++) {
        const kernel *k = &list->kernels[i];
        kernel_texts texts = texts_of(k);
        fprintf(b->table, "%-24s %9u %5s %9s %9s %10u %9u  %s\n", k->name, k->invocations, texts.items, texts.registers,
                texts.shared_bytes, k->resident, subgroups_of(b, k), k->limit);
    }
}

#define ROW 20.0
#define BAR_LEFT 300.0
#define BAR_WIDTH 320.0
#define PICTURE_WIDTH 860.0

/* Draws a bar for each kernel: its share of the subgroups that a multiprocessor can hold. */
static void draw_kernels(const bench *b, const kernel_list *list, FILE *file)
{
    uint32_t most = gpu_get_limits(b->device)->multiprocessor_subgroups;
    for (uint32_t i = 0; i < list->count; i++)
        most = subgroups_of(b, &list->kernels[i]) > most ? subgroups_of(b, &list->kernels[i]) : most;
    const char *unknown = unknown_limits(gpu_get_limits(b->device));
    double height = ROW * (list->count + 3.0);
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" font-size=\"12\">\n",
        PICTURE_WIDTH, height);
    fprintf(file, "<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n", PICTURE_WIDTH, height);
    fprintf(
        file,
        "<text x=\"8\" y=\"14\">kernel, invocations x items, registers</text><text x=\"%g\" y=\"14\">subgroups resident, of %u</text>\n",
        BAR_LEFT, most);
    for (uint32_t i = 0; i < list->count; i++) {
        const kernel *k = &list->kernels[i];
        double y = ROW * (i + 1.0), width = most ? BAR_WIDTH * subgroups_of(b, k) / most : 0.0;
        const char *colour = k->limit[0] == 'r' ? "#b5543c" : k->limit[0] == 's' ? "#c79a3a" : "#4b7f52";
        kernel_texts texts = texts_of(k);
        fprintf(file, "<text x=\"8\" y=\"%g\">%s, %u x %s, %s</text>\n", y + 14.0, k->name, k->invocations, texts.items,
                texts.registers);
        fprintf(file, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#eee\"/>", BAR_LEFT, y + 3.0,
                BAR_WIDTH, ROW - 6.0);
        fprintf(file, "<rect x=\"%g\" y=\"%g\" width=\"%.1f\" height=\"%g\" fill=\"%s\"/>", BAR_LEFT, y + 3.0, width,
                ROW - 6.0, colour);
        fprintf(file, "<text x=\"%g\" y=\"%g\">%u: %u workgroup%s%s%s</text>\n", BAR_LEFT + BAR_WIDTH + 8.0, y + 14.0,
                subgroups_of(b, k), k->resident, k->resident == 1 ? "" : "s", k->limit[0] == '-' ? "" : ", by ",
                k->limit[0] == '-' ? "" : k->limit);
    }
    if (unknown)
        fprintf(file, "<text x=\"8\" y=\"%g\">%s</text>\n", ROW * (list->count + 1.0) + 14.0, unknown);
    fputs("</svg>\n", file);
}

void bench_occupancy(bench *b, FILE *picture)
{
    static const uint32_t sizes[] = {64, 128, 256, 512, 1024};
    static const uint32_t kilobytes[] = {1, 4, 8, 12, 16, 20, 24, 32, 40, 47};
    kernel_list list = {.b = b};
    take_kernels(&list);
    for (uint32_t i = 0; i < list.count; i++)
        limit_kernel(b, &list.kernels[i]);
    print_kernels(b, &list);
    if (picture)
        draw_kernels(b, &list, picture);
    fprintf(b->table, "\nworkgroups resident at once on the device, by invocations and KiB of shared memory\n%8s", "");
    for (size_t k = 0; k < sizeof kilobytes / sizeof kilobytes[0]; k++)
        fprintf(b->table, " %6u", kilobytes[k]);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        fprintf(b->table, "\n%8u", sizes[s]);
        for (size_t k = 0; k < sizeof kilobytes / sizeof kilobytes[0]; k++)
            fprintf(b->table, " %6u", residency(b, sizes[s], 256u * kilobytes[k]));
        fflush(b->table);
    }
    fputc('\n', b->table);
}
