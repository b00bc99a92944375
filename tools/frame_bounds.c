/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* frame_bounds: compares what frames of SVG files count with the bounds that are known before.
 *
 *     frame_bounds [--size PIXELS] [--turn DEGREES] [--zoom FACTOR] FILE.svg ...
 *
 * The longer side gets PIXELS pixels. --turn turns the drawing about its middle, and --zoom enlarges it there, so that
 * the frame shows a part. Prints a table in markdown with a row for each file: the counts of lines, tile_lines,
 * tile_commands and rows, how many times as large each bound is, the bounds of what is spilled and of the work in a
 * tile, and the microseconds that the sums and the bounds take, the least of several runs. */
#include <math.h>
#include <pietra/pietra.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/transform.h"
#include "render/bounds/bounds.h"
#include "render/frame/config.h"
#include "render/frame/parts.h"
#include "render/reference/reference.h"
#include "render/reference/reference_renderer.h"

#define RUNS 9

static double size = 1920, turn_degrees = 0, zoom = 1;

static void stop(const char *name, const char *why)
{
    fprintf(stderr, "frame_bounds: %s: %s\n", name, why);
    exit(1);
}

static pietra_stream *read_drawing(const char *name, double *width, double *height)
{
    pietra_error error = {.result = PIETRA_ERROR_MEMORY, .message = "out of memory"};
    pietra_scene *scene = pietra_scene_create();
    pietra_stream *stream = NULL;
    FILE *file = fopen(name, "rb");
    if (!scene || !file || fseek(file, 0, SEEK_END) != 0)
        stop(name, "cannot be read");
    const long count = ftell(file);
    char *bytes = malloc((size_t)count + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, (size_t)count, file) != (size_t)count)
        stop(name, "cannot be read");
    fclose(file);
    if (pietra_scene_load_svg(scene, bytes, (size_t)count, NULL, &error, width, height) != PIETRA_OK ||
        pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        stop(name, error.message);
    pietra_scene_destroy(scene);
    free(bytes);
    return stream;
}

static void copy_counters(void *user, const reference_frame *frame)
{
    *(frame_counters *)user = frame->counters;
}

static double ratio(double bound, double count)
{
    return count > 0 ? bound / count : 0;
}

static void print_row(const char *name, const frame_counters *counts, const frame_bounds *bounds, double sums_us,
                      double bounds_us)
{
    const char *stem = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    printf("| %s | %u | %.2f | %u | %.2f | %u | %.2f | %u | %.2f | %u | %.0f | %u | %.0f | %.0f | %.1f |\n", stem,
           counts->line_count, ratio(bounds->lines, counts->line_count), counts->tile_line_count,
           ratio(bounds->tile_lines, counts->tile_line_count), counts->tile_command_count,
           ratio(bounds->tile_commands, counts->tile_command_count), counts->row_count,
           ratio(bounds->rows, counts->row_count), counts->spill_count, bounds->spill, counts->fine_work,
           bounds->fine_work, sums_us, bounds_us);
    if ((double)counts->line_count > bounds->lines || (double)counts->tile_line_count > bounds->tile_lines ||
        (double)counts->tile_command_count > bounds->tile_commands || (double)counts->row_count > bounds->rows ||
        (double)counts->spill_count > bounds->spill || (double)counts->fine_work > bounds->fine_work ||
        (double)counts->task_count > bounds->tasks || (double)counts->measure_count > bounds->measures ||
        (double)counts->dash_task_count > bounds->dash_tasks)
        stop(name, "a count is above its bound");
}

static void compare(const char *name)
{
    double width, height, sums_us = 1e9, bounds_us = 1e9;
    pietra_stream *stream = read_drawing(name, &width, &height);
    const double scale = size / fmax(width, height);
    const pietra_target target = {.width = (uint32_t)ceil(width * scale), .height = (uint32_t)ceil(height * scale)};
    pietra_transform t =
        transform_multiply(transform_scale(scale * zoom, scale * zoom), transform_translate(-width / 2, -height / 2));
    t = transform_multiply(transform_rotate(turn_degrees), t);
    t = transform_multiply(transform_translate(width * scale / 2, height * scale / 2), t);
    pietra_error error = {.message = "out of memory"};
    frame_config config;
    frame_counters counts = {0};
    frame_bounds bounds = {0};
    stream_sums sums = {0};
    if (config_of_frame(&(pietra_frame){.transform = t}, &target, &error, &config) != PIETRA_OK)
        stop(name, error.message);
    config.fine_work = 1u << 20;
    for (int i = 0; i < RUNS; i++) {
        stream_sums_free(&sums);
        const double start = clock_ms();
        if (!stream_sums_make(stream, &sums))
            stop(name, "out of memory");
        const double middle = clock_ms();
        bounds = frame_bounds_of(&sums, &config);
        sums_us = fmin(sums_us, 1e3 * (middle - start));
        bounds_us = fmin(bounds_us, 1e3 * (clock_ms() - middle));
    }
    if (!sums.is_bounded) {
        printf("| %s | has surfaces or effects |\n", name);
    } else {
        part_budget budget = part_budget_of(UINT64_MAX);
        if (reference_visit_tiles(stream, &config, &budget, copy_counters, &counts, &error) != PIETRA_OK)
            stop(name, error.message);
        print_row(name, &counts, &bounds, sums_us, bounds_us);
    }
    stream_sums_free(&sums);
    pietra_stream_destroy(stream);
}

int main(int argc, char **argv)
{
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2)
        *(strcmp(argv[i], "--size") == 0   ? &size
          : strcmp(argv[i], "--turn") == 0 ? &turn_degrees
                                           : &zoom) = atof(argv[i + 1]);
    puts("| file | lines | bound | tile_lines | bound | tile_commands | bound | rows | bound | spilled | bound |"
         " work | bound | sums, us | bounds, us |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (; i < argc; i++)
        compare(argv[i]);
    return 0;
}
