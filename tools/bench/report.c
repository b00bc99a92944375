/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench.h"

#include <stdlib.h>

void report_head(const bench *b)
{
    pietra_device_info info;
    gpu_get_info(b->device, &info);
    fprintf(b->table, "%s, %u runs, copy %.0f GB/s\n", info.name, b->runs, b->copy_bandwidth);
    fprintf(b->table, "%-30s %10s %10s %10s %10s %9s %8s %6s\n", "case", "n", "median us", "min us", "p90 us",
            "G items/s", "GB/s", "copy");
}

void report_clear(const bench *b)
{
    if (b->progress)
        fputs("\r\033[K", stderr);
}

void report_row(bench *b, const bench_row *row)
{
    if (b->row_count == b->row_capacity) {
        b->row_capacity = b->row_capacity ? 2u * b->row_capacity : 64u;
        b->rows = realloc(b->rows, b->row_capacity * sizeof *b->rows);
        if (!b->rows)
            bench_stop("out of memory");
    }
    b->rows[b->row_count++] = *row;
    b->wrong += !row->right;
    if (b->silent)
        return;
    report_clear(b);
    fprintf(b->table, "%-30s %10u %10.1f %10.1f %10.1f %9.3f", row->name, row->n, row->median, row->minimum, row->p90,
            row->items);
    if (row->bytes > 0.0)
        fprintf(b->table, " %8.0f %5.0f%%", row->bytes, 100.0 * row->share);
    else
        fprintf(b->table, " %8s %6s", "-", "-");
    fprintf(b->table, "%s\n", row->right ? "" : "  WRONG");
    fflush(b->table);
}

void report_skip(bench *b, const bench_skip *skip)
{
    bench_skip *skips = realloc(b->skips, (b->skip_count + 1u) * sizeof *skips);
    if (!skips)
        bench_stop("out of memory");
    b->skips = skips;
    b->skips[b->skip_count++] = *skip;
    if (b->silent)
        return;
    report_clear(b);
    fprintf(b->table, "%-30s %10u skipped: %s\n", skip->name, skip->n, skip->why);
    fflush(b->table);
}

/* Unknown figures are empty. */
void report_csv(const bench *b, FILE *file)
{
    fputs("case,n,median_us,min_us,p90_us,gitems_per_s,gbytes_per_s,share_of_copy,right,skipped\n", file);
    for (size_t i = 0; i < b->row_count; i++) {
        const bench_row *row = &b->rows[i];
        fprintf(file, "%s,%u,%.3f,%.3f,%.3f,%.4f,", row->name, row->n, row->median, row->minimum, row->p90, row->items);
        if (row->bytes > 0.0)
            fprintf(file, "%.2f,%.4f,", row->bytes, row->share);
        else
            fputs(",,", file);
        fprintf(file, "%s,\n", !b->check ? "" : row->right ? "1" : "0");
    }
    for (size_t i = 0; i < b->skip_count; i++)
        fprintf(file, "%s,%u,,,,,,,,\"%s\"\n", b->skips[i].name, b->skips[i].n, b->skips[i].why);
}

/* Unknown figures are null. */
void report_json(const bench *b, FILE *file)
{
    pietra_device_info info;
    gpu_get_info(b->device, &info);
    fprintf(file, "{\"device\": \"%s\", \"runs\": %u, \"copy_gbytes_per_s\": %.2f, \"rows\": [", info.name, b->runs,
            b->copy_bandwidth);
    for (size_t i = 0; i < b->row_count; i++) {
        const bench_row *row = &b->rows[i];
        fprintf(
            file,
            "%s\n{\"case\": \"%s\", \"n\": %u, \"median_us\": %.3f, \"min_us\": %.3f, \"p90_us\": %.3f, \"gitems_per_s\": %.4f, ",
            i ? "," : "", row->name, row->n, row->median, row->minimum, row->p90, row->items);
        if (row->bytes > 0.0)
            fprintf(file, "\"gbytes_per_s\": %.2f, \"share_of_copy\": %.4f, ", row->bytes, row->share);
        else
            fputs("\"gbytes_per_s\": null, \"share_of_copy\": null, ", file);
        fprintf(file, "\"right\": %s}", !b->check ? "null" : row->right ? "true" : "false");
    }
    fputs("\n], \"skipped\": [", file);
    for (size_t i = 0; i < b->skip_count; i++)
        fprintf(file, "%s\n{\"case\": \"%s\", \"n\": %u, \"why\": \"%s\"}", i ? "," : "", b->skips[i].name,
                b->skips[i].n, b->skips[i].why);
    fputs("\n]}\n", file);
}
