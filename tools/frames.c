/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* frames: measures what reading, encoding and drawing SVG files costs.
 *
 *     frames [--threads N] [--size PIXELS] [--seconds S] [--wall] [--zooming] [--gpu] [--fonts FOLDER] FILE.svg ...
 *
 * The longer side gets PIXELS pixels. Prints the milliseconds of processor time that each step takes on the CPU device,
 * the least of all runs within the seconds, and the bytes of the stream. With one thread, other work on the machine
 * disturbs processor time least. --wall prints milliseconds of wall-clock time instead, which show what several threads
 * gain. --gpu draws on a GPU; a frame's time is that of all its stages there. --zooming gives each frame another scale,
 * so that what a device keeps of patterns and effects is of no use. Text is left out without --fonts, which draws it in
 * the fonts of a folder; they stay open. */
#define _POSIX_C_SOURCE 200809L

#include <pietra/pietra.h>
#include <pietra/pietra_text.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FRAMES_EACH 5
#define ZOOM_STEP 0.0007 /* of the scale, from one frame to the next */

static clockid_t measured_clock = CLOCK_PROCESS_CPUTIME_ID;
static bool is_zooming, is_gpu;

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(measured_clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void stop_if(bool failed, const char *what, const char *name)
{
    if (failed) {
        fprintf(stderr, "frames: %s: %s failed\n", name, what);
        exit(1);
    }
}

static char *read_file(const char *name, size_t *count)
{
    FILE *file = fopen(name, "rb");

    stop_if(!file || fseek(file, 0, SEEK_END) != 0, "opening", name);
    *count = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*count + 1);
    stop_if(!bytes || fread(bytes, 1, *count, file) != *count, "reading", name);
    fclose(file);
    return bytes;
}

static double least(double a, double b)
{
    return a == 0 || b < a ? b : a;
}

/* Returns the milliseconds of a frame. */
static double draw(pietra_device *device, const pietra_stream *stream, double scale, const pietra_target *target,
                   const char *name)
{
    const pietra_frame frame = {.transform = {.a = scale, .d = scale}};
    const double start = now_ms();
    pietra_stats stats;
    double stages = 0;
    stop_if(pietra_render(device, stream, &frame, target, NULL, &stats) != PIETRA_OK, "drawing", name);
    const double passed = now_ms() - start;
    for (uint32_t i = 0; i < stats.stage_count; i++)
        stages += stats.stages[i].milliseconds;
    return is_gpu ? stages : passed;
}

static void measure(pietra_device *device, pietra_fonts *fonts, const char *name, uint32_t size, uint32_t threads,
                    double seconds)
{
    size_t byte_count, stream_bytes = 0;
    char *bytes = read_file(name, &byte_count);
    double parse = 0, encode = 0, frame_ms = 0, width, height, end = now_ms() + seconds * 1e3;
    pietra_target target = {0};
    const char *slash = strrchr(name, '/');

    do {
        pietra_svg_options options = {.threads = threads, .fonts = fonts};
        pietra_scene *scene = pietra_scene_create();
        pietra_stream *stream;
        double start = now_ms();
        stop_if(!scene || pietra_scene_load_svg(scene, bytes, byte_count, &options, NULL, &width, &height) != PIETRA_OK,
                "parsing", name);
        parse = least(parse, now_ms() - start);
        start = now_ms();
        stop_if(pietra_stream_encode_by(scene, threads, NULL, &stream) != PIETRA_OK, "encoding", name);
        encode = least(encode, now_ms() - start);
        pietra_scene_destroy(scene);
        pietra_stream_bytes(stream, &stream_bytes);
        double scale = size / (width > height ? width : height);
        target.width = (uint32_t)(width * scale + 0.5);
        target.height = (uint32_t)(height * scale + 0.5);
        target.pixels = target.pixels ? target.pixels : malloc((size_t)4 * target.width * target.height);
        stop_if(!target.pixels, "allocation", name);
        for (int i = 0; i < FRAMES_EACH; i++)
            frame_ms =
                least(frame_ms, draw(device, stream, is_zooming ? scale * (1 - i * ZOOM_STEP) : scale, &target, name));
        pietra_stream_destroy(stream);
    } while (now_ms() < end);
    printf("%-26s%6u x%6u%10.2f%10.2f%10.2f%12zu\n", slash ? slash + 1 : name, target.width, target.height, parse,
           encode, frame_ms, stream_bytes);
    fflush(stdout);
    free(target.pixels);
    free(bytes);
}

int main(int count, char **arguments)
{
    pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1};
    pietra_device *device = NULL;
    pietra_fonts *fonts = NULL;
    uint32_t size = 1024;
    double seconds = 2;

    printf("%-26s%14s%10s%10s%10s%12s\n", "file", "pixels", "parse", "encode", "frame", "stream");
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--threads") == 0 && i + 1 < count) {
            options.threads = (uint32_t)strtoul(arguments[++i], NULL, 10);
        } else if (strcmp(arguments[i], "--size") == 0 && i + 1 < count) {
            size = (uint32_t)strtoul(arguments[++i], NULL, 10);
        } else if (strcmp(arguments[i], "--seconds") == 0 && i + 1 < count) {
            seconds = strtod(arguments[++i], NULL);
        } else if (strcmp(arguments[i], "--fonts") == 0 && i + 1 < count) {
            fonts = fonts ? fonts : pietra_fonts_create();
            i++;
            stop_if(!fonts || pietra_fonts_add_directory(fonts, arguments[i], NULL) != PIETRA_OK, "adding fonts",
                    arguments[i]);
        } else if (strcmp(arguments[i], "--wall") == 0) {
            measured_clock = CLOCK_MONOTONIC;
        } else if (strcmp(arguments[i], "--zooming") == 0) {
            is_zooming = true;
        } else if (strcmp(arguments[i], "--gpu") == 0) {
            is_gpu = true;
            options.kind = PIETRA_DEVICE_GPU;
        } else {
            stop_if(!device && pietra_device_create(&options, NULL, &device) != PIETRA_OK, "making a device",
                    arguments[i]);
            measure(device, fonts, arguments[i], size, options.threads, seconds);
        }
    }
    pietra_device_destroy(device);
    pietra_fonts_destroy(fonts);
    return 0;
}
