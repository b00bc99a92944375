/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* linearity: measures what a shape costs when there are ten thousand, a hundred thousand or a million of them.
 *
 *     linearity [--threads N] [--size PIXELS] [--shape PIXELS] [COUNT ...]
 *
 * Shapes like glyphs (a bowl with a counter, twelve curves and four lines) lie all over the canvas. Each has its own
 * outline and colour, and is built by the scene's functions. For each count, prints the nanoseconds of processor time a
 * shape takes for building the scene, encoding it and drawing a frame, less what an empty scene takes; the least of
 * several runs. Memory goes back to the system after each count, so that every count pays for its own, as a lone
 * picture does. The last column is the total divided by that of the first count. */
#define _POSIX_C_SOURCE 200809L

#include <malloc.h>
#include <pietra/pietra.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECONDS_EACH 2.0

static double processor_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void stop_if(bool failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "linearity: %s failed\n", what);
        exit(1);
    }
}

/* Returns a number from 0 to 1. */
static double next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 40) * 0x1p-24;
}

static void add_loop(pietra_path *path, double x, double y, double rx, double ry)
{
    const double k = 0.5523;

    pietra_path_move_to(path, x + rx, y);
    pietra_path_cubic_to(path, x + rx, y + k * ry, x + k * rx, y + ry, x, y + ry);
    pietra_path_quad_to(path, x - 0.9 * rx, y + ry, x - rx, y);
    pietra_path_cubic_to(path, x - rx, y - k * ry, x - k * rx, y - ry, x, y - ry);
    pietra_path_quad_to(path, x + 0.9 * rx, y - ry, x + rx, y);
    pietra_path_close(path);
}

static void add_shape(pietra_scene *scene, pietra_path *path, double x, double y, double side, uint64_t *state)
{
    double rx = side * (0.3 + 0.2 * next_random(state)), ry = side * (0.3 + 0.2 * next_random(state));
    pietra_paint paint = {.kind = PIETRA_PAINT_SOLID};

    paint.color = (pietra_color){(float)next_random(state), (float)next_random(state), (float)next_random(state), 1};
    pietra_path_reset(path);
    add_loop(path, x, y, rx, ry);
    add_loop(path, x, y, 0.6 * rx, -0.6 * ry);
    pietra_path_rect(path, x + 0.7 * rx, y, 0.3 * rx, 1.3 * ry);
    stop_if(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, NULL) != PIETRA_OK, "pietra_scene_fill");
}

typedef struct costs {
    double build, encode, frame; /* ns */
} costs;

static pietra_scene *build(size_t count, double size, double side)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    uint64_t state = 1;

    stop_if(!scene || !path, "allocation");
    for (size_t i = 0; i < count; i++) {
        double x = side + next_random(&state) * (size - 2 * side), y = side + next_random(&state) * (size - 2 * side);
        add_shape(scene, path, x, y, side, &state);
    }
    pietra_path_destroy(path);
    return scene;
}

static double least(double a, double b)
{
    return a == 0 || b < a ? b : a;
}

static costs measure(pietra_device *device, size_t count, uint32_t size, double side)
{
    costs costs = {0};
    pietra_target target = {.width = size, .height = size, .pixels = malloc((size_t)4 * size * size)};
    double end = processor_ns() + SECONDS_EACH * 1e9;

    stop_if(!target.pixels, "allocation");
    do {
        pietra_stream *stream;
        malloc_trim(0);
        double start = processor_ns();
        pietra_scene *scene = build(count, size, side);
        costs.build = least(costs.build, processor_ns() - start);
        start = processor_ns();
        stop_if(pietra_stream_encode(scene, NULL, &stream) != PIETRA_OK, "pietra_stream_encode");
        costs.encode = least(costs.encode, processor_ns() - start);
        pietra_scene_destroy(scene);
        for (int i = 0; i < 3; i++) {
            start = processor_ns();
            stop_if(pietra_render(device, stream, NULL, &target, NULL, NULL) != PIETRA_OK, "pietra_render");
            costs.frame = least(costs.frame, processor_ns() - start);
        }
        pietra_stream_destroy(stream);
    } while (processor_ns() < end);
    free(target.pixels);
    return costs;
}

int main(int argument_count, char **arguments)
{
    static const size_t usual[] = {10000, 100000, 1000000};
    size_t counts[16], count = 0;
    pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1};
    pietra_device *device;
    uint32_t size = 1024;
    double side = 12, first = 0;

    for (int i = 1; i < argument_count; i++) {
        bool has_value = i + 1 < argument_count;
        if (strcmp(arguments[i], "--threads") == 0 && has_value)
            options.threads = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (strcmp(arguments[i], "--size") == 0 && has_value)
            size = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (strcmp(arguments[i], "--shape") == 0 && has_value)
            side = strtod(arguments[++i], NULL);
        else if (count < sizeof counts / sizeof counts[0])
            counts[count++] = strtoull(arguments[i], NULL, 10);
    }
    if (count == 0) {
        memcpy(counts, usual, sizeof usual);
        count = sizeof usual / sizeof usual[0];
    }
    stop_if(pietra_device_create(&options, NULL, &device) != PIETRA_OK, "pietra_device_create");
    costs empty = measure(device, 0, size, side);
    printf("empty: encode %.0f us, frame %.0f us\n", empty.encode * 1e-3, empty.frame * 1e-3);
    for (size_t i = 0; i < count; i++) {
        costs costs = measure(device, counts[i], size, side);
        double n = (double)counts[i], drawn = (costs.encode - empty.encode + costs.frame - empty.frame) / n;
        first = i == 0 ? drawn : first;
        printf(
            "%8zu shapes: build %5.0f, encode %5.0f, frame %5.0f ns a shape; encode and frame %5.0f, %.2f of the first\n",
            counts[i], costs.build / n, (costs.encode - empty.encode) / n, (costs.frame - empty.frame) / n, drawn,
            drawn / first);
        fflush(stdout);
    }
    pietra_device_destroy(device);
    return 0;
}
