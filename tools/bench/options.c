/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_id {
    OPTION_DEVICE,
    OPTION_ONLY,
    OPTION_MIN,
    OPTION_MAX,
    OPTION_STEP,
    OPTION_RUNS,
    OPTION_ALL,
    OPTION_NO_CHECK,
    OPTION_SET,
    OPTION_SPIN_LIMIT,
    OPTION_CSV,
    OPTION_JSON,
    OPTION_PLOT,
    OPTION_OCCUPANCY,
    OPTION_TUNE,
    OPTION_HELP,
} option_id;

/* What bench does. */
#define MEASURES 1u
#define OCCUPIES 2u
#define TUNES 4u
#define ALL_MODES (MEASURES | OCCUPIES | TUNES)

static const struct option {
    option_id id;
    const char *name;
    const char *value; /* NULL: it takes no value */
    const char *help;
    unsigned modes; /* modes in which it has an effect */
} option_list[] = {
    {OPTION_DEVICE, "--device", "NAME", "a GPU whose name holds this text; default: the first", ALL_MODES},
    {OPTION_ONLY, "--only", "TEXT,...",
     "cases whose names hold one of these texts; with --tune, entries of the tuning table too", MEASURES | TUNES},
    {OPTION_MIN, "--min", "LOG2", "the smallest size, as a power of two; default 10", MEASURES},
    {OPTION_MAX, "--max", "LOG2", "the largest, up to 28; default 22", MEASURES},
    {OPTION_STEP, "--step", "LOG2", "from size to size; default 2", MEASURES},
    {OPTION_RUNS, "--runs", "N", "timed runs a case, up to 200; default 30", MEASURES | TUNES},
    {OPTION_ALL, "--all", NULL, "every width and kind of key, and every kind of input", MEASURES},
    {OPTION_NO_CHECK, "--no-check", NULL, "does not compare results with a loop on the host", MEASURES},
    {OPTION_SET, "--set", "NAME=N", "an entry of the tuning table (docs/primitives.md) other than the device's",
     ALL_MODES},
    {OPTION_SPIN_LIMIT, "--spin-limit", "N", "how often a workgroup polls another before it computes the result itself",
     MEASURES | TUNES},
    {OPTION_CSV, "--csv", "FILE", "writes the rows as CSV; - is standard output, and the table goes to standard error",
     MEASURES},
    {OPTION_JSON, "--json", "FILE", "as JSON, too", MEASURES},
    {OPTION_PLOT, "--plot", "FILE", "draws throughput over size as SVG; with --occupancy what a multiprocessor holds",
     MEASURES | OCCUPIES},
    {OPTION_OCCUPANCY, "--occupancy", NULL, "instead: registers and shared memory of each kernel, and what limits it",
     OCCUPIES},
    {OPTION_TUNE, "--tune", NULL,
     "instead: finds the shapes that suit the device and keeps them for the library; with --only a part of them",
     TUNES},
    {OPTION_HELP, "--help", NULL, "prints this and ends", ALL_MODES},
};
#define OPTION_COUNT (sizeof option_list / sizeof option_list[0])

void options_print_help(void)
{
    puts(
        "Usage: bench [options]\n"
        "\n"
        "Measures the primitives by the device's own timestamps and checks every result. What the device has no room for is skipped, in a line.\n"
        "A line a case: median, minimum and 90th percentile in microseconds; items and bytes a second at the median (bytes: what\n"
        "the algorithm has to read and write), and these as a share of the measured bandwidth of a copy.\n");
    for (size_t i = 0; i < OPTION_COUNT; i++)
        printf("  %-12s %-8s  %s\n", option_list[i].name, option_list[i].value ? option_list[i].value : "",
               option_list[i].help);
    puts("\nStatus: 0 all right; 1 a result was wrong; 2 the device failed, or bad arguments.");
}

static const struct option *find(const char *name)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strcmp(option_list[i].name, name) == 0)
            return &option_list[i];
    bench_stop("%s: unknown option; --help lists them", name);
}

static uint32_t number(const struct option *option, const char *text, uint32_t least, uint32_t most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (!isdigit((uint8_t)*text) || *end || value < least || value > most)
        bench_stop("%s: \"%s\" is not a number from %u to %u", option->name, text, least, most);
    return (uint32_t)value;
}

static void take(bench_options *o, const struct option *option, const char *value)
{
    switch (option->id) {
    case OPTION_DEVICE:
        o->device = value;
        break;
    case OPTION_ONLY:
        o->only = value;
        break;
    case OPTION_MIN:
        o->min = number(option, value, 0u, OPTIONS_MAX_LOG2);
        break;
    case OPTION_MAX:
        o->max = number(option, value, 0u, OPTIONS_MAX_LOG2);
        break;
    case OPTION_STEP:
        o->step = number(option, value, 1u, OPTIONS_MAX_LOG2);
        break;
    case OPTION_RUNS:
        o->runs = number(option, value, 1u, BENCH_MAX_RUNS);
        break;
    case OPTION_ALL:
        o->all = true;
        break;
    case OPTION_NO_CHECK:
        o->no_check = true;
        break;
    case OPTION_SET:
        if (o->set_count == OPTIONS_MAX_SETS)
            bench_stop("at most %u times --set", OPTIONS_MAX_SETS);
        o->sets[o->set_count++] = value;
        break;
    case OPTION_SPIN_LIMIT:
        o->spin_limit = number(option, value, 1u, UINT32_MAX);
        break;
    case OPTION_CSV:
        o->csv = value;
        break;
    case OPTION_JSON:
        o->json = value;
        break;
    case OPTION_PLOT:
        o->plot = value;
        break;
    case OPTION_OCCUPANCY:
        o->occupancy = true;
        break;
    case OPTION_TUNE:
        o->tune = true;
        break;
    case OPTION_HELP:
        o->help = true;
        break;
    }
}

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static void check_reports(const bench_options *o)
{
    if (is_same(o->csv, o->json) || is_same(o->csv, o->plot))
        bench_stop("two reports would be written to %s", o->csv);
    if (is_same(o->json, o->plot))
        bench_stop("two reports would be written to %s", o->json);
}

/* An option without an effect beside another one is a mistake. */
static void check_modes(const bench_options *o, const struct option *const *taken, int count)
{
    unsigned mode = o->occupancy ? OCCUPIES : o->tune ? TUNES : MEASURES;
    for (int i = 0; i < count; i++)
        if (!(taken[i]->modes & mode))
            bench_stop("%s does nothing with %s", taken[i]->name, o->occupancy ? "--occupancy" : "--tune");
}

void options_parse(bench_options *options, int count, char **arguments)
{
    *options = (bench_options){.min = 10, .max = 22, .step = 2, .runs = 30};
    const struct option **taken = bench_allocate((uint64_t)count * sizeof(const struct option *));
    int taken_count = 0;
    for (int i = 1; i < count; i++) {
        const struct option *option = taken[taken_count++] = find(arguments[i]);
        if (option->value && ++i == count)
            bench_stop("%s: %s is missing", option->name, option->value);
        take(options, option, option->value ? arguments[i] : NULL);
    }
    if (options->min > options->max)
        bench_stop("--min %u is above --max %u", options->min, options->max);
    check_reports(options);
    check_modes(options, taken, taken_count);
    free(taken);
}
