/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* glyph_runs: measures what glyphs cost as one run, whose outlines are shared, and as a path for each glyph.
 *
 *     glyph_runs [--device cpu|gpu] [--count N] [--size PIXELS] FONT
 *
 * Lays N glyphs of 64 outlines in rows over a square of PIXELS. Prints milliseconds, the least of some runs: the calls
 * that build the scene, its encoding on one thread, the upload to the device, a warm frame, and of this the stages
 * whose names begin with 04. The CPU device draws with one thread. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <pietra/pietra_text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OUTLINES 64
#define RUNS 7
#define DRAWN_MS 200 /* of frames in a run; the first do not count on a GPU, because one that idles has a low clock */

typedef struct measured {
    double build_ms, encode_ms, upload_ms, frame_ms, flatten_ms;
    uint32_t segments;
    size_t stream_bytes;
    uint64_t memory_bytes;
} measured;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void stop_if(bool failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "glyph_runs: %s failed\n", what);
        exit(1);
    }
}

static double least(double a, double b)
{
    return a == 0 || b < a ? b : a;
}

/* Lays glyphs in rows, of which no two touch. Returns the size of the font. */
static double lay(const pietra_font *font, double side, pietra_glyph *glyphs, size_t count)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789&@";
    double columns = ceil(sqrt((double)count)), step = side / columns;
    for (size_t i = 0; i < count; i++) {
        uint32_t letter = (uint32_t)letters[i * 2654435761u % 4294967296u / (4294967296u / OUTLINES)];
        glyphs[i] = (pietra_glyph){pietra_font_glyph(font, letter), step * fmod((double)i, columns),
                                   step * (0.8 + floor((double)i / columns))};
    }
    return 0.75 * step;
}

/* Adds the glyphs as one run, or each by itself in its place. */
static pietra_scene *build(const pietra_font *font, double size, const pietra_glyph *glyphs, size_t count, bool shared)
{
    /* An alpha below 1 asks for a path of the run's own, and is stored as 1. */
    const pietra_paint paint = pietra_solid(0.1f, 0.1f, 0.1f, shared ? 1 : 0.9999f);
    pietra_scene *scene = pietra_scene_create();
    stop_if(!scene, "a scene");
    for (size_t i = 0; i < count; i += shared ? count : 1) {
        stop_if(pietra_scene_fill_glyphs(scene, font, size, &glyphs[i], shared ? count : 1, NULL, &paint, NULL) !=
                    PIETRA_OK,
                "a run");
    }
    return scene;
}

static void draw(pietra_device *device, const pietra_stream *stream, uint32_t side, void *pixels, measured *times)
{
    const pietra_target target = {.width = side, .height = side, .pixels = pixels};
    const double end = now_ms() + DRAWN_MS;
    do {
        pietra_stats stats;
        double flatten_ms = 0;
        stop_if(pietra_render(device, stream, NULL, &target, NULL, &stats) != PIETRA_OK, "drawing");
        for (uint32_t k = 0; k < stats.stage_count; k++)
            if (strncmp(stats.stages[k].name, "04", 2) == 0)
                flatten_ms += stats.stages[k].milliseconds;
        if (stats.upload_ms > 0)
            times->upload_ms = least(times->upload_ms, stats.upload_ms);
        times->frame_ms = least(times->frame_ms, stats.gpu_ms > 0 ? stats.gpu_ms : stats.frame_ms);
        times->flatten_ms = least(times->flatten_ms, flatten_ms);
        times->segments = stats.segments;
        times->memory_bytes = stats.memory_bytes;
    } while (now_ms() < end);
}

static measured measure(pietra_device *device, const pietra_font *font, size_t count, uint32_t side, void *pixels,
                        bool shared)
{
    pietra_glyph *glyphs = malloc(count * sizeof *glyphs);
    stop_if(!glyphs, "memory");
    const double size = lay(font, side, glyphs, count);
    measured times = {0};
    for (int i = 0; i < RUNS; i++) {
        pietra_stream *stream;
        double start = now_ms();
        pietra_scene *scene = build(font, size, glyphs, count, shared);
        times.build_ms = least(times.build_ms, now_ms() - start);
        start = now_ms();
        stop_if(pietra_stream_encode_by(scene, 1, NULL, &stream) != PIETRA_OK, "encoding");
        times.encode_ms = least(times.encode_ms, now_ms() - start);
        pietra_stream_bytes(stream, &times.stream_bytes);
        draw(device, stream, side, pixels, &times);
        pietra_stream_destroy(stream);
        pietra_scene_destroy(scene);
    }
    free(glyphs);
    return times;
}

static void print(const char *name, const measured *times)
{
    printf("%-8s%10.2f%10.2f%10.2f%10.2f%10.2f%12u%12zu%12llu\n", name, times->build_ms, times->encode_ms,
           times->upload_ms, times->frame_ms, times->flatten_ms, times->segments, times->stream_bytes,
           (unsigned long long)times->memory_bytes);
}

int main(int argument_count, char **arguments)
{
    pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1};
    const pietra_font_query query = {0};
    const char *file = NULL;
    uint32_t side = 2048;
    size_t count = 100000;
    for (int i = 1; i < argument_count; i++)
        if (strcmp(arguments[i], "--device") == 0 && i + 1 < argument_count)
            options.kind = strcmp(arguments[++i], "gpu") == 0 ? PIETRA_DEVICE_GPU : PIETRA_DEVICE_CPU;
        else if (strcmp(arguments[i], "--count") == 0 && i + 1 < argument_count)
            count = strtoul(arguments[++i], NULL, 10);
        else if (strcmp(arguments[i], "--size") == 0 && i + 1 < argument_count)
            side = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else
            file = arguments[i];
    pietra_fonts *fonts = pietra_fonts_create();
    pietra_font *font = NULL;
    pietra_device *device = NULL;
    void *pixels = malloc((size_t)4 * side * side);
    stop_if(count == 0 || !pixels || !fonts || !file, "reading the arguments");
    stop_if(pietra_fonts_add_file(fonts, file, NULL) != PIETRA_OK ||
                pietra_font_open(fonts, &query, NULL, &font) != PIETRA_OK,
            "opening the font");
    stop_if(pietra_device_create(&options, NULL, &device) != PIETRA_OK, "opening the device");
    pietra_device_info info;
    pietra_device_get_info(device, &info);
    printf("%s\n%-8s%10s%10s%10s%10s%10s%12s%12s%12s\n", info.name, "", "build", "encode", "upload", "frame",
           "stage 04", "segments", "stream B", "frame B");
    const measured paths = measure(device, font, count, side, pixels, false);
    print("paths", &paths);
    const measured run = measure(device, font, count, side, pixels, true);
    print("run", &run);
    pietra_device_destroy(device);
    pietra_font_destroy(font);
    pietra_fonts_destroy(fonts);
    free(pixels);
    return 0;
}
