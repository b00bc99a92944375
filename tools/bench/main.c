/* bench: how fast the primitives are, by the device's own timestamps; every result is checked against a loop on the host.
 *
 *     bench [--device NAME] [--only TEXT,...] [--min LOG2] [--max LOG2] [--step LOG2] [--runs N] [--all] [--no-check]
 *           [--set NAME=N] [--polls N] [--csv FILE] [--json FILE] [--plot FILE]
 *     bench --occupancy [--device NAME] [--set NAME=N] [--plot FILE]
 *     bench --tune [--device NAME] [--set NAME=N]
 *
 * Prints one line a case: median, minimum and 90th percentile in microseconds, items and bytes a second at the median (bytes: what
 * the algorithm has to read and write), and these as a share of the measured bandwidth of a copy. --all: every width, kind of key and
 * input. --set: one entry of the tuning table (primitive/tuning.h). Status 1: a result was wrong; 2: the device failed. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAGING_BYTES (UINT64_C(32) << 20)
#define MAX_SETS 32u
#define COPY_LOG2 26u
#define COPY_LOG2_SOFTWARE 20u

typedef struct settings {
    pietra_device_options device;
    uint32_t min, max, step;
    const char *csv, *json, *plot;
    bool occupancy, tune;
    const char *sets[MAX_SETS];
    uint32_t set_count;
} settings;

static void set_tuning(bench *b, const char *text)
{
    char name[BENCH_NAME];
    const char *value = strchr(text, '=');
    if (!value || (size_t)(value - text) >= sizeof name)
        bench_stop("--set %s: NAME=N, please", text);
    snprintf(name, sizeof name, "%.*s", (int)(value - text), text);
    if (!tuning_set(&b->tuning, name, (uint32_t)strtoul(value + 1, NULL, 0)))
        bench_stop("--set %s: no such entry, or not this value", text);
}

/* After the device is open: the table is its own. What is measured anew starts from the defaults. */
static void set_all(bench *b, const settings *s)
{
    b->tuning = s->tune ? tuning_of(gpu_get_limits(b->device)) : tuning_for(b->device);
    for (uint32_t i = 0; i < s->set_count; i++)
        set_tuning(b, s->sets[i]);
    b->options.tuning = &b->tuning;
}

static void parse(bench *b, settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (!strcmp(name, "--all")) {
            b->all = true;
            continue;
        }
        if (!strcmp(name, "--occupancy")) {
            s->occupancy = true;
            continue;
        }
        if (!strcmp(name, "--tune")) {
            s->tune = true;
            continue;
        }
        if (!strcmp(name, "--no-check")) {
            b->check = false;
            continue;
        }
        const char *value = argv[++i];
        if (i >= argc)
            bench_stop("%s: what?", name);
        if (!strcmp(name, "--device"))
            s->device.gpu_name = value;
        else if (!strcmp(name, "--only"))
            b->only = value;
        else if (!strcmp(name, "--set"))
            s->sets[s->set_count++ % MAX_SETS] = value;
        else if (!strcmp(name, "--polls"))
            b->options.polls = (uint32_t)strtoul(value, NULL, 10);
        else if (!strcmp(name, "--csv"))
            s->csv = value;
        else if (!strcmp(name, "--json"))
            s->json = value;
        else if (!strcmp(name, "--plot"))
            s->plot = value;
        else if (!strcmp(name, "--min"))
            s->min = (uint32_t)strtoul(value, NULL, 10);
        else if (!strcmp(name, "--max"))
            s->max = (uint32_t)strtoul(value, NULL, 10);
        else if (!strcmp(name, "--step"))
            s->step = (uint32_t)strtoul(value, NULL, 10);
        else if (!strcmp(name, "--runs"))
            b->runs = (uint32_t)strtoul(value, NULL, 10);
        else
            bench_stop("%s: unknown option", name);
    }
    if (s->set_count > MAX_SETS)
        bench_stop("at most %u times --set", MAX_SETS);
    if (s->min > s->max || s->max > 28u || s->step == 0u || b->runs == 0u || b->runs > BENCH_MAX_RUNS)
        bench_stop("sizes are 2^0 to 2^28 by steps of 1 or more, runs 1 to %u", BENCH_MAX_RUNS);
}

static void open_device(bench *b, const settings *s)
{
    pietra_error error = {0};
    bench_must(gpu_open(&s->device, &error, &b->device), &error);
    bench_must(gpu_recorder_create(b->device, &error, &b->recorder), &error);
    bench_must(gpu_buffer_create(b->device, STAGING_BYTES, GPU_MEMORY_UPLOAD, &error, &b->up), &error);
    bench_must(gpu_buffer_create(b->device, STAGING_BYTES, GPU_MEMORY_READBACK, &error, &b->down), &error);
}

/* Before all else, since everything is compared with it. */
static void measure_bandwidth(bench *b)
{
    bench quiet = *b;
    quiet.only = NULL;
    quiet.silent = true;
    quiet.rows = NULL;
    quiet.row_count = quiet.row_capacity = 0;
    bench_copy(&quiet, 1u << (gpu_get_limits(b->device)->hardware ? COPY_LOG2 : COPY_LOG2_SOFTWARE));
    b->copy_bandwidth = quiet.rows[0].bytes;
    memcpy(b->slots, quiet.slots, sizeof b->slots);
    free(quiet.rows);
}

static FILE *open_file(const char *name)
{
    FILE *file = !strcmp(name, "-") ? stdout : fopen(name, "w");
    if (!file)
        bench_stop("%s: cannot be written", name);
    return file;
}

static void close_file(FILE *file, const char *name)
{
    if (file != stdout && fclose(file))
        bench_stop("%s: cannot be written", name);
}

static void write_file(const bench *b, const char *name, void (*write)(const bench *b, FILE *file))
{
    if (!name)
        return;
    FILE *file = open_file(name);
    write(b, file);
    close_file(file, name);
}

static void tell_occupancy(bench *b, const char *picture)
{
    FILE *file = picture ? open_file(picture) : NULL;
    bench_occupancy(b, file);
    if (file)
        close_file(file, picture);
}

int main(int argc, char **argv)
{
    bench b = {.runs = 30, .check = true, .progress = isatty(STDERR_FILENO)};
    settings s = {.device = {.kind = PIETRA_DEVICE_GPU}, .min = 10, .max = 22, .step = 2};
    parse(&b, &s, argc, argv);
    open_device(&b, &s);
    set_all(&b, &s);
    if (s.occupancy) {
        tell_occupancy(&b, s.plot);
        goto done;
    }
    measure_bandwidth(&b);
    if (s.tune) {
        bench_tune(&b);
        goto done;
    }
    report_head(&b);
    /* Downwards, so that the first buffers serve all. */
    for (uint32_t log2 = s.max; log2 + 1u > s.min && log2 <= s.max; log2 -= s.step) {
        uint32_t n = 1u << log2;
        bench_copy(&b, n);
        bench_scan(&b, n);
        bench_lists(&b, n);
        bench_histogram(&b, n);
        bench_sorts(&b, n);
        bench_stacks(&b, n);
    }
    write_file(&b, s.csv, report_csv);
    write_file(&b, s.json, report_json);
    write_file(&b, s.plot, report_plot);

done:
    free(b.rows);
    for (size_t i = 0; i < BENCH_MAX_BUFFERS; i++)
        gpu_buffer_destroy(b.device, &b.slots[i]);
    gpu_buffer_destroy(b.device, &b.up);
    gpu_buffer_destroy(b.device, &b.down);
    gpu_recorder_destroy(b.recorder);
    gpu_close(b.device);
    return b.wrong ? 1 : 0;
}
