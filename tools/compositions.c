/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* compositions: measures what it costs to show encoded icons in new places, as a composition and as a scene.
 *
 *     compositions [--count N] [--icons N] [--frames N]
 *
 * Makes streams of icons of two to six small paths, and shows them N times, each frame under other transforms. Prints
 * milliseconds of one thread, the least and the median of the frames: pietra_composition_set of the same icons in the
 * same order, where only transforms change; with one icon more or less each time, so that everything is copied; with
 * fading, with clips and with colours for slots; beside pietra_scene_append of the icons' scenes, and its encoding. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <pietra/pietra_instance.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct icons {
    pietra_scene **scenes;
    pietra_stream **streams;
    size_t count;
} icons;

typedef struct setting {
    const char *name;
    bool grows, fades, clips, colors;
} setting;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void stop_if(bool failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "compositions: %s failed\n", what);
        exit(1);
    }
}

static double between(uint32_t *state, double low, double high)
{
    *state = *state * 1664525u + 1013904223u;
    return low + (high - low) * (*state >> 8) / 16777216.0;
}

/* Adds a ring, a leaf or a cross. */
static void add_part(pietra_scene *scene, pietra_path *path, uint32_t *state)
{
    const pietra_stroke stroke = {.width = 2, .cap = PIETRA_CAP_ROUND};
    const double x = between(state, 6, 18), y = between(state, 6, 18), r = between(state, 2, 8);
    const uint32_t kind = (uint32_t)between(state, 0, 3);
    pietra_paint ink = pietra_solid(0.2f, 0.3f, 0.4f, 1);
    ink.slot = 1;
    pietra_path_reset(path);
    if (kind == 0) {
        pietra_path_ellipse(path, x, y, r, r);
    } else if (kind == 1) {
        pietra_path_move_to(path, x - r, y);
        pietra_path_quad_to(path, x, y - r, x + r, y);
        pietra_path_line_to(path, x, y + r);
        pietra_path_close(path);
    } else {
        pietra_path_move_to(path, x - r, y - r);
        pietra_path_line_to(path, x + r, y + r);
        pietra_path_move_to(path, x + r, y - r);
        pietra_path_line_to(path, x - r, y + r);
    }
    if (kind == 1)
        stop_if(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &ink, NULL) != PIETRA_OK, "a fill");
    else
        stop_if(pietra_scene_stroke(scene, path, NULL, &stroke, &ink, NULL) != PIETRA_OK, "a stroke");
}

static icons make_icons(size_t count)
{
    icons made = {calloc(count, sizeof *made.scenes), calloc(count, sizeof *made.streams), count};
    uint32_t state = 1;
    pietra_path *path = pietra_path_create();
    stop_if(!made.scenes || !made.streams || !path, "memory");
    for (size_t i = 0; i < count; i++) {
        made.scenes[i] = pietra_scene_create();
        stop_if(!made.scenes[i], "a scene");
        for (int parts = (int)between(&state, 2, 5); parts > 0; parts--)
            add_part(made.scenes[i], path, &state);
        stop_if(pietra_stream_encode(made.scenes[i], NULL, &made.streams[i]) != PIETRA_OK, "encoding");
    }
    pietra_path_destroy(path);
    return made;
}

static void place(const icons *icons, const setting *setting, size_t frame, pietra_instance *instances, size_t count)
{
    static const pietra_color inks[] = {{0.2f, 0.2f, 0.3f, 1}, {0.1f, 0.4f, 0.9f, 1}, {0, 0.6f, 0.4f, 1}};
    const double columns = ceil(sqrt((double)count));
    for (size_t i = 0; i < count; i++) {
        const double turn = 0.01 * (double)(frame + i), x = 30 * fmod((double)i, columns),
                     y = 30 * floor((double)i / columns);
        instances[i] = (pietra_instance){.stream = icons->streams[i * 7 % icons->count], .id = (uint32_t)i};
        instances[i].transform = (pietra_transform){cos(turn), sin(turn), -sin(turn), cos(turn), x, y};
        if (setting->fades)
            instances[i].transparency = 0.5f;
        if (setting->clips)
            instances[i].clip = (pietra_box){x, y, x + 24, y + 24};
        if (setting->colors) {
            instances[i].slots = &inks[(i + frame) % 3];
            instances[i].slot_count = 1;
        }
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare);
    printf("%-28s%10.3f%10.3f\n", name, times[0], times[count / 2]);
}

static void measure_composition(const icons *icons, const setting *setting, size_t count, double *times, size_t frames)
{
    pietra_composition *composition = pietra_composition_create();
    pietra_instance *instances = malloc(count * sizeof *instances);
    stop_if(!composition || !instances, "memory");
    for (size_t frame = 0; frame < frames; frame++) {
        const pietra_stream *stream;
        pietra_error error;
        place(icons, setting, frame, instances, count);
        const double start = now_ms();
        stop_if(pietra_composition_set(composition, instances, count - (setting->grows ? frame % 2 : 0), &error,
                                       &stream) != PIETRA_OK,
                error.message);
        times[frame] = now_ms() - start;
    }
    print(setting->name, times, frames);
    free(instances);
    pietra_composition_destroy(composition);
}

static void measure_scene(const icons *icons, size_t count, double *times, size_t frames)
{
    const setting plain = {.name = "pietra_scene_append"};
    pietra_scene *scene = pietra_scene_create();
    pietra_instance *instances = malloc(count * sizeof *instances);
    double *encoding = malloc(frames * sizeof *encoding);
    stop_if(!scene || !instances || !encoding, "memory");
    for (size_t frame = 0; frame < frames; frame++) {
        pietra_stream *stream;
        place(icons, &plain, frame, instances, count);
        const double start = now_ms();
        pietra_scene_reset(scene);
        for (size_t i = 0; i < count; i++)
            stop_if(pietra_scene_append(scene, icons->scenes[i * 7 % icons->count], &instances[i].transform, NULL) !=
                        PIETRA_OK,
                    "appending");
        const double appended = now_ms();
        stop_if(pietra_stream_encode(scene, NULL, &stream) != PIETRA_OK, "encoding");
        times[frame] = appended - start;
        encoding[frame] = now_ms() - appended;
        pietra_stream_destroy(stream);
    }
    print(plain.name, times, frames);
    print("pietra_stream_encode", encoding, frames);
    free(encoding);
    free(instances);
    pietra_scene_destroy(scene);
}

int main(int argument_count, char **arguments)
{
    static const setting settings[] = {
        {.name = "set, new transforms"},          {.name = "set, one more or less", .grows = true},
        {.name = "set, fading", .fades = true},   {.name = "set, clipped", .clips = true},
        {.name = "set, colours", .colors = true},
    };
    size_t count = 2000, icon_count = 50, frames = 200;
    for (int i = 1; i + 1 < argument_count; i += 2)
        if (strcmp(arguments[i], "--count") == 0)
            count = strtoul(arguments[i + 1], NULL, 10);
        else if (strcmp(arguments[i], "--icons") == 0)
            icon_count = strtoul(arguments[i + 1], NULL, 10);
        else if (strcmp(arguments[i], "--frames") == 0)
            frames = strtoul(arguments[i + 1], NULL, 10);
    stop_if(count == 0 || icon_count == 0 || frames == 0, "reading the arguments");
    const icons icons = make_icons(icon_count);
    double *times = malloc(frames * sizeof *times);
    stop_if(!times, "memory");
    printf("%zu of %zu icons\n%-28s%10s%10s\n", count, icon_count, "ms", "least", "median");
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        measure_composition(&icons, &settings[i], count, times, frames);
    measure_scene(&icons, count, times, frames);
    for (size_t i = 0; i < icons.count; i++) {
        pietra_scene_destroy(icons.scenes[i]);
        pietra_stream_destroy(icons.streams[i]);
    }
    free(icons.scenes);
    free(icons.streams);
    free(times);
    return 0;
}
