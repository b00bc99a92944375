/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMN_FRAME, COLUMN_GPU, COLUMN_READ, COLUMN_STAGES, COLUMN_COUNT = COLUMN_STAGES + PIETRA_MAX_STAGES };

double timing_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

bool timing_add_frame(timing *timing, const pietra_stats *stats, bool warm)
{
    if (warm && !timing->warm) {
        timing->warm = true;
        timing->frame_count = 0;
    }
    if (timing->frame_count == timing->frame_capacity) {
        size_t capacity = timing->frame_capacity ? timing->frame_capacity * 2 : 4;
        double *grown = realloc(timing->samples, capacity * COLUMN_COUNT * sizeof *grown);
        if (!grown)
            return false;
        timing->samples = grown;
        timing->frame_capacity = capacity;
    }
    double *row = timing->samples + timing->frame_count++ * COLUMN_COUNT;
    row[COLUMN_FRAME] = stats->frame_ms;
    row[COLUMN_GPU] = stats->gpu_ms;
    row[COLUMN_READ] = stats->read_ms;
    for (uint32_t i = 0; i < PIETRA_MAX_STAGES; i++)
        row[COLUMN_STAGES + i] = i < stats->stage_count ? stats->stages[i].milliseconds : 0;
    if (!warm)
        timing->upload_ms = stats->upload_ms;
    if (stats->memory_bytes > timing->memory_bytes)
        timing->memory_bytes = stats->memory_bytes;
    timing->last = *stats;
    return true;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Returns the median. `scratch` has room for one number of each frame. */
static double median(const timing *timing, size_t column, double *scratch)
{
    size_t count = timing->frame_count;

    for (size_t i = 0; i < count; i++)
        scratch[i] = timing->samples[i * COLUMN_COUNT + column];
    qsort(scratch, count, sizeof *scratch, compare_doubles);
    return count == 0 ? 0 : count % 2 ? scratch[count / 2] : (scratch[count / 2 - 1] + scratch[count / 2]) / 2;
}

static void print_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        uint8_t byte = (uint8_t)*text;
        if (byte == '"' || byte == '\\')
            fprintf(file, "\\%c", byte);
        else if (byte < 0x20)
            fprintf(file, "\\u%04x", byte);
        else
            fputc(byte, file);
    }
    fputc('"', file);
}

static void print_number(FILE *file, const char *name, double value)
{
    fprintf(file, "  \"%s\": %.6g,\n", name, value);
}

static void print_object(FILE *file, const timing *timing, double *scratch)
{
    const pietra_stats *stats = &timing->last;

    fputs("{\n  \"device\": ", file);
    print_string(file, timing->device.name);
    fprintf(file, ",\n  \"width\": %u,\n  \"height\": %u,\n  \"elements\": %u,\n  \"segments\": %u,\n", timing->width,
            timing->height, stats->elements, stats->segments);
    fprintf(file, "  \"lines\": %llu,\n  \"tile_lines\": %llu,\n  \"tile_commands\": %llu,\n",
            (unsigned long long)stats->lines, (unsigned long long)stats->tile_lines,
            (unsigned long long)stats->tile_commands);
    print_number(file, "parse_ms", timing->parse_ms);
    print_number(file, "encode_ms", timing->encode_ms);
    print_number(file, "upload_ms", timing->upload_ms);
    print_number(file, "frame_ms", median(timing, COLUMN_FRAME, scratch));
    if (timing->device.kind == PIETRA_DEVICE_GPU)
        print_number(file, "gpu_ms", median(timing, COLUMN_GPU, scratch));
    fputs("  \"stages\": [", file);
    for (uint32_t i = 0; i < stats->stage_count; i++) {
        fputs(i ? ",\n    { \"name\": " : "\n    { \"name\": ", file);
        print_string(file, stats->stages[i].name);
        fprintf(file, ", \"ms\": %.6g, \"bytes\": %llu }", median(timing, COLUMN_STAGES + i, scratch),
                (unsigned long long)stats->stages[i].bytes);
    }
    fputs(stats->stage_count ? "\n  ],\n" : "],\n", file);
    print_number(file, "read_ms", median(timing, COLUMN_READ, scratch));
    print_number(file, "png_ms", timing->png_ms);
    print_number(file, "total_ms", timing_now() - timing->start);
    fprintf(file, "  \"memory_bytes\": %llu\n}\n", (unsigned long long)timing->memory_bytes);
}

status timing_write(const timing *timing, file_output *output)
{
    char *text = NULL;
    size_t length = 0;
    double *scratch = malloc((timing->frame_count + 1) * sizeof *scratch);
    FILE *file = open_memstream(&text, &length);

    if (file) {
        if (scratch)
            print_object(file, timing, scratch);
        bool fitted = !ferror(file) && scratch;
        if (fclose(file) != 0 || !fitted) {
            free(text);
            text = NULL;
        }
    }
    free(scratch);
    if (!text) {
        file_output_abandon(output);
        return report_memory(output->path);
    }
    file_output_write(output, text, length);
    free(text);
    return file_output_finish(output);
}

void timing_destroy(timing *timing)
{
    free(timing->samples);
}
