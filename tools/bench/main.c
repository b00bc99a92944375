/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* bench: measures how fast the primitives are, by the device's own timestamps. Every result is checked against a loop
 * on the host. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "tune.h"

#define STAGING_BYTES (UINT64_C(32) << 20)
#define COPY_LOG2 26u
#define COPY_LOG2_SOFTWARE 20u

static void set_tuning(bench *b, const char *text)
{
    char name[BENCH_NAME];
    const char *value = strchr(text, '=');
    if (!value || (size_t)(value - text) >= sizeof name)
        bench_stop("--set %s: NAME=N, please", text);
    snprintf(name, sizeof name, "%.*s", (int)(value - text), text);
    char *end;
    unsigned long number = strtoul(value + 1, &end, 10);
    if (!value[1] || *end || number > UINT32_MAX || !tuning_set(&b->tuning, name, (uint32_t)number))
        bench_stop("--set %s: no such entry, or not this value", text);
}

/* This comes after the device is open, because the table belongs to it. A table that is tuned anew as a whole starts
 * from the defaults. */
static void set_all(bench *b, const bench_options *o)
{
    b->tuning = o->tune && !o->only ? tuning_of(gpu_get_limits(b->device)) : tuning_for(b->device);
    for (uint32_t i = 0; i < o->set_count; i++)
        set_tuning(b, o->sets[i]);
    if (!tuning_fits(gpu_get_limits(b->device), &b->tuning))
        bench_stop("--set: the kernels cannot be made with this table on this device");
    b->options.tuning = &b->tuning;
}

static void open_device(bench *b, const bench_options *o)
{
    pietra_error error = {0};
    const pietra_device_options device = {.kind = PIETRA_DEVICE_GPU, .gpu_name = o->device};
    bench_must(gpu_open(&device, &error, &b->device), &error);
    bench_must(gpu_recorder_create(b->device, &error, &b->recorder), &error);
    bench_must(gpu_buffer_create(b->device, STAGING_BYTES, GPU_MEMORY_UPLOAD, &error, &b->up), &error);
    bench_must(gpu_buffer_create(b->device, STAGING_BYTES, GPU_MEMORY_READBACK, &error, &b->down), &error);
}

/* This is measured first, since everything is compared with it. */
static void measure_bandwidth(bench *b)
{
    bench quiet = bench_quietly(b);
    quiet.only = NULL;
    quiet.progress = false;
    bench_copy(&quiet, 1u << (gpu_get_limits(b->device)->hardware ? COPY_LOG2 : COPY_LOG2_SOFTWARE));
    if (quiet.row_count)
        b->copy_bandwidth = quiet.rows[0].bytes;
    b->wrong += quiet.wrong;
    bench_forget(&quiet);
}

/* NULL stays NULL. The file keeps its content until there is something to write. */
static FILE *open_file(const char *name)
{
    FILE *file = !name ? NULL : strcmp(name, "-") == 0 ? stdout : fopen(name, "a");
    if (name && !file)
        bench_stop("%s: cannot be written", name);
    return file;
}

static FILE *emptied(FILE *file, const char *name)
{
    FILE *empty = file && file != stdout ? freopen(name, "w", file) : file;
    if (file && !empty)
        bench_stop("%s: cannot be written", name);
    return empty;
}

static void close_file(FILE *file, const char *name)
{
    if (file && (fflush(file) || ferror(file) || (file != stdout && fclose(file))))
        bench_stop("%s: cannot be written", name);
}

static void write_report(const bench *b, void (*write)(const bench *b, FILE *file), FILE *file, const char *name)
{
    FILE *report = emptied(file, name);
    if (report)
        write(b, report);
    close_file(report, name);
}

static void measure(bench *b, const bench_options *o)
{
    /* Files are opened before all work, so that a bad path is reported at once. */
    FILE *csv = open_file(o->csv), *json = open_file(o->json), *plot = open_file(o->plot);
    b->table = csv == stdout || json == stdout || plot == stdout ? stderr : stdout;
    report_head(b);
    /* Sizes go down, so that the first buffers serve all. */
    for (uint32_t log2 = o->max; log2 + 1u > o->min && log2 <= o->max; log2 -= o->step) {
        uint32_t n = 1u << log2;
        bench_copy(b, n);
        bench_scan(b, n);
        bench_segmented_scan(b, n);
        bench_compact(b, n);
        bench_split(b, n);
        bench_histogram(b, n);
        bench_sorts(b, n);
        bench_stacks(b, n);
    }
    if (!b->row_count && !b->skip_count)
        bench_stop("--only %s: no case has such a name", o->only);
    write_report(b, report_csv, csv, o->csv);
    write_report(b, report_json, json, o->json);
    write_report(b, report_plot, plot, o->plot);
}

int main(int argc, char **argv)
{
    bench_options o;
    options_parse(&o, argc, argv);
    if (o.help) {
        options_print_help();
        return 0;
    }
    gpu_buffer slots[BENCH_MAX_BUFFERS] = {{0}};
    bench b = {.slots = slots,
               .table = stdout,
               .only = o.only,
               .runs = o.runs,
               .warm_up = true,
               .all = o.all,
               .check = !o.no_check,
               .progress = isatty(STDERR_FILENO)};
    b.options.spin_limit = o.spin_limit;
    open_device(&b, &o);
    set_all(&b, &o);
    if (o.occupancy) {
        FILE *picture = open_file(o.plot);
        b.table = picture == stdout ? stderr : stdout;
        picture = emptied(picture, o.plot);
        bench_occupancy(&b, picture);
        close_file(picture, o.plot);
    } else if (o.tune) {
        bench_tune(&b);
    } else {
        measure_bandwidth(&b);
        measure(&b, &o);
    }
    bench_forget(&b);
    for (size_t i = 0; i < BENCH_MAX_BUFFERS; i++)
        gpu_buffer_destroy(b.device, &slots[i]);
    gpu_buffer_destroy(b.device, &b.up);
    gpu_buffer_destroy(b.device, &b.down);
    gpu_recorder_destroy(b.recorder);
    gpu_close(b.device);
    if (fflush(stdout) || ferror(stdout))
        bench_stop("standard output cannot be written");
    return b.wrong ? 1 : 0;
}
